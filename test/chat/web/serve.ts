import { COMMANDS } from '../../../commands/index.ts';
import { startBot } from '../../../src/bot.ts';
import { makeWebDoor, type WebDoor } from '../../../src/chat/web/door.ts';
import type { ChatClock } from '../../../src/chat/web/routes.ts';
import { readConfig } from '../../../src/config/config.ts';
import type { Dispatcher } from '../../../src/dispatch/contract.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import type { Pictures } from '../../../src/reply/picture/pictures.ts';
import type { Answer, MessageView } from '../../../src/web/chat/views.ts';
import { quiet } from '../../daily/ground.ts';
import { makeTestApp, type TestApp, type TestAppOptions } from '../../fakes/app.ts';
import { pictures as fakePictures } from '../../fakes/pictures.ts';

export interface Served extends TestApp {
  readonly dispatcher: Dispatcher;
  readonly door: WebDoor;
  readonly time: ChatClock;
  /** The same store and the same address, and nothing that the room had in memory. */
  restart(): Promise<void>;
}

/**
 * The local chat over the test app, on a port of its own.
 *
 * @param given an app that is there already; then `close` leaves it open
 */
export async function serveWeb(
  { pictures = fakePictures, ...options }: TestAppOptions & { readonly pictures?: Pictures } = {},
  given?: TestApp,
): Promise<Served> {
  const test = given ?? (await makeTestApp(options));
  const time: ChatClock = {
    now: () => test.clock.now(),
    async moveTo(moment) {
      test.clock.time = Math.max(moment, test.clock.time);
    },
    next: async () => undefined,
  };
  const dispatcher = makeDispatcher(test.app, { commands: COMMANDS });
  const makeDoor = (port: number) =>
    makeWebDoor({
      app: test.app,
      dispatcher,
      clock: time,
      pictures,
      port,
      outsideHosts: undefined,
    });
  let door = makeDoor(0);
  await door.start();
  return {
    ...test,
    dispatcher,
    get door() {
      return door;
    },
    time,
    async restart() {
      const { port } = new URL(door.url);
      await door.stop();
      door = makeDoor(Number(port));
      await door.start();
    },
    async close() {
      await door.stop();
      if (given === undefined) await test.close();
    },
  };
}

/** What the page does, without a browser: it sends requests, and receives the events of one person. */
export function openPage(url: string, person: string) {
  const post = (path: string, fields: Record<string, unknown> = {}, headers: Record<string, string> = {}) =>
    fetch(new URL(path, url), {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ person, ...fields }),
    });
  const ask = async (path: string, fields?: Record<string, unknown>) => {
    const response = await post(path, fields);
    return { ...((await response.json()) as Answer), status: response.status };
  };
  return { post, ask, listen: () => listen(new URL(`/events?person=${person}`, url)) };
}

export interface BoardFacts {
  readonly event: string;
  readonly data: MessageView & {
    messages?: MessageView[];
    threads?: { id: string; openingMessage: string }[];
    now?: number;
  };
}

/** Server-sent events, one after the other. */
async function listen(url: URL) {
  const stop = new AbortController();
  const response = await fetch(url, { signal: stop.signal });
  const received: BoardFacts[] = [];
  const waiting: (() => void)[] = [];
  const reading = (async () => {
    let text = '';
    const decoder = new TextDecoder();
    try {
      for await (const chunk of response.body!) {
        text += decoder.decode(chunk, { stream: true });
        const events = text.split('\n\n');
        text = events.pop()!;
        for (const event of events) {
          const [, name, data] = /^event: (.*)\ndata: (.*)$/s.exec(event) ?? [];
          if (name !== undefined) received.push({ event: name, data: JSON.parse(data!) });
        }
        for (const look of waiting.splice(0)) look();
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  })();
  return {
    received,
    /** Resolves with the first that fits, from the beginning on. */
    async first(fits: (told: BoardFacts) => boolean): Promise<BoardFacts> {
      for (;;) {
        const found = received.find(fits);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
    async close() {
      stop.abort();
      await reading;
    },
  };
}

/** Half past six: a day is moved on by whole hours, and its posts are due on the hour. */
const EARLY = Date.parse('2026-11-20T11:30:00Z');

/** The bot as it is without any token, only the local chat, in this process; test/main.test.ts starts it as one of its own. */
export async function startLocalChat(dataDir: string): Promise<{ url: string; stop(): Promise<void> }> {
  const ahead = EARLY - Date.now();
  const config = readConfig({ WEB_PORT: '0', DATA_DIR: dataDir, WORKERS: '0' });
  const bot = await startBot(config, quiet, { clock: { now: () => Date.now() + ahead } });
  return { url: bot.chatUrl!, stop: () => bot.stop() };
}
