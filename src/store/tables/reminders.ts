import { type SqlBool, sql } from 'kysely';
import { personChannel, REMINDER_KIND } from '../../core/channel-ref.ts';
import type { Database, Db, ReminderState } from '../schema.ts';
import { inScope, isUpdated, type TenantRows } from './rows.ts';

export type Reminder = Readonly<Database['reminder']>;

export function remindersTable(rows: TenantRows) {
  return {
    async get(person: string): Promise<Reminder | undefined> {
      return rows.select('reminder', { person }).selectAll().executeTakeFirst();
    },

    set: ({ person, ...reminder }: Omit<Reminder, 'tenant' | 'state'>): Promise<void> =>
      rows.put('reminder', { person }, { ...reminder, state: 'on' }),

    /** Ends the reminder that was set at this moment. */
    end: (person: string, setAt: number, state: Exclude<ReminderState, 'on'>): Promise<boolean> =>
      rows.change('reminder', { person, setAt }, { state }),

    /** How many reminders were sent to a person, or may have been, and ended after a moment. */
    async sentSince(person: string, moment: number): Promise<number> {
      const { sent } = await rows
        .select('delivery', { channel: personChannel(person), kind: REMINDER_KIND })
        .where((where) => where.or([where('state', '=', 'sent'), where('begun', '=', 1)]))
        .where('doneAt', '>', moment)
        .select(({ fn }) => fn.countAll<number>().as('sent'))
        .executeTakeFirstOrThrow();
      return sent;
    },
  };
}

/** The reminders of all tenants, for planning. */
export function allRemindersTable(db: Db) {
  const next = (side: '<=' | '>', moment: number, limit: number) =>
    db
      .selectFrom('reminder')
      .selectAll()
      // Not a parameter, so that the engines choose the partial index.
      .where(sql<SqlBool>`state = 'on'`)
      .where('nextAt', side, moment)
      .where(
        sql<SqlBool>`not exists (select 1 from removed_tenant where removed_tenant.tenant = reminder.tenant)`,
      )
      .orderBy('nextAt')
      .limit(limit);

  return {
    /**
     * Reminders whose moment has come, earliest first, and reminders whose next moment is after `far`, as happens when the
     * clock is set back: at most `limit` of each. Removed tenants are left out.
     */
    async due(now: number, far: number, limit: number): Promise<Reminder[]> {
      // Two queries, since a combined one would read every reminder.
      const come = await next('<=', now, limit).execute();
      return [...come, ...(await next('>', far, limit).execute())];
    },

    /** Moves a reminder to its next moment, unless another process has. */
    async advance({ tenant, person, nextAt: before }: Reminder, nextAt: number): Promise<boolean> {
      return isUpdated(
        await db
          .updateTable('reminder')
          .set({ nextAt })
          .where('tenant', '=', tenant)
          .where('person', '=', person)
          .where('nextAt', '=', before)
          .executeTakeFirst(),
      );
    },

    /**
     * Removes a person's reminders, with the deliveries of those reminders, in every tenant of a scope, optionally except one.
     * In a scope, one id means one person: all of Discord (`discord`), or a workspace with its organization (`slack:T1`). True
     * if one of the reminders was on.
     */
    remove: (
      scope: string,
      person: string,
      { except = '' }: { readonly except?: string } = {},
    ): Promise<boolean> =>
      db.transaction().execute(async (transaction) => {
        const removed = await transaction
          .deleteFrom('reminder')
          .where('person', '=', person)
          .where(inScope(scope))
          .where('tenant', '<>', except)
          .returning(['tenant', 'state'])
          .execute();
        for (const { tenant } of removed) await deleteReminded(transaction, tenant, person);
        return removed.some(({ state }) => state === 'on');
      }),
  };
}

/** Deletes the deliveries of reminders to a person. */
async function deleteReminded(db: Db, tenant: string, person: string): Promise<void> {
  await db
    .deleteFrom('delivery')
    .where('tenant', '=', tenant)
    .where('channel', '=', personChannel(person))
    .execute();
}
