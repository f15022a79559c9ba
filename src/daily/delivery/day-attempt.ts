import type { ChannelRef } from '../../core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import type { Posted } from '../../dispatch/poster.ts';
import type { PuzzleService } from '../../puzzle/types.ts';
import type { Reason } from '../../store/schema.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import { postKey, recordOf } from '../day-thread.ts';
import { holdReason } from '../plan/plan.ts';
import type { DaySchedule, DayStep } from '../plan/schedule.ts';
import type { ReadSubscription } from '../settings/settings.ts';
import { type Attempt, type Ending, isRestored, type PostTools } from './deliver.ts';
import type { AnswerSteps, DayReviews } from './messages.ts';

/** The ends of periods in which posts may have been made that the store does not know. */
export interface RecordGaps {
  /**
   * Posts due before this moment may have been made without a record, by a process that is gone. It is when this process
   * started, when it went on after it last stood still, or just after the store was restored, whichever is latest.
   */
  readonly gapUntil: number;
  /** When the store was restored; it surely lacks posts since its backup. */
  readonly restoredUntil: number | null;
}

export interface DayTools extends PostTools {
  readonly puzzles: PuzzleService;
  readonly answerSteps: AnswerSteps;
  /** Read at each attempt, since a store can be restored while processes use it. */
  readonly gaps: () => Promise<RecordGaps>;
  readonly reviews?: DayReviews;
}

/** An attempt at a step of a channel's day, with everything it needs. */
export interface DayAttempt extends Attempt<DayTools> {
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  readonly step: DayStep;
  readonly subscription: ReadSubscription;
  readonly day: DaySchedule;
  readonly gaps: RecordGaps;
}

/** The result of a search for deliveries. */
export interface FoundPosts {
  /** The posts that are on the platform, by step. */
  readonly posted: ReadonlyMap<string, Posted>;
  /** Posts that may exist where the bot may not look. */
  readonly unknown: ReadonlySet<string>;
}

/**
 * Searches the platform once for deliveries that may have been posted although the store does not say so. Where the bot may
 * not read, it posts after a downtime, but a restore leaves the outcome unknown. A delivery whose outcome is unknown already
 * is looked for by its poster.
 *
 * @param where `since`: none of them was posted before that
 */
export async function findUnrecordedPosts(
  { tools, poster, claimed, channel, date, gaps }: DayAttempt,
  rows: readonly Delivery[],
  where: { readonly thread?: Posted; readonly since: number },
): Promise<FoundPosts> {
  const isInDoubt = (row: Delivery) => {
    const isOpen = (row.state === 'due' || row.state === 'sending') && !row.outcomeUnknown;
    return isOpen && row.dueAt < gaps.gapUntil && recordOf(row, tools.log).message === undefined;
  };
  const posted = new Map<string, Posted>();
  const unknown = new Set<string>();
  const doubts = rows.filter(isInDoubt);
  // The claimed message may have been sent, so it must not change: no other row is merged into it now, and the others are
  // looked for at their own attempts.
  if (doubts.length === 0 || claimed.delivery.outcomeUnknown) return { posted, unknown };
  const found = await poster.find({
    channel,
    thread: where.thread,
    since: where.since,
    keys: doubts.map(postKey),
  });
  for (const row of doubts) {
    const message = found?.get(postKey(row));
    if (message !== undefined) posted.set(row.step, message);
    else if (found === undefined && isRestored(row, gaps.restoredUntil)) unknown.add(row.step);
  }
  if (posted.size > 0) {
    const steps = [...posted.keys()];
    tools.log.info({ ...channel, date, steps }, 'found on the platform what the store did not know of');
  }
  const own = posted.get(claimed.lease.step);
  if (own !== undefined) await claimed.save(own);
  return { posted, unknown };
}

/**
 * Milliseconds before a delivery to a paused or suspended channel is tried again, such as while the bot is away from the
 * server.
 */
const HELD_BACK_RETRY_MS = 5 * MINUTE;

/** The end of an attempt whose channel is held back; undefined if it is not. */
export function endIfHeldBack({ subscription }: DayAttempt, now: number): Ending | undefined {
  const held = holdReason(subscription, now);
  const at = Math.min(now + HELD_BACK_RETRY_MS, subscription.until ?? Number.POSITIVE_INFINITY);
  return held && { end: 'later', at, reason: { code: held } };
}

/** If attempts failed, the last failure is the reason. */
export function tooLateEnding({ claimed: { delivery } }: DayAttempt): Ending {
  if (delivery.attempts <= 1) return { end: 'skipped', reason: { code: 'puzzle-over' } };
  const last: Reason | undefined =
    delivery.reason ?? (delivery.outcomeUnknown ? { code: 'outcome-unknown' } : undefined);
  return { end: 'given-up', reason: { code: 'puzzle-over', last } };
}
