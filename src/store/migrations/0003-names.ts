import { sql } from 'kysely';
import type { Migration } from './migration.ts';

const RENAMES = [
  'alter table place rename to subscription',
  'alter table subscription rename column place to channel',
  'alter table subscription rename column told_at to notified_at',
  'alter table delivery rename column place to channel',
  'alter table delivery rename column urgency to priority',
  'alter table hand_board rename column place to channel',
  'alter table result rename column place to channel',
  'alter table result rename column trace to path',
  'alter table seen_event rename to processed_event',
  'alter table installation rename column sealed to encrypted',
] as const;

/** Gives tables and columns the names that the code uses: channel, subscription, priority, path. */
export const renameTables: Migration = async (db) => {
  for (const statement of RENAMES) await sql.raw(statement).execute(db);
};
