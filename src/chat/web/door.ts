import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { HttpServer } from '../../http/server.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { ChatRoom, WebPoster } from './chat-room.ts';
import { RequestHandlers } from './request-handlers.ts';
import { type ChatClock, ChatRoutes } from './routes.ts';

export interface WebDoorOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly clock: ChatClock;
  /** Shared with other doors. */
  readonly pictures: Pictures;
  /** 0 for any free port. */
  readonly port: number;
  /**
   * Accepts other machines too, under these names and addresses: anyone who reaches the page can act as anyone on
   * it. Without them, it listens on 127.0.0.1 alone.
   */
  readonly outsideHosts: readonly string[] | undefined;
}

export interface WebDoor extends Door {
  readonly poster: Poster;
  /** The address of the page, only after `start`. */
  readonly url: string;
}

/**
 * The local chat: a page that behaves as the bot does in a channel, for trying everything without a token.
 *
 * @example await makeWebDoor({ app, dispatcher, clock, pictures, port: 0, outsideHosts: undefined }).start();
 */
export function makeWebDoor({
  app,
  dispatcher,
  clock,
  pictures,
  port,
  outsideHosts,
}: WebDoorOptions): WebDoor {
  const host = outsideHosts === undefined ? '127.0.0.1' : '0.0.0.0';
  const room = new ChatRoom();
  const parts = { app, dispatcher, room, clock };
  const handlers = new RequestHandlers(parts);
  const routes = new ChatRoutes({ ...parts, handlers, pictures, outsideHosts });
  const server = new HttpServer({ router: routes.router, host, port, settings: `WEB_PORT ${port}` });
  let isListening = false;
  return {
    name: 'web',
    poster: new WebPoster(room, clock),
    get url() {
      return `http://${host}:${server.port}/`;
    },
    async start() {
      if (outsideHosts !== undefined)
        app.log.warn(
          { host, hosts: outsideHosts },
          `the local chat listens for other machines: everybody who reaches it can act as anyone and change its settings. It answers under ${outsideHosts.join(', ')} (WEB_HOSTS)`,
        );
      await server.start();
      isListening = true;
    },
    async stop() {
      isListening = false;
      routes.close();
      await server.stop();
    },
    trouble: () => (isListening ? undefined : 'The local chat is not listening.'),
  };
}
