import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { HttpServer } from '../../http/server.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { ChatRoom, WebPoster } from './chat-room.ts';
import { RequestHandlers } from './request-handlers.ts';
import { type ChatClock, ChatRoutes, LOOPBACK } from './routes.ts';

export interface WebDoorOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly clock: ChatClock;
  /** Shared with other doors. */
  readonly pictures?: Pictures;
  /** 127.0.0.1 unless `outsideHosts` are given. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /**
   * Accepts other machines too, under these names and addresses: anyone who reaches the page can act as anyone on
   * it.
   */
  readonly outsideHosts?: readonly string[];
}

export interface WebDoor extends Door {
  readonly poster: Poster;
  /** The address of the page, only after `start`. */
  readonly url: string;
}

/**
 * The local chat: a page that behaves as the bot does in a channel, for trying everything without a token.
 *
 * @example await makeWebDoor({ app, dispatcher, clock, host: '127.0.0.1', port: 0 }).start();
 */
export function makeWebDoor(options: WebDoorOptions): WebDoor {
  const { app, dispatcher, clock, pictures = makePictures(), host, port, outsideHosts } = options;
  const name = host.includes(':') ? `[${host}]` : host;
  const room = new ChatRoom();
  const parts = { app, dispatcher, room, clock };
  const handlers = new RequestHandlers(parts);
  const routes = new ChatRoutes({ ...parts, handlers, pictures, outsideHosts, port: () => server.port });
  const server = new HttpServer({ router: routes.router, host, port, settings: `WEB_PORT ${port}` });
  let isListening = false;
  return {
    name: 'web',
    poster: new WebPoster(room, clock),
    get url() {
      return `http://${name}:${server.port}/`;
    },
    async start() {
      if (!LOOPBACK.includes(name)) warnOfOutside(options);
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

/** @throws unless the settings say that other machines may reach the chat */
function warnOfOutside({ app, host, outsideHosts }: WebDoorOptions): void {
  if (outsideHosts === undefined) {
    throw new Error(
      `The local chat has no log-in: everybody who reaches it can act as anyone. It listens on 127.0.0.1 only, not on ${host}, unless WEB_CHAT=outside says that this is wanted.`,
    );
  }
  app.log.warn(
    { host, hosts: outsideHosts },
    `the local chat listens for other machines: everybody who reaches it can act as anyone and change its settings. It answers under ${outsideHosts.join(', ')} (WEB_HOSTS)`,
  );
}
