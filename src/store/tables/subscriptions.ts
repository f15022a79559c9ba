import { sql } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { ChannelRef, DAY_KIND } from '../../core/channel-ref.ts';
import { DAY } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import type { Database, DatabaseEngine, Db, Reason, SubscriptionState } from '../schema.ts';
import { type AllDeliveries, allDeliveriesTable, type NewDelivery } from './all-deliveries.ts';
import {
  formatReason,
  IS_PRESENT,
  isUpdated,
  type Page,
  parseJson,
  parseReason,
  type TenantRows,
  valuesOf,
} from './rows.ts';

type Row = Database['subscription'];

export interface Subscription extends Readonly<Omit<Row, 'settings' | 'reason'>> {
  readonly settings: unknown;
  readonly reason: Reason | null;
}

const NEW = { reason: null, until: null, notifiedAt: null } as const;
/** Set by every change that plans depend on: the planner looks at the channel at once. */
export const PLAN_NOW = { planAt: 0 } as const;

export function subscriptionsTable(rows: TenantRows) {
  return {
    async get(channel: string): Promise<Subscription | undefined> {
      const row = await rows.select('subscription', { channel }).selectAll().executeTakeFirst();
      return row && subscriptionOf(row);
    },

    async list(): Promise<Subscription[]> {
      const all = await rows.select('subscription').selectAll().orderBy('channel').execute();
      return all.map(subscriptionOf);
    },

    /**
     * Saves settings over the version that was read. A new channel has version 0, and becomes active or gets `stateIfNew`.
     * `since` is set if this switches the thread on. Undefined if somebody else saved in between: read and save again.
     */
    async save(
      channel: string,
      settings: unknown,
      change: { version: number; by: string; at: number; since?: number; stateIfNew?: SubscriptionState },
    ): Promise<Subscription | undefined> {
      const { version, by, at, since, stateIfNew: state = 'active' } = change;
      const saved = {
        settings: JSON.stringify(settings),
        version: version + 1,
        setBy: by,
        setAt: at,
        ...PLAN_NOW,
      };
      const writing =
        version === 0
          ? rows
              .insert('subscription', { channel, ...saved, ...NEW, since: since ?? at, state })
              .onConflict((conflict) => conflict.doNothing())
          : rows.update('subscription', { channel, version }).set({ ...saved, since });
      const row = await writing.returningAll().executeTakeFirst();
      return row && subscriptionOf(row);
    },

    /** False if there is no such subscription, or if its state is no longer `from`. */
    async setState(
      channel: string,
      change: { state: SubscriptionState; reason?: Reason; until?: number },
      from?: Pick<Subscription, 'state' | 'until'>,
    ): Promise<boolean> {
      const { state, until = null } = change;
      const reason = change.reason === undefined ? null : formatReason(change.reason);
      const result = await rows
        .update('subscription', { channel })
        .set((row) => ({
          state,
          reason,
          until,
          ...PLAN_NOW,
          // A change of state or reason allows another notice. But a channel that `reactivate` made active still has the reason
          // of its suspension, so if it is suspended for that reason again, nobody is notified twice.
          notifiedAt: row
            .case()
            .when(
              row.and([row('state', 'in', [state, 'active']), row('reason', 'is not distinct from', reason)]),
            )
            .then(row.ref('notifiedAt'))
            .else(null)
            .end(),
        }))
        .$if(from !== undefined, (rows) =>
          rows.where('state', '=', from!.state).where('until', 'is not distinct from', from!.until),
        )
        .executeTakeFirstOrThrow();
      return isUpdated(result);
    },

    /**
     * Makes a suspended channel active; true if it was suspended. The reason is kept until `posted`: if the channel refuses
     * again for the same reason, it needs no second notice.
     */
    reactivate: (channel: string): Promise<boolean> =>
      rows.change(
        'subscription',
        { channel, state: 'suspended' },
        { state: 'active', until: null, ...PLAN_NOW },
      ),

    /** Records that something was posted there, so that the next suspension is notified again. */
    async posted(channel: string): Promise<void> {
      await rows
        .update('subscription', { channel, state: 'active' })
        .set({ reason: null, notifiedAt: null })
        .execute();
    },

    /** True for one caller only: the one that notifies the person who manages the channel. */
    claimNotice: (channel: string, notifiedAt: number): Promise<boolean> =>
      rows.change('subscription', { channel }, { notifiedAt }, (silent) =>
        silent.where('notifiedAt', 'is', null),
      ),
  };
}

/** A channel's day that begins. */
export type NewDay = NewDelivery & { readonly kind: typeof DAY_KIND };

/** When the planner looks at a channel next; null for never. */
export type NextPlan = ChannelRef & Pick<Subscription, 'planAt'>;

/** Channels to plan, with what writes in the transaction that locks them. */
export interface DueChannels {
  readonly subscriptions: readonly Subscription[];
  readonly deliveries: Pick<AllDeliveries, 'wake'> & {
    /** The planner only begins days: everything else is planned where its reason arises. */
    plan(days: readonly NewDay[]): Promise<unknown>;
  };
  /** Stores when the planner looks at these channels next. */
  readonly reschedule: (channels: readonly NextPlan[]) => Promise<void>;
}

/** No plan is scheduled further ahead than this, since each day changes the plan. */
const MAX_PLAN_MS = 3 * DAY;

/** The schedule of the planner: when it looks at each channel, in all tenants. */
export function planningTable(db: Db, engine: DatabaseEngine) {
  const present = (within: Db) => within.selectFrom('subscription').selectAll().where(IS_PRESENT);
  const rescheduleAfter = async (from: number) => {
    await db.updateTable('subscription').set(PLAN_NOW).where('planAt', '>', from).execute();
  };

  return {
    /** A cheap check without a transaction: most minutes have nothing to plan. */
    async isAnyDue(now: number): Promise<boolean> {
      const due = db.selectFrom('subscription').select('planAt').where('planAt', '<=', now).where(IS_PRESENT);
      return (await due.limit(1).executeTakeFirst()) !== undefined;
    },

    /**
     * Locks the channels whose `planAt` has come, the longest waiting first, and works on them in one transaction: after a
     * failure or a crash, they are due again.
     */
    withDue<Result>(
      now: number,
      limit: number,
      work: (due: DueChannels) => Promise<Result>,
    ): Promise<Result> {
      return db.transaction().execute(async (transaction) => {
        const due = present(transaction).where('planAt', '<=', now).orderBy('planAt').limit(limit);
        // Other processes take the next ones instead of waiting for these. SQLite has one writer at a time.
        const rows = await due.$if(engine === 'postgres', (some) => some.forUpdate().skipLocked()).execute();
        return work({
          subscriptions: rows.map(subscriptionOf),
          deliveries: allDeliveriesTable(transaction, engine),
          async reschedule(channels) {
            const next = channels.map(({ tenant, channel, planAt }) => [tenant, channel, planAt]);
            await sql`update subscription set plan_at = cast(value ->> 2 as bigint)
              from ${valuesOf(engine, next)}
              where tenant = value ->> 0 and channel = value ->> 1`.execute(transaction);
          },
        });
      });
    },

    /**
     * Called at the start: schedules all channels if the rules of planning have changed, otherwise those that a wrong clock
     * has scheduled too far ahead.
     */
    async rescheduleAtStart(rules: string, now: number): Promise<void> {
      const plans = db.selectFrom('fingerprint').select('value').where('key', '=', 'plans');
      const { value } = await plans.executeTakeFirstOrThrow();
      await rescheduleAfter(value === rules ? now + MAX_PLAN_MS : 0);
      // Last: after a failure, the next try plans all of them.
      await db.updateTable('fingerprint').set({ value: rules }).where('key', '=', 'plans').execute();
    },

    /** Schedules every channel again, since the clock or the store went back. */
    rescheduleAll: (): Promise<void> => rescheduleAfter(0),

    /** Channels by when the planner looks at them next. */
    async upcoming({ limit, offset }: Page): Promise<Subscription[]> {
      const planned = present(db).where('planAt', 'is not', null).orderBy('planAt');
      return (await planned.limit(limit).offset(offset).execute()).map(subscriptionOf);
    },

    /** The channels of each state. One whose pause has ended by itself is active. */
    counts: (now: number): Promise<{ state: SubscriptionState; channels: number }[]> =>
      db
        .selectFrom('subscription')
        .select(
          sql<SubscriptionState>`case when state = 'paused' and until <= ${now} then 'active' else state end`.as(
            'state',
          ),
        )
        .select(({ fn }) => fn.countAll<number>().as('channels'))
        .where(IS_PRESENT)
        .groupBy(sql`1`)
        .execute(),
  };
}

const MAX_CACHED_SETTINGS = 1_000;
/** Most channels share their settings with many others. */
const parsed = new LRUCache<string, object>(atMost(MAX_CACHED_SETTINGS));

export function subscriptionOf(row: Row): Subscription {
  return { ...row, settings: parseSettings(row.settings), reason: parseReason(row.reason) };
}

/** Equal texts give the same object, which its readers check against their schema only once. */
export function parseSettings(text: string): unknown {
  const known = parsed.get(text);
  if (known !== undefined) return known;
  const settings = parseJson(text);
  if (typeof settings === 'object' && settings !== null) parsed.set(text, settings);
  return settings;
}
