import { sql } from 'kysely';
import type { Migration } from './migrate.ts';

/** One name for one thing: what the code calls a channel, a subscription, a priority and a path. */
export const names: Migration = async (db) => {
  for (const statement of [
    'alter table place rename to subscription',
    'alter table subscription rename column place to channel',
    'alter table delivery rename column place to channel',
    'alter table delivery rename column urgency to priority',
    'alter table hand_board rename column place to channel',
    'alter table result rename column place to channel',
    'alter table result rename column trace to path',
  ])
    await sql.raw(statement).execute(db);
};
