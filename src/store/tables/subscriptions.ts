import { formatReason, parseReason, type Reason } from '../reasons.ts';
import type { Database, Db, SubscriptionState } from '../schema.ts';
import { isUpdated, parseJson } from './rows.ts';

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

export interface Subscriptions {
  get(channel: string): Promise<Subscription | undefined>;
  list(): Promise<Subscription[]>;
  /**
   * Saves settings over the version they were read at, 0 for a new channel, which gets `stateIfNew` or is active.
   * Undefined when somebody else saved in between: read again and save again.
   */
  save(
    channel: string,
    settings: unknown,
    change: { version: number; by: string; at: number; stateIfNew?: SubscriptionState },
  ): Promise<Subscription | undefined>;
  /** False when there is no such subscription. After a change of state or reason, a notice may be sent again. */
  setState(
    channel: string,
    change: { state: SubscriptionState; reason?: Reason; until?: number },
  ): Promise<boolean>;
  /**
   * Makes a suspended channel active; true if it was suspended. The reason is kept until `posted`: a channel
   * that then refuses for the same reason needs no second notice.
   */
  reactivate(channel: string): Promise<boolean>;
  /** Something was posted there: the next suspension is notified again. */
  posted(channel: string): Promise<void>;
  /** True for one caller only: the one to notify the person who manages the channel. */
  claimNotice(channel: string, at: number): Promise<boolean>;
}

export class SqlSubscriptions implements Subscriptions {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(channel: string): Promise<Subscription | undefined> {
    const row = await this.#rows().where('channel', '=', channel).executeTakeFirst();
    return row && subscriptionOf(row);
  }

  async list(): Promise<Subscription[]> {
    return (await this.#rows().orderBy('channel').execute()).map(subscriptionOf);
  }

  async save(
    channel: string,
    settings: unknown,
    { version, by, at, stateIfNew = 'active' }: Parameters<Subscriptions['save']>[2],
  ): Promise<Subscription | undefined> {
    const saved = { settings: JSON.stringify(settings), version: version + 1, setBy: by, setAt: at };
    const row =
      version === 0
        ? await this.#db
            .insertInto('subscription')
            .values({
              tenant: this.#tenant,
              channel,
              ...saved,
              state: stateIfNew,
              reason: null,
              until: null,
              notifiedAt: null,
            })
            .onConflict((conflict) => conflict.doNothing())
            .returningAll()
            .executeTakeFirst()
        : await this.#update(channel)
            .set(saved)
            .where('version', '=', version)
            .returningAll()
            .executeTakeFirst();
    return row && subscriptionOf(row);
  }

  async setState(
    channel: string,
    { state, reason: given, until }: { state: SubscriptionState; reason?: Reason; until?: number },
  ): Promise<boolean> {
    const reason = given === undefined ? null : formatReason(given);
    const result = await this.#update(channel)
      .set((row) => ({
        state,
        reason,
        until: until ?? null,
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
  }

  async reactivate(channel: string): Promise<boolean> {
    const change = { state: 'active', until: null } as const;
    return isUpdated(
      await this.#update(channel).set(change).where('state', '=', 'suspended').executeTakeFirst(),
    );
  }

  async posted(channel: string): Promise<void> {
    await this.#update(channel)
      .set({ reason: null, notifiedAt: null })
      .where('state', '=', 'active')
      .execute();
  }

  async claimNotice(channel: string, at: number): Promise<boolean> {
    return isUpdated(
      await this.#update(channel).set({ notifiedAt: at }).where('notifiedAt', 'is', null).executeTakeFirst(),
    );
  }

  #rows() {
    return this.#db.selectFrom('subscription').selectAll().where('tenant', '=', this.#tenant);
  }

  #update(channel: string) {
    return this.#db
      .updateTable('subscription')
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', channel);
  }
}

export function subscriptionOf(row: Database['subscription']): Subscription {
  return { ...row, settings: parseJson(row.settings), reason: parseReason(row.reason) };
}
