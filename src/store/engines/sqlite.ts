import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { FairTurns } from '../../core/turns.ts';
import { isBusy } from './sqlite-health.ts';

/** Milliseconds that a statement waits for another process to finish writing. */
export const BUSY_TIMEOUT = 5_000;
const SWITCH_PAUSE = 5;
/** Milliseconds of queries at a stretch. */
const LONGEST_TURN = 5;
/** Far more than there are different queries: a bound for queries whose text depends on a count. */
const MOST_STATEMENTS = 200;

/**
 * Opens a database durably: a write that was acknowledged is on the disk (WAL with full sync),
 * and what was deleted is overwritten, as people who ask to be forgotten expect.
 */
export function openDatabase(file: string, busyTimeout = BUSY_TIMEOUT): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: busyTimeout });
  try {
    switchToWal(database, busyTimeout);
    database.exec('pragma synchronous = full; pragma secure_delete = on');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The busy timeout does not apply to this statement: two processes that create the file together meet here. */
function switchToWal(database: DatabaseSync, busyTimeout: number): void {
  const deadline = performance.now() + busyTimeout;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, SWITCH_PAUSE);
    }
  }
}

/**
 * Moves everything from the write-ahead file into the database, and empties that file: until then it has copies of
 * pages from before a deletion. While another process is reading, it does what it can.
 */
export function truncateLog(database: DatabaseSync): void {
  database.exec('pragma wal_checkpoint(truncate)');
}

/** Kysely's SQLite dialect over `node:sqlite`, which speaks to the file directly: one connection, no waiting. */
export function sqliteDialect(database: DatabaseSync, explain: (error: unknown) => unknown): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new SqliteDriver(database, explain),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Kysely's own way of lending one connection wakes everybody who waits each time, and has no turns. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

/** The driver and its one connection. */
class SqliteDriver implements Driver, DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #explain: (error: unknown) => unknown;
  readonly #statements = new LRUCache<string, StatementSync>({ max: MOST_STATEMENTS });
  /** A command makes about ten queries, and each would wait for the queries of all posts under way. */
  readonly #turns = new FairTurns();
  #lastTurn = 0;

  constructor(database: DatabaseSync, explain: (error: unknown) => unknown) {
    this.#database = database;
    this.#explain = explain;
  }

  async init() {}

  /**
   * SQLite answers at once, so a long queue of queries would keep the event loop from the network: every few
   * milliseconds, other callbacks run in between.
   */
  async acquireConnection() {
    await this.#turns.take();
    if (performance.now() - this.#lastTurn > LONGEST_TURN) {
      await setImmediate();
      this.#lastTurn = performance.now();
    }
    return this;
  }

  async releaseConnection() {
    this.#turns.give();
  }

  /**
   * `immediate` takes the write lock at once and waits for it. A plain `begin` would take it at the first
   * write, and fail there without waiting if another process had written since.
   */
  async beginTransaction() {
    await this.executeQuery(CompiledQuery.raw('begin immediate'));
  }

  async commitTransaction() {
    await this.executeQuery(CompiledQuery.raw('commit'));
  }

  async rollbackTransaction() {
    // SQLite may have rolled back by itself, as some disk errors make it; a second rollback would hide the reason.
    if (this.#database.isTransaction) await this.executeQuery(CompiledQuery.raw('rollback'));
  }

  async destroy() {
    this.#database.close();
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    try {
      const statement = this.#prepare(sql);
      const values = parameters as readonly SQLInputValue[];
      if (statement.columns().length > 0) return { rows: statement.all(...values) as Row[] };
      const { changes } = statement.run(...values);
      return { rows: [], numAffectedRows: BigInt(changes) };
    } catch (error) {
      throw this.#explain(error);
    }
  }

  // biome-ignore lint/correctness/useYield: Kysely wants the method; nothing here streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('the store does not stream');
  }

  #prepare(sql: string): StatementSync {
    // A pragma takes effect when it is prepared, not when it is run.
    if (sql.startsWith('pragma ')) return this.#database.prepare(sql);
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    this.#statements.set(sql, statement);
    return statement;
  }
}
