import type { MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import * as v from 'valibot';
import { HOUR } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { Turns } from '../../core/turns.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import { fileRoutes, fileSender } from '../../http/files.ts';
import { type HttpContext, type HttpEnv, makeRouter, type Router, readBody } from '../../http/router.ts';
import { BOARD_FILES, SOURCE } from '../../pages/html.ts';
import { type Move, parseMoves } from '../../play/game.ts';
import type { Block } from '../../reply/model/types.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { autocomplete } from './autocomplete.ts';
import { type ChatRoom, PEOPLE, type RoomEvent, type WebPerson } from './chat-room.ts';
import { askerOf, type RequestHandlers, type Speaker } from './request-handlers.ts';
import { boardIn, viewOf } from './view.ts';

/** The time that the page shows and can move; moving it posts everything that falls due on the way. */
export interface ChatClock {
  now(): number;
  moveTo(moment: number): Promise<void>;
  /** When something is posted next, if anything is. */
  next(): Promise<number | undefined>;
}

export interface ChatRoutesOptions {
  readonly dispatcher: Dispatcher;
  readonly room: ChatRoom;
  readonly handlers: RequestHandlers;
  readonly clock: ChatClock;
  readonly log: Log;
  readonly pictures?: Pictures | undefined;
  /** Names and addresses under which other machines may open it, without ports. */
  readonly outsideHosts: readonly string[] | undefined;
  /** The port it is served on. */
  readonly port: () => number;
}

const PAGE = 'chat/web/page/';
const FILES = ['chat.css', 'chat.js', 'composer.js', 'messages.js', 'server.js'].map((name) => PAGE + name);
/** Everything is loaded from this server, and no other page may frame it. */
const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};
/** Bytes. Anything that a person types fits in; the commands have limits of their own. */
const MAX_BODY = 64 * 1024;
const TOO_LONG = 'That is too long. Type at most a few hundred words at once.';
/** Every open page gets every event; trying the bot takes a few of them. */
const MAX_PAGES = 50;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** What the page shows, by the status of a refusal that says nothing itself. */
const TROUBLE: Readonly<Record<number, string>> = {
  404: 'That is no longer here.',
  405: 'That is not something this page does.',
  500: 'That failed here. Try again.',
};

/** The chat page, what it asks for, and the event streams that keep it up to date. */
export class ChatRoutes {
  readonly router: Router;
  readonly #options: ChatRoutesOptions;
  readonly #streams = new Set<EventStream>();
  readonly #pictures: Pictures;

  constructor(options: ChatRoutesOptions) {
    this.#options = options;
    this.#pictures = options.pictures ?? makePictures();
    this.router = makeRouter(options.log, {
      contentSecurityPolicy: CONTENT_SECURITY_POLICY,
      refuseProgram: (context, status, message) =>
        context.json({ trouble: TROUBLE[status] ?? message }, status),
    });
    this.router.use(...onlyOwnPage(options));
    this.#addReads();
    this.#addPosts();
  }

  /** Ends the event streams, which would never end by themselves. */
  close(): void {
    for (const stream of this.#streams) stream.close();
  }

  #addReads(): void {
    this.router.get('/', fileSender(new URL(`${PAGE}index.html`, SOURCE)));
    this.router.route('/', fileRoutes(SOURCE, [...FILES, ...BOARD_FILES]));
    this.router.get('/events', (context) => this.#stream(context, personOf(context.req.query('person'))));
    this.router.get('/picture/:message/:block', async (context) => {
      const block = this.#requestedBlock(context);
      if (block?.kind !== 'picture') return context.notFound();
      const dark = context.req.query('look') === 'dark';
      const png = await this.#pictures.png({ ...block.picture, ...(dark && { dark }) });
      return context.body(new Uint8Array(png), 200, {
        'content-type': 'image/png',
        'cache-control': 'private, max-age=3600',
      });
    });
    this.router.get('/file/:message/:block', (context) => {
      const block = this.#requestedBlock(context);
      if (block?.kind !== 'file') return context.notFound();
      return context.body(block.content, 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(block.name)}`,
      });
    });
  }

  #addPosts(): void {
    const { room, handlers, dispatcher } = this.#options;
    this.#post('/say', { line: v.string() }, async (speaker, { line }) => ({
      form: await handlers.line(speaker, line),
    }));
    this.#post('/press', { message: v.string(), value: v.string() }, async (speaker, { message, value }) => ({
      form: await handlers.press(speaker, value, room.message(message, speaker.person.id)),
    }));
    this.#post('/submit', { value: v.string(), fields: FORM_FIELDS }, async (speaker, { value, fields }) => ({
      trouble: await handlers.submit(speaker, value, fields),
    }));
    this.#post('/suggest', { line: v.string() }, async (speaker, { line }) => ({
      suggestions: await autocomplete(line, askerOf(speaker), dispatcher),
    }));
    this.#post('/open', { message: v.string(), block: v.unknown() }, ({ person }, { message, block }) => {
      const found = this.#block(person, message, Number(block));
      if (found?.kind !== 'spoiler') throw new HTTPException(404);
      return { lines: found.hidden };
    });
    this.#post('/play', PLAYED, (speaker, { message, block, moves, version }) => {
      const found = this.#block(speaker.person, message, block);
      const options = boardIn(found);
      if (options === undefined) throw new HTTPException(404);
      return handlers.play(speaker, {
        options,
        moves,
        version,
      });
    });
    this.#post('/help', ASKED, (speaker, { message, block, ask }) => {
      const found = this.#block(speaker.person, message, block);
      const options = boardIn(found);
      if (options === undefined) throw new HTTPException(404);
      return handlers.helpWith(speaker, ask, options);
    });
    this.#post('/clock', { to: v.string() }, (_, { to }) => this.#moveClock(to));
  }

  #post<Entries extends v.ObjectEntries>(
    path: string,
    entries: Entries,
    act: (
      speaker: Speaker,
      fields: v.InferOutput<v.ObjectSchema<Entries, undefined>>,
    ) => Promise<object> | object,
  ): void {
    const schema = v.object(entries);
    this.router.post(path, async (context) => {
      const body = parseJson(await readBody(context, MAX_BODY, TOO_LONG));
      return context.json(await act(this.#speaker(parse(SPEAKER, body)), parse(schema, body)));
    });
  }

  async #moveClock(to: string): Promise<object> {
    const { clock } = this.#options;
    const moments: Record<string, () => Promise<number | undefined> | number> = {
      hour: () => clock.now() + HOUR,
      day: () => clock.now() + 24 * HOUR,
      next: () => clock.next(),
    };
    const moment = Object.hasOwn(moments, to) ? await moments[to]?.() : undefined;
    if (moment !== undefined) await clock.moveTo(moment);
    for (const stream of this.#streams) stream.clockMoved();
    return { now: clock.now(), moved: moment !== undefined };
  }

  #stream(context: HttpContext, person: WebPerson | undefined): Response | Promise<Response> {
    if (person === undefined) return context.notFound();
    if (this.#streams.size >= MAX_PAGES) {
      throw new HTTPException(503, {
        message: 'Too many pages of this chat are open. Close some, then reload this one.',
      });
    }
    const events = new EventStream(person, this.#options);
    this.#streams.add(events);
    return streamSSE(context, (stream) => events.run(stream).finally(() => this.#streams.delete(events)));
  }

  #speaker({ person: id, thread }: v.InferOutput<typeof SPEAKER>): Speaker {
    const person = personOf(id);
    if (person === undefined)
      throw new HTTPException(400, { message: 'Nobody of that name is here. Reload the page.' });
    const isThread = thread !== undefined && this.#options.room.thread(thread) !== undefined;
    return isThread ? { person, thread } : { person };
  }

  #requestedBlock({ req }: HttpContext): Block | undefined {
    const person = personOf(req.query('person'));
    return person && this.#block(person, req.param('message'), Number(req.param('block')));
  }

  #block(person: WebPerson, message = '', block: number): Block | undefined {
    return this.#options.room.message(message, person.id)?.reply.blocks[block];
  }
}

/** Often enough that no proxy takes the connection for an idle one, in milliseconds. */
const HEARTBEAT = 20_000;

/** Server-sent events for one open page: first all that its person may see, then every change. */
class EventStream {
  readonly #person: WebPerson;
  readonly #options: Pick<ChatRoutesOptions, 'room' | 'dispatcher' | 'clock' | 'log'>;
  readonly #ended = Promise.withResolvers<void>();
  #stream: SSEStreamingApi | undefined;
  /** Views are made one after the other, so that messages arrive in order. */
  readonly #turns = new Turns();

  constructor(person: WebPerson, options: ChatRoutesOptions) {
    this.#person = person;
    this.#options = options;
  }

  /** Resolves when the page is gone or the stream is closed. */
  async run(stream: SSEStreamingApi): Promise<void> {
    const { room } = this.#options;
    this.#stream = stream;
    stream.onAbort(() => this.close());
    const visible = room.visibleTo(this.#person.id);
    this.#enqueue(() => this.#sendState(visible));
    const stopListening = room.listen(this.#person.id, (event) =>
      this.#enqueue(() => this.#sendEvent(event)),
    );
    const heartbeat = setInterval(() => void stream.write(': heartbeat\n\n'), HEARTBEAT).unref();
    await this.#ended.promise;
    clearInterval(heartbeat);
    stopListening();
  }

  clockMoved(): void {
    this.#enqueue(() => this.#send('clock', { now: this.#options.clock.now() }));
  }

  close(): void {
    this.#ended.resolve();
  }

  async #sendState({ messages, threads }: ReturnType<ChatRoom['visibleTo']>): Promise<void> {
    const { dispatcher, clock } = this.#options;
    const views = await Promise.all(messages.map((message) => viewOf(message, this.#person.id, dispatcher)));
    await this.#send('state', { now: clock.now(), messages: views, threads });
  }

  async #sendEvent(event: RoomEvent): Promise<void> {
    if (event.kind === 'thread') await this.#send('thread', event.thread);
    else await this.#send(event.kind, await viewOf(event.message, this.#person.id, this.#options.dispatcher));
  }

  #enqueue(send: () => Promise<void>): void {
    this.#turns.run('view', send).catch((error: unknown) => {
      this.#options.log.error({ err: error, door: 'web' }, 'an event stream of the chat page failed');
      // The page connects again by itself, and then gets the whole state.
      this.close();
    });
  }

  async #send(event: string, data: unknown): Promise<void> {
    await this.#stream?.writeSSE({ event, data: JSON.stringify(data) });
  }
}

const SPEAKER = v.object({
  person: v.optional(v.unknown()),
  thread: v.fallback(v.optional(v.string()), undefined),
});
const PLAYED = {
  message: v.string(),
  block: v.number(),
  moves: v.pipe(v.string(), v.transform(parseMoves), v.custom<Move[]>(Array.isArray)),
  version: v.exactOptional(v.number()),
};
const ASKED = {
  message: v.string(),
  block: v.number(),
  ask: v.picklist(['hint', 'hunt', 'review', 'reveal', 'share']),
};
const FORM_FIELDS = v.optional(v.record(v.string(), v.string()), {});

function personOf(id: unknown): WebPerson | undefined {
  return PEOPLE.find((person) => person.id === id);
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}

function parse<Schema extends v.GenericSchema>(schema: Schema, body: unknown): v.InferOutput<Schema> {
  const parsed = v.safeParse(schema, body);
  if (parsed.success) return parsed.output;
  const field = v.getDotPath(parsed.issues[0]);
  const trouble = field === null ? 'sent something that can not be read' : `left out "${field}"`;
  throw new HTTPException(400, { message: `The page ${trouble}. Reload it.` });
}

/**
 * Refuses requests that do not come from our own page. Other pages in the same browser can send requests here
 * too: across origins, or under a name of their own that resolves to this machine, which is then in Host.
 */
function onlyOwnPage({
  port,
  outsideHosts,
}: Pick<ChatRoutesOptions, 'port' | 'outsideHosts'>): MiddlewareHandler<HttpEnv>[] {
  const outside = new Set([...(outsideHosts ?? []), ...LOOPBACK].map((name) => name.toLowerCase()));
  const isOwnHost = (host: string) =>
    outsideHosts === undefined
      ? LOOPBACK.some((name) => host === `${name}:${port()}` || (port() === 80 && host === name))
      : // From outside, a proxy may have another port.
        outside.has(host.toLowerCase().replace(/:\d{1,5}$/, ''));
  const isOwnOrigin = (origin: string, host: string) =>
    origin === `http://${host}` || origin === `https://${host}`;
  return [
    async ({ req }, next) => {
      const { host = '', origin } = req.header();
      if (!isOwnHost(host) && outsideHosts !== undefined)
        throw new HTTPException(403, {
          message: 'The chat does not answer under this name. Its operator can add it to WEB_HOSTS.',
        });
      if (!isOwnHost(host) || (origin !== undefined && !isOwnOrigin(origin, host)))
        throw new HTTPException(403, { message: 'Only this chat’s own page may ask that.' });
      // Another site's page may lead to the chat, but not read from it.
      if (req.header('sec-fetch-site') === 'cross-site' && req.header('sec-fetch-mode') !== 'navigate')
        throw new HTTPException(403, { message: 'Only this chat’s own page may ask that.' });
      // Hono would answer HEAD as a GET, and open an event stream that nobody reads.
      if (req.method === 'HEAD') throw new HTTPException(405);
      await next();
    },
    // A post without an Origin comes from another program; it must at least not be one that a form can send.
    csrf({ origin: (origin, { req }) => isOwnOrigin(origin, req.header('host') ?? '') }),
  ];
}
