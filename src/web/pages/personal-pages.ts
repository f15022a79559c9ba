import { setTimeout as sleep } from 'node:timers/promises';
import { getCookie, setCookie } from 'hono/cookie';
import type { CookieOptions } from 'hono/utils/cookie';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { type LinkConfig, publicAddress } from '../../config/config.ts';
import { channelKey } from '../../core/channel-ref.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { atMost, RateLimit } from '../../core/concurrency.ts';
import { type App, type Asker, type Dispatcher, type Options, replyOf } from '../../dispatch/contract.ts';
import type { Membership } from '../../dispatch/poster.ts';
import { type Target, targetOf } from '../../dispatch/target.ts';
import { fileRoutes } from '../../http/files.ts';
import { type HttpContext, makeRoutes, type Router } from '../../http/router.ts';
import { GAME_LIMITS } from '../../play/game.ts';
import { madeBoardOn } from '../../players/made-boards/made-board.ts';
import { playSoloGame } from '../../players/solo-games.ts';
import { dateAt, spanOf } from '../../puzzle/calendar.ts';
import { sidesOption, wordsOption } from '../../reply/model/named-board.ts';
import { bodyText } from '../../reply/model/text.ts';
import { BOARD_BUTTONS, boardView, type HelpRequest, type HelpView, helpView } from '../board/view.ts';
import { type ActivityHost, type Admission, addActivity } from './activity-pages.ts';
import {
  arrivalDocument,
  type BoardDocument,
  boardDocument,
  contentSecurityPolicy,
  parText,
  SOURCE,
  webFiles,
} from './html.ts';
import {
  MOVES,
  onlyOwnPage,
  pricedGameView,
  readFields,
  refusal,
  SHOWN_HINTS,
  TROUBLES,
} from './page-requests.ts';
import { boardInLink, endedBy, endOlder, type LinkClaims, PersonalLinks } from './personal-links.ts';
import { RACE_FIELDS, type RaceFields, raceView } from './race-pages.ts';

const MOVE_FIELDS = v.object(MOVES);
const HELP_FIELDS = v.object({
  ask: v.picklist(BOARD_BUTTONS),
  words: v.pipe(
    v.array(v.pipe(v.string(), v.regex(/^[a-z]{3,64}$/))),
    v.maxLength(GAME_LIMITS.words),
    v.check((words) => words.join('').length <= GAME_LIMITS.letters),
  ),
  ...SHOWN_HINTS,
});
const TOKEN_FIELDS = v.object({ token: v.pipe(v.string(), v.maxLength(1000)) });

const COOKIE = 'letterboxed-play';
/** Milliseconds for which a membership is cached: for private actions, and for posts that others see. */
const PLAY_MEMBERSHIP_MS = MINUTE;
const POST_MEMBERSHIP_MS = 5 * SECOND;
/** The longest that a move waits for a membership, in milliseconds. An answer that comes later counts for the next move. */
const LOOK_UP_TIMEOUT_MS = 3_000;
const MAX_CACHED_MEMBERSHIPS = 10_000;

type Trouble = keyof typeof TROUBLES;

export interface PersonalPagesOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly config: LinkConfig;
  /** Where the board is played inside Discord, too. */
  readonly activity: ActivityHost | undefined;
  /** HTML of the link to the site, below the message of a page that has no board; empty without a site. */
  readonly siteLink: string;
}

/**
 * Pages where a person of a chat plays one board under their own name. Somebody who gets hold of the link can only do that,
 * once, until the day ends. The `id` in addresses and cookies stands for a person's board in a channel, as a page or in an Activity.
 */
export class PersonalPages {
  readonly #options: PersonalPagesOptions;
  /** Limits people with a link or session signed by this bot: other visitors cost next to nothing. */
  readonly #requests: RateLimit;
  readonly #links: PersonalLinks;
  /** By channel and person. A failure is cached too, so that each person costs one request at a time. */
  readonly #memberships = new LRUCache<string, { at: number; membership: Promise<Membership | undefined> }>(
    atMost(MAX_CACHED_MEMBERSHIPS),
  );

  constructor(options: PersonalPagesOptions) {
    const { app, config } = options;
    this.#options = options;
    this.#requests = new RateLimit(app.limits.pageRequestsPerPerson);
    this.#links = new PersonalLinks(config);
  }

  addTo(routes: Router): void {
    const { app, config, activity } = this.#options;
    routes.route('/', fileRoutes(SOURCE, webFiles('board', 'pages')));
    routes.get('/play/:id', async (context) => {
      context.header('content-security-policy', contentSecurityPolicy());
      return context.html(await this.#html(context));
    });
    routes.use(
      '/play/*',
      onlyOwnPage(() => publicAddress(config.publicUrl).origin),
    );
    routes.post('/play/:id/open', async (context) => {
      await this.#openLink(context, (await readFields(context, TOKEN_FIELDS)).token);
      return context.json({});
    });
    const playing = this.#playingRoutes();
    routes.route('/', playing);
    if (activity === undefined) return;
    addActivity(routes, {
      app,
      host: activity,
      playing,
      claimsOf: (context) => this.#claimsOf(context),
      open: (context, admission) => this.#openActivity(context, admission),
    });
  }

  /** The routes for moves and help, which the Activity has, too. */
  #playingRoutes(): Router {
    const routes = makeRoutes();
    routes.post('/play/:id/play', async (context) => {
      const { asker, options } = await this.#claimsOf(context);
      const moves = await readFields(context, MOVE_FIELDS);
      const { app } = this.#options;
      const played = await playSoloGame(asker, app, { options, ...moves });
      return context.json({ game: await pricedGameView(asker, app, played) });
    });
    routes.post('/play/:id/help', async (context) => {
      const claims = await this.#claimsOf(context);
      return context.json(await this.#help(claims, await readFields(context, HELP_FIELDS)));
    });
    routes.post('/play/:id/race', async (context) => {
      const claims = await this.#claimsOf(context);
      return context.json(await this.#race(context, claims, await readFields(context, RACE_FIELDS)));
    });
    return routes;
  }

  /** The page of the board, or the one that exchanges a link. */
  async #html(context: HttpContext): Promise<string> {
    const { app, siteLink } = this.#options;
    const session = await this.#sessionOf(context);
    if ('trouble' in session) return arrivalDocument('Your board', TROUBLES[session.trouble], siteLink);
    const { asker, options } = session.claims;
    const target = await targetOf({ ...asker, command: 'play', options }, app);
    return boardDocument(await documentOf(asker, target, app));
  }

  /** Begins a session of an Activity, and returns what its page shows. */
  async #openActivity(
    context: HttpContext,
    { asker, options, instance, openingId }: Admission,
  ): Promise<object> {
    const { app } = this.#options;
    const now = app.clock.now();
    this.#takeRequest(asker, now);
    const target = await targetOf({ ...asker, command: 'play', options }, app);
    const claims = {
      asker,
      options: target.namedBoard.options,
      until: spanOf(dateAt(now)).to,
      madeAt: now,
      nonce: openingId,
      instance,
    };
    const id = this.#links.idOf(claims);
    await this.#refuseEnded(id, claims, now);
    this.#setSession(context, claims);
    const { title, par, view } = await documentOf(asker, target, app);
    return { id, title, par: parText(par), view, link: boardInLink(claims.options) };
  }

  /** Exchanges a token for a session, once. */
  async #openLink(context: HttpContext, token: string): Promise<void> {
    const { clock, store } = this.#options.app;
    const now = clock.now();
    const link = this.#links.read('link', token, now);
    if ('trouble' in link) throw refusal(link.trouble);
    const { claims } = link;
    this.#takeRequest(claims.asker, now);
    const id = this.#links.idOf(claims);
    if (id !== context.req.param('id')) throw refusal('altered');
    await this.#refuseEnded(id, claims, now);
    if (!(await store.events.mark(`link:${claims.nonce}`, now, claims.until))) throw refusal('used');
    await endOlder(store, id, claims.madeAt);
    this.#setSession(context, claims);
  }

  #setSession(context: HttpContext, claims: LinkClaims): void {
    const { app, config } = this.#options;
    const path = `/play/${this.#links.idOf(claims)}`;
    const { pathname, protocol } = publicAddress(config.publicUrl, path);
    const scope: CookieOptions =
      claims.instance === undefined
        ? { path: pathname, sameSite: 'Lax', secure: protocol === 'https:' }
        : // Discord serves an Activity from the root of its own site, in a frame: browsers keep and send only such cookies.
          { path, sameSite: 'None', secure: true, partitioned: true };
    const maxAge = Math.ceil((claims.until - app.clock.now()) / 1000);
    setCookie(context, COOKIE, this.#links.sessionOf(claims), { httpOnly: true, maxAge, ...scope });
  }

  /** Does what was pressed in the race of a page's channel, and returns how the race stands, and its board until the page shows it. */
  async #race(context: HttpContext, claims: LinkClaims, fields: RaceFields): Promise<object> {
    const { app, activity } = this.#options;
    const { asker, instance } = claims;
    const said = await this.#pressInRace(claims, fields);
    // Only an Activity may look up names.
    const names = instance === undefined ? undefined : activity?.names.bind(activity);
    const { view, board } = await raceView(asker, app, fields, names);
    if (board === undefined) return { ...view, said };
    // A session is for one board, so the race's board gets a second one, as by a link. It ends with the page's day.
    const raceClaims = { ...claims, options: sidesOption(board), madeAt: app.clock.now() };
    if (boardInLink(raceClaims.options) === boardInLink(claims.options)) return { ...view, said };
    this.#setSession(context, raceClaims);
    return { ...view, said, board: { id: this.#links.idOf(raceClaims), view: boardView(board) } };
  }

  /** Returns the bot's answer if the view of the race does not say the same: a mistake, or what came of `begin`. */
  async #pressInRace(claims: LinkClaims, { press, race }: RaceFields): Promise<string | undefined> {
    if (press === undefined) return undefined;
    const { asker } = claims;
    const membership = await this.#membershipOf(claims, POST_MEMBERSHIP_MS);
    if (membership === undefined) return UNKNOWN_IN_RACE;
    const who = { ...asker.who, mayPost: membership === 'member', mayPostInThreads: maySpeak(membership) };
    const options: Options = press === 'begin' ? {} : { do: press, race: String(race) };
    const request = { ...asker, who, command: 'race', options };
    const reply = await replyOf(this.#options.dispatcher.prepare(request));
    return reply.isMistake || press === 'begin' ? bodyText(reply) : undefined;
  }

  /** Posts that others see are made only for a person of whom the platform says that they may write there now. */
  async #help(claims: LinkClaims, asked: HelpRequest): Promise<HelpView> {
    const { asker, options } = claims;
    const { dispatcher } = this.#options;
    if (asked.ask !== 'share') return helpPerson(dispatcher, asker, options, asked);
    const membership = await this.#membershipOf(claims, POST_MEMBERSHIP_MS);
    if (membership === 'gone') throw refusal('gone');
    const who = { ...asker.who, mayPostInThreads: maySpeak(membership) };
    const view = await helpPerson(dispatcher, { ...asker, who }, options, asked);
    return membership === undefined ? { ...view, parts: [...view.parts, { lines: [UNKNOWN_NOTE] }] } : view;
  }

  /** The person who plays on this page. Throws a refusal if this browser has no session for it. */
  async #claimsOf(context: HttpContext): Promise<LinkClaims> {
    const session = await this.#sessionOf(context);
    if ('trouble' in session) throw refusal(session.trouble);
    return session.claims;
  }

  async #sessionOf(context: HttpContext): Promise<{ claims: LinkClaims } | { trouble: Trouble }> {
    const cookie = getCookie(context, COOKIE);
    if (cookie === undefined) return { trouble: 'notOpenHere' };
    const now = this.#options.app.clock.now();
    const session = this.#links.read('session', cookie, now);
    if ('trouble' in session) return session;
    this.#takeRequest(session.claims.asker, now);
    const id = this.#links.idOf(session.claims);
    if (id !== context.req.param('id')) return { trouble: 'notOpenHere' };
    const trouble = await this.#reasonOfEnd(id, session.claims, now);
    return trouble === undefined ? session : { trouble };
  }

  #takeRequest({ door, who }: Asker, now: number): void {
    this.#requests.take(`${door}:${who.id}`, now);
  }

  async #refuseEnded(id: string, claims: LinkClaims, now: number): Promise<void> {
    const trouble = await this.#reasonOfEnd(id, claims, now);
    if (trouble !== undefined) throw refusal(trouble);
  }

  /** While the platform can't be asked, people keep playing: the game is only theirs, and an outage locks nobody out. */
  async #reasonOfEnd(id: string, claims: LinkClaims, now: number): Promise<Trouble | undefined> {
    const ended = await endedBy(this.#options.app.store, id, claims, now);
    if (ended !== undefined) return ended;
    return (await this.#membershipOf(claims, PLAY_MEMBERSHIP_MS)) === 'gone' ? 'gone' : undefined;
  }

  /**
   * Whether the person may still use the channel of this page; undefined if nobody can say now. Ends their links and sessions
   * if they left it or were banned.
   *
   * @param maxAge milliseconds for which an earlier answer is good enough
   */
  async #membershipOf(claims: LinkClaims, maxAge: number): Promise<Membership | undefined> {
    const { posterOf, store, clock, log } = this.#options.app;
    const { door, who, where } = claims.asker;
    const { tenant, channel } = where;
    const key = channelKey({ tenant, channel }, who.id);
    const now = clock.now();
    let cached = this.#memberships.get(key);
    if (cached === undefined || now < cached.at || now - cached.at >= maxAge) {
      const asking = posterOf(door)?.membershipOf({ tenant, channel }, who.id);
      const membership = Promise.resolve(asking).catch((error: unknown) => {
        log.info({ door, reason: String(error) }, 'a person could not be looked up');
        return undefined;
      });
      cached = { at: now, membership };
      this.#memberships.set(key, cached);
    }
    const timeout = sleep(LOOK_UP_TIMEOUT_MS, undefined, { ref: false });
    const membership = await Promise.race([cached.membership, timeout]);
    // One later, so that a session that began in this millisecond ends, too.
    if (membership === 'gone') await endOlder(store, this.#links.idOf(claims), clock.now() + 1);
    return membership;
  }
}

/** Whether somebody may write in the threads of a channel. */
const maySpeak = (membership?: Membership) => membership === 'member' || membership === 'in-threads';

/** What a person's page of a board shows. */
async function documentOf(
  { where }: Asker,
  { namedBoard, puzzle }: Target,
  app: App,
): Promise<BoardDocument> {
  const made = puzzle === undefined ? await madeBoardOn(app, where, namedBoard.board) : undefined;
  const isCounted = puzzle !== undefined || made !== undefined;
  return {
    title: made?.name ?? namedBoard.name,
    par: puzzle?.par ?? made?.appraisal?.par,
    about: `You play as yourself${isCounted ? `: what you solve counts for you in the chat` : ''}.`,
    view: boardView(namedBoard.board),
  };
}

const UNKNOWN = 'I can’t find out now whether you may write there';
const UNKNOWN_NOTE = `${UNKNOWN}, so nothing was posted. Copy it, or type share in the chat.`;
const UNKNOWN_IN_RACE = `${UNKNOWN}. Race in the chat.`;
const NOT_POSTED = 'It could not be posted in a thread of this day. Copy it, or type share in the chat.';

/** Helps a person as if they had asked in the chat: what they are shown counts as seen. */
async function helpPerson(
  dispatcher: Dispatcher,
  asker: Asker,
  board: Options,
  { ask, words, step, shown }: HelpRequest,
): Promise<HelpView> {
  const more = {
    ...(ask === 'hint' && {
      ...wordsOption(words),
      ...(step !== undefined && { step }),
      ...(shown !== undefined && { shown }),
    }),
    // The page has already said the price of the solution.
    ...(ask === 'reveal' && { open: true }),
  };
  const reply = await replyOf(
    dispatcher.prepare({ ...asker, command: ask, options: { ...board, ...more }, opens: 'all' }),
  );
  const view = helpView(reply);
  // `share` answers everybody only if it has posted in no thread. Here, nobody but this person sees that answer.
  return ask === 'share' && reply.audience === 'everyone'
    ? { ...view, parts: [...view.parts, { lines: [NOT_POSTED] }] }
    : view;
}
