import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DAY_KIND, DatedKind, REMINDER_KIND, ThingKind } from '../../core/channel-ref.ts';
import { type Backoff, doubling, MINUTE, pauseAfter, SECOND } from '../../core/clock.ts';
import { StoreError, UserError } from '../../core/errors.ts';
import { type Log, logFault } from '../../core/log.ts';
import type { App } from '../../dispatch/contract.ts';
import { type Post, type Posted, type Poster, PostFailure, type StoredPost } from '../../dispatch/poster.ts';
import type { Reason } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import {
  type Deliveries,
  type Delivery,
  type DeliveryKey,
  KEY_COLUMNS,
  type Lease,
  type Settled,
} from '../../store/tables/deliveries.ts';
import { type DeliveryRecord, postedOf, postKey, recordOf } from '../day-thread.ts';
import type { DailySettings } from '../settings/settings.ts';

/** How one attempt at a delivery ends. By default, that decides what its row says, see `settledBy`. */
export type Ending =
  | { readonly end: 'sent'; readonly posted: Posted }
  | { readonly end: 'skipped' | 'given-up'; readonly reason: Reason }
  /** `unknown`: it may have been posted all the same. `waits`: nothing failed. */
  | {
      readonly end: 'later';
      readonly at: number;
      readonly reason: Reason;
      readonly unknown?: boolean;
      readonly waits?: boolean;
    }
  /** It is due at another time now. */
  | { readonly end: 'moved'; readonly to: number };

/** The ending of an attempt whose handler decides by itself what its row says. */
export interface Delivered {
  readonly ending: Ending | { readonly end: 'looked' };
  /** The steps of a day that this is about; otherwise the kind of the delivery. */
  readonly steps: readonly string[];
  readonly settled: Settled;
}

/**
 * What others learn of an attempt. `lost`: another process has the delivery now, so the attempt changed nothing. `looked`:
 * there was nothing to post.
 */
export type Outcome = Ending | { readonly end: 'lost' | 'looked' };

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
  /** See `LEASE_MS`. */
  readonly lease: number;
  /** What this process is delivering. */
  readonly underWay: Set<HeldDelivery>;
}

/** An attempt at a delivery of any kind. */
export interface Attempt {
  readonly tools: PostTools;
  readonly poster: Poster;
  readonly claimed: HeldDelivery;
  readonly deliveries: Deliveries;
}

/**
 * Makes the attempts at one kind of delivery, and decides how its row goes on, or lets the ending decide it. What it throws is
 * logged, and tried again where that may help.
 */
export type DeliveryHandler = (attempt: Attempt) => Promise<Ending | Delivered>;

/** Is called with the channel's settings of now, and not while its thread is paused or off. */
export interface DatedHandler {
  readonly post: (attempt: Attempt, settings: DailySettings) => Promise<Ending>;
}

/** One for each kind but days and reminders: the compiler names a kind without one. */
export type DeliveryHandlers = Readonly<
  Record<Exclude<DatedKind, typeof DAY_KIND | typeof REMINDER_KIND>, DatedHandler> &
    Record<ThingKind, DeliveryHandler>
>;

/** Reported after each attempt, for metrics and logs. */
export interface DeliveryEvent extends Pick<Delivered, 'steps'> {
  readonly delivery: Delivery;
  readonly ending: Outcome;
  readonly at: number;
}

/**
 * Delivers one claimed row until it is posted, postponed or ended, and stores the result. Rejects only when that can't be
 * stored within seconds: then the lease runs out and the row is claimed again. Undefined if an earlier attempt of this process
 * takes the claim over, as after a jump of the clock.
 */
export async function deliver(
  tools: PostTools,
  poster: Poster,
  delivery: Delivery,
  handler: DeliveryHandler,
): Promise<DeliveryEvent | undefined> {
  const { deliveries } = tools.store.tenant(delivery.tenant);
  for (const held of tools.underWay) if (held.takeOver(delivery)) return undefined;
  const claimed = new HeldDelivery(delivery, deliveries, tools);
  const attempt = { tools, poster, claimed, deliveries };
  tools.underWay.add(claimed);
  try {
    const ended = await handler(attempt).catch((error: unknown) => endingOfError(attempt, error));
    // Before the end is stored: a claim after that is an attempt of its own, not one for `takeOver`.
    tools.underWay.delete(claimed);
    const { ending, steps, settled } =
      'settled' in ended
        ? ended
        : { ending: ended, steps: [delivery.kind], settled: settledBy(attempt, ended) };
    const isOurs = await untilStored(() => deliveries.settle(claimed.lease, settled, tools.now()));
    if (!isOurs) await claimed.retract();
    return { delivery, steps, ending: isOurs ? ending : { end: 'lost' }, at: tools.now() };
  } finally {
    claimed.stop();
  }
}

/** Milliseconds between attempts to store a result; together shorter than what is left of a lease. */
const STORE_PAUSES = doubling(250, 8 * SECOND);

/**
 * Tries again while the store fails, such as while its server restarts: a post without a stored result has to be looked for,
 * which not every channel allows.
 */
async function untilStored(store: () => Promise<boolean>): Promise<boolean> {
  for (const pause of STORE_PAUSES) {
    try {
      return await store();
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
      await sleep(pause);
    }
  }
  return store();
}

/**
 * Delivers one row right away for a waiting request, instead of leaving it to the queue. Undefined if it is not ready, or if
 * another process has it.
 *
 * @param moment when the row is claimed; a later one claims a row that the queue must not claim yet
 */
export async function deliverNow(
  { store, log, clock }: Pick<App, 'store' | 'log' | 'clock'>,
  poster: Poster,
  key: DeliveryKey,
  handler: DeliveryHandler,
  moment = clock.now(),
): Promise<Outcome | undefined> {
  const claim = { owner: `request:${randomUUID()}`, now: moment, until: moment + LEASE_MS };
  const row = await store.tenant(key.tenant).deliveries.claim(key, claim);
  if (row === undefined) return undefined;
  const tools = {
    store,
    log,
    now: () => Math.floor(clock.now()),
    random: Math.random,
    lease: LEASE_MS,
    underWay: new Set<HeldDelivery>(),
  };
  return (await deliver(tools, poster, row, handler))?.ending;
}

/** What the row of an ended attempt says. */
function settledBy({ tools, claimed }: Attempt, ending: Ending): Settled {
  const { record, delivery } = claimed;
  const now = tools.now();
  switch (ending.end) {
    case 'sent':
      return { state: 'sent', doneAt: now, record: { ...record, ...ending.posted } };
    case 'skipped':
    case 'given-up':
      // Only what an attempt before this one began may be there.
      return { state: ending.end, doneAt: now, reason: ending.reason, begun: delivery.begun, record };
    case 'later':
      return retrySettled(claimed, ending);
    case 'moved':
      return {
        state: 'due',
        dueAt: ending.to,
        nextAt: ending.to,
        record,
        // A message that was posted or found is in the record, and need not be looked for.
        begun: claimed.isBegun && record.message === undefined,
      };
  }
}

/**
 * A message is looked for by the next attempt if this one does not know whether it was sent, or if it was to be looked for
 * already: this attempt may have failed before it could do that.
 */
export function retrySettled(
  { delivery, record, isBegun }: HeldDelivery,
  { at, reason, unknown = false, waits = false }: Extract<Ending, { readonly end: 'later' }>,
): Settled {
  const begun = delivery.begun || (isBegun && unknown);
  const failures = delivery.failures + (waits ? 0 : 1);
  return { state: 'due', nextAt: at, failures, begun, reason, record };
}

/** By default, the key is that of the delivery, and `since` is when that is due. */
interface PostParts
  extends Pick<Post, 'channel' | 'reply' | 'fold' | 'mergedKeys' | 'question'>,
    Partial<Pick<Post, 'key' | 'since'>> {
  /** The channel's setting for its daily thread; false for what somebody asked for. */
  readonly quiet: boolean;
  /** When the message was due first; by default, when the delivery is. */
  readonly dueAt?: number;
  /** What the row notes from the beginning of the post on. */
  readonly note?: DeliveryRecord;
  /** The row has several messages, one after the other: the ids of this one are not the row's. */
  readonly isOneOfMany?: boolean;
  /** Called with what was posted, to store it elsewhere, too. */
  readonly onPosted?: (posted: Posted) => Promise<void>;
}

/**
 * Begins a post: the row says so before the first request is sent. Returns the parts that all posts have. Throws when another
 * process has the delivery now.
 */
export async function beginPost(
  { tools, poster, claimed }: Attempt,
  { note, isOneOfMany, onPosted, dueAt, ...parts }: PostParts,
): Promise<Post> {
  const { delivery, lease } = claimed;
  const restoredUntil = await tools.store.restoredUntil(tools.now());
  // The facts that it was decided from may be old.
  claimed.check();
  // What a person said of the earlier post is used once, since this attempt may get no answer either.
  const { verdict, ...record } = claimed.record;
  claimed.record = { ...record, ...note };
  claimed.isBegun = true;
  if (!(await claimed.renew(claimed.record))) throw taken();
  const keep = async (posted: Posted) => {
    if (!isOneOfMany) claimed.record = { ...claimed.record, ...posted };
    await onPosted?.(posted);
    return posted as StoredPost;
  };
  return {
    key: postKey({ ...lease, step: lease.kind }),
    since: delivery.dueAt,
    ...parts,
    posted: isOneOfMany ? undefined : postedOf(claimed.record),
    // A store that was restored may lack the post that was due before.
    outcomeUnknown: delivery.begun || (dueAt ?? delivery.dueAt) <= (restoredUntil ?? 0),
    record: keep,
    verdict,
    async checkLease() {
      claimed.check();
      claimed.isPosting = true;
    },
    async recordSent(posted, remove) {
      if (!claimed.isPosting) throw new Error(`the poster of ${poster.door} sent without checking its lease`);
      claimed.sent = { posted, remove };
      // No thread is started from a post that another process has made, too.
      if (claimed.age >= OLD_AFTER_SHARE && !(await claimed.renew().catch(unstored))) throw taken();
      return keep(posted);
    },
  };
}

const BACKOFF: Backoff = { pauses: doubling(5 * SECOND, 600 * SECOND), jitter: 0.3 };

/** Ends an attempt that is tried again, each time after a longer pause. */
export function retryLater(
  { tools: { now, random }, claimed }: Attempt,
  reason: Reason,
  { unknown = false, retryAfter }: { unknown?: boolean; retryAfter?: number | undefined } = {},
): Ending {
  const failures = claimed.delivery.failures + 1;
  const at = now() + pauseAfter({ failures, retryAfter, random }, BACKOFF);
  return { end: 'later', at, reason, unknown };
}

/** Milliseconds between attempts to get a board; the fetcher asks the newspaper at its own pace. */
const BOARD_RETRY_MS = 2 * MINUTE;

export function retryForBoard({ tools }: Attempt, reason: Reason): Ending {
  const at = Math.ceil(tools.now() + BOARD_RETRY_MS * (1 + tools.random() / 4));
  return { end: 'later', at, reason, waits: true };
}

/** The end of an attempt that threw. */
export function endingOfError(attempt: Attempt, error: unknown): Ending {
  const { tools, claimed } = attempt;
  const { where } = claimed;
  if (!(error instanceof PostFailure)) {
    // A fault before anything was sent is tried again; after a later one, nobody knows what was posted.
    const unknown = claimed.isPosting;
    if (error instanceof UserError) tools.log.warn({ ...where, code: error.code }, error.message);
    else
      logFault(tools.log, error, where, unknown ? 'posting failed unexpectedly' : 'preparing a post failed');
    return retryLater(attempt, { code: 'unexpected' }, { unknown });
  }
  const { kind, message, retryAfter } = error;
  const fields = { ...where, kind, reason: message };
  if (kind === 'later' || kind === 'unknown') {
    const unknown = kind === 'unknown';
    const code = unknown ? 'no-answer' : 'postponed';
    return retryLater(attempt, { code, message }, { unknown, retryAfter });
  }
  // The tenant is not recorded as removed: only its door can tell a removal from a token of another application or workspace.
  if (kind === 'removed') tools.log.warn(fields, 'the bot is not there');
  if (kind === 'closed')
    tools.log.warn(fields, 'people have removed or locked the thread or message: this post is left out');
  if (kind === 'invalid') tools.log.error(fields, 'this post cannot be made: it is left out');
  return { end: 'given-up', reason: { code: kind, message } };
}

/** Work that takes longer than this is stuck, so its leases are no longer renewed. */
const MAX_HELD_MS = 5 * MINUTE;
const RENEWALS_PER_LEASE = 3;
/** The share of a lease after which it is old. Renewals come before that, unless the process or the store stands still. */
const OLD_AFTER_SHARE = 0.5;

/**
 * A delivery under a lease, with its record. Its lease is renewed until `stop`. It notices when the process stood still, as
 * when its machine was suspended, so that another process may have taken over.
 */
export class HeldDelivery {
  /** As it was claimed. */
  readonly delivery: Delivery;
  /** The claim of `delivery`, or a later one that was taken over. */
  lease: Lease;
  /** The delivery, for the log. */
  readonly where: object;
  /** Stored when a post begins, and at the end of the attempt. */
  record: DeliveryRecord;
  /** Whether the row says now that a post was begun. */
  isBegun: boolean;
  /** Set right before a request that posts: after a later fault, nobody knows whether it did. */
  isPosting = false;
  /** What this attempt posted. */
  sent: { readonly posted: Posted; readonly remove: () => Promise<void> } | undefined;
  readonly #deliveries: Deliveries;
  readonly #tools: PostTools;
  readonly #timer: NodeJS.Timeout;
  /** How often the timer may still renew the lease. */
  #renewalsLeft: number;
  /** The last moment at which the delivery certainly belonged to us, by the wall clock and by a monotonic one. */
  #ours: { readonly wall: number; readonly monotonic: number };

  constructor(delivery: Delivery, deliveries: Deliveries, tools: PostTools) {
    const { tenant, channel, date, kind, claims } = delivery;
    this.delivery = delivery;
    this.lease = delivery;
    this.where = { tenant, channel, date, kind, claims };
    this.record = recordOf(delivery, tools.log);
    this.isBegun = delivery.begun;
    this.#deliveries = deliveries;
    this.#tools = tools;
    this.#renewalsLeft = Math.ceil(MAX_HELD_MS / tools.lease) * RENEWALS_PER_LEASE;
    this.#ours = this.#moment();
    this.#timer = setInterval(() => this.#renewInTime(), tools.lease / RENEWALS_PER_LEASE);
    this.#timer.unref();
  }

  /**
   * Goes on under a later claim of this process, as after a jump of the clock. False if that claim is of another delivery, if
   * somebody else had this one in between, or if it is stuck here.
   */
  takeOver(later: Lease): boolean {
    const isSame = KEY_COLUMNS.every((column) => later[column] === this.lease[column]);
    if (!isSame || later.claims !== this.lease.claims + 1 || this.#renewalsLeft <= 0) return false;
    // Counted down, so that a stuck attempt whose timer has stopped is not taken over for ever.
    this.#renewalsLeft -= RENEWALS_PER_LEASE;
    this.lease = later;
    return true;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /**
   * The last check before a request that posts. With an old lease, the attempt ends even if nobody else took the delivery: its
   * facts may be hours old.
   */
  check(): void {
    if (this.age < OLD_AFTER_SHARE) return;
    throw new PostFailure('later', 'this process stood still, or could not reach the store');
  }

  /**
   * Extends the lease; false once another process has the delivery.
   *
   * @param begun stores also that a post begins, with this record
   */
  async renew(begun?: DeliveryRecord): Promise<boolean> {
    const { now, lease } = this.#tools;
    // Taken before the request, since the process may stand still until the answer.
    const moment = this.#moment();
    const isOurs = await this.#deliveries.renew(this.lease, now() + lease, begun && { record: begun });
    if (isOurs) this.#ours = moment;
    return isOurs;
  }

  /**
   * Deletes what was sent after another process had taken over the delivery, once that one has posted too; keeps it
   * if the other process found it. That mostly takes a fraction of a second. If this process is killed meanwhile, its post
   * stays: others could find it only long afterwards, when people may have answered it.
   */
  async retract(): Promise<void> {
    if (this.sent === undefined) return;
    const { posted, remove } = this.sent;
    this.sent = undefined;
    const { log } = this.#tools;
    const fields = { ...this.where, ...posted };
    for (const pause of CHECK_PAUSES) {
      await sleep(pause);
      const fate = await this.#fateOf(posted);
      if (fate === 'keep') return;
      if (fate === 'wait') continue;
      log.warn(fields, 'this process stood still, and another one posted: its own post is deleted');
      return this.#remove(fields, remove);
    }
    log.warn(fields, 'a post was sent too late; the process that has its delivery now looks for it');
  }

  async #remove(fields: object, remove: () => Promise<void>): Promise<void> {
    let failure: unknown;
    for (const pause of REMOVAL_PAUSES) {
      await sleep(pause);
      try {
        return await remove();
      } catch (error) {
        failure = error;
      }
    }
    const line = 'a post is there twice, since this one could not be deleted: delete it by hand';
    this.#tools.log.error({ ...fields, error: String(failure) }, line);
  }

  async #fateOf({ message }: Posted): Promise<'keep' | 'wait' | 'delete'> {
    const { channel, date, kind } = this.lease;
    const row = await this.#deliveries.get(channel, date, kind);
    if (row === undefined) return 'keep';
    const record = recordOf(row, this.#tools.log);
    const [step] = this.record.posting ?? [];
    const end = record.ends?.[step ?? ''];
    // The row has the ids of the opening, and of a delivery without steps; each other step has its own.
    const other = step === undefined || step === 'opening' ? record.message : end?.message;
    if (other !== undefined) return other === message ? 'keep' : 'delete';
    const state = end?.state ?? row.state;
    if (state === 'skipped') return 'delete';
    // If the other process gave up, our post may have been in time, and is the only one.
    return state === 'given-up' ? 'keep' : 'wait';
  }

  /** The age of the lease as a share of its length: at 1, another process may take the delivery. */
  get age(): number {
    const { wall, monotonic } = this.#moment();
    return Math.max(wall - this.#ours.wall, monotonic - this.#ours.monotonic) / this.#tools.lease;
  }

  #moment() {
    return { wall: this.#tools.now(), monotonic: performance.now() };
  }

  #renewInTime(): void {
    // A lease that is over, such as after a standstill, is not renewed: `check` then ends the attempt.
    if (this.#renewalsLeft-- <= 0 || this.age >= 1) {
      this.stop();
      return;
    }
    this.renew().catch((error: unknown) => {
      this.#tools.log.warn({ ...this.where, error: String(error) }, 'a lease could not be renewed');
    });
  }
}

/** The failure after which this process can do nothing more; what it stores has no effect. */
function taken(): PostFailure {
  return new PostFailure('later', 'another process has this delivery now');
}

/** The failure of the store after a post was sent. A door would take it for one after which nothing was. */
function unstored(cause: unknown): never {
  throw new PostFailure('unknown', 'the post could not be stored', { cause });
}

/** Milliseconds before each attempt to delete a post. */
const REMOVAL_PAUSES = [0, SECOND, 5 * SECOND, 20 * SECOND];
/** Milliseconds between checks of the other process: for two leases, after which a third process looks for the post. */
const CHECK_PAUSES = [0, ...doubling(100, 5 * SECOND), ...Array<number>(11).fill(5 * SECOND)];
