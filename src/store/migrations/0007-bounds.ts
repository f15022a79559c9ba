import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** Who caused a stored action, so that it counts for them; and an index by age, for hints that expire. */
export const addBounds: Migration = async (db, engine) => {
  const text = sql.raw(engine === 'postgres' ? 'text collate "C"' : 'text');
  await sql`alter table action add column owner ${text}`.execute(db);
  await sql`create index action_owner on action (owner, expires_at)`.execute(db);
  await sql`create index hint_at on hint (at)`.execute(db);
};
