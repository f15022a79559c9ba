import type { ChannelRef } from '../core/channel-ref.ts';
import type { Poster } from '../dispatch/poster.ts';
import { addDays, dateAt } from '../puzzle/calendar.ts';
import type { DailySource, PuzzleService } from '../puzzle/types.ts';
import type { DeliveryKey, Store } from '../store/types.ts';
import type { DeliverTools } from './delivery/attempt.ts';
import { type ClaimedGroup, type DeliveryEvent, deliver } from './delivery/deliver.ts';
import { type DailyLog, noteLog } from './delivery/log.ts';
import { makeMessages } from './delivery/messages.ts';
import { nextPostIn } from './plan/next-post.ts';
import type { NextPost } from './plan/plan.ts';
import { makePlanner, type TickReport } from './plan/planner.ts';
import { everyMinute } from './plan/ticker.ts';
import { type DeliveryQueueMaker, makeInProcessQueue } from './queue/in-process-queue.ts';
import { DEFAULT_PACE, type Pace } from './queue/queue.ts';
import { reactivate } from './suspension.ts';

const MINUTE = 60_000;
/** Days that finished deliveries are kept for: longer than the plan ever looks back. */
const KEPT_DAYS = 60;

export interface DailyOptions {
  readonly store: Store;
  /** With the places' pins: see `withPins`. */
  readonly puzzles: PuzzleService;
  /** The hands of the doors of this process, one a door. */
  readonly posters: readonly Poster[];
  readonly log: DailyLog;
  readonly clock: { now(): number };
  readonly random: () => number;
  /** Names this process in rows; unique to it. */
  readonly owner: string;
  /** The operator's `PUZZLE_SOURCE`. */
  readonly source?: DailySource;
  /** Told of every attempt, for metrics and for whoever watches. */
  readonly onDelivery?: (event: DeliveryEvent) => void;
  /** Told of every tick. */
  readonly onTick?: (report: TickReport & { readonly took: number }) => void;
  /** How a day went, for its thread's last message. */
  readonly dayLine?: DeliverTools['dayLine'];
  /** Milliseconds an opening waits for the newspaper before it does what the settings say instead. */
  readonly patience?: number;
  /** Milliseconds after which another process may take over from one that died. */
  readonly lease?: number;
  readonly pace?: (door: string) => Pace;
  /** How deliveries are handed out; in this process, unless told. */
  readonly engine?: DeliveryQueueMaker;
  /** Milliseconds from some beginning, for measuring. */
  readonly elapsed?: () => number;
}

/** The daily thread, running. */
export interface Daily {
  /** Ticks each minute and delivers, until stopped. */
  start(): Promise<void>;
  /** Takes on nothing new and resolves when what was begun is done. */
  stop(): Promise<void>;
  /** Plans what is due, now unless told, and sets deliveries going without waiting for them. */
  tick(moment?: number): Promise<TickReport>;
  /** Delivers until nothing is ready any longer. */
  runDue(): Promise<void>;
  /** What comes next in a place. */
  nextPost(channelRef: ChannelRef): Promise<NextPost | undefined>;
  /** Someone ran a command there: a resting place is tried again. True if it rested. */
  wake(channelRef: ChannelRef): Promise<boolean>;
}

/**
 * @example
 * const daily = makeDaily({ store, puzzles, posters: [door.poster], log, clock: Date, random: Math.random, owner: 'a' });
 * await daily.start();
 */
export function makeDaily(options: DailyOptions): Daily {
  const { store, log, clock, owner } = options;
  // The store keeps whole milliseconds, whatever a clock counts in.
  const now = () => Math.floor(clock.now());
  const elapsed = options.elapsed ?? (() => performance.now());
  const posters = new Map(options.posters.map((poster) => [poster.door, poster]));
  const lease = options.lease ?? 2 * MINUTE;
  const tools: DeliverTools = {
    store,
    puzzles: options.puzzles,
    messages: makeMessages({ puzzles: options.puzzles, elapsed }),
    log,
    now,
    random: options.random,
    owner,
    lease,
    source: options.source ?? 'newspaper',
    patience: options.patience ?? 30 * MINUTE,
    ...(options.dayLine !== undefined && { dayLine: options.dayLine }),
  };
  const planner = makePlanner({ store, log, posterOf: (door) => posters.get(door) });
  const engine = (options.engine ?? makeInProcessQueue)({
    store,
    log,
    now,
    owner,
    lease,
    doors: [...posters.keys()],
    pace: options.pace ?? (() => DEFAULT_PACE),
    deliver: deliverGroup,
  });
  const inFlight = new Map<string, Promise<unknown>>();
  let swept: string | undefined;
  let ticking: Promise<unknown> = Promise.resolve();
  let stopTicking: (() => void) | undefined;

  /**
   * A clock that jumps can end a lease while its delivery is under way in this very process. The second
   * attempt then waits for the first, and finds what it posted.
   */
  async function deliverGroup(door: string, group: ClaimedGroup): Promise<readonly DeliveryEvent[]> {
    const poster = posters.get(door);
    if (poster === undefined) throw new Error(`no poster for ${door} in this process`);
    const key = keyOf(group[0].lease);
    const before = inFlight.get(key);
    const work = (async () => {
      await before?.catch(() => undefined);
      return deliver(tools, poster, group);
    })();
    inFlight.set(key, work);
    try {
      const events = await work;
      for (const event of events) await follow(event);
      return events;
    } finally {
      if (inFlight.get(key) === work) inFlight.delete(key);
    }
  }

  async function follow(event: DeliveryEvent): Promise<void> {
    const { delivery, ending } = event;
    if (ending.end === 'sent' && delivery.step === 'opening') {
      const { planned } = await planner.opened(delivery, now());
      if (planned.length > 0) engine.nudge(planned);
    }
    options.onDelivery?.(event);
  }

  /** One tick at a time: the next waits, and then finds little to do. */
  function tick(moment = now()): Promise<TickReport> {
    const ticked = ticking.then(() => tickNow(moment));
    ticking = ticked.catch(() => undefined);
    return ticked;
  }

  async function tickNow(moment: number): Promise<TickReport> {
    const began = elapsed();
    const report = await planner.tick(moment);
    engine.nudge(report.planned);
    options.onTick?.({ ...report, took: elapsed() - began });
    const today = dateAt(moment);
    if (swept !== today) {
      await store.allTenants.sweep(moment, addDays(today, -KEPT_DAYS));
      swept = today;
    }
    return report;
  }

  async function tickQuietly(): Promise<void> {
    try {
      await tick();
    } catch (error) {
      noteLog(log, error, {}, 'planning failed; the next minute tries again');
    }
  }

  return {
    async start() {
      await engine.start();
      await tickQuietly();
      stopTicking = everyMinute(tickQuietly);
    },
    async stop() {
      stopTicking?.();
      await ticking;
      await engine.stop();
    },
    tick,
    runDue: () => engine.runDue(),
    nextPost: (channel) => nextPostIn(store, channel, now()),
    wake: async (channel) => {
      const woken = await reactivate(store, channel, now(), dateAt(now()));
      if (woken) await tickQuietly();
      return woken;
    },
  };
}

function keyOf({ tenant, channel, date, step }: DeliveryKey): string {
  return `${tenant}\n${channel}\n${date}\n${step}`;
}
