import { type SqlBool, sql } from 'kysely';
import { type Db, REMINDER_STATES, type ReminderState } from '../schema.ts';
import { DELIVERY_COLUMNS, type Delivery, deliveryOf } from './delivery-row.ts';
import { isAt, isUpdated } from './rows.ts';

/** When a person is reminded each day. */
export interface Reminder {
  readonly tenant: string;
  readonly person: string;
  /** Where it was set, whose board it is about. */
  readonly channel: string;
  /** `HH:MM` in the zone. */
  readonly at: string;
  readonly zone: string;
  readonly setAt: number;
  /** The moment that is planned next. */
  readonly nextAt: number;
  /** `ignored` and `undeliverable` say why it ended. */
  readonly state: ReminderState;
}

export interface Reminders {
  get(person: string): Promise<Reminder | undefined>;
  set(reminder: Omit<Reminder, 'tenant' | 'state'>): Promise<void>;
  /** Ends the one that was set at this moment. */
  end(person: string, setAt: number, state: Exclude<ReminderState, 'on'>): Promise<boolean>;
  /** The reminders that were, or may have been, sent to a person and ended after a moment, oldest first. */
  sentSince(person: string, moment: number): Promise<Delivery[]>;
}

/** The step of a reminder's delivery. */
export const REMINDER_STEP = 'reminder';

/**
 * What stands for the channel in the deliveries of messages to one person. No platform has a colon in its ids.
 *
 * @example personChannel('U123') // 'person:U123'
 */
export function personChannel(person: string): string {
  return `person:${person}`;
}

export class SqlReminders implements Reminders {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  get(person: string): Promise<Reminder | undefined> {
    return this.#db
      .selectFrom('reminder')
      .selectAll()
      .where('tenant', '=', this.#tenant)
      .where('person', '=', person)
      .executeTakeFirst();
  }

  async set(reminder: Omit<Reminder, 'tenant' | 'state'>): Promise<void> {
    const { person, ...set } = { ...reminder, state: REMINDER_STATES[0] };
    await this.#db
      .insertInto('reminder')
      .values({ tenant: this.#tenant, person, ...set })
      .onConflict((conflict) => conflict.columns(['tenant', 'person']).doUpdateSet(set))
      .execute();
  }

  async end(person: string, setAt: number, state: Exclude<ReminderState, 'on'>): Promise<boolean> {
    return isUpdated(
      await this.#db
        .updateTable('reminder')
        .set({ state })
        .where('tenant', '=', this.#tenant)
        .where('person', '=', person)
        .where('setAt', '=', setAt)
        .executeTakeFirst(),
    );
  }

  async sentSince(person: string, moment: number): Promise<Delivery[]> {
    const rows = await this.#db
      .selectFrom('delivery')
      .select(DELIVERY_COLUMNS)
      .where('tenant', '=', this.#tenant)
      .where('channel', '=', personChannel(person))
      .where('step', '=', REMINDER_STEP)
      .where((where) => where.or([where('state', '=', 'sent'), where('outcomeUnknown', '=', 1)]))
      .where('doneAt', '>', moment)
      .orderBy('date')
      .execute();
    return rows.map(deliveryOf);
  }
}

/** The reminders of all tenants: those who plan them serve everybody. */
export interface AllReminders {
  /**
   * Reminders whose moment has come, earliest first; also those whose next moment is after `far`, which a clock that was
   * set back has left behind. None of removed tenants.
   */
  due(now: number, far: number, limit: number): Promise<Reminder[]>;
  /** Moves a reminder on, unless somebody else has. */
  advance(reminder: Reminder, nextAt: number): Promise<boolean>;
  /**
   * Removes a person's reminders in all tenants of a door, or in all but one, with what is known of those that were
   * sent. True if there was one that was on.
   */
  remove(door: string, person: string, except?: string): Promise<boolean>;
}

export class SqlAllReminders implements AllReminders {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  due(now: number, far: number, limit: number): Promise<Reminder[]> {
    return (
      this.#db
        .selectFrom('reminder')
        .selectAll()
        // Written out, so that the engines see that the index of those that are on will do.
        .where(sql<SqlBool>`state = 'on'`)
        .where((where) => where.or([where('nextAt', '<=', now), where('nextAt', '>', far)]))
        .where(
          sql<SqlBool>`not exists (select 1 from removed_tenant where removed_tenant.tenant = reminder.tenant)`,
        )
        .orderBy('nextAt')
        .limit(limit)
        .execute()
    );
  }

  async advance({ tenant, person, nextAt: before }: Reminder, nextAt: number): Promise<boolean> {
    return isUpdated(
      await this.#db
        .updateTable('reminder')
        .set({ nextAt })
        .where('tenant', '=', tenant)
        .where('person', '=', person)
        .where('nextAt', '=', before)
        .executeTakeFirst(),
    );
  }

  remove(door: string, person: string, except = ''): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const removed = await transaction
        .deleteFrom('reminder')
        .where('person', '=', person)
        .where(isAt(door))
        .where('tenant', '<>', except)
        .returning(['tenant', 'state'])
        .execute();
      for (const { tenant } of removed) await deleteReminded(transaction, tenant, person);
      return removed.some(({ state }) => state === 'on');
    });
  }
}

/** Deletes the deliveries of reminders to a person. */
export async function deleteReminded(db: Db, tenant: string, person: string): Promise<void> {
  await db
    .deleteFrom('delivery')
    .where('tenant', '=', tenant)
    .where('channel', '=', personChannel(person))
    .execute();
}
