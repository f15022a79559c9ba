import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Log } from '../../core/log.ts';
import type { Posted, Poster } from '../../dispatch/poster.ts';
import type { DailySource, PuzzleDate, PuzzleService } from '../../puzzle/types.ts';
import type { Line } from '../../reply/model/types.ts';
import type { Reason } from '../../store/reasons.ts';
import type { Store } from '../../store/store.ts';
import type { Deliveries } from '../../store/tables/deliveries.ts';
import type { ClaimedDelivery } from '../../store/tables/delivery-row.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import type { DaySchedule, Schedules } from '../plan/schedule.ts';
import type { StoredSettings } from '../settings/settings.ts';
import type { DayStep } from '../types.ts';
import type { Messages } from './messages.ts';
import { type DeliveryRecord, recordOf } from './record.ts';

/** How one attempt at a delivery ends. */
export type Ending =
  | { readonly end: 'sent'; readonly posted: Posted }
  | { readonly end: 'skipped'; readonly reason: Reason }
  | { readonly end: 'given-up'; readonly reason: Reason }
  /** `unknown`: it may have been posted all the same. */
  | { readonly end: 'later'; readonly at: number; readonly reason: Reason; readonly unknown?: boolean }
  /** Another process has it now: nothing more to do here. */
  | { readonly end: 'lost' };

export interface DeliverTools {
  readonly store: Store;
  readonly puzzles: PuzzleService;
  readonly messages: Messages;
  readonly schedules: Schedules;
  readonly log: Log;
  readonly now: () => number;
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
  readonly dayLine?: (tenant: string, channel: string, date: PuzzleDate) => Promise<Line | undefined>;
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
