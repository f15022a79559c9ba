import type { Log } from '../../core/log.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import type { Door } from '../door.ts';
import type { Time } from './movable-clock.ts';
import { makeWebPoster } from './poster.ts';
import { Room } from './room.ts';
import { WebServer } from './server.ts';
import { Talk } from './talk.ts';

export interface WebDoorOptions {
  readonly dispatcher: Dispatcher;
  readonly time: Time;
  readonly log: Log;
  /** 127.0.0.1 unless `allowOutside`. */
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  /** Listens for other machines too: whoever reaches the page can act as anyone on it. */
  readonly allowOutside?: boolean;
}

export interface WebDoor extends Door {
  readonly poster: Poster;
  /** Where the page is, once it is started. */
  readonly url: string;
}

const LOOPBACK = ['127.0.0.1', '::1', 'localhost'];

/**
 * The local chat: a page that behaves as the bot does in a channel, for trying everything without a token.
 *
 * @example await makeWebDoor({ dispatcher, time, log, host: '127.0.0.1', port: 0 }).start();
 */
export function makeWebDoor(options: WebDoorOptions): WebDoor {
  const { dispatcher, time, log, host, port, allowOutside = false } = options;
  const room = new Room();
  const talk = new Talk({ dispatcher, room, clock: time, log });
  const server = new WebServer({ dispatcher, room, talk, time, log, allowOutside });
  let isListening = false;
  return {
    name: 'web',
    poster: makeWebPoster(room, time),
    get url() {
      const name = host.includes(':') ? `[${host}]` : host;
      return `http://${name}:${server.port}/`;
    },
    async start() {
      if (!LOOPBACK.includes(host)) {
        if (!allowOutside) {
          throw new Error(
            `The local chat has no log-in: whoever reaches it can act as anyone. It listens on 127.0.0.1 only, not on ${host}, unless WEB_CHAT=outside says that this is wanted.`,
          );
        }
        log.warn(
          { host },
          'the local chat listens for other machines: whoever reaches it can act as anyone and change its settings',
        );
      }
      await server.listen(port, host);
      isListening = true;
    },
    async stop() {
      isListening = false;
      await server.close();
    },
    trouble: () => (isListening ? undefined : 'The local chat is not listening.'),
  };
}
