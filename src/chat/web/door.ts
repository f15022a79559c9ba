import type { Log } from '../../core/log.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { HttpServer } from '../../http/server.ts';
import type { SoloGames } from '../../players/solo-games.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { ChatRoom } from './chat-room.ts';
import { WebPoster } from './poster.ts';
import { RequestHandlers } from './request-handlers.ts';
import { type ChatClock, ChatRoutes } from './routes.ts';

export interface WebDoorOptions {
  readonly dispatcher: Dispatcher;
  readonly games: SoloGames;
  readonly clock: ChatClock;
  readonly log: Log;
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

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/**
 * The local chat: a page that behaves as the bot does in a channel, for trying everything without a token.
 *
 * @example await makeWebDoor({ dispatcher, clock, log, host: '127.0.0.1', port: 0 }).start();
 */
export function makeWebDoor(options: WebDoorOptions): WebDoor {
  const { dispatcher, games, clock, log, host, port, outsideHosts } = options;
  const room = new ChatRoom();
  const handlers = new RequestHandlers({ dispatcher, room, clock, log, games });
  const chat = new ChatRoutes({
    dispatcher,
    room,
    handlers,
    clock,
    log,
    pictures: options.pictures,
    outsideHosts,
    port: () => server.port,
  });
  const server = new HttpServer({ router: chat.router, host, port, settings: `WEB_PORT ${port}` });
  let isListening = false;
  return {
    name: 'web',
    poster: new WebPoster(room, clock),
    get url() {
      const name = host.includes(':') ? `[${host}]` : host;
      return `http://${name}:${server.port}/`;
    },
    async start() {
      if (!LOOPBACK.includes(host)) {
        if (outsideHosts === undefined) {
          throw new Error(
            `The local chat has no log-in: everybody who reaches it can act as anyone. It listens on 127.0.0.1 only, not on ${host}, unless WEB_CHAT=outside says that this is wanted.`,
          );
        }
        log.warn(
          { host, hosts: outsideHosts },
          `the local chat listens for other machines: everybody who reaches it can act as anyone and change its settings. It answers under ${outsideHosts.join(', ')} (WEB_HOSTS)`,
        );
      }
      await server.start();
      isListening = true;
    },
    async stop() {
      isListening = false;
      chat.close();
      await server.stop();
    },
    trouble: () => (isListening ? undefined : 'The local chat is not listening.'),
  };
}
