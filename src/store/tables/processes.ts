import type { Db } from '../schema.ts';
import type { DeliveryKey } from './delivery-row.ts';

/** How the processes that share a store notice that one of them has ended. */
export interface Liveness {
  /** Shows that this process is there. Called again every few seconds. */
  show(owner: string): Promise<void>;
  /** The others that have ended without a word. */
  ended(owner: string): Promise<readonly string[]>;
  /** Removes what is left of a process. */
  remove(owner: string): Promise<void>;
}

/** The processes that deliver from a store, by the names that they give in leases. */
export interface Processes {
  /**
   * Shows that a process is there, and ends the leases of those that are not any more: what they were posting
   * can be claimed at once, as of unknown outcome. Returns its keys. To be called every few seconds.
   */
  watch(owner: string, now: number): Promise<DeliveryKey[]>;
  /** A process that holds no lease any more goes. */
  leave(owner: string): Promise<void>;
}

export class SqlProcesses implements Processes {
  readonly #db: Db;
  readonly #liveness: Liveness;

  constructor(db: Db, liveness: Liveness = new Counting(db)) {
    this.#db = db;
    this.#liveness = liveness;
  }

  async watch(owner: string, now: number): Promise<DeliveryKey[]> {
    await this.#liveness.show(owner);
    const freed: DeliveryKey[] = [];
    for (const ended of await this.#liveness.ended(owner)) {
      freed.push(...(await endLeases(this.#db, ended, now)));
      await this.#liveness.remove(ended);
    }
    return freed;
  }

  leave(owner: string): Promise<void> {
    return this.#liveness.remove(owner);
  }
}

/** What a process was posting can be claimed at once, as of unknown outcome. Returns its keys. */
export function endLeases(db: Db, owner: string, now: number): Promise<DeliveryKey[]> {
  return db
    .updateTable('delivery')
    .set({ nextAt: now })
    .where('state', '=', 'sending')
    .where('owner', '=', owner)
    .returning(['tenant', 'channel', 'date', 'step'])
    .execute();
}

/** Milliseconds. Several times as long as a process that is alive takes to count on. */
const SILENCE = 20_000;

/**
 * Every process counts on in a row of its own. One whose count stands still has ended. Times are measured by the
 * watching process alone, since the clocks of two machines differ and can jump.
 */
class Counting implements Liveness {
  readonly #db: Db;
  readonly #seen = new Map<string, { readonly beats: number; readonly since: number }>();

  constructor(db: Db) {
    this.#db = db;
  }

  async show(owner: string): Promise<void> {
    await this.#db
      .insertInto('process')
      .values({ owner, beats: 1 })
      .onConflict((conflict) =>
        conflict.column('owner').doUpdateSet((row) => ({ beats: row('process.beats', '+', 1) })),
      )
      .execute();
  }

  async ended(owner: string): Promise<readonly string[]> {
    const now = performance.now();
    const rows = await this.#db.selectFrom('process').selectAll().where('owner', '!=', owner).execute();
    for (const known of this.#seen.keys()) {
      if (!rows.some((row) => row.owner === known)) this.#seen.delete(known);
    }
    for (const { owner: other, beats } of rows) {
      if (this.#seen.get(other)?.beats !== beats) this.#seen.set(other, { beats, since: now });
    }
    return [...this.#seen].filter(([, { since }]) => now - since >= SILENCE).map(([other]) => other);
  }

  async remove(owner: string): Promise<void> {
    this.#seen.delete(owner);
    await this.#db.deleteFrom('process').where('owner', '=', owner).execute();
  }
}
