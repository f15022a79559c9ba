import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { COMMANDS } from '../commands/index.ts';
import { makeApp, SERVICE } from './app.ts';
import type { Door } from './chat/door.ts';
import { Outage, watchRecovery } from './chat/outage.ts';
import { type Config, publicAddress } from './config/config.ts';
import type { Clock } from './core/clock.ts';
import { inBackground } from './core/concurrency.ts';
import { type Log, logFault } from './core/log.ts';
import { capitalized } from './core/text.ts';
import { Daily } from './daily/daily.ts';
import { LEASE_MS } from './daily/delivery/deliver.ts';
import { answerSteps } from './daily/delivery/messages.ts';
import { reactivateOnRequest } from './daily/suspension.ts';
import type { App, Dispatcher } from './dispatch/contract.ts';
import { makeDispatcher } from './dispatch/dispatcher.ts';
import type { Poster, PostFailure } from './dispatch/poster.ts';
import { legalRoutes } from './http/legal.ts';
import { alsoBelow, makeRouter, makeRoutes } from './http/router.ts';
import { HttpServer, type HttpServerOptions } from './http/server.ts';
import { warmUp } from './jobs/job-runner.ts';
import {
  type BuiltDoor,
  explainDoor,
  keepOpen,
  makeDoors,
  SERVES_PAGES,
} from './operations/lifecycle/doors.ts';
import { ClockWatch, eraseHourly, steadyBefore } from './operations/lifecycle/erasing.ts';
import { MovableClock, movableTime, realTime } from './operations/lifecycle/movable-clock.ts';
import { openStoreOf } from './operations/lifecycle/process.ts';
import {
  healthRoutes,
  LEFT_BEHIND_AFTER_MS,
  noteWorking,
  type Vitals,
} from './operations/observability/health.ts';
import { makeScrubber } from './operations/observability/log.ts';
import { DeliveryWatch, Metrics, watchedPoster } from './operations/observability/metrics.ts';
import { logOutlook, logStart, outlook } from './operations/observability/outlook.ts';
import type { StoreOutage } from './operations/observability/store-outage.ts';
import { dayReviews, playerHandlers } from './players/reviews.ts';
import { remarksOn } from './puzzle/remark.ts';
import { playablePicture } from './reply/model/named-board.ts';
import { makePictures, type Pictures } from './reply/picture/pictures.ts';

export interface Bot {
  /** The address of the local chat, if it is open. */
  readonly chatUrl: string | undefined;
  /** The names of the platforms whose doors are open, such as `Discord`. */
  readonly platforms: readonly string[];
  /** Serves the site and Slack, if it is open. */
  readonly port: number | undefined;
  /** What posts the daily threads; undefined if this process does not. */
  readonly daily: Daily | undefined;
  /** Accepts nothing new, finishes what was begun, and closes everything. */
  stop(): Promise<void>;
}

interface StartOptions {
  readonly clock?: Clock;
  /** Called when all modules are loaded, before anything is posted or answered and before workers start. */
  readonly onLoaded?: () => void;
}

/** Hosts give a stop ten seconds, and the doors and the store close after this. The next process takes up the rest. */
const FINISH_TIMEOUT_MS = 7_000;
/** Milliseconds after which answers are prepared: the local chat and the daily thread have usually started by then. */
const WARM_UP_DELAY_MS = 250;

/**
 * The whole bot, as the settings have it: store, doors, daily thread and health pages. Where the
 * local chat is the only door, all of it goes by a clock that people may move.
 *
 * @example const bot = await startBot(readConfig({ WEB_PORT: '0' }), log);
 */
export async function startBot(
  config: Config,
  log: Log,
  { clock = { now: Date.now }, onLoaded }: StartOptions = {},
): Promise<Bot> {
  const teardown = new AsyncDisposableStack();
  try {
    return await start({ config, log, clock }, teardown, onLoaded);
  } catch (error) {
    await teardown.disposeAsync().catch((err) => log.error({ err }, 'ending what had been started failed'));
    throw error;
  }
}

/** Checks a release before processes of the new version start: reads everything that the settings name, and opens no door. */
export async function checkBot(config: Config, log: Log): Promise<void> {
  // A block, so that all is closed before the log says that all is well.
  {
    await using teardown = new AsyncDisposableStack();
    const { app, where } = await openApp({ config, log, clock: { now: Date.now } }, teardown);
    logStart(config, log, app.about, where);
  }
  log.info({}, 'the settings and the store are in order');
}

interface BotParts {
  readonly config: Config;
  readonly log: Log;
  readonly clock: Clock;
}

/**
 * @param teardown gets a function for each part that was opened, and closes them in reverse order: posting ends first, then the
 * doors close, then HTTP, and the store last
 */
async function start(parts: BotParts, teardown: AsyncDisposableStack, onLoaded?: () => void): Promise<Bot> {
  const { config, log } = parts;
  const opened = await openApp(parts, teardown);
  const { app, metrics, playClock, where } = opened;
  logStart(config, log, app.about, where);
  // A clock that people may move is never trusted with erasing, and a move is no fault of the machine.
  const clockWatch =
    playClock === undefined
      ? new ClockWatch({ clock: app.clock, log, steadyBefore: await steadyBefore(app.store) })
      : undefined;
  if (clockWatch !== undefined) teardown.defer(clockWatch.start());

  const dispatcher = makeDispatcher(app, {
    commands: COMMANDS,
    onRequest: reactivateOnRequest(app),
    onDone: metrics.command,
  });
  // Made after the doors, since it needs their posters. The local chat's clock moves it.
  let daily: Daily | undefined;
  const chatClock = playClock === undefined ? realTime(app) : movableTime(playClock, () => daily, app);
  const pictures = makePictures(app.work.draw);
  const onFirstAnswer = metrics.firstAnswer;
  const doors = await makeDoors(config, { app, dispatcher, chatClock, pictures, onFirstAnswer });
  const outages = addPosters(doors, opened);

  const status: Status = { isStopping: false, isOpen: () => false };
  if (config.role === 'all' || config.role === 'worker') daily = makeBotDaily(opened, pictures, teardown);
  const posts = daily !== undefined;
  // Before the doors, so that health checks are answered while they open.
  const http = await openHttp(config, opened, { dispatcher, doors, status, outages, posts, teardown });
  onLoaded?.();
  teardown.defer(prepareAnswers(app));

  const kept = await keepOpen(
    doors.filter(({ opens }) => opens).map(({ door }) => door),
    { log, explain: (door, error) => explainDoor(config, door, error) },
  );
  teardown.defer(() => kept.stop());
  status.isOpen = ({ door }) => kept.isOpen(door);
  for (const { door, opens, lacksForHttp } of doors) {
    const why = lacksForHttp === undefined ? '' : `; to take commands over HTTP it needs ${lacksForHttp}`;
    if (!opens) log.info({ door: door.name }, `${door.name}: this process takes no commands there${why}`);
  }
  if (daily !== undefined) await startPosting(daily, opened, teardown);
  for (const [door, outage] of outages)
    teardown.defer(
      watchRecovery(opened.posters.get(door)!, outage, async () => posts && retryWaiting(app, door)),
    );
  if (posts && clockWatch !== undefined) teardown.defer(eraseHourly(app.store, log, clockWatch));
  logOutlook(log, await outlook(app.store, app.clock.now(), log));
  const chat = doors.find((built) => built.url !== undefined && status.isOpen(built));
  const chatUrl = chat?.url?.();
  if (chatUrl !== undefined) log.info({ url: chatUrl }, `The local chat is open: ${chatUrl}`);
  const platforms = doors.filter((built) => built !== chat && status.isOpen(built));
  return {
    chatUrl,
    platforms: platforms.map(({ door }) => capitalized(door.name)),
    port: http?.port,
    daily,
    async stop() {
      status.isStopping = true;
      await teardown.disposeAsync();
    },
  };
}

async function startPosting(
  daily: Daily,
  { app, metrics }: OpenedApp,
  teardown: AsyncDisposableStack,
): Promise<void> {
  // Readiness goes by the last tick that succeeded.
  metrics.lastTick = performance.now();
  // Whoever starts it may have corrected what kept posts waiting, such as a token.
  await releaseRetries(app);
  // Marks what it starts as the bot's own work, which takes turns with people's requests in queues.
  await inBackground(() => daily.start());
  teardown.defer(() => finish(daily.stop(), app.log));
}

/** Makes retries due now. */
async function releaseRetries({ store, clock }: App): Promise<void> {
  const now = Math.floor(clock.now());
  // What is being sent is leased for at most `LEASE_MS`. What waits for longer is a retry.
  await store.allDeliveries.releaseStuck(now, now + LEASE_MS);
}

/** Whether posts wait at a door, of which all are tried again now. */
async function retryWaiting(app: App, door: string): Promise<boolean> {
  await releaseRetries(app);
  const backlog = await app.store.allDeliveries.backlog(Math.floor(app.clock.now()));
  return backlog.some((waiting) => waiting.door === door);
}

/** Adds the posters of the doors to those of this process. Returns the outages of posting, by door. */
function addPosters(
  doors: readonly BuiltDoor[],
  { app: { log }, metrics, posters }: OpenedApp,
): ReadonlyMap<string, Outage> {
  const outages = new Map<string, Outage>();
  for (const { name, poster } of doors.map(({ door }) => door)) {
    const what = `${capitalized(name)}’s API`;
    const outage = new Outage({ door: name, log, what, effect: 'nothing is posted there' });
    outages.set(name, outage);
    metrics.posting(name);
    const onFault = (door: string, { cause }: PostFailure) =>
      logFault(log, cause, { door }, 'the bot itself failed at a post, which is tried again');
    posters.set(name, watchedPoster(poster, { onLimited: metrics.limited, onFault, outage }));
  }
  return outages;
}

interface OpenedApp {
  readonly app: App;
  readonly metrics: Metrics;
  /** Posters of this process, added as each adapter is created. */
  readonly posters: Map<string, Poster>;
  /** The app's clock, where people may move it. */
  readonly playClock: MovableClock | undefined;
  /** Names the store, for the operator. */
  readonly where: string;
  readonly storeOutage: StoreOutage;
}

/** The app on the store of the settings, with its metrics. */
async function openApp(
  { config, log, clock: time }: BotParts,
  teardown: AsyncDisposableStack,
): Promise<OpenedApp> {
  const playClock = mayBeMoved(config) ? new MovableClock(() => time.now()) : undefined;
  const clock: Clock = playClock ?? time;
  // Made first, since the store reports its queries to it. Its functions are called only once the store is open.
  const metrics = new Metrics({
    backlog: (now) => store.allDeliveries.backlog(now),
    counts: (now) => store.planning.counts(now),
    now: () => clock.now(),
  });
  const { store, where, outage: storeOutage, close } = await openStoreOf(config.store, log, metrics.queried);
  teardown.defer(close);
  const posters = new Map<string, Poster>();
  const made = await makeApp({
    config,
    profile: SERVICE,
    clock,
    log,
    posters,
    store,
    onFetched: metrics.fetched,
    onJob: metrics.job,
  });
  teardown.defer(() => made.close());
  return { app: made.app, metrics, posters, playClock, where, storeOutage };
}

/** Whether people may move the clock: only the local chat uses it, and no newspaper is asked for a coming day's board. */
export function mayBeMoved({ isPlatform, web, puzzle }: Config): boolean {
  return web !== undefined && !isPlatform && puzzle.source !== 'newspaper';
}

interface Status {
  isStopping: boolean;
  /** Replaced once the doors are opened. */
  isOpen: (built: BuiltDoor) => boolean;
}

function makeBotDaily(
  { app, metrics, posters }: OpenedApp,
  pictures: Pictures,
  teardown: AsyncDisposableStack,
): Daily {
  const { store, puzzles, log, clock } = app;
  const watch = new DeliveryWatch(metrics, store, log);
  teardown.defer(watch.start());
  return new Daily({
    store,
    puzzles,
    answerSteps: answerSteps(app),
    posters: [...posters.values()],
    log,
    clock,
    random: Math.random,
    owner: `${hostname()}:${process.pid}:${randomUUID().slice(0, 8)}`,
    // If this text has changed since the last start, all channels are planned again.
    rules: `${app.about.version} ${process.versions.tz}`,
    handlers: playerHandlers(app),
    reviews: dayReviews(app),
    async prepareDay() {
      const puzzle = await puzzles.makeToday();
      if (puzzle === undefined) return;
      // Kept for all who ask.
      remarksOn(puzzle);
      await pictures.png(playablePicture(puzzle.board));
    },
    onDelivery: (event) =>
      void watch.delivered(event).catch((err) => log.warn({ err }, 'an attempt was not counted')),
    onTick: metrics.ticked,
  });
}

interface HttpParts {
  readonly dispatcher: Dispatcher;
  readonly doors: readonly BuiltDoor[];
  readonly status: Status;
  /** Outages of posting, by door. */
  readonly outages: ReadonlyMap<string, Outage>;
  /** Whether this process posts the daily thread. */
  readonly posts: boolean;
  readonly teardown: AsyncDisposableStack;
}

/** What the health pages ask of this process. Its doors are those that it opens, and those where it posts. */
function vitalsOf(
  { app: { store, clock }, metrics, storeOutage }: OpenedApp,
  { doors, status, outages, posts }: HttpParts,
  scrub: Vitals['scrub'],
): Vitals {
  // A door without a connection has no trouble but with posts, which `postTrouble` tells.
  const onlyPosts = { trouble: () => undefined };
  return {
    ping: () => store.ping(),
    storeTrouble: () => storeOutage.trouble(),
    doors: () =>
      doors.flatMap((built): [string, Pick<Door, 'trouble'> | undefined][] => {
        if (built.opens) return [[built.door.name, status.isOpen(built) ? built.door : undefined]];
        return posts ? [[built.door.name, onlyPosts]] : [];
      }),
    postTrouble: (door) => outages.get(door)?.current(),
    async unclaimed() {
      const now = Math.floor(clock.now());
      return posts ? store.allDeliveries.unclaimed(now - LEFT_BEHIND_AFTER_MS, now) : [];
    },
    now: () => clock.now(),
    lastTick: () => metrics.lastTick,
    isStopping: () => status.isStopping,
    elapsed: () => performance.now(),
    scrub,
  };
}

/** Opens the servers of `PORT` and of `HEALTH_PORT`, as far as they are set. Returns the one of `PORT`. */
async function openHttp(
  { http, health, operator, secrets, pages, site, role }: Config,
  opened: OpenedApp,
  parts: HttpParts,
): Promise<HttpServer | undefined> {
  const { app, metrics } = opened;
  const { dispatcher, doors, teardown } = parts;
  const vitals = vitalsOf(opened, parts, makeScrubber(secrets));
  const lastOk = new Map<string, number>();
  teardown.defer(noteWorking(vitals, lastOk));
  const open = async (options: HttpServerOptions) => {
    const server = new HttpServer(options);
    await server.start();
    teardown.defer(() => server.stop());
    return server;
  };
  if (health !== undefined) {
    const router = makeRouter(app.log);
    router.route('/', healthRoutes(vitals, metrics, { lastOk }));
    const settings = `HEALTH_HOST ${health.host} and HEALTH_PORT ${health.port}`;
    logHealth(app, health.host, (await open({ ...health, router, settings })).port);
  }
  if (http === undefined) return undefined;
  const board =
    pages !== undefined && SERVES_PAGES.includes(role)
      ? { pages, from: await import('./web/pages/board-pages.ts') }
      : undefined;
  const router = makeRouter(app.log, { missingPage: board?.from.missingPage(board.pages) });
  if (health === undefined) router.route('/', healthRoutes(vitals, metrics, { isShared: true, lastOk }));
  const openRoutes = makeRoutes();
  openRoutes.route('/', legalRoutes(operator));
  if (board !== undefined) {
    // With PUBLIC_SITE, the site is elsewhere.
    if (site === board.pages.publicUrl && !existsSync(board.from.SITE))
      app.log.warn({}, 'no site is built, so PUBLIC_URL has no board for everybody: npm run site builds one');
    const activity = doors.find((built) => built.activity !== undefined)?.activity;
    const landing = doors.flatMap((built) => built.landing ?? []).join('\n');
    openRoutes.route('/', board.from.boardPages(app, dispatcher, board.pages, { activity, landing }));
  }
  // After the site: where a door has a first page as well, the site's is served.
  for (const { routes } of doors) if (routes !== undefined) openRoutes.route('/', routes);
  const path = pages === undefined ? '/' : publicAddress(pages.publicUrl).pathname;
  router.route('/', alsoBelow(path, openRoutes));
  const server = await open({ ...http, router });
  if (health === undefined) logHealth(app, http.host, server.port);
  return server;
}

function logHealth({ log }: App, host: string, port: number): void {
  log.info({ port }, `health: http://${host}:${port}/healthz, /readyz and /metrics`);
}

/**
 * Warms up the solver and makes the day's board in the background. Otherwise the first person to ask would wait for both,
 * for seconds on a busy machine.
 */
function prepareAnswers({ lexicon, log, puzzles }: App): () => void {
  const ending = new AbortController();
  const { signal } = ending;
  const timer = setTimeout(() => {
    Promise.all([puzzles.makeToday(), warmUp(lexicon, signal)]).catch((error) => {
      if (!signal.aborted) logFault(log, error, {}, 'preparing answers failed; the first ones take longer');
    });
  }, WARM_UP_DELAY_MS);
  return () => {
    clearTimeout(timer);
    ending.abort();
  };
}

/** Waits until everything that was begun has ended, up to a limit. */
async function finish(stopped: Promise<void>, log: Log): Promise<void> {
  const isDone = await Promise.race([
    stopped.then(() => true),
    sleep(FINISH_TIMEOUT_MS, false, { ref: false }),
  ]);
  if (!isDone) log.warn({}, 'posts were still under way; they are taken up again at the next start');
}
