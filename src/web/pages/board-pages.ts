import { existsSync, readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { getCookie } from 'hono/cookie';
import { HTTPException } from 'hono/http-exception';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { LinkConfig, PagesConfig } from '../../config/config.ts';
import { publicAddress } from '../../config/config.ts';
import { channelKey } from '../../core/channel-ref.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { atMost, PerMinute } from '../../core/concurrency.ts';
import { UserError } from '../../core/errors.ts';
import { type App, type Asker, type Dispatcher, type Options, replyOf } from '../../dispatch/contract.ts';
import type { Membership } from '../../dispatch/poster.ts';
import { type Target, targetOf } from '../../dispatch/target.ts';
import { fileRoutes, filesIn } from '../../http/files.ts';
import { type HttpContext, makeRoutes, type Router, type RouterOptions } from '../../http/router.ts';
import { GAME_LIMITS, type Move, parseMoves } from '../../play/game.ts';
import { SoloGames } from '../../players/solo-games.ts';
import { dateAt, spanOf } from '../../puzzle/calendar.ts';
import { wordsOption } from '../../reply/model/action.ts';
import { type ActivityHost, type Admission, addActivity } from './activity-pages.ts';
import {
  BOARD_BUTTONS,
  boardView,
  type GameView,
  gameView,
  type HelpRequest,
  type HelpView,
  helpView,
} from './game-view.ts';
import {
  arrivalDocument,
  BOARD_FILES,
  type BoardDocument,
  boardDocument,
  contentSecurityPolicy,
  messageDocument,
  SOURCE,
  TO_SITE,
} from './html.ts';
import { onlyOwnPage, readFields, refusal, TROUBLES } from './page-requests.ts';
import { endedBy, endOlder, type LinkClaims, type LinkTrouble, makePersonalLinks } from './personal-links.ts';
import { previewRoutes } from './previews.ts';

/** Where `npm run site` writes the site. */
export const SITE = new URL('./', import.meta.resolve('#site'));
const OWN_FILES = ['web/pages/page.css', 'web/pages/own-board.js', 'web/pages/play.js'];
const MOVE_FIELDS = v.object({
  moves: v.pipe(v.string(), v.transform(parseMoves), v.custom<Move[]>(Array.isArray)),
  version: v.exactOptional(v.number()),
});
const HELP_FIELDS = v.object({
  ask: v.picklist(BOARD_BUTTONS),
  words: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[a-z]{3,64}$/))),
    v.maxLength(GAME_LIMITS.words),
    v.check((words) => words.join('').length <= GAME_LIMITS.letters),
  ),
  shown: v.exactOptional(v.pipe(v.string(), v.maxLength(200))),
});
const TOKEN_FIELDS = v.object({ token: v.pipe(v.string(), v.maxLength(1000)) });

/**
 * The routes below `PUBLIC_URL`: the site, whose boards play in the browser without asking this server, and the pages on
 * which people of the chats play in their own name.
 *
 * @param site the folder of the site
 * @param activity where the board is played inside Discord, too
 */
export function boardPages(
  app: App,
  dispatcher: Dispatcher,
  config: PagesConfig,
  { site = SITE, activity }: { readonly site?: URL; readonly activity?: ActivityHost | undefined } = {},
): Router {
  const { publicUrl, linkSecrets } = config;
  const pages = makeRoutes();
  const onwards = existsSync(site) ? TO_SITE : '';
  pages.onError((error, context) => refuse(error, context, onwards));
  if (existsSync(site)) addSite(pages, app, site, config);
  if (linkSecrets !== undefined)
    addPersonal(pages, app, dispatcher, { ...config, linkSecrets }, { activity, onwards });
  const routes = makeRoutes();
  routes.route('/', pages);
  // A web server in front may pass on the path of PUBLIC_URL, or remove it.
  const { pathname } = publicAddress(publicUrl);
  if (pathname !== '/') {
    // The page loads files by relative addresses.
    routes.get(pathname.replace(/\/$/, ''), ({ redirect }) => redirect(pathname));
    routes.route(pathname, pages);
  }
  return routes;
}

/** The site's page for unknown addresses, which may be below any folder; undefined without a site. */
export function missingPage(
  { publicUrl, embedOrigins }: PagesConfig,
  site = SITE,
): RouterOptions['missingPage'] {
  const file = new URL('404.html', site);
  if (!existsSync(file)) return undefined;
  const { pathname } = publicAddress(publicUrl);
  const html = readFileSync(file, 'utf8').replaceAll(/ (href|src)="(?:\.\/)?(?!data:)/g, ` $1="${pathname}`);
  return { html, contentSecurityPolicy: contentSecurityPolicy(framesOf(embedOrigins)) };
}

function framesOf(embedOrigins: PagesConfig['embedOrigins'] = []): string | undefined {
  return embedOrigins.length === 0 ? undefined : embedOrigins.join(' ');
}

function addSite(routes: Router, app: App, site: URL, { publicUrl, embedOrigins = [] }: PagesConfig): void {
  routes.get('/embed.json', (context) => context.json(embedOrigins));
  const frames = framesOf(embedOrigins);
  routes.route('/', previewRoutes(app, site, publicUrl, contentSecurityPolicy(frames)));
  routes.route('/', fileRoutes(site, filesIn(site), contentSecurityPolicy(frames)));
  for (const path of ['/day', '/day/'])
    routes.get(path, ({ redirect }) => redirect(publicAddress(publicUrl).href));
}

/** Pages and answers to their scripts say what is wrong. The server's router handles faults. */
function refuse(error: Error, context: HttpContext, onwards: string): Response | Promise<Response> {
  const isMistake = error instanceof UserError;
  if (!isMistake && !(error instanceof HTTPException)) throw error;
  const status = isMistake ? (context.req.method === 'GET' ? 404 : 400) : error.status;
  return context.req.method === 'GET'
    ? context.html(messageDocument('This page can’t be shown', error.message, onwards), status)
    : context.json({ trouble: error.message }, status);
}

const COOKIE = 'letterboxed-play';
/** Requests of one person in a minute. Visitors without a link or session signed by this bot cost next to nothing. */
const MAX_REQUESTS_PER_MINUTE = 240;
const DOOR_NAMES: Readonly<Record<string, string>> = { discord: 'Discord', slack: 'Slack' };

/**
 * Pages where a person of a chat plays one board under their own name. Somebody who gets hold of the link can only do that,
 * once, until the day ends.
 */
function addPersonal(
  routes: Router,
  app: App,
  dispatcher: Dispatcher,
  config: LinkConfig,
  { activity, onwards }: { readonly activity: ActivityHost | undefined; readonly onwards: string },
): void {
  const requests = new PerMinute(config.mostRequests ?? MAX_REQUESTS_PER_MINUTE);
  const links = makePersonalLinks(config);
  const games = new SoloGames(app);
  const membershipOf = makeMemberships(app);
  const { publicUrl } = config;
  routes.route('/', fileRoutes(SOURCE, [...BOARD_FILES, ...OWN_FILES]));
  routes.get('/play/:id', async (context) => {
    context.header('content-security-policy', contentSecurityPolicy());
    return context.html(await page(context));
  });
  routes.use('/play/*', onlyOwnPage(publicAddress(publicUrl).origin));
  routes.post('/play/:id/open', async (context) => {
    await open(context, (await readFields(context, TOKEN_FIELDS)).token);
    return context.json({});
  });
  const playing = makeRoutes();
  playing.post('/play/:id/play', async (context) => {
    const claims = await claimsOf(context);
    const { moves, version } = await readFields(context, MOVE_FIELDS);
    return context.json({ game: await play(claims, moves, version) });
  });
  playing.post('/play/:id/help', async (context) => {
    const claims = await claimsOf(context);
    return context.json(await help(claims, await readFields(context, HELP_FIELDS)));
  });
  routes.route('/', playing);
  if (activity !== undefined) addActivity(routes, { app, host: activity, playing, claimsOf, admit });

  /** The page of the board, or the one that exchanges a link. */
  async function page(context: HttpContext): Promise<string> {
    const session = await sessionOf(context);
    if ('trouble' in session) return arrivalDocument('Your board', TROUBLES[session.trouble], onwards);
    const { asker, options } = session.claims;
    return boardDocument(pageOf(asker, await targetOf({ ...asker, command: 'play', options }, app)));
  }

  /** Begins a session of an Activity, and returns what its page shows. */
  async function admit(
    context: HttpContext,
    { asker, options, instance, openingId }: Admission,
  ): Promise<object> {
    const now = app.clock.now();
    count(asker, now);
    const target = await targetOf({ ...asker, command: 'play', options }, app);
    const claims = {
      ...{ asker, options: target.namedBoard.options, instance, madeAt: now, nonce: openingId },
      until: spanOf(dateAt(now)).to,
    };
    const id = links.idOf(claims);
    const ended = await reasonOfEnd(id, claims, now);
    if (ended !== undefined) throw refusal(ended);
    // Frames of other sites keep and send no other cookies.
    setCookie(context, `/play/${id}`, claims, 'SameSite=None; Secure; Partitioned');
    return { id, ...pageOf(asker, target) };
  }

  function setCookie(context: HttpContext, path: string, claims: LinkClaims, sent: string): void {
    const value = links.sessionOf(claims);
    const seconds = Math.ceil((claims.until - app.clock.now()) / 1000);
    context.header('set-cookie', `${COOKIE}=${value}; Path=${path}; HttpOnly; ${sent}; Max-Age=${seconds}`);
  }

  /** Exchanges a token for a session, once. */
  async function open(context: HttpContext, token: string): Promise<void> {
    const { clock, store } = app;
    const now = clock.now();
    const opened = links.read('link', token, now);
    if ('trouble' in opened) throw refusal(opened.trouble);
    const { claims } = opened;
    count(claims.asker, now);
    const id = links.idOf(claims);
    if (id !== context.req.param('id')) throw refusal('altered');
    const { nonce, until } = claims;
    const ended = await reasonOfEnd(id, claims, now);
    if (ended !== undefined) throw refusal(ended);
    if (!(await store.events.mark(`link:${nonce}`, now, until))) throw refusal('used');
    await endOlder(store, id, claims.madeAt);
    const { pathname, protocol } = publicAddress(publicUrl, `/play/${id}`);
    setCookie(context, pathname, claims, protocol === 'https:' ? 'SameSite=Lax; Secure' : 'SameSite=Lax');
  }

  async function play(
    { asker, options }: LinkClaims,
    moves: readonly Move[],
    version: number | undefined,
  ): Promise<GameView> {
    return gameView(await games.play(asker, { options, moves, version }));
  }

  /** Posts that others see are made only for a person who may write there now, as the platform says. */
  async function help(claims: LinkClaims, asked: HelpRequest): Promise<HelpView> {
    const { asker, options } = claims;
    if (asked.ask !== 'share') return helpPerson(dispatcher, asker, options, asked);
    const membership = await membershipNow(claims, POST_MEMBERSHIP_MS);
    if (membership === 'gone') throw refusal('gone');
    const who = { ...asker.who, mayPostInThreads: membership === 'member' };
    const view = await helpPerson(dispatcher, { ...asker, who }, options, asked);
    return membership === undefined ? { ...view, parts: [...view.parts, { lines: [UNKNOWN_NOTE] }] } : view;
  }

  /** The person who plays on this page. Throws a refusal if this browser has no session for it. */
  async function claimsOf(context: HttpContext): Promise<LinkClaims> {
    const session = await sessionOf(context);
    if ('trouble' in session) throw refusal(session.trouble);
    return session.claims;
  }

  async function sessionOf(
    context: HttpContext,
  ): Promise<{ claims: LinkClaims } | { trouble: keyof typeof TROUBLES }> {
    const cookie = getCookie(context, COOKIE);
    if (cookie === undefined) return { trouble: 'notOpenHere' };
    const now = app.clock.now();
    const opened = links.read('session', cookie, now);
    if ('trouble' in opened) return opened;
    count(opened.claims.asker, now);
    const id = links.idOf(opened.claims);
    if (id !== context.req.param('id')) return { trouble: 'notOpenHere' };
    const ended = await reasonOfEnd(id, opened.claims, now);
    return ended === undefined ? opened : { trouble: ended };
  }

  function count({ door, who }: Asker, now: number): void {
    requests.take(`${door}:${who.id}`, now);
  }

  /** If their platform can't say, people keep playing: the game is only theirs, and an outage locks nobody out. */
  async function reasonOfEnd(
    id: string,
    claims: LinkClaims,
    now: number,
  ): Promise<LinkTrouble | 'gone' | undefined> {
    const ended = await endedBy(app.store, id, claims, now);
    if (ended !== undefined) return ended;
    return (await membershipNow(claims, PLAY_MEMBERSHIP_MS)) === 'gone' ? 'gone' : undefined;
  }

  /** Ends the links and sessions of a person who left the channel of this page or was banned. */
  async function membershipNow(claims: LinkClaims, age: number): Promise<Membership | undefined> {
    const membership = await membershipOf(claims.asker, age);
    if (membership === 'gone') await endOlder(app.store, links.idOf(claims), app.clock.now() + 1);
    return membership;
  }
}

/** What a person's page of a board shows. */
function pageOf({ door }: Asker, { namedBoard, puzzle }: Target): BoardDocument {
  return {
    title: namedBoard.name,
    par: puzzle?.par,
    about: `You play as yourself: what you solve counts for you on ${DOOR_NAMES[door]}.`,
    board: namedBoard.board,
    view: boardView(namedBoard.board),
  };
}

/** Milliseconds for which a membership is cached: for private actions, and for posts that others see. */
const PLAY_MEMBERSHIP_MS = MINUTE;
const POST_MEMBERSHIP_MS = 5 * SECOND;
/** The longest that a move waits for an answer, in milliseconds. A later answer counts for the next move. */
const LOOK_UP_TIMEOUT_MS = 3_000;
const MAX_CACHED_MEMBERSHIPS = 10_000;

/**
 * Looks up whether people may still use the channels of their links. A failure is cached too, so that each person costs one
 * request at a time.
 */
function makeMemberships(app: Pick<App, 'posterOf' | 'clock' | 'log'>) {
  const known = new LRUCache<string, { at: number; membership: Promise<Membership | undefined> }>(
    atMost(MAX_CACHED_MEMBERSHIPS),
  );

  /** Undefined if nobody can say now. */
  return ({ door, who, where }: Asker, age: number): Promise<Membership | undefined> => {
    const { tenant, channel } = where;
    const key = channelKey({ tenant, channel }, who.id);
    const now = app.clock.now();
    const last = known.get(key);
    if (last !== undefined && now >= last.at && now - last.at < age) return within(last.membership);
    const asking = app.posterOf(door)?.membershipOf({ tenant, channel }, who.id);
    const membership = Promise.resolve(asking).catch((error: unknown) => {
      app.log.info({ door, reason: String(error) }, 'a person could not be looked up');
      return undefined;
    });
    known.set(key, { at: now, membership });
    return within(membership);
  };
}

function within(membership: Promise<Membership | undefined>): Promise<Membership | undefined> {
  return Promise.race([membership, setTimeout(LOOK_UP_TIMEOUT_MS, undefined, { ref: false })]);
}

const UNKNOWN_NOTE =
  'I can’t find out now whether you may write there, so nothing was posted. Copy it, or type share in the chat.';
const NO_THREAD = 'There is no thread of this day to post it in. Copy it, or type share in the chat.';

/** Helps a person as if they had asked in the chat: it counts as seen. */
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
  // `share` answers everybody only where it found no thread to post in, and nobody but this person sees that answer here.
  return ask === 'share' && reply.audience === 'everyone'
    ? { ...view, parts: [...view.parts, { lines: [NO_THREAD] }] }
    : view;
}
