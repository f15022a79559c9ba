import { randomUUID } from 'node:crypto';
import { type Backoff, doubling, pauseAfter, SECOND } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { type Log, logFault } from '../../core/log.ts';
import type { App } from '../../dispatch/contract.ts';
import { type Post, type Posted, type Poster, PostFailure, type StoredPost } from '../../dispatch/poster.ts';
import type { Reason } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { ClaimedDelivery, Deliveries, Delivery, DeliveryKey } from '../../store/tables/deliveries.ts';
import { type DeliveryRecord, postedOf, postKey, recordOf } from '../day-thread.ts';
import { HeldLease, taken } from './lease.ts';

/** How one attempt at a delivery ends. */
export type Ending =
  | { readonly end: 'sent'; readonly posted: Posted }
  | { readonly end: 'skipped'; readonly reason: Reason }
  | { readonly end: 'given-up'; readonly reason: Reason }
  /** `unknown`: it may have been posted all the same. */
  | { readonly end: 'later'; readonly at: number; readonly reason: Reason; readonly unknown?: boolean }
  /** It is due at another time now. */
  | { readonly end: 'moved'; readonly to: number }
  /** Another process has it now: nothing more to do here. */
  | { readonly end: 'lost' };

/**
 * Milliseconds that a claim is good for. Renewed while the work goes on, so deliveries that a process leaves behind wait no
 * longer than this.
 */
export const LEASE_MS = 30 * SECOND;

/** What every kind of delivery needs. */
export interface PostTools {
  readonly store: Store;
  readonly log: Log;
  readonly now: () => number;
  readonly random: () => number;
  /** Names this process in rows. */
  readonly owner: string;
  /** See `LEASE_MS`. */
  readonly lease: number;
  /** Called when this process turns out to have stood still: another one may have posted in the meantime. */
  readonly onStandstill?: () => void;
}

/** An attempt at a delivery of any kind. */
export interface Attempt {
  readonly tools: PostTools;
  readonly poster: Poster;
  readonly claimed: ClaimedDelivery;
  readonly deliveries: Deliveries;
  readonly held: HeldLease;
  readonly journal: DeliveryJournal;
}

/** Carries out the attempts at one kind of delivery. A failure is logged, and tried again where that may help. */
export type DeliveryHandler = (begun: Attempt, siblings: readonly ClaimedDelivery[]) => Promise<Ending>;

/** Reported after each attempt, for metrics and logs. */
export interface DeliveryEvent {
  readonly delivery: Delivery;
  readonly ending: Ending;
  readonly at: number;
}

/** Steps of one channel and day that were claimed together, and so are posted together. */
export type ClaimedGroup = readonly [ClaimedDelivery, ...ClaimedDelivery[]];

/**
 * Delivers one claimed row and any rows merged into the same post, until it is posted, postponed or ended, and stores the
 * result. Rejects only when the store fails: then the leases run out and the rows are claimed again.
 */
export async function deliver(
  tools: PostTools,
  poster: Poster,
  claimed: ClaimedGroup,
  attempt: DeliveryHandler,
): Promise<DeliveryEvent> {
  const [{ lease, delivery }, ...siblings] = claimed;
  const { deliveries } = tools.store.tenant(lease.tenant);
  const { log, now, lease: length, onStandstill } = tools;
  const held = new HeldLease(claimed, { deliveries, log, now, length, onStandstill });
  const journal = new DeliveryJournal(deliveries, claimed[0], tools.log);
  try {
    const begun = { tools, poster, claimed: claimed[0], deliveries, held, journal };
    const refused = async ({ message }: PostFailure): Promise<Ending> => ({
      end: 'given-up',
      reason: { code: 'refused', message },
    });
    const ending = await attempt(begun, siblings).catch((error: unknown) =>
      endingOfError(begun, error, refused),
    );
    const isOurs = await storeEnding(begun, ending);
    return { delivery, ending: isOurs ? ending : { end: 'lost' }, at: tools.now() };
  } finally {
    held.stop();
  }
}

/**
 * Delivers one row right away for a waiting request, instead of leaving it to the queue. Undefined if it is not ready, or if
 * another process has it.
 */
export async function deliverNow(
  { store, log, clock }: Pick<App, 'store' | 'log' | 'clock'>,
  poster: Poster,
  { tenant, channel, date, step }: DeliveryKey,
  attempt: DeliveryHandler,
  moment = clock.now(),
): Promise<Ending | undefined> {
  const owner = `request:${randomUUID()}`;
  const claim = { owner, now: moment, until: moment + LEASE_MS };
  const claimed = await store.tenant(tenant).deliveries.claim(channel, date, step, claim);
  if (claimed === undefined) return undefined;
  const tools = {
    store,
    log,
    now: () => Math.floor(clock.now()),
    random: Math.random,
    owner,
    lease: LEASE_MS,
  };
  return (await deliver(tools, poster, [claimed], attempt)).ending;
}

async function storeEnding(
  { tools, claimed, deliveries, journal }: Attempt,
  ending: Ending,
): Promise<boolean> {
  const { lease, delivery } = claimed;
  const now = tools.now();
  switch (ending.end) {
    case 'sent':
      return deliveries.markSent(lease, { ...journal.record, ...ending.posted }, now);
    case 'skipped':
      return deliveries.skip(lease, ending.reason, now);
    case 'given-up':
      return deliveries.giveUp(lease, ending.reason, now);
    case 'later': {
      // An unknown outcome stays unknown: this attempt may have failed before it could look for the post.
      const unknown = delivery.outcomeUnknown || ending.unknown === true;
      return deliveries.retry(lease, ending.at, { unknown, reason: ending.reason });
    }
    case 'moved':
      return deliveries.reschedule(lease, ending.to);
    case 'lost':
      return false;
  }
}

/** What a post is made of. */
interface PostParts extends Pick<Post, 'channel' | 'reply' | 'quiet'> {
  /** It may have been posted before although its row does not say so. */
  readonly outcomeUnknown?: boolean;
  /** Stores it elsewhere, too. */
  readonly onPosted?: (posted: Posted) => Promise<void>;
}

/** The parts of every post; undefined when another process has the delivery now. */
export async function beginPost(
  { poster, claimed, held, journal }: Attempt,
  { channel, reply, quiet = false, outcomeUnknown = false, onPosted }: PostParts,
): Promise<Post | undefined> {
  // The facts that it was decided from may be old.
  await held.check();
  if (!(await held.renew())) return undefined;
  const record = async (posted: Posted) => {
    if (!(await journal.save(posted))) throw taken();
    await onPosted?.(posted);
    return posted as StoredPost;
  };
  return {
    channel,
    key: postKey(claimed.lease),
    reply,
    quiet,
    posted: postedOf(journal.record),
    outcomeUnknown: claimed.delivery.outcomeUnknown || outcomeUnknown,
    since: claimed.delivery.dueAt,
    record,
    async checkLease() {
      await held.check();
      journal.isPosting = true;
    },
    async recordSent(posted, remove) {
      if (!journal.isPosting) throw new Error(`the poster of ${poster.door} sent without checking its lease`);
      const isOurs = await journal.save(posted);
      if (!isOurs) await held.retract(posted, remove);
      return record(posted);
    },
  };
}

const BACKOFF: Backoff = { pauses: doubling(5 * SECOND, 600 * SECOND), jitter: 0.3 };
/** The most attempts that lengthen the pauses of an opening that waited for its board: waiting says nothing about the platform. */
const MAX_ATTEMPTS_AFTER_WAITING = 5;

/** Ends an attempt that is tried again, each time after a longer pause. */
export function retryLater(
  { tools: { now, random }, claimed, journal }: Attempt,
  reason: Reason,
  { unknown = false, retryAfter }: { unknown?: boolean; retryAfter?: number | undefined } = {},
): Ending {
  const { attempt } = claimed.lease;
  const failures =
    journal.record.waitsSince === undefined ? attempt : Math.min(attempt, MAX_ATTEMPTS_AFTER_WAITING);
  const at = now() + pauseAfter({ failures, retryAfter, random }, BACKOFF);
  return { end: 'later', at, reason, unknown };
}

/** The end of an attempt that threw. `refused` is for a place or a person that takes no messages. */
export async function endingOfError(
  begun: Attempt,
  error: unknown,
  refused: (failure: PostFailure) => Promise<Ending>,
): Promise<Ending> {
  const { tools, claimed, journal } = begun;
  const { owner: _, ...where } = claimed.lease;
  if (!(error instanceof PostFailure)) {
    // A fault before anything was sent is tried again; after a later one, nobody knows what was posted.
    const unknown = journal.isPosting;
    if (error instanceof UserError) tools.log.warn({ ...where, code: error.code }, error.message);
    else
      logFault(tools.log, error, where, unknown ? 'posting failed unexpectedly' : 'preparing a post failed');
    return retryLater(begun, { code: 'unexpected' }, { unknown });
  }
  const { kind, message, retryAfter } = error;
  const fields = { ...where, kind, reason: message };
  switch (kind) {
    case 'later':
    case 'unknown': {
      tools.log.info(fields, 'a post is postponed');
      const unknown = kind === 'unknown';
      return retryLater(
        begun,
        { code: unknown ? 'no-answer' : 'postponed', message },
        { unknown, retryAfter },
      );
    }
    case 'refused':
      return refused(error);
    case 'removed':
      // Nothing is recorded: only its door can tell a removal from a token of another application or workspace.
      tools.log.warn(fields, 'the bot is not there');
      return { end: 'given-up', reason: { code: 'removed', message } };
    case 'invalid':
      tools.log.error(fields, 'the platform refuses this message');
      return { end: 'given-up', reason: { code: 'invalid', message } };
  }
}

/** The record of a delivery, in memory and in the store alike. */
class DeliveryJournal {
  record: DeliveryRecord;
  /** Set right before a request that posts: after a later fault, nobody knows whether it did. */
  isPosting = false;
  readonly #deliveries: Deliveries;
  readonly #lease: ClaimedDelivery['lease'];

  constructor(deliveries: Deliveries, { delivery, lease }: ClaimedDelivery, log: Log) {
    this.record = recordOf(delivery, log);
    this.#deliveries = deliveries;
    this.#lease = lease;
  }

  /** False when the delivery was taken by another process. */
  save(change: DeliveryRecord): Promise<boolean> {
    this.record = { ...this.record, ...change };
    return this.#deliveries.savePosted(this.#lease, this.record);
  }
}

/**
 * Whether it may have been posted before the store was restored from a backup. If an earlier attempt may have posted it, its
 * outcome stays unknown.
 */
export async function mayBePosted({ tools, claimed: { delivery } }: Attempt): Promise<boolean> {
  return isRestored(delivery, await tools.store.restoredUntil(tools.now()));
}

/** Whether a delivery was due before the store was restored, so that it may have been posted. */
export function isRestored({ dueAt }: Pick<Delivery, 'dueAt'>, restoredUntil: number | null): boolean {
  return restoredUntil !== null && dueAt <= restoredUntil;
}
