import { formatReason, parseReason, type Reason } from '../reasons.ts';
import type { Database, Db, SubscriptionState } from '../schema.ts';
import { isUpdated, parseJson } from './rows.ts';

export interface Subscription {
  readonly tenant: string;
  readonly channel: string;
  readonly settings: unknown;
  /** One more at every save. */
  readonly version: number;
  /** Who saved the settings last, to be told what goes wrong; null when they asked to be forgotten. */
  readonly setBy: string | null;
  readonly setAt: number;
  readonly state: SubscriptionState;
  /** Why it is suspended; kept after it is active again, until something was posted. */
  readonly reason: Reason | null;
  /** When a pause ends by itself. */
  readonly until: number | null;
  /** When whoever manages the place was told of this state. */
  readonly notifiedAt: number | null;
}

export interface Subscriptions {
  get(channel: string): Promise<Subscription | undefined>;
  list(): Promise<Subscription[]>;
  /**
   * Saves settings over the version they were read at, 0 for a new place. Undefined when somebody else
   * saved in between: read again and ask again.
   */
  save(
    channel: string,
    settings: unknown,
    change: { version: number; by: string; at: number },
  ): Promise<Subscription | undefined>;
  /** False when there is no such place. A change of state or reason is news, and may be told again. */
  setState(
    channel: string,
    change: { state: SubscriptionState; reason?: Reason; until?: number },
  ): Promise<boolean>;
  /**
   * A resting place is tried again; true if it rested. Why it rested stays known until `posted`: a place that
   * then refuses for the same reason is no news.
   */
  reactivate(channel: string): Promise<boolean>;
  /** Something was posted there: whatever stops the place next is news. */
  posted(channel: string): Promise<void>;
  /** True for one caller only: the one to tell whoever manages the place of its state. */
  claimNotice(channel: string, at: number): Promise<boolean>;
}

export function makeSubscriptions(db: Db, tenant: string): Subscriptions {
  const rows = () => db.selectFrom('subscription').selectAll().where('tenant', '=', tenant);
  const update = (channel: string) =>
    db.updateTable('subscription').where('tenant', '=', tenant).where('channel', '=', channel);

  return {
    async get(channel) {
      const row = await rows().where('channel', '=', channel).executeTakeFirst();
      return row && subscriptionOf(row);
    },

    async list() {
      return (await rows().orderBy('channel').execute()).map(subscriptionOf);
    },

    async save(channel, settings, { version, by, at }) {
      const saved = { settings: JSON.stringify(settings), version: version + 1, setBy: by, setAt: at };
      const row =
        version === 0
          ? await db
              .insertInto('subscription')
              .values({
                tenant,
                channel,
                ...saved,
                state: 'active',
                reason: null,
                until: null,
                notifiedAt: null,
              })
              .onConflict((conflict) => conflict.doNothing())
              .returningAll()
              .executeTakeFirst()
          : await update(channel).set(saved).where('version', '=', version).returningAll().executeTakeFirst();
      return row && subscriptionOf(row);
    },

    async setState(channel, { state, reason: given, until = null }) {
      const reason = given === undefined ? null : formatReason(given);
      const result = await update(channel)
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
        .executeTakeFirst();
      return isUpdated(result);
    },

    async reactivate(channel) {
      const change = { state: 'active', until: null } as const;
      return isUpdated(await update(channel).set(change).where('state', '=', 'suspended').executeTakeFirst());
    },

    async posted(channel) {
      await update(channel).set({ reason: null, notifiedAt: null }).where('state', '=', 'active').execute();
    },

    async claimNotice(channel, at) {
      return isUpdated(
        await update(channel).set({ notifiedAt: at }).where('notifiedAt', 'is', null).executeTakeFirst(),
      );
    },
  };
}

export function subscriptionOf(row: Database['subscription']): Subscription {
  return { ...row, settings: parseJson(row.settings), reason: parseReason(row.reason) };
}
