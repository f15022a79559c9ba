import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Log } from '../../core/log.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import type { Block } from '../../reply/model/types.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { BadRequest, readFields, textField } from './body.ts';
import { isOurs, protect } from './guard.ts';
import type { Time } from './movable-clock.ts';
import { personOf, type WebPerson } from './people.ts';
import type { Room } from './room.ts';
import { Stream } from './stream.ts';
import { suggest } from './suggest.ts';
import { askerOf, type Speaker, type Talk } from './talk.ts';

const PAGE = new URL('page/', import.meta.url);
const FILES: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  '/': { name: 'index.html', type: 'text/html; charset=utf-8' },
  '/chat.css': { name: 'chat.css', type: 'text/css; charset=utf-8' },
  ...Object.fromEntries(
    ['chat', 'clock', 'composer', 'element', 'form', 'lines', 'messages', 'server'].map((name) => [
      `/${name}.js`,
      { name: `${name}.js`, type: 'text/javascript; charset=utf-8' },
    ]),
  ),
};
const HOUR = 60 * 60 * 1000;
/** Each open page is told everything; nobody needs more of them to try the bot. */
const MOST_PAGES = 50;

export interface ServerOptions {
  readonly dispatcher: Dispatcher;
  readonly room: Room;
  readonly talk: Talk;
  readonly time: Time;
  readonly log: Log;
  readonly allowOutside: boolean;
}

type Fields = Record<string, unknown>;

/** The page, what it asks for, and the streams that keep it up to date. */
export class WebServer {
  readonly #options: ServerOptions;
  readonly #server: Server;
  readonly #streams = new Set<Stream>();
  #isClosing = false;
  readonly #pictures: Pictures = makePictures();

  constructor(options: ServerOptions) {
    this.#options = options;
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  listen(port: number, host: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#server.once('error', reject);
      this.#server.listen(port, host, () => {
        this.#server.off('error', reject);
        resolve();
      });
    });
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** What was asked is answered; streams, which never end by themselves, are ended. */
  close(): Promise<void> {
    for (const stream of this.#streams) stream.close();
    this.#isClosing = true;
    return new Promise((resolve) => {
      this.#server.close(() => resolve());
      this.#server.closeIdleConnections();
    });
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    protect(response);
    response.once('close', () => {
      // Kept alive by a browser that may want more, it would keep the end waiting.
      if (this.#isClosing) setImmediate(() => this.#server.closeIdleConnections());
    });
    try {
      if (!isOurs(request, this.port, this.#options.allowOutside))
        throw new BadRequest(403, 'Only this chat’s own page may ask that.');
      const url = URL.parse(request.url ?? '/', 'http://page');
      if (url === null) throw notFound();
      if (request.method === 'POST') await this.#post(url.pathname, await readFields(request), response);
      else if (request.method === 'GET') await this.#get(url, response);
      else throw new BadRequest(405, 'That is not something this page does.');
    } catch (error) {
      this.#fail(error, response);
    }
  }

  async #get({ pathname, searchParams }: URL, response: ServerResponse): Promise<void> {
    const file = Object.hasOwn(FILES, pathname) ? FILES[pathname] : undefined;
    if (file !== undefined) {
      response.writeHead(200, { 'content-type': file.type });
      response.end(readFileSync(fileURLToPath(new URL(file.name, PAGE))));
      return;
    }
    const person = personOf(searchParams.get('person'));
    if (person === undefined) throw notFound();
    if (pathname === '/events') {
      this.#stream(person, response);
      return;
    }
    const [, what, message, block] = pathname.split('/');
    const found = this.#block(person, message, Number(block));
    if (what === 'picture' && found?.kind === 'picture') {
      response.writeHead(200, { 'content-type': 'image/png', 'cache-control': 'private, max-age=3600' });
      response.end(await this.#pictures.png(found.picture));
    } else if (what === 'file' && found?.kind === 'file') {
      const type = 'application/octet-stream';
      const name = encodeURIComponent(found.name);
      response.writeHead(200, {
        'content-type': type,
        'content-disposition': `attachment; filename*=UTF-8''${name}`,
      });
      response.end(found.content);
    } else throw notFound();
  }

  async #post(path: string, fields: Fields, response: ServerResponse): Promise<void> {
    const person = personOf(fields.person);
    if (person === undefined) throw new BadRequest(400, 'Nobody of that name is here. Reload the page.');
    response.setHeader('content-type', 'application/json; charset=utf-8');
    response.end(JSON.stringify((await this.#act(path, person, fields)) ?? {}));
  }

  /** What the page can ask for, by its path. */
  async #act(path: string, person: WebPerson, fields: Fields): Promise<unknown> {
    const { talk, room, dispatcher } = this.#options;
    const speaker = this.#speaker(person, fields.thread);
    switch (path) {
      case '/say':
        return { form: await talk.say(speaker, textField(fields, 'line')) };
      case '/press': {
        const on = room.message(textField(fields, 'message'), person.id);
        return { form: await talk.press(speaker, textField(fields, 'value'), on) };
      }
      case '/submit':
        return { form: await talk.submit(speaker, textField(fields, 'value'), filledIn(fields.fields)) };
      case '/suggest':
        return { suggestions: await suggest(textField(fields, 'line'), askerOf(speaker), dispatcher) };
      case '/open': {
        const block = this.#block(person, textField(fields, 'message'), Number(fields.block));
        if (block?.kind !== 'spoiler') throw notFound();
        return { lines: block.hidden };
      }
      case '/clock':
        return this.#moveClock(textField(fields, 'to'));
      default:
        throw notFound();
    }
  }

  async #moveClock(to: string): Promise<unknown> {
    const { time } = this.#options;
    const moments: Record<string, () => Promise<number | undefined> | number> = {
      hour: () => time.now() + HOUR,
      day: () => time.now() + 24 * HOUR,
      next: () => time.next(),
    };
    const moment = Object.hasOwn(moments, to) ? await moments[to]?.() : undefined;
    if (moment !== undefined) await time.moveTo(moment);
    for (const stream of this.#streams) stream.clockMoved();
    return { now: time.now(), moved: moment !== undefined };
  }

  #stream(person: WebPerson, response: ServerResponse): void {
    if (this.#streams.size >= MOST_PAGES)
      throw new BadRequest(503, 'Too many pages of this chat are open. Close some, then reload this one.');
    const { room, dispatcher, time, log } = this.#options;
    const stream = new Stream(response, person, { room, dispatcher, now: () => time.now(), log });
    this.#streams.add(stream);
    response.on('close', () => this.#streams.delete(stream));
  }

  #speaker(person: WebPerson, thread: unknown): Speaker {
    const isThread = typeof thread === 'string' && this.#options.room.thread(thread) !== undefined;
    return isThread ? { person, thread } : { person };
  }

  #block(person: WebPerson, message = '', block: number): Block | undefined {
    return this.#options.room.message(message, person.id)?.reply.blocks[block];
  }

  #fail(error: unknown, response: ServerResponse): void {
    const isTheirs = error instanceof BadRequest;
    if (!isTheirs) this.#options.log.error({ err: error, door: 'web' }, 'a request of the page failed');
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // What was not read of a body that is too long stays unread.
    response.setHeader('connection', 'close');
    response.writeHead(isTheirs ? error.status : 500, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify({ trouble: isTheirs ? error.message : 'That failed here. Try again.' }));
  }
}

function notFound(): BadRequest {
  return new BadRequest(404, 'That is no longer here.');
}

function filledIn(fields: unknown): Record<string, string> {
  const entries = Object.entries(typeof fields === 'object' && fields !== null ? fields : {});
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}
