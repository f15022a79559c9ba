import type { ChannelRef } from '../../core/channel-ref.ts';
import { type Backoff, doubling, MINUTE, type PuzzleDate, pauseAfter, SECOND } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { type Post, type Posted, type Poster, PostFailure } from '../../dispatch/poster.ts';
import type { DailySource, Puzzle, PuzzleService } from '../../puzzle/types.ts';
import type { Block } from '../../reply/model/types.ts';
import type { Reason } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { logFault } from '../../store/store-error.ts';
import type { ClaimedDelivery, Deliveries } from '../../store/tables/deliveries.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { heldBack } from '../plan/plan.ts';
import type { DaySchedule, Schedules } from '../plan/schedule.ts';
import type { DailySettings, DayStep } from '../types.ts';
import type { Messages } from './messages.ts';
import { type DeliveryRecord, postedOf, postKey, recordOf } from './record.ts';

/** How one attempt at a delivery ends. */
export type Ending =
  | { readonly end: 'sent'; readonly posted: Posted }
  | { readonly end: 'skipped'; readonly reason: Reason }
  | { readonly end: 'given-up'; readonly reason: Reason }
  /** `unknown`: it may have been posted all the same. */
  | { readonly end: 'later'; readonly at: number; readonly reason: Reason; readonly unknown?: boolean }
  /** It has become due at another moment. */
  | { readonly end: 'moved'; readonly to: number }
  /** Another process has it now: nothing more to do here. */
  | { readonly end: 'lost' };

/**
 * Milliseconds that a claim is good for. Renewed while the work goes on, so deliveries that a process leaves behind wait no
 * longer than this.
 */
export const LEASE = 30 * SECOND;

/** What every kind of delivery needs. */
export interface PostTools {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Names this process in rows. */
  readonly owner: string;
  /** See `LEASE`. */
  readonly lease: number;
}

/** An attempt at a delivery of any kind. */
export interface BegunAttempt {
  readonly tools: PostTools;
  readonly poster: Poster;
  readonly claimed: ClaimedDelivery;
  readonly deliveries: Deliveries;
  readonly journal: DeliveryJournal;
}

/** Carries out the attempts at one kind of delivery. A failure is logged, and tried again where that may help. */
export type Deliverer = (begun: BegunAttempt, siblings: readonly ClaimedDelivery[]) => Promise<Ending>;

/** A day of a channel that begins. */
export interface OpeningDay extends ChannelRef {
  readonly puzzle: Puzzle;
  readonly settings: DailySettings;
  readonly now: number;
  /** The day of the last thread before this one. */
  readonly before: PuzzleDate | undefined;
}

/** A day of a channel that is over. */
export interface ReviewedDay extends ChannelRef {
  readonly date: PuzzleDate;
  /** The board of its thread, where it can still be read. */
  readonly puzzle?: Puzzle;
  readonly settings: DailySettings;
  readonly now: number;
  /** Months that are over and reviewed with it, each by one of its dates. */
  readonly months: readonly PuzzleDate[];
}

/** What the messages of a day say about how people play. */
export interface DayReviews {
  /** For the first one, in the channel. It says nothing that may become untrue while people can read it. */
  opening(day: OpeningDay): Promise<readonly Block[]>;
  /** For the last one of the thread. */
  closing(day: ReviewedDay): Promise<readonly Block[]>;
}

/** Until when posts may exist that the store does not know. */
export interface Gaps {
  /** When this process began to plan, at its start or after a pause, or when the store was restored. */
  readonly gapUntil: number;
  /** When the store was restored; it surely lacks posts since its backup. */
  readonly restoredUntil: number | null;
}

export interface DayTools extends PostTools {
  readonly puzzles: PuzzleService;
  readonly messages: Messages;
  readonly schedules: Schedules;
  /** Until when posts may exist that the store does not know. */
  readonly gaps: () => Promise<Gaps>;
  /** The operator's source: nobody waits for the newspaper with another one. */
  readonly source: DailySource;
  readonly reviews?: DayReviews;
}

/** An attempt at a step of a channel's day, with everything it needs at hand. */
export interface DayAttempt extends BegunAttempt {
  readonly tools: DayTools;
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  readonly step: DayStep;
  readonly subscription: Subscription;
  readonly settings: DailySettings;
  readonly day: DaySchedule;
  readonly gaps: Gaps;
}

/** The parts of every post; undefined when another process has the delivery now. */
export async function beginPost(
  { tools, claimed, deliveries, journal }: BegunAttempt,
  { channel, reply, quiet = false }: Pick<Post, 'channel' | 'reply' | 'quiet'>,
): Promise<Post | undefined> {
  if (!(await deliveries.renew(claimed.lease, tools.now() + tools.lease))) return undefined;
  journal.isPosting = true;
  return {
    channel,
    key: postKey(claimed.lease),
    reply,
    quiet,
    posted: postedOf(journal.record),
    outcomeUnknown: claimed.delivery.outcomeUnknown,
    since: claimed.delivery.dueAt,
    note: (noted) => journal.note(noted),
  };
}

const BACKOFF: Backoff = { pauses: doubling(5 * SECOND, 600 * SECOND), jitter: 0.3 };
/** An opening that waited for its board has made many attempts, which say nothing about the platform. */
const MOST_AFTER_WAITING = 5;

/** To be tried again, each time after a longer pause. */
export function later(
  { tools: { now, random }, claimed, journal }: BegunAttempt,
  reason: Reason,
  { unknown = false, retryAfter }: { unknown?: boolean; retryAfter?: number | undefined } = {},
): Ending {
  const { attempt } = claimed.lease;
  const failures = journal.record.waitsSince === undefined ? attempt : Math.min(attempt, MOST_AFTER_WAITING);
  const at = now() + pauseAfter({ failures, retryAfter, random }, BACKOFF);
  return { end: 'later', at, reason, unknown };
}

/** The end of an attempt that threw. `refused` is for a place or a person that takes no messages. */
export async function endFor(
  begun: BegunAttempt,
  error: unknown,
  refused: (failure: PostFailure) => Promise<Ending>,
): Promise<Ending> {
  const { tools, claimed, journal } = begun;
  const { owner: _, ...where } = claimed.lease;
  if (!(error instanceof PostFailure)) {
    // A fault before anything was sent is tried again; one after it leaves open what was posted.
    const unknown = journal.isPosting;
    if (error instanceof UserError) tools.log.warn({ ...where, code: error.code }, error.message);
    else
      logFault(tools.log, error, where, unknown ? 'posting failed unexpectedly' : 'preparing a post failed');
    return later(begun, { code: 'unexpected' }, { unknown });
  }
  const { kind, message, retryAfter } = error;
  const fields = { ...where, kind, reason: message };
  switch (kind) {
    case 'later':
    case 'unknown': {
      tools.log.info(fields, 'a post is postponed');
      const unknown = kind === 'unknown';
      return later(begun, { code: unknown ? 'no-answer' : 'postponed', message }, { unknown, retryAfter });
    }
    case 'refused':
      return refused(error);
    case 'removed':
      // Nothing is recorded: only its door can tell a removal from the token of another application or workspace.
      tools.log.warn(fields, 'the bot is not there');
      return { end: 'given-up', reason: { code: 'removed', message } };
    case 'invalid':
      tools.log.error(fields, 'the platform refuses this message');
      return { end: 'given-up', reason: { code: 'invalid', message } };
  }
}

/** A delivery that is held back, as while the bot is away from the server, is tried again after this. */
const HELD_AGAIN = 5 * MINUTE;

/** The end of an attempt whose channel is held back; undefined if it is not. */
export function endIfHeldBack(subscription: Subscription, now: number): Ending | undefined {
  const held = heldBack(subscription, now);
  return held && { end: 'later', at: now + HELD_AGAIN, reason: { code: held } };
}

/** If it was tried and kept failing, the last failure is the reason. */
export function tooLate({ claimed: { delivery } }: DayAttempt): Ending {
  if (delivery.attempts <= 1) return { end: 'skipped', reason: { code: 'puzzle-over' } };
  const last: Reason | undefined =
    delivery.reason ?? (delivery.outcomeUnknown ? { code: 'outcome-unknown' } : undefined);
  return { end: 'given-up', reason: { code: 'puzzle-over', last } };
}

/** What this delivery's row remembers, in memory and in the store alike. */
export class DeliveryJournal {
  record: DeliveryRecord;
  /** Set right before the door is asked to post: after a later fault, nobody knows whether it did. */
  isPosting = false;
  readonly #deliveries: Deliveries;
  readonly #lease: ClaimedDelivery['lease'];

  constructor(deliveries: Deliveries, { delivery, lease }: ClaimedDelivery, log: Log) {
    this.record = recordOf(delivery, log);
    this.#deliveries = deliveries;
    this.#lease = lease;
  }

  /** False when the delivery was taken by another process. */
  note(change: DeliveryRecord): Promise<boolean> {
    this.record = { ...this.record, ...change };
    return this.#deliveries.note(this.#lease, this.record);
  }
}
