import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';
import { getCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { LinkConfig, PagesConfig } from '../../config/config.ts';
import { publicAddress } from '../../config/config.ts';
import { channelKey } from '../../core/channel-ref.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { atMost, PerMinute } from '../../core/turns.ts';
import { type App, type Asker, type Dispatcher, type Options, replyOf } from '../../dispatch/contract.ts';
import type { Standing } from '../../dispatch/poster.ts';
import { topicOf } from '../../dispatch/topic.ts';
import { fileRoutes, filesIn } from '../../http/files.ts';
import { type HttpContext, type HttpEnv, makeRoutes, type Router, readBody } from '../../http/router.ts';
import { GAME_LIMITS, type Move, parseMoves } from '../../play/game.ts';
import { SoloGames } from '../../players/solo-games.ts';
import { wordsOption } from '../../reply/model/action.ts';
import {
  boardView,
  type GameView,
  gameView,
  HELPS,
  type HelpRequest,
  type HelpView,
  helpView,
} from './game-view.ts';
import {
  arrivalDocument,
  BOARD_FILES,
  boardDocument,
  CONTENT_SECURITY_POLICY,
  messageDocument,
  SOURCE,
} from './html.ts';
import { endedBy, endOlder, type Invitation, type LinkTrouble, makePersonalLinks } from './personal-links.ts';

/** Where `npm run site` writes the site. */
export const SITE = new URL('./', import.meta.resolve('#site'));
const OWN_FILES = ['web/pages/page.css', 'web/pages/play.js'];
/** No other page may frame a board, unless it is named. */
const contentSecurityPolicy = (frames = "'none'") => `${CONTENT_SECURITY_POLICY}; frame-ancestors ${frames}`;
/** Bytes: the most words that may be asked about take 3 KB. */
const MAX_BODY = 8 * 1024;
const MOVES = v.object({
  moves: v.pipe(v.string(), v.transform(parseMoves), v.custom<Move[]>(Array.isArray)),
  version: v.exactOptional(v.number()),
});
const HELP = v.object({
  ask: v.picklist(HELPS),
  words: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[a-z]{3,64}$/))),
    v.maxLength(GAME_LIMITS.words),
    v.check((words) => words.join('').length <= GAME_LIMITS.letters),
  ),
  shown: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
});
const TOKEN = v.object({ token: v.pipe(v.string(), v.maxLength(1000)) });

/**
 * The routes below `PUBLIC_URL`: the site, whose boards play in the browser without asking this server, and the pages on
 * which people of the chats play in their own name.
 *
 * @param site the folder of the site
 */
export function boardPages(app: App, dispatcher: Dispatcher, config: PagesConfig, site = SITE): Router {
  const { publicUrl, linkSecret, embedOrigins = [] } = config;
  const pages = makeRoutes();
  pages.onError(refuse);
  if (existsSync(site)) addSite(pages, site, publicUrl, embedOrigins);
  if (linkSecret !== undefined) addPersonal(pages, app, dispatcher, { ...config, linkSecret });
  const routes = makeRoutes();
  routes.route('/', pages);
  // A web server in front may pass the path of PUBLIC_URL on, or take it away.
  const { pathname } = publicAddress(publicUrl);
  if (pathname !== '/') {
    // A page loads files by addresses relative to it.
    routes.get(pathname.replace(/\/$/, ''), ({ redirect }) => redirect(pathname));
    routes.route(pathname, pages);
  }
  return routes;
}

function addSite(routes: Router, site: URL, publicUrl: string, embedOrigins: readonly string[]): void {
  routes.get('/embed.json', (context) => context.json(embedOrigins));
  const frames = embedOrigins.length === 0 ? undefined : embedOrigins.join(' ');
  routes.route('/', fileRoutes(site, filesIn(site), contentSecurityPolicy(frames)));
  for (const path of ['/day', '/day/'])
    routes.get(path, ({ redirect }) => redirect(publicAddress(publicUrl).href));
}

/** Pages say what is wrong, and so do answers to their scripts. Faults are for the router of the server. */
function refuse(error: Error, context: HttpContext): Response | Promise<Response> {
  const isMistake = error instanceof UserError;
  if (!isMistake && !(error instanceof HTTPException)) throw error;
  const status = isMistake ? (context.req.method === 'GET' ? 404 : 400) : error.status;
  return context.req.method === 'GET'
    ? context.html(messageDocument('This page can’t be shown', error.message), status)
    : context.json({ trouble: error.message }, status);
}

function parse<Schema extends v.GenericSchema>(schema: Schema, body: Buffer): v.InferOutput<Schema> {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), body.toString());
  if (parsed.success) return parsed.output;
  throw new HTTPException(400, { message: 'The page sent something that can not be read. Reload it.' });
}

const COOKIE = 'letterboxed-play';
const AGAIN = 'Press Play on Discord or Slack again: your link is in the answer, which only you see.';
/** Why somebody can't play in a person's name, by what is wrong with their browser's session or their link. */
const TROUBLES = {
  foreign: 'Only the page of this board may ask that. Open it in a browser.',
  notOpenHere: `This board is open in another browser. ${AGAIN}`,
  altered: `This link is not complete, or was changed. ${AGAIN}`,
  used: `This link was opened before, and works only once. ${AGAIN}`,
  over: `The day of this link is over. ${AGAIN}`,
  newer: `This board was opened by a newer link since, or you left its channel. ${AGAIN}`,
  gone: 'You are not in the channel of this link any more, so it has ended.',
  erased: `What was stored about you was erased since, and this link ended with it. ${AGAIN}`,
} as const;
/** Requests of one person in a minute. Visitors without a link or session that this bot has signed cost next to nothing. */
const MOST_REQUESTS = 240;
const DOOR_NAMES: Readonly<Record<string, string>> = { discord: 'Discord', slack: 'Slack' };

/**
 * Pages on which a person of a chat plays one board in their own name. Somebody who has the link of such a page
 * can do that once and until the day ends, and nothing else.
 */
function addPersonal(routes: Router, app: App, dispatcher: Dispatcher, config: LinkConfig): void {
  const requests = new PerMinute(config.mostRequests ?? MOST_REQUESTS);
  const links = makePersonalLinks(config);
  const games = new SoloGames(app);
  const standingOf = makeStandings(app);
  const { publicUrl } = config;
  routes.route('/', fileRoutes(SOURCE, [...BOARD_FILES, ...OWN_FILES]));
  routes.get('/play/:id', async (context) => {
    context.header('content-security-policy', contentSecurityPolicy());
    return context.html(await page(context));
  });
  routes.use('/play/*', onlyOwnPage(publicAddress(publicUrl).origin));
  routes.post('/play/:id/open', async (context) => {
    await open(context, parse(TOKEN, await readBody(context, MAX_BODY)).token);
    return context.json({});
  });
  routes.post('/play/:id/play', async (context) => {
    const player = await playerOf(context);
    const { moves, version } = parse(MOVES, await readBody(context, MAX_BODY));
    return context.json({ game: await play(player, moves, version) });
  });
  routes.post('/play/:id/help', async (context) => {
    const player = await playerOf(context);
    return context.json(await help(player, parse(HELP, await readBody(context, MAX_BODY))));
  });

  /** The board as a page, or the page where a link arrives. */
  async function page(context: HttpContext): Promise<string> {
    const session = await sessionOf(context);
    if ('trouble' in session) return arrivalDocument('Your board', TROUBLES[session.trouble]);
    const { asker, options } = session.invitation;
    const { subject, puzzle } = await topicOf({ ...asker, command: 'play', options }, app);
    return boardDocument({
      title: subject.name,
      par: puzzle?.par,
      about: `You play as yourself: what you solve counts for you on ${DOOR_NAMES[asker.door]}.`,
      board: subject.board,
      view: boardView(subject.board),
    });
  }

  /** Exchanges a token for a session, if nobody did before. */
  async function open(context: HttpContext, token: string): Promise<void> {
    const { clock, store } = app;
    const now = clock.now();
    const opened = links.read('link', token, now);
    if ('trouble' in opened) throw refusal(opened.trouble);
    const { invitation } = opened;
    count(invitation.asker, now);
    const id = links.idOf(invitation);
    if (id !== context.req.param('id')) throw refusal('altered');
    const { nonce, until } = invitation;
    const ended = await reasonOfEnd(id, invitation, now);
    if (ended !== undefined) throw refusal(ended);
    if (!(await store.events.mark(`link:${nonce}`, now, until))) throw refusal('used');
    await endOlder(store, id, invitation.madeAt);
    const { pathname, protocol } = publicAddress(publicUrl, `/play/${id}`);
    const seconds = Math.ceil((until - now) / 1000);
    const secure = protocol === 'https:' ? '; Secure' : '';
    context.header(
      'set-cookie',
      `${COOKIE}=${links.sessionOf(invitation)}; Path=${pathname}; HttpOnly; SameSite=Lax; Max-Age=${seconds}${secure}`,
    );
  }

  async function play(
    { asker, options }: Invitation,
    moves: readonly Move[],
    version: number | undefined,
  ): Promise<GameView> {
    return gameView(await games.play(asker, { options, moves, version }));
  }

  /** Posts for others to see are made only for a person who may write there now, by the platform's answer. */
  async function help(invitation: Invitation, asked: HelpRequest): Promise<HelpView> {
    const { asker, options } = invitation;
    if (asked.ask !== 'share') return helpPerson(dispatcher, asker, options, asked);
    const standing = await standingNow(invitation, POSTING);
    if (standing === 'gone') throw refusal('gone');
    const who = { ...asker.who, mayPostInThreads: standing === 'member' };
    const view = await helpPerson(dispatcher, { ...asker, who }, options, asked);
    return standing === undefined ? { ...view, parts: [...view.parts, { lines: [UNKNOWN] }] } : view;
  }

  /** The person who plays on this page. Throws a refusal where this browser has no session for it. */
  async function playerOf(context: HttpContext): Promise<Invitation> {
    const session = await sessionOf(context);
    if ('trouble' in session) throw refusal(session.trouble);
    return session.invitation;
  }

  async function sessionOf(
    context: HttpContext,
  ): Promise<{ invitation: Invitation } | { trouble: keyof typeof TROUBLES }> {
    const cookie = getCookie(context, COOKIE);
    if (cookie === undefined) return { trouble: 'notOpenHere' };
    const now = app.clock.now();
    const opened = links.read('session', cookie, now);
    if ('trouble' in opened) return opened;
    count(opened.invitation.asker, now);
    const id = links.idOf(opened.invitation);
    if (id !== context.req.param('id')) return { trouble: 'notOpenHere' };
    const ended = await reasonOfEnd(id, opened.invitation, now);
    return ended === undefined ? opened : { trouble: ended };
  }

  function count({ door, who }: Asker, now: number): void {
    requests.take(`${door}:${who.id}`, now);
  }

  /** Where their platform can't say, people play on: the game is theirs alone, and an outage keeps nobody out. */
  async function reasonOfEnd(
    id: string,
    invitation: Invitation,
    now: number,
  ): Promise<LinkTrouble | 'gone' | undefined> {
    const ended = await endedBy(app.store, id, invitation, now);
    if (ended !== undefined) return ended;
    return (await standingNow(invitation, PLAYING)) === 'gone' ? 'gone' : undefined;
  }

  /** Ends the links and sessions of a person who left the channel of this page or was banned. */
  async function standingNow(invitation: Invitation, age: number): Promise<Standing | undefined> {
    const standing = await standingOf(invitation.asker, age);
    if (standing === 'gone') await endOlder(app.store, links.idOf(invitation), app.clock.now() + 1);
    return standing;
  }
}

/** Milliseconds for which an answer about a person counts: for actions that are theirs alone, and for posts that others see. */
const PLAYING = MINUTE;
const POSTING = 5 * SECOND;
/** Milliseconds that a move waits for an answer at most, which may still come and count for the next one. */
const LONGEST_LOOK_UP = 3_000;
const MOST_STANDINGS = 10_000;

/**
 * The rights of people in the channels of their links. A failure counts as an answer, too, so that each person costs one
 * request at a time.
 */
function makeStandings(app: Pick<App, 'posterOf' | 'clock'>) {
  const known = new LRUCache<string, { at: number; standing: Promise<Standing | undefined> }>(
    atMost(MOST_STANDINGS),
  );

  /** Undefined where nobody can say now. */
  return ({ door, who, where }: Asker, age: number): Promise<Standing | undefined> => {
    const { tenant, channel } = where;
    const key = channelKey({ tenant, channel }, who.id);
    const now = app.clock.now();
    const last = known.get(key);
    if (last !== undefined && now >= last.at && now - last.at < age) return within(last.standing);
    const asking = app.posterOf(door)?.standingOf({ tenant, channel }, who.id);
    const standing = asking ?? Promise.resolve(undefined);
    known.set(key, { at: now, standing });
    return within(standing);
  };
}

function within(standing: Promise<Standing | undefined>): Promise<Standing | undefined> {
  return Promise.race([standing, setTimeout(LONGEST_LOOK_UP, undefined, { ref: false })]);
}

/**
 * Refuses posts of other pages, which could otherwise have a browser play in the name of somebody else. Browsers name the
 * origin of each post, or at least how it is related to this one.
 */
function onlyOwnPage(own: string): MiddlewareHandler<HttpEnv> {
  return async ({ req }, next) => {
    const { origin, 'sec-fetch-site': site } = req.header();
    const isOwn = origin === undefined ? site === 'same-origin' : origin === own;
    if (!isOwn && req.method === 'POST') throw refusal('foreign');
    await next();
  };
}

function refusal(trouble: keyof typeof TROUBLES): HTTPException {
  return new HTTPException(403, { message: TROUBLES[trouble] });
}

const UNKNOWN =
  'I can’t find out now whether you may write there, so nothing was posted. Copy it, or type share in the chat.';
const NO_THREAD = 'There is no thread of this day to post it in. Copy it, or type share in the chat.';

/** For a person of a chat, as if they had asked there: it counts as seen. */
async function helpPerson(
  dispatcher: Dispatcher,
  asker: Asker,
  board: Options,
  { ask, words, shown }: HelpRequest,
): Promise<HelpView> {
  const more = {
    ...(ask === 'hint' && { ...wordsOption(words), ...(shown !== undefined && { shown }) }),
    // The page has said the price.
    ...(ask === 'reveal' && { open: true }),
  };
  const reply = await replyOf(
    dispatcher.prepare({ ...asker, command: ask, options: { ...board, ...more }, opens: 'all' }),
  );
  if (reply === undefined) throw new Error(`${ask} needs no form`);
  const view = helpView(reply);
  // A public answer of the chat can't be shown from here.
  return ask === 'share' && reply.audience === 'everyone'
    ? { ...view, parts: [...view.parts, { lines: [NO_THREAD] }] }
    : view;
}
