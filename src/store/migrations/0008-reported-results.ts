import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/**
 * Results that people reported in a message, in numbers only; the message that a result was read from; and a checksum
 * of the words, which tells different solutions of a board apart.
 */
export const addReportedResults: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  const whole = sql.raw(engine === 'postgres' ? 'bigint' : 'integer');
  await sql`alter table result add column reported ${whole} not null default 0`.execute(db);
  await sql`alter table result add column message ${text}`.execute(db);
  await sql`alter table result add column solution ${text}`.execute(db);
};
