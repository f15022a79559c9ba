import { sql } from 'kysely';
import type { Migration } from './migration.ts';

/** What the picture of a result shows, so that it can be shared on a later day too. Named `path` since version 3. */
export const addResultTrace: Migration = async (db, engine) => {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`;
  await db.schema.alterTable('result').addColumn('trace', text).execute();
};
