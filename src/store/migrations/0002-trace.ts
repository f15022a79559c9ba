import { sql } from 'kysely';
import type { Migration } from './migrate.ts';

/** What a result's picture shows, so that it can be shared on any later day too. */
export const trace: Migration = async (db, engine) => {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  await db.schema.alterTable('result').addColumn('trace', text).execute();
};
