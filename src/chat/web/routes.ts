import type { MiddlewareHandler } from 'hono';
import { csrf } from 'hono/csrf';
import { HTTPException } from 'hono/http-exception';
import { type SSEStreamingApi, streamSSE } from 'hono/streaming';
import * as v from 'valibot';
import { DAY, HOUR } from '../../core/clock.ts';
import { isZone } from '../../daily/settings/local-time.ts';
import { readBody } from '../../http/body.ts';
import { fileRoutes, fileSender } from '../../http/files.ts';
import { type HttpContext, type HttpEnv, makeRouter, type Router } from '../../http/router.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { packerOf } from '../../reply/model/action.ts';
import type { Action, Block } from '../../reply/model/types.ts';
import type { Pictures } from '../../reply/picture/pictures.ts';
import { BOARD_BUTTONS } from '../../web/board/view.ts';
import { contentSecurityPolicy, SOURCE, webFiles } from '../../web/pages/html.ts';
import { MOVES, readFields, SHOWN_HINTS } from '../../web/pages/page-requests.ts';
import { autocomplete } from './autocomplete.ts';
import { type ChatMessage, PEOPLE, type WebPerson } from './chat-room.ts';
import {
  askerOf,
  type RequestHandlers,
  type RequestHandlersOptions,
  type Speaker,
} from './request-handlers.ts';
import { boardIn, viewOf } from './view.ts';

/** The time that the page shows and can move; moving it posts everything that falls due on the way. */
export interface ChatClock {
  now(): number;
  moveTo(moment: number): Promise<void>;
  /** When something is posted next, if anything is. */
  next(): Promise<number | undefined>;
}

export interface ChatRoutesOptions extends RequestHandlersOptions {
  readonly handlers: RequestHandlers;
  readonly clock: ChatClock;
  readonly pictures: Pictures;
  /** The names and addresses under which other machines may reach the chat; undefined if they may not. */
  readonly outsideHosts: readonly string[] | undefined;
}

/** Bytes. Anything that a person types fits in; the commands have limits of their own. */
const MAX_BODY_BYTES = 64 * 1024;
/** Bytes of a picture: the page makes it smaller before it sends it. */
const MAX_PICTURE_BYTES = 4_000_000;
const TOO_LONG = 'That is too long. Type at most a few hundred words at once.';
/** Often enough that no proxy takes the connection for an idle one, in milliseconds. */
const HEARTBEAT_MS = 20_000;
/** Every open page gets every event; trying the bot takes a few of them. */
const MAX_PAGES = 50;
/** How far a button of the page moves the clock. */
const CLOCK_STEPS = ['next', 'hour', 'day'] as const;
const LOOPBACK: readonly string[] = ['127.0.0.1', 'localhost', '[::1]'];
/** What the page shows for these refusals, whatever their message. */
const TROUBLE_TEXTS: Readonly<Record<number, string>> = {
  404: 'That is no longer here.',
  405: 'That is not something this page does.',
  500: 'That failed here. Try again.',
};

const SPEAKER = v.object({
  person: v.optional(v.unknown()),
  thread: v.fallback(v.optional(v.string()), undefined),
  zone: v.fallback(v.optional(v.pipe(v.string(), v.check(isZone))), undefined),
});
const FORM_FIELDS = v.optional(v.record(v.string(), v.string()), {});

/** The chat page, what it asks for, and the event streams that keep it up to date. */
export class ChatRoutes {
  readonly router: Router;
  readonly #options: ChatRoutesOptions;
  /** The event streams of open pages. */
  readonly #streams = new Set<SSEStreamingApi>();

  constructor(options: ChatRoutesOptions) {
    this.#options = options;
    this.router = makeRouter(options.app.log, {
      writeRefusal: (context, status, message) =>
        context.json({ trouble: TROUBLE_TEXTS[status] ?? message }, status),
    });
    this.router.use(...onlyOwnPage(options));
    this.#addResources();
    this.#addRequests();
    this.#addBoards();
  }

  /** Ends the event streams, which would never end by themselves. */
  close(): void {
    for (const stream of this.#streams) stream.abort();
  }

  #addResources(): void {
    const { router } = this;
    router.get('/', fileSender(new URL('web/chat/index.html', SOURCE), contentSecurityPolicy()));
    router.route('/', fileRoutes(SOURCE, webFiles('board', 'chat')));
    router.get('/events', (context) => this.#openStream(context));
    router.get('/picture/:message/:block', (context) => this.#sendPicture(context));
    router.get('/file/:message/:block', (context) => {
      const block = this.#requestedBlock(context);
      if (block?.kind !== 'file') return context.notFound();
      return context.body(block.content, 200, {
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(block.name)}`,
      });
    });
  }

  #addRequests(): void {
    const { handlers, dispatcher, room } = this.#options;
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
    this.#post('/open', { message: v.string(), block: v.number() }, async (speaker, { message, block }) => {
      const found = this.#blockIn(speaker.person, message, block);
      if (found?.kind !== 'spoiler') throw new HTTPException(404);
      await handlers.open(speaker, message, found.reveals);
      return { lines: found.hidden };
    });
    this.router.post('/see', async (context) => {
      const { person, thread } = context.req.query();
      const bytes = await readBody(context, MAX_PICTURE_BYTES, 'That picture is too large.');
      return context.json({ form: await handlers.picture(this.#speakerOf({ person, thread }), bytes) });
    });
    this.#post('/clock', { to: v.picklist(CLOCK_STEPS) }, ({ person }, { to }) =>
      this.#moveClock(to, person),
    );
  }

  #addBoards(): void {
    const { handlers } = this.#options;
    const place = { message: v.string(), block: v.number() };
    this.#post('/play', { ...place, ...MOVES }, (speaker, { message, block, moves, version, sent }) => {
      const options = this.#boardIn(speaker, message, block);
      return handlers.play(speaker, { options, moves, version, sent });
    });
    const help = { ...place, ask: v.picklist(BOARD_BUTTONS), ...SHOWN_HINTS };
    this.#post('/help', help, async (speaker, { message, block, ask, step, shown }) =>
      handlers.pressBoardButton(speaker, ask, this.#boardIn(speaker, message, block), { step, shown }),
    );
  }

  /** Adds what the page asks for with JSON, in the name of one of its people. */
  #post<Entries extends v.ObjectEntries>(
    path: string,
    entries: Entries,
    act: (
      speaker: Speaker,
      fields: v.InferOutput<v.ObjectSchema<Entries, undefined>>,
    ) => Promise<object> | object,
  ): void {
    const schema = v.object({ ...SPEAKER.entries, ...entries });
    this.router.post(path, async (context) => {
      const fields = await readFields(context, schema, MAX_BODY_BYTES, TOO_LONG);
      return context.json(await act(this.#speakerOf(fields), fields));
    });
  }

  #openStream(context: HttpContext): Response | Promise<Response> {
    const person = personOf(context.req.query('person'));
    if (person === undefined) return context.notFound();
    const streams = this.#streams;
    if (streams.size >= MAX_PAGES) {
      throw new HTTPException(503, {
        message: 'Too many pages of this chat are open. Close some, then reload this one.',
      });
    }
    return streamSSE(context, (stream) => {
      streams.add(stream);
      return sendEvents(stream, person.id, this.#options).finally(() => streams.delete(stream));
    });
  }

  async #sendPicture(context: HttpContext): Promise<Response> {
    const { handlers, pictures } = this.#options;
    const person = personOf(context.req.query('person'));
    const block = this.#requestedBlock(context);
    if (person === undefined || block?.kind !== 'picture') return context.notFound();
    // The page loads a hidden picture when it is opened.
    if (block.spoiler) await handlers.open({ person }, context.req.param('message')!, block.reveals);
    const dark = context.req.query('look') === 'dark';
    const png = await pictures.png({ ...block.picture, ...(dark && { dark }) });
    return context.body(new Uint8Array(png), 200, {
      'content-type': 'image/png',
      'cache-control': 'private, max-age=3600',
    });
  }

  /**
   * Moves the clock. The answer also names the message that was posted last, so that the page can show it. A message in a closed
   * thread does not count: the closing of a day comes after the next day's board. If a day brings none, its board is asked for,
   * since typed words are played on it from then on.
   */
  async #moveClock(to: (typeof CLOCK_STEPS)[number], person: WebPerson): Promise<object> {
    const { clock, room, handlers } = this.#options;
    const shown = () => room.visibleTo(person.id).messages;
    const before = new Set(shown().map((message) => message.id));
    const date = dateAt(clock.now());
    const moment = to === 'next' ? await clock.next() : clock.now() + (to === 'day' ? DAY : HOUR);
    if (moment !== undefined) await clock.moveTo(moment);
    const now = clock.now();
    for (const stream of this.#streams) void send(stream, 'clock', { now });
    const isPosted = (one: ChatMessage) => !before.has(one.id) && !room.thread(one.thread ?? '')?.closed;
    if (dateAt(now) !== date && !shown().some(isPosted)) await handlers.line({ person }, 'today');
    const posted = shown().findLast(isPosted);
    return { now, moved: moment !== undefined, ...(posted && { posted: posted.id }) };
  }

  #speakerOf({ person: id, thread, zone }: v.InferOutput<typeof SPEAKER>): Speaker {
    const person = personOf(id);
    if (person === undefined)
      throw new HTTPException(400, { message: 'Nobody of that name is here. Reload the page.' });
    const isThread = thread !== undefined && this.#options.room.thread(thread) !== undefined;
    return { person, ...(isThread && { thread }), ...(zone !== undefined && { zone }) };
  }

  #requestedBlock({ req }: HttpContext): Block | undefined {
    const person = personOf(req.query('person'));
    return person && this.#blockIn(person, req.param('message'), Number(req.param('block')));
  }

  #blockIn(person: WebPerson, message = '', block: number): Block | undefined {
    return this.#options.room.message(message, person.id)?.reply.blocks[block];
  }

  /** The options that select the board of a block. */
  #boardIn({ person }: Speaker, message: string, block: number): Action['options'] {
    const options = boardIn(this.#blockIn(person, message, block));
    if (options === undefined) throw new HTTPException(404);
    return options;
  }
}

function send(stream: SSEStreamingApi, event: string, data: unknown): Promise<void> {
  return stream.writeSSE({ event, data: JSON.stringify(data) });
}

/** Sends an open page everything that its person may see, then every change. Resolves when the page is gone. */
async function sendEvents(
  stream: SSEStreamingApi,
  person: string,
  { app, room, clock }: ChatRoutesOptions,
): Promise<void> {
  const viewFor = (message: ChatMessage) => viewOf(message, person, packerOf(app));
  // One view after the other, so that messages arrive in order.
  let last = Promise.resolve();
  const enqueue = (work: () => Promise<void>) => {
    last = last.then(work).catch((error: unknown) => {
      app.log.error({ err: error, door: 'web' }, 'an event stream of the chat page failed');
      // The page connects again by itself, and then gets the whole state.
      stream.abort();
    });
  };
  const { messages, threads } = room.visibleTo(person);
  enqueue(async () => {
    const views = await Promise.all(messages.map(viewFor));
    await send(stream, 'state', { now: clock.now(), messages: views, threads });
  });
  const stopListening = room.listen(person, (event) =>
    enqueue(async () =>
      send(stream, event.kind, event.kind === 'thread' ? event.thread : await viewFor(event.message)),
    ),
  );
  const heartbeat = setInterval(() => void stream.write(': heartbeat\n\n'), HEARTBEAT_MS).unref();
  await new Promise<void>((resolve) => stream.onAbort(resolve));
  clearInterval(heartbeat);
  stopListening();
}

function personOf(id: unknown): WebPerson | undefined {
  return PEOPLE.find((person) => person.id === id);
}

/**
 * Refuses requests that do not come from our own page. Other pages in the same browser can send requests here
 * too: across origins, or under a name of their own that resolves to this machine. Host then has that name.
 */
function onlyOwnPage({ outsideHosts }: ChatRoutesOptions): MiddlewareHandler<HttpEnv>[] {
  const names = new Set([...(outsideHosts ?? []), ...LOOPBACK].map((name) => name.toLowerCase()));
  // A proxy may have another port.
  const isOwnHost = (host: string) => names.has(host.toLowerCase().replace(/:\d{1,5}$/, ''));
  const isOwnOrigin = (origin: string, host: string) =>
    origin === `http://${host}` || origin === `https://${host}`;
  return [
    async ({ req }, next) => {
      const { host = '', origin } = req.header();
      if (!isOwnHost(host) && outsideHosts !== undefined)
        throw new HTTPException(403, {
          message: 'The chat does not answer under this name. Its operator can add it to WEB_HOSTS.',
        });
      // Another site's page may lead to the chat, but not read from it.
      const isRead =
        req.header('sec-fetch-site') === 'cross-site' && req.header('sec-fetch-mode') !== 'navigate';
      if (!isOwnHost(host) || (origin !== undefined && !isOwnOrigin(origin, host)) || isRead)
        throw new HTTPException(403, { message: 'Only this chat’s own page may ask that.' });
      // Hono would answer HEAD as a GET, and open an event stream that nobody reads.
      if (req.method === 'HEAD') throw new HTTPException(405);
      await next();
    },
    // Posts without an Origin come from other programs than browsers, and may pass if they are JSON: `csrf` refuses those in the
    // formats that an HTML form can send.
    csrf(),
  ];
}
