import type { MiddlewareHandler } from 'hono';
import type { Door } from '../../chat/door.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { StoreError, type StoreTrouble } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { type HttpContext, type HttpEnv, makeRoutes, type Router } from '../../http/router.ts';
import type { Backlog } from '../../store/tables/all-deliveries.ts';
import type { Metrics } from './metrics.ts';

/** Milliseconds without a tick after which something is stuck: the daily thread ticks every minute. */
export const MAX_TICK_AGE_MS = 3 * MINUTE;
const PING_TIMEOUT_MS = 2 * SECOND;
/** Milliseconds for which everybody gets the same answer: a probe writes to the store, and anybody may send one. */
const READINESS_CACHE_MS = SECOND;
const OK = 'ok';
/** Milliseconds after which a due post that nobody has claimed counts as left behind. */
export const LEFT_BEHIND_AFTER_MS = 2 * MINUTE;
/** Milliseconds that a door in trouble still counts as open. */
const DOOR_GRACE_MS = 2 * MINUTE;
const LOOK_INTERVAL_MS = 10 * SECOND;
/** Sentences without names of hosts and files, which the errors themselves contain. */
const TROUBLE_TEXTS: Readonly<Record<StoreTrouble, string>> = {
  'store.version': 'belongs to another version',
  'store.denied': 'refuses writes',
  'store.full': 'has no room left',
  'store.busy': 'is busy',
  'store.locked': 'waits for locks',
  'store.exhausted': 'takes no more connections',
  'store.damaged': 'is damaged',
  'store.lost': 'is lost',
  'store.unreachable': 'can not be reached',
  'store.unable': 'fails',
};

/** The current state that readiness is computed from. */
export interface Vitals {
  readonly ping: () => Promise<void>;
  /** The doors that this process opens or only posts through; undefined for one that is not open yet. */
  readonly doors: () => Iterable<readonly [name: string, door: Pick<Door, 'trouble'> | undefined]>;
  /** The latest failure of the store, if it is recent, although it answers now. */
  readonly storeTrouble: () => StoreTrouble | undefined;
  /** The reason why a door can't post, if there is one. */
  readonly postTrouble: (door: string) => string | undefined;
  /** Posts that nobody takes, at all doors; empty if this process posts nothing. */
  readonly unclaimed: () => Promise<readonly Backlog[]>;
  /** The time of the clock that posts go by. */
  readonly now: () => number;
  /** When the last tick ended, by `elapsed`; undefined where this process does not tick. */
  readonly lastTick: () => number | undefined;
  readonly isStopping: () => boolean;
  /** Milliseconds of a monotonic clock: a wall clock set back must not make an old tick look new. */
  readonly elapsed: () => number;
  readonly scrub: (text: string) => string;
}

/**
 * Liveness, readiness and metrics, for the host and for monitoring.
 *
 * @param isShared whether others may reach the port through a proxy: then only `/healthz` answers requests that a proxy
 * forwarded
 * @param lastOk see `noteWorking`
 */
export function healthRoutes(
  vitals: Vitals,
  metrics: Metrics,
  { isShared = false, lastOk = new Map<string, number>() } = {},
): Router {
  const routes = makeRoutes();
  const direct: MiddlewareHandler<HttpEnv> = async (context, next) =>
    isShared && isForwarded(context) ? context.notFound() : next();
  const probed: Vitals = {
    ...vitals,
    ping: shared(vitals.ping, vitals),
    unclaimed: shared(vitals.unclaimed, vitals),
  };
  const metricsText = shared(async () => {
    metrics.ready(partsOf(await readinessOf(probed, lastOk)));
    return metrics.text();
  }, vitals);
  routes.get('/healthz', (context) => context.text(`${OK}\n`));
  routes.get('/readyz', direct, async (context) => {
    const readiness = await readinessOf(probed, lastOk);
    const body = `${vitals.scrub(JSON.stringify(readiness))}\n`;
    return context.body(body, readiness.ready ? 200 : 503, {
      'content-type': 'application/json; charset=utf-8',
    });
  });
  routes.get('/metrics', direct, async (context) =>
    context.body(await metricsText(), 200, { 'content-type': metrics.contentType }),
  );
  return routes;
}

/**
 * Notes when each door was last seen without trouble, until the returned function is called. Monitors may ask so rarely that
 * a door which just reconnects would seem not to have worked since they asked last.
 */
export function noteWorking(vitals: Vitals, lastOk: Map<string, number>): () => void {
  const look = async () => void statesOf(vitals, await vitals.unclaimed(), lastOk);
  // Readiness tells that the store fails.
  const timer = setInterval(() => void look().catch(() => undefined), LOOK_INTERVAL_MS).unref();
  return () => clearInterval(timer);
}

/** Headers that proxies add: every common proxy adds at least one of these. */
const PROXY_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'cf-connecting-ip',
  'true-client-ip',
];

function isForwarded({ req }: HttpContext): boolean {
  return PROXY_HEADERS.some((name) => req.header(name) !== undefined);
}

/** Calls `ask` at most once in `READINESS_CACHE_MS`; in between, everybody gets the same answer. */
function shared<Answer>(ask: () => Promise<Answer>, { elapsed }: Vitals): () => Promise<Answer> {
  let last: { readonly at: number; readonly answer: Promise<Answer> } | undefined;
  return () => {
    if (last === undefined || elapsed() - last.at >= READINESS_CACHE_MS)
      last = { at: elapsed(), answer: ask() };
    return last.answer;
  };
}

/** The state of each part of the bot: `ok`, or a problem. */
interface Readiness {
  readonly ready: boolean;
  readonly store: string;
  readonly doors: Readonly<Record<string, string>>;
  readonly lastTick: string;
}

/**
 * Ready while the store and at least one door work: the outage of one platform must not take the other doors off the
 * network, and neither must a door that reconnects.
 *
 * @param lastOk when each door was last seen without trouble; kept from call to call
 */
export async function readinessOf(vitals: Vitals, lastOk = new Map<string, number>()): Promise<Readiness> {
  const { store, unclaimed } = await askStore(vitals);
  const doors = statesOf(vitals, unclaimed, lastOk);
  const tick = vitals.lastTick();
  const age = tick === undefined ? undefined : Math.max(0, vitals.elapsed() - tick);
  const isTicking = age === undefined || age <= MAX_TICK_AGE_MS;
  const hasWorked = [...lastOk.values()].some((at) => vitals.elapsed() - at < DOOR_GRACE_MS);
  const isServing = Object.keys(doors).length === 0 || hasWorked;
  return {
    ready: store === OK && isServing && isTicking && !vitals.isStopping(),
    store,
    doors,
    lastTick: age === undefined ? 'not in this process' : `${Math.round(age / 1000)} s ago`,
  };
}

/** The state of each door. Notes in `lastOk` which of them work. */
function statesOf(vitals: Vitals, unclaimed: readonly Backlog[], lastOk: Map<string, number>) {
  const stateOf = (name: string, door: Pick<Door, 'trouble'> | undefined) => {
    if (door === undefined) return 'not open yet';
    const backlog = unclaimed.find((one) => one.door === name);
    return door.trouble() ?? vitals.postTrouble(name) ?? leftBehind(backlog, vitals.now()) ?? OK;
  };
  const doors = Object.fromEntries(Array.from(vitals.doors(), ([name, door]) => [name, stateOf(name, door)]));
  for (const [name, state] of Object.entries(doors)) {
    if (state === OK) lastOk.set(name, vitals.elapsed());
    // `postTrouble` has waited for two minutes itself, so the door gets no `DOOR_GRACE_MS` on top.
    else if (vitals.postTrouble(name) !== undefined) lastOk.delete(name);
  }
  return doors;
}

function leftBehind(backlog: Backlog | undefined, now: number): string | undefined {
  if (backlog === undefined) return undefined;
  const minutes = Math.floor((now - backlog.oldestDueAt) / MINUTE);
  return `${counted(backlog.waiting, 'post')} that nobody takes, the oldest due ${counted(minutes, 'minute')} ago`;
}

function partsOf({ store, doors, lastTick: _, ready }: Readiness): Record<string, boolean> {
  const ofDoors = Object.entries(doors).map(([name, state]) => [name, state === OK]);
  return { all: ready, store: store === OK, ...Object.fromEntries(ofDoors) };
}

/** Reports a failure only by its kind: the error, which is in the log, may name hosts and files. */
async function askStore({
  ping,
  unclaimed,
  storeTrouble,
}: Vitals): Promise<{ readonly store: string; readonly unclaimed: readonly Backlog[] }> {
  const late = new Promise<string>((resolve) => {
    setTimeout(resolve, PING_TIMEOUT_MS, 'gives no answer').unref();
  });
  try {
    // Both are asked: a lock on the table of posts alone stops posting, too, while the ping succeeds.
    const answer = await Promise.race([Promise.all([ping(), unclaimed()]), late]);
    if (typeof answer === 'string') return { store: answer, unclaimed: [] };
    const trouble = storeTrouble();
    return { store: trouble === undefined ? OK : TROUBLE_TEXTS[trouble], unclaimed: answer[1] };
  } catch (error) {
    return { store: error instanceof StoreError ? TROUBLE_TEXTS[error.code] : 'fails', unclaimed: [] };
  }
}
