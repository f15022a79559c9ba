import type { ChannelRef } from '../../core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import type { Post, Posted, Poster } from '../../dispatch/poster.ts';
import type { DailySource, Puzzle, PuzzleService } from '../../puzzle/types.ts';
import type { Block, Reply } from '../../reply/model/types.ts';
import type { Reason } from '../../store/reasons.ts';
import type { Store } from '../../store/store.ts';
import type { Deliveries } from '../../store/tables/deliveries.ts';
import type { ClaimedDelivery } from '../../store/tables/delivery-row.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { heldBack } from '../plan/plan.ts';
import type { DaySchedule, Schedules } from '../plan/schedule.ts';
import type { StoredSettings } from '../settings/settings.ts';
import type { DayStep } from '../types.ts';
import type { Gaps } from './look.ts';
import type { Messages } from './messages.ts';
import { type DeliveryRecord, postedOf, postKey, recordOf } from './record.ts';

/** How one attempt at a delivery ends. */
export type Ending =
  | { readonly end: 'sent'; readonly posted: Posted }
  | { readonly end: 'skipped'; readonly reason: Reason }
  | { readonly end: 'given-up'; readonly reason: Reason }
  /** `unknown`: it may have been posted all the same. */
  | { readonly end: 'later'; readonly at: number; readonly reason: Reason; readonly unknown?: boolean }
  /** Another process has it now: nothing more to do here. */
  | { readonly end: 'lost' };

/** A day of a channel that is over. */
export interface ReviewedDay extends ChannelRef {
  readonly date: PuzzleDate;
  /** The board of its thread, where it can still be read. */
  readonly puzzle?: Puzzle;
  readonly settings: StoredSettings;
  readonly now: number;
  /** Months that are over and reviewed with it, each by one of its dates. */
  readonly months: readonly PuzzleDate[];
}

export interface DeliverTools {
  readonly store: Store;
  readonly puzzles: PuzzleService;
  readonly messages: Messages;
  readonly schedules: Schedules;
  readonly log: Log;
  readonly now: () => number;
  /** Until when posts may exist of which the store knows nothing. */
  readonly gaps: () => Promise<Gaps>;
  readonly random: () => number;
  /** Names this process in rows. */
  readonly owner: string;
  /** Milliseconds a lease is good for; it is renewed while the work goes on. */
  readonly lease: number;
  /** The operator's source: with another than the newspaper nobody waits for it. */
  readonly source: DailySource;
  /** Milliseconds an opening waits for the newspaper before it does what the settings say instead. */
  readonly patience: number;
  /** How a day went, for its thread's last message. */
  readonly dayReview?: (day: ReviewedDay) => Promise<readonly Block[]>;
}

/** One attempt, with everything it needs at hand. */
export interface DeliveryAttempt {
  readonly tools: DeliverTools;
  readonly poster: Poster;
  readonly claimed: ClaimedDelivery;
  readonly deliveries: Deliveries;
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  readonly step: DayStep;
  readonly subscription: Subscription;
  readonly settings: StoredSettings;
  readonly day: DaySchedule;
  readonly journal: DeliveryJournal;
  readonly gaps: Gaps;
}

/** What an attempt at any kind of delivery has. */
export type BegunAttempt = Pick<DeliveryAttempt, 'tools' | 'poster' | 'claimed' | 'deliveries' | 'journal'>;

/** What every post is made of; undefined when another process has the delivery now. */
export async function beginPost(
  {
    tools,
    channel,
    claimed,
    deliveries,
    settings,
    journal,
  }: BegunAttempt & { readonly channel: ChannelRef; readonly settings?: Pick<StoredSettings, 'quiet'> },
  reply: Reply,
): Promise<Post | undefined> {
  if (!(await deliveries.renew(claimed.lease, tools.now() + tools.lease))) return undefined;
  journal.isPosting = true;
  return {
    channel,
    key: postKey(claimed.lease),
    reply,
    quiet: settings?.quiet ?? false,
    posted: postedOf(journal.record),
    outcomeUnknown: claimed.delivery.outcomeUnknown,
    since: claimed.delivery.dueAt,
    note: (noted) => journal.note(noted),
  };
}

/** A delivery that is held back, as while the bot is away from the server, is tried again after this. */
const HELD_AGAIN = 5 * MINUTE;

/** How an attempt ends whose channel is held back; undefined if it is not. */
export function endIfHeldBack(subscription: Subscription, now: number): Ending | undefined {
  const held = heldBack(subscription, now);
  return held && { end: 'later', at: now + HELD_AGAIN, reason: { code: held } };
}

/** For one that was tried and failed to the end, the last failure is the reason. */
export function tooLate({ claimed: { delivery } }: DeliveryAttempt): Ending {
  if (delivery.attempts <= 1) return { end: 'skipped', reason: { code: 'puzzle-over' } };
  const last: Reason | undefined =
    delivery.reason ?? (delivery.outcomeUnknown ? { code: 'outcome-unknown' } : undefined);
  return { end: 'given-up', reason: { code: 'puzzle-over', ...(last !== undefined && { last }) } };
}

/** What this delivery's row remembers, in memory and in the store alike. */
export class DeliveryJournal {
  record: DeliveryRecord;
  /** Set right before the door is asked to post: from then on a fault leaves open whether it did. */
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
