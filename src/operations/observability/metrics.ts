import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Outage } from '../../chat/outage.ts';
import { doorOf } from '../../core/channel-ref.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import { StoreError } from '../../core/errors.ts';
import { type Log, logFault } from '../../core/log.ts';
import { capitalized } from '../../core/text.ts';
import type { DeliveryEvent, Outcome } from '../../daily/delivery/deliver.ts';
import { describeReason } from '../../daily/suspension.ts';
import type { FinishedCommand } from '../../dispatch/contract.ts';
import { type Poster, PostFailure } from '../../dispatch/poster.ts';
import type { OnQuery, Store } from '../../store/store.ts';
import type { AllDeliveries } from '../../store/tables/all-deliveries.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { FinishedJob } from '../../work/job.ts';

/** Milliseconds after its due time from which a post is late. */
const LATE_AFTER_MS = 30 * MINUTE;
/** Bounds of histograms, in seconds: for answers that somebody waits for, and for posts that may be late. */
const ANSWER_BUCKETS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.2, 0.3, 0.5, 1, 2.5, 5, 10];
const POST_BUCKETS = [1, 5, 15, 30, 60, 120, 300, 600, 1800, 3600, 7200];
/** Milliseconds between measurements of the event loop: the default of 10 took half the time of an idle bot. */
const LAG_INTERVAL_MS = 100;
const PREFIX = 'letterboxed_';

export interface MetricsOptions {
  readonly backlog: AllDeliveries['backlog'];
  readonly counts: Store['planning']['counts'];
  readonly now: () => number;
}

/** All metrics, under the names that docs/metrics.md explains. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #commands = this.#counter('commands_total', 'Commands, by how they ended', [
    'door',
    'command',
    'outcome',
  ]);
  readonly #commandTime = this.#histogram(
    'command_seconds',
    'From a request to its finished reply',
    ANSWER_BUCKETS,
    ['door', 'outcome'],
  );
  readonly #firstAnswer = this.#histogram(
    'first_answer_seconds',
    "From a request to the platform's taking our first answer",
    ANSWER_BUCKETS,
    ['door'],
  );
  readonly #jobs = this.#counter('jobs_total', 'Boards searched, made and drawn, by how that ended', [
    'job',
    'where',
    'outcome',
  ]);
  readonly #jobTime = this.#histogram('job_seconds', 'From the start of a job to its end', ANSWER_BUCKETS, [
    'job',
    'where',
  ]);
  readonly #jobWait = this.#histogram(
    'job_wait_seconds',
    'What a job waited for a worker',
    ANSWER_BUCKETS,
    [],
  );
  readonly #deliveries = this.#counter('deliveries_total', 'Attempts at posting, by how they ended', [
    'door',
    'step',
    'end',
  ]);
  readonly #lag = this.#histogram(
    'delivery_lag_seconds',
    'From the moment a post was due to its being posted',
    POST_BUCKETS,
    ['door'],
  );
  readonly #late = this.#counter('late_deliveries_total', 'Posts 30 minutes after their time, or later', [
    'door',
  ]);
  readonly #limits = this.#counter('rate_limits_total', 'Times a platform told us to slow down', ['door']);
  readonly #fetches = this.#counter(
    'newspaper_fetches_total',
    'Rounds of asking the newspaper, by how they ended',
    ['outcome'],
  );
  readonly #requests = this.#counter('newspaper_requests_total', 'Requests sent to the newspaper', []);
  readonly #store = this.#histogram('store_seconds', 'Queries of the database', ANSWER_BUCKETS, [
    'table',
    'outcome',
  ]);
  readonly #ticks = this.#histogram('tick_seconds', 'Planning what is due', ANSWER_BUCKETS, []);
  readonly #tickedAt = this.#gauge('last_tick_timestamp_seconds', 'When the last tick ended', []);
  readonly #waiting = this.#gauge('deliveries_waiting', 'Posts that are due or being sent', ['door']);
  readonly #waitingAge = this.#gauge(
    'deliveries_waiting_age_seconds',
    'How long the oldest of them has been due',
    ['door'],
  );
  readonly #ready = this.#gauge('ready', 'Whether a part of the bot works, as on /readyz', ['part']);
  readonly #channels = this.#gauge('channels', 'Channels with a daily thread', []);

  /** When the last tick ended, by `performance.now()`. */
  lastTick: number | undefined;
  readonly #options: MetricsOptions;

  constructor(options: MetricsOptions) {
    this.#options = options;
    collectDefaultMetrics({ register: this.#registry, eventLoopMonitoringPrecision: LAG_INTERVAL_MS });
    // The gauge would begin with 0, which an alert takes for a last tick in 1970: some roles never tick.
    this.#tickedAt.remove();
  }

  readonly command = ({ door, command, outcome, milliseconds }: FinishedCommand): void => {
    this.#commands.inc({ door, command, outcome });
    this.#commandTime.observe({ door, outcome }, milliseconds / SECOND);
  };

  readonly job = ({ job, where, outcome, waited, ran }: FinishedJob): void => {
    this.#jobs.inc({ job, where, outcome });
    if (outcome === 'refused') return;
    this.#jobTime.observe({ job, where }, ran / SECOND);
    if (where === 'worker') this.#jobWait.observe(waited / SECOND);
  };

  readonly firstAnswer = (door: string, milliseconds: number): void => {
    this.#firstAnswer.observe({ door }, milliseconds / SECOND);
  };

  /** Begins the count of a door's late posts: Prometheus takes no increase from a counter that appears with its first one. */
  readonly posting = (door: string): void => this.#late.inc({ door }, 0);

  /** @param lag milliseconds since the post was due; undefined if none was sent */
  readonly delivery = (door: string, step: string, end: string, lag: number | undefined): void => {
    this.#deliveries.inc({ door, step, end });
    if (lag === undefined) return;
    this.#lag.observe({ door }, Math.max(0, lag) / SECOND);
    if (lag >= LATE_AFTER_MS) this.#late.inc({ door });
  };

  readonly limited = (door: string): void => this.#limits.inc({ door });

  readonly fetched = (outcome: string, requests: number): void => {
    this.#fetches.inc({ outcome });
    this.#requests.inc(requests);
  };

  readonly queried: OnQuery = (table, outcome, milliseconds) => {
    this.#store.observe({ table, outcome }, milliseconds / SECOND);
  };

  /** Called after each tick with the milliseconds that it took. */
  readonly ticked = (took: number): void => {
    this.lastTick = performance.now();
    this.#ticks.observe(took / SECOND);
    this.#tickedAt.set(Date.now() / SECOND);
  };

  ready(parts: Readonly<Record<string, boolean>>): void {
    this.#ready.reset();
    for (const [part, works] of Object.entries(parts)) this.#ready.set({ part }, works ? 1 : 0);
  }

  /** The metrics in the text format that Prometheus reads. */
  async text(): Promise<string> {
    // The readiness page reports a store that fails; the other metrics are still useful.
    const now = this.#options.now();
    const backlog = await this.#options.backlog(now).catch(() => []);
    const counts = await this.#options.counts(now).catch(() => undefined);
    const kept = counts?.filter(({ state }) => state !== 'off');
    if (kept === undefined) this.#channels.remove();
    else this.#channels.set(kept.reduce((sum, { channels }) => sum + channels, 0));
    this.#waiting.reset();
    this.#waitingAge.reset();
    for (const { door, waiting, oldestDueAt } of backlog) {
      this.#waiting.set({ door }, waiting);
      this.#waitingAge.set({ door }, Math.max(0, now - oldestDueAt) / SECOND);
    }
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #counter(name: string, help: string, labelNames: string[]): Counter {
    return new Counter({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }

  #gauge(name: string, help: string, labelNames: string[]): Gauge {
    return new Gauge({ name: PREFIX + name, help, labelNames, registers: [this.#registry] });
  }

  #histogram(name: string, help: string, buckets: number[], labelNames: string[]): Histogram {
    return new Histogram({ name: PREFIX + name, help, buckets, labelNames, registers: [this.#registry] });
  }
}

/** Methods that fail if the platform gives no answer. The others may hide that. */
const ANSWERED_METHODS: ReadonlySet<unknown> = new Set<keyof Poster>([
  'open',
  'post',
  'postPrivately',
  'edit',
]);

interface PosterWatch {
  readonly onLimited: (door: string) => void;
  readonly onFault: (door: string, failure: PostFailure) => void;
  /** Begins when the platform gives no answer, and ends with its next answer that is no rate limit. */
  readonly outage: Outage;
}

/** Whether the platform answered a call that failed; undefined if it may not have been asked. */
function isAnswered({ kind, cause, isFault }: PostFailure): boolean | undefined {
  // The bot itself failed, or its store, in which posts are stored.
  if (isFault || cause instanceof StoreError) return undefined;
  // The platform was asked, and no answer could be read.
  if (kind === 'unknown') return false;
  // The bot itself gave up, such as after a lost lease.
  if (cause === undefined) return undefined;
  // `later`: out of reach or overloaded. Every other kind is a refusal, which is an answer.
  return kind !== 'later';
}

/** The same poster, which also reports rate limits, faults of the bot, and outages, in which the platform gives no answers. */
export function watchedPoster(poster: Poster, { onLimited, onFault, outage }: PosterWatch): Poster {
  const failed = (error: unknown, began: number) => {
    if (!(error instanceof PostFailure)) return;
    if (error.isFault) onFault(poster.door, error);
    // A limit ends no outage: it may be the bot's own, which keeps requests from being sent.
    if (error.kind === 'later' && error.retryAfter !== undefined) return onLimited(poster.door);
    const answered = isAnswered(error);
    if (answered === true) outage.end();
    else if (answered === false) outage.begin(`${capitalized(error.message)}.`, began);
  };
  return new Proxy(poster, {
    get(_, name) {
      const member: unknown = Reflect.get(poster, name);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]) => {
        const began = performance.now();
        const result: unknown = member.apply(poster, args);
        if (result instanceof Promise && ANSWERED_METHODS.has(name))
          result.then(
            () => outage.end(),
            (error: unknown) => failed(error, began),
          );
        return result;
      };
    },
  });
}

type WatchedStore = Pick<Store, 'tenant' | 'ping'>;

/** Counts deliveries, and logs those that were posted late as errors. Those that nobody takes are on /readyz. */
export class DeliveryWatch {
  readonly #metrics: Metrics;
  readonly #store: WatchedStore;
  readonly #log: Log;

  constructor(metrics: Metrics, store: WatchedStore, log: Log) {
    this.#metrics = metrics;
    this.#store = store;
    this.#log = log;
  }

  /**
   * Checks the store each minute until the returned function is called, since nobody may be asking for readiness. If the
   * database's file was deleted, writes would otherwise go on into the deleted file until the next start, and be lost then.
   */
  start(): () => void {
    const timer = setInterval(() => {
      this.#store.ping().catch((error) => logFault(this.#log, error, {}, 'the store is in trouble'));
    }, MINUTE).unref();
    return () => clearInterval(timer);
  }

  async delivered({ delivery, steps, ending, at }: DeliveryEvent): Promise<void> {
    if (ending.end === 'looked') return;
    const { tenant, channel, date, failures } = delivery;
    const door = doorOf(tenant);
    const step = steps.join('+');
    const fields = { door, tenant, channel, date, step, end: ending.end, failures };
    const reason = 'reason' in ending ? { reason: describeReason(ending.reason) } : {};
    const lag = ending.end === 'sent' ? at - (await this.#dueSince(delivery, at)) : undefined;
    for (const one of steps) this.#metrics.delivery(door, one, ending.end, lag);
    // `closed` is the doing of people, and was logged as a warning.
    if (ending.end === 'given-up' && ending.reason.code !== 'closed')
      this.#log.error({ ...fields, ...reason }, 'a delivery was given up');
    else if (lag !== undefined && lag >= LATE_AFTER_MS) {
      const minutes = Math.round(lag / MINUTE);
      this.#log.error({ ...fields, minutes }, `LATE: posted ${minutes} minutes after its time`);
    } else
      this.#log[isStillWaiting(delivery, ending) ? 'debug' : 'info']({ ...fields, ...reason }, 'delivery');
  }

  /**
   * When it could first have been posted. A channel that was switched on at noon (`since`) gets the morning's board at noon,
   * which is not late; nor is a step that only the last change of the settings (`setAt`) added, or an opening that waited for
   * its board. Once a delivery has failed, only a switch excuses it.
   */
  async #dueSince({ tenant, channel, dueAt, failures, reason }: Delivery, at: number): Promise<number> {
    if (at - dueAt < LATE_AFTER_MS) return dueAt;
    if (failures === 0 && reason) return at;
    const found = await this.#store.tenant(tenant).subscriptions.get(channel);
    if (found === undefined) return dueAt;
    return Math.max(dueAt, failures > 0 ? found.since : found.setAt);
  }
}

/**
 * Whether a delivery keeps waiting for the same reason: with ten thousand channels waiting for the newspaper, that is not
 * worth a line.
 */
function isStillWaiting({ reason }: Delivery, ending: Outcome): boolean {
  return ending.end === 'later' && reason?.code === ending.reason.code;
}
