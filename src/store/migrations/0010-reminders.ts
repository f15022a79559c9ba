import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Reminders and announced days off, one row for each person and for each day; and who agreed to be listed in `missing`. */
export const addReminders: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  const whole = sql.raw(engine === 'postgres' ? 'bigint' : 'integer');
  const end = sql.raw(engine === 'sqlite' ? 'strict, without rowid' : '');
  await sql`
    create table reminder (
      tenant ${text} not null,
      person ${text} not null,
      channel ${text} not null,
      at ${text} not null,
      zone ${text} not null,
      set_at ${whole} not null,
      next_at ${whole} not null,
      state ${text} not null check (state in ('on', 'ignored', 'undeliverable')),
      constraint reminder_key primary key (tenant, person)
    ) ${end}`.execute(db);
  await sql`create index reminder_next on reminder (next_at) where state = 'on'`.execute(db);
  await sql`create index reminder_person on reminder (person)`.execute(db);
  await sql`
    create table holiday (
      tenant ${text} not null,
      person ${text} not null,
      date ${text} not null,
      constraint holiday_key primary key (tenant, person, date)
    ) ${end}`.execute(db);
  await sql`create index holiday_person on holiday (person)`.execute(db);
  await sql`alter table person add column listed ${whole} not null default 0`.execute(db);
};
