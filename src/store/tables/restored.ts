import { sql } from 'kysely';
import { DAY } from '../../core/clock.ts';
import type { DatabaseEngine, Db } from '../schema.ts';

/** Milliseconds. A moment that is farther ahead was written by a wrong clock, and would count until then. */
const FARTHEST = 2 * DAY;
const KEY = 'store';

/**
 * The moment at which the store was found to be a restored backup, or null. What was due by then may have been posted
 * although nothing is stored of it.
 *
 * A backup shows by its witness: SQLite's backups are marked, and a row that was loaded into PostgreSQL has another table
 * and transaction than the one that wrote it.
 */
export async function restoredUntil(db: Db, engine: DatabaseEngine, now: number): Promise<number | null> {
  const isPostgres = engine === 'postgres';
  const { witness, own, ...known } = await db
    .selectFrom('continuity')
    .select(['witness', 'restoredUntil'])
    .select(
      (isPostgres ? sql<string>`xmin::text || ':' || tableoid::text` : sql<string>`'original'`).as('own'),
    )
    .where('key', '=', KEY)
    .executeTakeFirstOrThrow();
  const isRestored = witness !== null && witness !== own;
  const isWrong = known.restoredUntil !== null && known.restoredUntil > now + FARTHEST;
  if (witness === own && !isWrong) return known.restoredUntil;
  const until = isRestored || isWrong ? now : known.restoredUntil;
  const writing = sql<string>`(txid_current() % 4294967296)::text || ':' || tableoid::text`;
  await db
    .updateTable('continuity')
    .set({ restoredUntil: until, witness: isPostgres ? writing : own })
    .where('key', '=', KEY)
    .execute();
  return until;
}
