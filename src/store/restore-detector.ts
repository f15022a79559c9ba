import { type RawBuilder, sql } from 'kysely';
import { DAY } from '../core/clock.ts';
import { errorCodes } from '../core/errors.ts';
import type { DatabaseEngine, Db } from './schema.ts';

/** A moment farther ahead was written by a wrong clock, and would count until then. */
const MAX_AHEAD_MS = 2 * DAY;
const STORE_KEY = 'store';

/**
 * The part of a WAL file's name that changes when a copy is promoted. It is known at once, unlike in `pg_control_checkpoint`.
 * A replica, which has none of its own, takes no writes anyway.
 */
const TIMELINE = sql<string>`case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end`;
const TRANSACTIONS = sql<number>`txid_snapshot_xmax(txid_current_snapshot())`;
/** Codes of functions that a service like PostgreSQL lacks or forbids. */
const NOT_OFFERED: ReadonlySet<unknown> = new Set(['0A000', '42501', '42883']);

/**
 * Returns a function that says until when there may be posts that the store does not know: the moment when the store was
 * found to be a restored backup, or a copy that lacks the last seconds, such as after a failover. Null if it never was. A
 * fingerprint in the database shows it. SQLite's backups are marked. On PostgreSQL, a row loaded from a dump has another table
 * and transaction than the one that wrote it, and a replica that became the primary has another timeline. A disk that was
 * set back has all of these in common with the original, but its number of transactions, which only grows, is less than this
 * process has seen.
 */
export function makeRestoreDetector(db: Db, engine: DatabaseEngine): (now: number) => Promise<number | null> {
  const isPostgres = engine === 'postgres';
  let timeline: RawBuilder<string> = TIMELINE;
  /** The highest number of transactions seen so far. */
  let seen = 0;

  const readFingerprint = () =>
    db
      .selectFrom('fingerprint')
      .select(['value', 'restoredUntil'])
      .select(
        isPostgres
          ? [
              sql<string>`xmin::text || ':' || tableoid::text || ':' || ${timeline}`.as('own'),
              TRANSACTIONS.as('transactions'),
            ]
          : [sql<string>`'original'`.as('own'), sql<number>`0`.as('transactions')],
      )
      .where('key', '=', STORE_KEY)
      .executeTakeFirstOrThrow();

  return async (now) => {
    // Read before the query: others under way may have seen more by the time it answers.
    const before = seen;
    const {
      value: fingerprint,
      own,
      transactions,
      ...known
    } = await readFingerprint().catch((error: unknown) => {
      if (!errorCodes(error).some((code) => NOT_OFFERED.has(code))) throw error;
      timeline = sql<string>`''`;
      return readFingerprint();
    });
    const wentBack = transactions < before;
    seen = wentBack ? transactions : Math.max(seen, transactions);
    const isRestored = (fingerprint !== null && fingerprint !== own) || wentBack;
    const isWrong = known.restoredUntil !== null && known.restoredUntil > now + MAX_AHEAD_MS;
    if (fingerprint === own && !wentBack && !isWrong) return known.restoredUntil;
    const until = isRestored || isWrong ? now : known.restoredUntil;
    // What `own` will be after this update: a row's `xmin` is the lower half of the number of the transaction that wrote it.
    const writing = sql<string>`(txid_current() % 4294967296)::text || ':' || tableoid::text || ':' || ${timeline}`;
    await db
      .updateTable('fingerprint')
      .set({ restoredUntil: until, value: isPostgres ? writing : own })
      .where('key', '=', STORE_KEY)
      .execute();
    return until;
  };
}
