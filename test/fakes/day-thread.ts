/**
 * The daily thread as tests meet it: its steps in the store, what became of them, and a process that delivers. Only these
 * functions know how a day is stored.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { describeReason } from '../../src/daily/suspension.ts';
import type { App } from '../../src/dispatch/contract.ts';
import type { Posted, Poster } from '../../src/dispatch/poster.ts';
import { playerHandlers } from '../../src/players/reviews.ts';
import { SQLITE_FILE, type Store } from '../../src/store/store.ts';
import type { DeliveryKey } from '../../src/store/tables/deliveries.ts';
import { testDaily } from '../daily/ground.ts';

export const DAY_THREAD: Posted = { message: 'opening-1', thread: 'thread-1' };

/** Stores a sent step of a channel and day, as the daily thread leaves it. */
export async function sendStep(
  store: Store,
  at: DeliveryKey,
  moment: number,
  posted: Posted = DAY_THREAD,
): Promise<void> {
  await store.allDeliveries.plan([{ ...at, dueAt: moment }]);
  const { deliveries } = store.tenant(at.tenant);
  const claim = { owner: 'test', now: moment, until: moment + 1 };
  const claimed = await deliveries.claim(at.channel, at.date, at.step, claim);
  await deliveries.markSent(claimed!.lease, posted, moment);
}

/**
 * What became of each step of a channel's day, and of its opening and closing: `posted`, or `posted with` the first step of its
 * message; `waiting`, also where it is being posted; or `left out: ` and the reason. Without those of which nothing is known.
 */
export async function dayOf(
  store: Store,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<Record<string, string>> {
  const rows = await store.tenant(tenant).deliveries.ofDay(channel, date);
  const became = ({ step, state, reason }: (typeof rows)[number]): string => {
    if (state === 'sent') return 'posted';
    if (state === 'due' || state === 'sending') return 'waiting';
    const first = reason?.code === 'merged' ? rows.find((row) => row.step === reason.step) : undefined;
    if (first?.state === 'sent') return `posted with ${first.step}`;
    if (first !== undefined) return became(first);
    if (reason === null) throw new Error(`${step} of ${date} was left out without a reason`);
    return `left out: ${describeReason(reason)}`;
  };
  return Object.fromEntries(rows.map((row) => [row.step, became(row)]));
}

/** As PostgreSQL restores a backup of before the first delivery under its clients. */
export function loseDeliveries(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec(`delete from delivery; update fingerprint set value = 'copy'`);
  database.close();
}

/** Delivers what is due by the app's clock, as a process does that posts with this poster. */
export function deliverDue(app: App, poster: Poster): Promise<void> {
  const { store, puzzles, log, clock } = app;
  return testDaily({
    store,
    puzzles,
    log,
    clock,
    posters: [poster],
    answerSteps: answerSteps(app),
    handlers: playerHandlers(app),
  }).runDue();
}
