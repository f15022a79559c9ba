import { type SqlBool, sql } from 'kysely';
import { EVERY_DATE, personChannel, REMINDER_KIND } from '../../core/channel-ref.ts';
import type { Db } from '../schema.ts';
import { rowOf } from './all-deliveries.ts';
import { type Delivery, deliveryOf, KEY_COLUMNS, woken } from './deliveries.ts';
import { IS_PRESENT, inScope, type TenantRows } from './rows.ts';

/** What a person chose, stored in the row of the reminder. */
interface ReminderSetting {
  readonly person: string;
  /** Where it was set; it is about this channel's board. */
  readonly channel: string;
  /** `HH:MM` in the zone. */
  readonly at: string;
  readonly zone: string;
  readonly setAt: number;
}

/** A person's reminder, which comes each day. It is one delivery: due at its next moment, and waiting once it has ended. */
export interface Reminder extends ReminderSetting {
  readonly tenant: string;
  /** Why it ended, if it did. `ignored`: too many in a row without a game. `undeliverable`: the person takes no messages. */
  readonly state: 'on' | 'ignored' | 'undeliverable';
  /** The days of which it reminded last, or may have. */
  readonly days: readonly string[];
}

export function reminderOf({
  tenant,
  detail,
  record,
  state,
  reason,
}: Pick<Delivery, 'tenant' | 'detail' | 'record' | 'state' | 'reason'>): Reminder {
  const ended = reason?.code === 'ignored' ? 'ignored' : 'undeliverable';
  const days = Object.keys((record as { readonly ends?: object } | undefined)?.ends ?? {});
  return { tenant, ...(detail as ReminderSetting), days, state: state === 'waiting' ? ended : 'on' };
}

export function remindersTable(rows: TenantRows) {
  const keyOf = (person: string) =>
    ({ channel: personChannel(person), date: EVERY_DATE, kind: REMINDER_KIND }) as const;
  return {
    async get(person: string): Promise<Reminder | undefined> {
      const row = await rows.select('delivery', keyOf(person)).selectAll().executeTakeFirst();
      return row && reminderOf(deliveryOf(row));
    },

    /**
     * Sets or changes it. It is due at once, and its attempt finds the next moment.
     *
     * @param days of which the person's reminder in another tenant, which this one replaces, has reminded: a new one doesn't
     * remind of them again. One that exists here has its own.
     */
    async set(setting: ReminderSetting, days: readonly string[] = []): Promise<void> {
      const { person, setAt } = setting;
      const { tenant } = rows;
      const { tenant: _, ...row } = rowOf({ tenant, ...keyOf(person), dueAt: setAt, detail: setting });
      // As the record of a day's row, of which `at` is not read here.
      const ends = Object.fromEntries(days.map((date) => [date, { state: 'sent', at: 0 }]));
      const record = days.length === 0 ? null : JSON.stringify({ ends });
      await rows
        .insert('delivery', { ...row, record })
        .onConflict((conflict) =>
          conflict.columns(KEY_COLUMNS).doUpdateSet({ detail: row.detail, ...woken(setAt) }),
        )
        .execute();
    },
  };
}

/** Its text is that of the condition of the index `delivery_reminder`, so that PostgreSQL uses the index. */
export const IS_REMINDER = sql<SqlBool>`kind = ${sql.lit(REMINDER_KIND)}`;

export function allRemindersTable(db: Db) {
  return {
    /** A person's reminder, in whichever tenant of a scope they set it, unless the bot was removed there. */
    async get(scope: string, person: string): Promise<Reminder | undefined> {
      const own = db.selectFrom('delivery').selectAll().where('channel', '=', personChannel(person));
      const row = await own.where(IS_REMINDER).where(inScope(scope)).where(IS_PRESENT).executeTakeFirst();
      return row && reminderOf(deliveryOf(row));
    },

    /** After the clock was set back: makes reminders due that are planned for later than any can be, which is `latest`. */
    async wakeTooLate(now: number, latest: number): Promise<void> {
      const ahead = db.updateTable('delivery').where(IS_REMINDER).where('nextAt', '>', latest);
      await ahead.set({ nextAt: now }).where('state', '=', 'due').execute();
    },

    /**
     * Removes a person's reminders in every tenant of a scope, optionally except one. In a scope, one id means one person: all
     * of Discord (`discord`), or a workspace with its organization (`slack:T1`). True if one of the reminders was on.
     */
    async remove(
      scope: string,
      person: string,
      { except = '' }: { readonly except?: string } = {},
    ): Promise<boolean> {
      const removed = await db
        .deleteFrom('delivery')
        .where('channel', '=', personChannel(person))
        .where(IS_REMINDER)
        .where(inScope(scope))
        .where('tenant', '<>', except)
        .returning('state')
        .execute();
      return removed.some(({ state }) => state !== 'waiting');
    },
  };
}
