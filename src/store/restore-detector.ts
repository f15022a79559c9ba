import { type RawBuilder, sql } from 'kysely';
import { DAY } from '../core/clock.ts';
import { errorCodes } from '../core/errors.ts';
import type { DatabaseEngine, Db } from './schema.ts';

/** A `restoredUntil` farther ahead is of a wrong clock. Until then, every post would count as perhaps made already. */
const MAX_AHEAD_MS = 2 * DAY;
const STORE_KEY = 'store';

/**
 * The part of a WAL file's name that changes when a copy is promoted. It is known at once, unlike in `pg_control_checkpoint`.
 * A replica, which has none of its own, takes no writes anyway.
 */
const TIMELINE = sql<string>`case when pg_is_in_recovery() then '' else left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) end`;
const TRANSACTIONS = sql<number>`txid_snapshot_xmax(txid_current_snapshot())`;
/** Codes of functions that a service like PostgreSQL lacks or forbids. Its fingerprints never have a timeline. */
const NOT_OFFERED: ReadonlySet<unknown> = new Set(['0A000', '42501', '42883']);

/**
 * Finds out whether the store is a restored backup, or a copy that lacks the last seconds, such as after a failover. A
 * fingerprint in the database shows it. SQLite's backups get another. On PostgreSQL, a row loaded from a dump has another table
 * and transaction than the one that wrote it, and a replica that became the primary has another timeline. A disk that was
 * set back has all of these in common with the original, but its number of transactions, which only grows, is less than this
 * process has seen.
 */
export class RestoreDetector {
  readonly #db: Db;
  readonly #isPostgres: boolean;
  #timeline: RawBuilder<string> = TIMELINE;
  /** The highest number of transactions seen so far. */
  #seen = 0;

  constructor(db: Db, engine: DatabaseEngine) {
    this.#db = db;
    this.#isPostgres = engine === 'postgres';
  }

  /** When the store was found to be a restored backup: posts due by then may have been made. Null if it never was. */
  async restoredUntil(now: number): Promise<number | null> {
    // Read before the query: others under way may have seen more by the time it answers.
    const seen = this.#seen;
    const { fingerprint, own, transactions, restoredUntil } = await this.#read();
    const wentBack = transactions < seen;
    this.#seen = wentBack ? transactions : Math.max(this.#seen, transactions);
    const isTooFar = restoredUntil !== null && restoredUntil > now + MAX_AHEAD_MS;
    if (wentBack || isTooFar || (fingerprint !== null && fingerprint !== own)) {
      await this.#write(now, own);
      return now;
    }
    // A new store has no fingerprint yet.
    if (fingerprint === null) await this.#write(restoredUntil, own);
    return restoredUntil;
  }

  async #read() {
    try {
      return await this.#query();
    } catch (error) {
      if (!errorCodes(error).some((code) => NOT_OFFERED.has(code))) throw error;
      this.#timeline = sql<string>`''`;
      return this.#query();
    }
  }

  /** What is stored, and what the fingerprint would be if it were written now. */
  #query() {
    return this.#db
      .selectFrom('fingerprint')
      .select(['value as fingerprint', 'restoredUntil'])
      .select(
        this.#isPostgres
          ? [
              sql<string>`xmin::text || ':' || tableoid::text || ':' || ${this.#timeline}`.as('own'),
              TRANSACTIONS.as('transactions'),
            ]
          : [sql<string>`'original'`.as('own'), sql<number>`0`.as('transactions')],
      )
      .where('key', '=', STORE_KEY)
      .executeTakeFirstOrThrow();
  }

  async #write(restoredUntil: number | null, own: string): Promise<void> {
    // What `own` will be after this update: a row's `xmin` is the lower half of the number of the transaction that wrote it.
    const next = sql<string>`(txid_current() % 4294967296)::text || ':' || tableoid::text || ':' || ${this.#timeline}`;
    await this.#db
      .updateTable('fingerprint')
      .set({ restoredUntil, value: this.#isPostgres ? next : own })
      .where('key', '=', STORE_KEY)
      .execute();
  }
}
