import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * What the store knows about its own past and about the processes that use it. A database that has deliveries
 * already was used by a version that kept no such record, so its record begins with a gap.
 */
export const addContinuity: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  const whole = sql.raw(engine === 'postgres' ? 'bigint' : 'integer');
  const end = sql.raw(engine === 'postgres' ? '' : 'strict, without rowid');
  await sql`
    create table continuity (
      key ${text} not null primary key,
      beats ${whole} not null,
      alive_at ${whole},
      copied ${whole} not null,
      gap_until ${whole},
      restored_until ${whole},
      witness ${text}
    ) ${end}`.execute(db);
  await sql`
    insert into continuity (key, beats, alive_at, copied)
    select 'store', 0, case when exists (select 1 from delivery) then 0 end, 0`.execute(db);
  await sql`create table process (owner ${text} not null primary key, beats ${whole} not null) ${end}`.execute(
    db,
  );
  await sql`create table probe (key ${text} not null primary key, written ${whole} not null) ${end}`.execute(
    db,
  );
};
