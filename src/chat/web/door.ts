import type { MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import * as v from 'valibot';
import { HOUR } from '../../core/clock.ts';
import { KeyedQueue } from '../../core/concurrency.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { fileRoutes, fileSender } from '../../http/files.ts';
import { type HttpContext, type HttpEnv, makeRouter, readBody } from '../../http/router.ts';
import { HttpServer } from '../../http/server.ts';
import { type Move, parseMoves } from '../../play/game.ts';
import type { SoloGames } from '../../players/solo-games.ts';
import { packAction } from '../../reply/model/action.ts';
import { present } from '../../reply/model/text.ts';
import type { Action, Block } from '../../reply/model/types.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { openedBeforeText } from '../../reply/replies/board.ts';
import { BOARD_BUTTONS } from '../../web/pages/game-view.ts';
import { BOARD_FILES, SOURCE } from '../../web/pages/html.ts';
import type { Door } from '../door.ts';
import {
  type ChatMessage,
  ChatRoom,
  PEOPLE,
  type RoomEvent,
  type WebPerson,
  WebPoster,
} from './chat-room.ts';
import {
  askerOf,
  autocomplete,
  makeRequestHandlers,
  type RequestHandlers,
  type Speaker,
} from './request-handlers.ts';
import { boardIn, type MessageView, viewOf } from './view.ts';

export interface WebDoorOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly games: SoloGames;
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
 * @example await makeWebDoor({ app, dispatcher, games, clock, host: '127.0.0.1', port: 0 }).start();
 */
export function makeWebDoor(options: WebDoorOptions): WebDoor {
  const { app, dispatcher, games, clock, host, port, outsideHosts } = options;
  const name = host.includes(':') ? `[${host}]` : host;
  const room = new ChatRoom();
  const handlers = makeRequestHandlers({ app, dispatcher, room, clock, games });
  const chat = makeChatRoutes({ ...options, room, handlers, servedOn: () => server.port });
  const server = new HttpServer({ router: chat.router, host, port, settings: `WEB_PORT ${port}` });
  let isListening = false;
  return {
    name: 'web',
    poster: new WebPoster(room, clock),
    get url() {
      return `http://${name}:${server.port}/`;
    },
    async start() {
      if (!LOOPBACK.includes(name)) {
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

/** The time that the page shows and can move; moving it posts everything that falls due on the way. */
export interface ChatClock {
  now(): number;
  moveTo(moment: number): Promise<void>;
  /** When something is posted next, if anything is. */
  next(): Promise<number | undefined>;
}

interface ChatRoutesOptions extends WebDoorOptions {
  readonly room: ChatRoom;
  readonly handlers: RequestHandlers;
  readonly servedOn: () => number;
}

const PAGE_FOLDER = 'web/chat/';
const FILES = ['chat.css', 'chat.js', 'composer.js', 'messages.js'].map((name) => PAGE_FOLDER + name);
/** Everything is loaded from this server, and no other page may frame it. */
const CONTENT_SECURITY_POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  fontSrc: ['data:'],
  connectSrc: ["'self'"],
  formAction: ["'none'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
};
/** Bytes. Anything that a person types fits in; the commands have limits of their own. */
const MAX_BODY_BYTES = 64 * 1024;
const TOO_LONG = 'That is too long. Type at most a few hundred words at once.';
/** Every open page gets every event; trying the bot takes a few of them. */
const MAX_PAGES = 50;
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];
/** What the page shows for a refusal without a message, by its status. */
const TROUBLE_TEXTS: Readonly<Record<number, string>> = {
  404: 'That is no longer here.',
  405: 'That is not something this page does.',
  500: 'That failed here. Try again.',
};

/** The chat page, what it asks for, and the event streams that keep it up to date. */
function makeChatRoutes(options: ChatRoutesOptions) {
  const { room, handlers, dispatcher, clock, pictures = makePictures() } = options;
  const streams = new Set<EventStream>();
  const router = makeRouter(options.app.log, {
    contentSecurityPolicy: CONTENT_SECURITY_POLICY,
    refuseProgram: (context, status, message) =>
      context.json({ trouble: TROUBLE_TEXTS[status] ?? message }, status),
  });
  router.use(...onlyOwnPage(options));
  addReads();
  addPosts();
  return {
    router,
    /** Ends the event streams, which would never end by themselves. */
    close(): void {
      for (const stream of streams) stream.close();
    },
  };

  function addReads(): void {
    router.get('/', fileSender(new URL(`${PAGE_FOLDER}index.html`, SOURCE)));
    router.route('/', fileRoutes(SOURCE, [...FILES, ...BOARD_FILES]));
    router.get('/events', (context) => openStream(context, personOf(context.req.query('person'))));
    router.get('/picture/:message/:block', async (context) => {
      const person = personOf(context.req.query('person'));
      const block = requestedBlock(context);
      if (person === undefined || block?.kind !== 'picture') return context.notFound();
      // The page loads a hidden picture when it is opened.
      if (block.spoiler) await handlers.open({ person }, context.req.param('message'), block);
      const dark = context.req.query('look') === 'dark';
      const png = await pictures.png({ ...block.picture, ...(dark && { dark }) });
      return context.body(new Uint8Array(png), 200, {
        'content-type': 'image/png',
        'cache-control': 'private, max-age=3600',
      });
    });
    router.get('/file/:message/:block', (context) => {
      const block = requestedBlock(context);
      if (block?.kind !== 'file') return context.notFound();
      return context.body(block.content, 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(block.name)}`,
      });
    });
  }

  function addPosts(): void {
    post('/say', { line: v.string() }, async (speaker, { line }) => ({
      form: await handlers.line(speaker, line),
    }));
    post('/press', { message: v.string(), value: v.string() }, async (speaker, { message, value }) => ({
      form: await handlers.press(speaker, value, room.message(message, speaker.person.id)),
    }));
    post('/submit', { value: v.string(), fields: FORM_FIELDS }, async (speaker, { value, fields }) => ({
      trouble: await handlers.submit(speaker, value, fields),
    }));
    post('/suggest', { line: v.string() }, async (speaker, { line }) => ({
      suggestions: await autocomplete(line, askerOf(speaker), dispatcher),
    }));
    post('/open', { message: v.string(), block: v.unknown() }, async (speaker, { message, block }) => {
      const found = blockIn(speaker.person, message, Number(block));
      if (found?.kind !== 'spoiler') throw new HTTPException(404);
      const openedBefore = openedBeforeText(await handlers.open(speaker, message, found));
      return { lines: [...found.hidden, ...present([openedBefore])] };
    });
    post('/play', MOVES_FIELDS, (speaker, { message, block, moves, version }) => {
      const options = playedIn(speaker, message, block);
      return handlers.play(speaker, { options, moves, version });
    });
    post('/help', HELP_REQUEST_FIELDS, (speaker, { message, block, ask }) =>
      handlers.pressBoardButton(speaker, ask, playedIn(speaker, message, block)),
    );
    post('/clock', { to: v.string() }, (_, { to }) => moveClock(to));
  }

  function post<Entries extends v.ObjectEntries>(
    path: string,
    entries: Entries,
    act: (
      speaker: Speaker,
      fields: v.InferOutput<v.ObjectSchema<Entries, undefined>>,
    ) => Promise<object> | object,
  ): void {
    const schema = v.object(entries);
    router.post(path, async (context) => {
      const body = parseJson(await readBody(context, MAX_BODY_BYTES, TOO_LONG));
      return context.json(await act(speakerOf(parse(SPEAKER, body)), parse(schema, body)));
    });
  }

  async function moveClock(to: string): Promise<object> {
    const moments: Record<string, () => Promise<number | undefined> | number> = {
      hour: () => clock.now() + HOUR,
      day: () => clock.now() + 24 * HOUR,
      next: () => clock.next(),
    };
    const moment = Object.hasOwn(moments, to) ? await moments[to]?.() : undefined;
    if (moment !== undefined) await clock.moveTo(moment);
    for (const stream of streams) stream.clockMoved();
    return { now: clock.now(), moved: moment !== undefined };
  }

  function openStream(context: HttpContext, person: WebPerson | undefined): Response | Promise<Response> {
    if (person === undefined) return context.notFound();
    if (streams.size >= MAX_PAGES) {
      throw new HTTPException(503, {
        message: 'Too many pages of this chat are open. Close some, then reload this one.',
      });
    }
    const events = makeEventStream(person, options);
    streams.add(events);
    return streamSSE(context, (stream) => events.run(stream).finally(() => streams.delete(events)));
  }

  function speakerOf({ person: id, thread }: v.InferOutput<typeof SPEAKER>): Speaker {
    const person = personOf(id);
    if (person === undefined)
      throw new HTTPException(400, { message: 'Nobody of that name is here. Reload the page.' });
    const isThread = thread !== undefined && room.thread(thread) !== undefined;
    return isThread ? { person, thread } : { person };
  }

  function requestedBlock({ req }: HttpContext): Block | undefined {
    const person = personOf(req.query('person'));
    return person && blockIn(person, req.param('message'), Number(req.param('block')));
  }

  function playedIn({ person }: Speaker, message: string, block: number): Action['options'] {
    const options = boardIn(blockIn(person, message, block));
    if (options === undefined) throw new HTTPException(404);
    return options;
  }

  function blockIn(person: WebPerson, message = '', block: number): Block | undefined {
    return room.message(message, person.id)?.reply.blocks[block];
  }
}

/** Often enough that no proxy takes the connection for an idle one, in milliseconds. */
const HEARTBEAT_MS = 20_000;

/** Server-sent events for one open page: first all that its person may see, then every change. */
function makeEventStream(person: WebPerson, { room, app, clock }: ChatRoutesOptions) {
  const ended = Promise.withResolvers<void>();
  let stream: SSEStreamingApi | undefined;
  /** Views are made one after the other, so that messages arrive in order. */
  const turns = new KeyedQueue();

  /** Resolves when the page is gone or the stream is closed. */
  async function run(opened: SSEStreamingApi): Promise<void> {
    stream = opened;
    opened.onAbort(close);
    const visible = room.visibleTo(person.id);
    enqueue(() => sendState(visible));
    const stopListening = room.listen(person.id, (event) => enqueue(() => sendEvent(event)));
    const heartbeat = setInterval(() => void opened.write(': heartbeat\n\n'), HEARTBEAT_MS).unref();
    await ended.promise;
    clearInterval(heartbeat);
    stopListening();
  }

  function clockMoved(): void {
    enqueue(() => send('clock', { now: clock.now() }));
  }

  function close(): void {
    ended.resolve();
  }

  function show(message: ChatMessage): Promise<MessageView> {
    return viewOf(message, person.id, (action, asker) => packAction(action, app, asker));
  }

  async function sendState({ messages, threads }: ReturnType<ChatRoom['visibleTo']>): Promise<void> {
    const views = await Promise.all(messages.map((message) => show(message)));
    await send('state', { now: clock.now(), messages: views, threads });
  }

  async function sendEvent(event: RoomEvent): Promise<void> {
    if (event.kind === 'thread') await send('thread', event.thread);
    else await send(event.kind, await show(event.message));
  }

  function enqueue(show: () => Promise<void>): void {
    turns.run('view', show).catch((error: unknown) => {
      app.log.error({ err: error, door: 'web' }, 'an event stream of the chat page failed');
      // The page connects again by itself, and then gets the whole state.
      close();
    });
  }

  async function send(event: string, data: unknown): Promise<void> {
    await stream?.writeSSE({ event, data: JSON.stringify(data) });
  }

  return { run, clockMoved, close };
}

type EventStream = ReturnType<typeof makeEventStream>;

const SPEAKER = v.object({
  person: v.optional(v.unknown()),
  thread: v.fallback(v.optional(v.string()), undefined),
});
const MOVES_FIELDS = {
  message: v.string(),
  block: v.number(),
  moves: v.pipe(v.string(), v.transform(parseMoves), v.custom<Move[]>(Array.isArray)),
  version: v.exactOptional(v.number()),
};
const HELP_REQUEST_FIELDS = {
  message: v.string(),
  block: v.number(),
  ask: v.picklist(BOARD_BUTTONS),
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
function onlyOwnPage({ servedOn, outsideHosts }: ChatRoutesOptions): MiddlewareHandler<HttpEnv>[] {
  const outside = new Set([...(outsideHosts ?? []), ...LOOPBACK].map((name) => name.toLowerCase()));
  const isOwnHost = (host: string) =>
    outsideHosts === undefined
      ? LOOPBACK.some((name) => host === `${name}:${servedOn()}` || (servedOn() === 80 && host === name))
      : // A proxy may have another port.
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
