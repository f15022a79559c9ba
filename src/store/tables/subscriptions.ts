import { formatReason, parseReason, type Reason } from '../reasons.ts';
import type { Database, SubscriptionState } from '../schema.ts';
import { isUpdated, parseJson, type TenantRows } from './rows.ts';

export type Subscriptions = ReturnType<typeof subscriptionsTable>;

export interface Subscription {
  readonly tenant: string;
  readonly channel: string;
  readonly settings: unknown;
  /** One more at every save. */
  readonly version: number;
  /** Who saved the settings last, who is notified when posting fails; null when they asked to be forgotten. */
  readonly setBy: string | null;
  readonly setAt: number;
  readonly state: SubscriptionState;
  /** Why it is suspended; kept after it is active again, until something was posted. */
  readonly reason: Reason | null;
  /** When a pause ends by itself. */
  readonly until: number | null;
  /** When the person who manages the channel was notified of this state. */
  readonly notifiedAt: number | null;
}

export function subscriptionsTable(rows: TenantRows) {
  const NEW = { reason: null, until: null, notifiedAt: null } as const;

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
     * Saves settings over the version they were read at, 0 for a new channel, which gets `stateIfNew` or is active.
     * Undefined when somebody else saved in between: read again and save again.
     */
    async save(
      channel: string,
      settings: unknown,
      change: { version: number; by: string; at: number; stateIfNew?: SubscriptionState },
    ): Promise<Subscription | undefined> {
      const { version, by, at, stateIfNew: state = 'active' } = change;
      const saved = { settings: JSON.stringify(settings), version: version + 1, setBy: by, setAt: at };
      const writing =
        version === 0
          ? rows
              .insert('subscription', { channel, ...saved, ...NEW, state })
              .onConflict((conflict) => conflict.doNothing())
          : rows.update('subscription', { channel, version }).set(saved);
      const row = await writing.returningAll().executeTakeFirst();
      return row && subscriptionOf(row);
    },

    /** False when there is no such subscription. After a change of state or reason, a notice may be sent again. */
    async setState(
      channel: string,
      change: { state: SubscriptionState; reason?: Reason; until?: number },
    ): Promise<boolean> {
      const { state, until = null } = change;
      const reason = change.reason === undefined ? null : formatReason(change.reason);
      const result = await rows
        .update('subscription', { channel })
        .set((row) => ({
          state,
          reason,
          until,
          notifiedAt: row
            .case()
            .when(
              row.and([row('state', 'in', [state, 'active']), row('reason', 'is not distinct from', reason)]),
            )
            .then(row.ref('notifiedAt'))
            .else(null)
            .end(),
        }))
        .executeTakeFirstOrThrow();
      return isUpdated(result);
    },

    /**
     * Makes a suspended channel active; true if it was suspended. The reason is kept until `posted`: a channel
     * that then refuses for the same reason needs no second notice.
     */
    reactivate: (channel: string): Promise<boolean> =>
      rows.change('subscription', { channel, state: 'suspended' }, { state: 'active', until: null }),

    /** Something was posted there: the next suspension is notified again. */
    async posted(channel: string): Promise<void> {
      await rows
        .update('subscription', { channel, state: 'active' })
        .set({ reason: null, notifiedAt: null })
        .execute();
    },

    /** True for one caller only: the one to notify the person who manages the channel. */
    async claimNotice(channel: string, at: number): Promise<boolean> {
      return isUpdated(
        await rows
          .update('subscription', { channel })
          .set({ notifiedAt: at })
          .where('notifiedAt', 'is', null)
          .executeTakeFirstOrThrow(),
      );
    },
  };
}

export function subscriptionOf(row: Database['subscription']): Subscription {
  return { ...row, settings: parseJson(row.settings), reason: parseReason(row.reason) };
}
