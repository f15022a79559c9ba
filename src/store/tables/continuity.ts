import { sql } from 'kysely';
import { DAY, MINUTE } from '../../core/clock.ts';
import type { DatabaseEngine, Db } from '../schema.ts';

/** Milliseconds. Planning happens every minute: after a longer pause the store may have missed posts. */
export const LONGEST_PAUSE = 3 * MINUTE;
/** Milliseconds. What is due later than this has not been posted by a clock that was ahead. */
const FARTHEST = 2 * DAY;
const KEY = 'store';

/**
 * Until when posts may exist of which the store knows nothing. A delivery that was due by then and has no post is
 * looked for on the platform before it is sent.
 */
export interface Gaps {
  /** No process used the store for a while before: a downtime, or a backup that was restored. Never before `restoredUntil`. */
  readonly gapUntil: number | null;
  /** The store is known to have been restored. */
  readonly restoredUntil: number | null;
}

interface Row extends Gaps {
  readonly beats: number;
  readonly aliveAt: number | null;
  readonly isCopy: boolean;
}

/**
 * Whether the store has everything that the bot did with it. A process that plans writes its time here every
 * minute. A restored store shows in four ways: the last time written is long ago; SQLite's backups are marked
 * as copies; a row that was loaded into PostgreSQL does not have the transaction that wrote it; and
 * the count of beats is lower than this process has already seen.
 */
export interface Continuity {
  /** Writes down that a process plans at this moment. Returns what the store can't account for. */
  beat(now: number): Promise<Gaps>;
  /** The same without writing, unless the store was restored since the last beat. */
  gaps(now: number): Promise<Gaps>;
}

export class SqlContinuity implements Continuity {
  readonly #db: Db;
  readonly #engine: DatabaseEngine;
  /** The highest count of beats that this process has seen. */
  #seen = 0;

  constructor(db: Db, engine: DatabaseEngine) {
    this.#db = db;
    this.#engine = engine;
  }

  beat(now: number): Promise<Gaps> {
    return this.#db.transaction().execute(async (transaction) => {
      const row = untilNow(await this.#read(transaction, true), now);
      const isRestored = this.#isRestored(row);
      const isGap = isRestored || (row.aliveAt !== null && now - row.aliveAt > LONGEST_PAUSE);
      const gaps: Gaps = {
        gapUntil: isGap ? Math.max(now, row.gapUntil ?? 0) : row.gapUntil,
        restoredUntil: isRestored ? Math.max(now, row.restoredUntil ?? 0) : row.restoredUntil,
      };
      const beats = Math.max(this.#seen, row.beats) + 1;
      await transaction
        .updateTable('continuity')
        .set({ ...gaps, beats, aliveAt: now, copied: 0, witness: this.#witness() })
        .where('key', '=', KEY)
        .execute();
      this.#seen = beats;
      return gaps;
    });
  }

  async gaps(now: number): Promise<Gaps> {
    const row = await this.#read(this.#db, false);
    if (this.#isRestored(row)) return this.beat(now);
    this.#seen = row.beats;
    return { gapUntil: row.gapUntil, restoredUntil: row.restoredUntil };
  }

  #isRestored({ isCopy, beats }: Row): boolean {
    return isCopy || beats < this.#seen;
  }

  async #read(db: Db, isLocking: boolean): Promise<Row> {
    const { copied, hasWitness, ...row } = await db
      .selectFrom('continuity')
      .select(['beats', 'aliveAt', 'copied', 'gapUntil', 'restoredUntil'])
      .select(this.#hasWitness().as('hasWitness'))
      .where('key', '=', KEY)
      .$if(isLocking && this.#engine === 'postgres', (query) => query.forUpdate())
      .executeTakeFirstOrThrow();
    return { ...row, isCopy: copied === 1 || hasWitness === 0 };
  }

  /** The number of the writing transaction, which PostgreSQL keeps beside the row, but no dump has. */
  #witness() {
    return this.#engine === 'postgres' ? sql<string>`(txid_current() % 4294967296)::text` : null;
  }

  #hasWitness() {
    return this.#engine === 'postgres'
      ? sql<number>`case when witness is null or witness = xmin::text then 1 else 0 end`
      : sql<number>`1`;
  }
}

/** A gap that ends far in the future was written while the clock was wrong, and would last until then. */
function untilNow(row: Row, now: number): Row {
  const past = (until: number | null) => (until !== null && until > now + FARTHEST ? now : until);
  return { ...row, gapUntil: past(row.gapUntil), restoredUntil: past(row.restoredUntil) };
}
