import {
  accessSync,
  closeSync,
  constants,
  fstatSync,
  openSync,
  readSync,
  statfsSync,
  statSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import {
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from 'kysely';
import { LRUCache } from 'lru-cache';
import { blockThread } from '../../core/clock.ts';
import { FairLock } from '../../core/concurrency.ts';
import { adviceOnFileLimit, errorCode, StoreError } from '../../core/errors.ts';
import type { Db } from '../schema.ts';

/** Milliseconds that a statement waits for another process to finish writing. */
export const BUSY_TIMEOUT_MS = 5_000;
const SWITCH_PAUSE_MS = 5;
/** Milliseconds that SQLite itself waits, as long as most writes take, and milliseconds until the query is tried again. */
const SQLITE_WAIT_MS = 5;
const BUSY_RETRY_MS = 20;
/** Milliseconds of queries before other callbacks run. */
const MAX_TURN_MS = 5;
/** Far more than the different queries: a bound for queries whose text depends on a count. */
const MAX_CACHED_STATEMENTS = 200;

/**
 * Opens a database durably: a write that was acknowledged is on the disk (WAL with full sync),
 * and what was deleted is overwritten, as people who ask to be forgotten expect.
 */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS });
  try {
    // SQLite opens a file that it may only read, and fails at the first write.
    if (file !== ':memory:') accessSync(file, constants.W_OK);
    switchToWal(database);
    database.exec('pragma synchronous = full; pragma secure_delete = on');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** The busy timeout does not apply to this statement: two processes that create the file together meet here. */
function switchToWal(database: DatabaseSync): void {
  const deadline = performance.now() + BUSY_TIMEOUT_MS;
  for (;;) {
    try {
      database.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      blockThread(SWITCH_PAUSE_MS);
    }
  }
}

/**
 * Moves everything from the write-ahead log into the database, and empties the log: until then it contains copies of pages
 * from before a deletion. While another process is reading, SQLite does only a part of it.
 */
export async function truncateLog(db: Db): Promise<void> {
  // A query, so that it waits for its turn: within a transaction of somebody else, it would fail.
  await sql`pragma wal_checkpoint(truncate)`.execute(db);
}

/** Kysely's SQLite dialect over `node:sqlite`, which speaks to the file directly, over one connection. */
export function sqliteDialect(database: DatabaseSync, explain: (error: unknown) => unknown): Dialect {
  return {
    createAdapter: () => new Adapter(),
    createDriver: () => new SqliteDriver(database, explain),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  };
}

/** Keeps Kysely from locking a single connection: at each release, its lock wakes all who wait, and it is not fair. */
class Adapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Prepared {
  readonly statement: StatementSync;
  /** Asking a statement for its columns takes longer than most queries. */
  readonly hasRows: boolean;
}

/** The driver and its one connection. */
class SqliteDriver implements Driver, DatabaseConnection {
  readonly #database: DatabaseSync;
  readonly #explain: (error: unknown) => unknown;
  /** Milliseconds that a query waits for another process. SQLite's own wait would block this whole process. */
  readonly #busyTimeout: number;
  readonly #statements = new LRUCache<string, Prepared>({ max: MAX_CACHED_STATEMENTS });
  /** Fair, because a command makes about ten queries, and each would otherwise wait for the queries of all posts under way. */
  readonly #turns = new FairLock();
  #lastTurn = 0;

  constructor(database: DatabaseSync, explain: (error: unknown) => unknown) {
    this.#database = database;
    this.#explain = explain;
    this.#busyTimeout = Number(database.prepare('pragma busy_timeout').get()!.timeout);
    database.exec(`pragma busy_timeout = ${Math.min(this.#busyTimeout, SQLITE_WAIT_MS)}`);
  }

  async init() {}

  /**
   * SQLite answers at once, so a long queue of queries would keep the event loop from the network: every few
   * milliseconds, other callbacks run in between.
   */
  async acquireConnection() {
    await this.#turns.acquire();
    if (performance.now() - this.#lastTurn > MAX_TURN_MS) {
      await setImmediate();
      this.#lastTurn = performance.now();
    }
    return this;
  }

  async releaseConnection() {
    this.#turns.release();
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

  async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
    const deadline = performance.now() + this.#busyTimeout;
    for (;;) {
      try {
        return this.#execute(query);
      } catch (error) {
        // Not within a transaction: while it waited, others' queries would run inside it.
        const waits = isBusy(error) && !this.#database.isTransaction && performance.now() < deadline;
        if (!waits) throw this.#explain(error);
      }
      // Others may read in the meantime.
      this.#turns.release();
      await sleep(BUSY_RETRY_MS);
      await this.#turns.acquire();
    }
  }

  #execute<Row>({ sql, parameters }: CompiledQuery): QueryResult<Row> {
    const { statement, hasRows } = this.#prepare(sql);
    const values = parameters as readonly SQLInputValue[];
    if (hasRows) return { rows: statement.all(...values) as Row[] };
    const { changes } = statement.run(...values);
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  // biome-ignore lint/correctness/useYield: Kysely wants the method; nothing here streams.
  async *streamQuery<Row>(): AsyncIterableIterator<QueryResult<Row>> {
    throw new Error('the store does not stream');
  }

  #prepare(sql: string): Prepared {
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const statement = this.#database.prepare(sql);
    const prepared = { statement, hasRows: statement.columns().length > 0 };
    // A pragma takes effect when it is prepared, not when it is run.
    if (!sql.startsWith('pragma ')) this.#statements.set(sql, prepared);
    return prepared;
  }
}

/** The first bytes of every SQLite database. */
const SQLITE_HEADER = 'SQLite format 3\0';

/**
 * Whether a database file can be used. A query that SQLite answers from its cache does not show that the file still exists,
 * and a short write does not show that it has room for more.
 */
export class SqliteHealth {
  readonly file: string;
  /**
   * Open as long as the database is, so that the system gives the file's number to no other file. Close it after the
   * database: closing any descriptor of a file ends SQLite's locks on it.
   */
  #descriptor: number | undefined;
  /** Bytes. SQLite never makes the file smaller. */
  #size = 0;

  constructor(file: string) {
    this.file = file;
  }

  opened(): void {
    this.#descriptor = openSync(this.file, 'r');
  }

  closed(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Whether the file's name now belongs to another file, or to none. */
  isReplaced(): boolean {
    return this.#descriptor !== undefined && this.#namedNumber() !== fstatSync(this.#descriptor).ino;
  }

  /**
   * @param written a number that only grows, just written to the database
   * @throws StoreError unless the file that has this name now holds it
   */
  check(written: number): void {
    if (hasNoRoom(this.file)) throw explainSqlite({ code: 'ENOSPC' }, this.file);
    this.#checkFile();
    if (this.#read() < written) throw this.#damaged('does not have what was just written to it');
  }

  #checkFile(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    const { size } = fstatSync(descriptor);
    const start = Buffer.alloc(SQLITE_HEADER.length);
    readSync(descriptor, start, 0, start.length, 0);
    if (size < this.#size || start.toString('latin1') !== SQLITE_HEADER)
      throw this.#damaged('was cut off or overwritten. Stop the bot and restore a backup');
    this.#size = size;
  }

  /** The inode of the file that has the name now, if there is one. */
  #namedNumber(): number | undefined {
    try {
      return statSync(this.file, { throwIfNoEntry: false })?.ino;
    } catch (error) {
      throw explainSqlite(error, this.file);
    }
  }

  #damaged(what: string): StoreError {
    return new StoreError('store.damaged', `${this.file} ${what}.`);
  }

  /** Uses its own connection, which has nothing in its cache. */
  #read(): number {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(this.file, { readOnly: true });
      const row = database.prepare('select max(written) as written from probe').get();
      return (row?.written as number | null) ?? 0;
    } catch (error) {
      throw explainSqlite(error, this.file);
    } finally {
      database?.close();
    }
  }
}

/** The most problems to list: a file with more is damaged anyway. */
const MAX_PROBLEMS = 20;

/** What SQLite finds wrong with a file and its indexes; empty if it is intact. */
export function integrityProblems(database: DatabaseSync): string[] {
  const found = database.prepare(`pragma integrity_check(${MAX_PROBLEMS})`).all() as {
    integrity_check: string;
  }[];
  const keys = database.prepare('pragma foreign_key_check').all() as { table: string; parent: string }[];
  return [
    ...found.map((row) => row.integrity_check).filter((message) => message !== 'ok'),
    ...keys.map(({ table, parent }) => `a row of ${table} names a row that ${parent} does not have`),
  ];
}

/** Primary result codes of SQLite; the extended ones have them in their lowest byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;
/** A mistake in a statement, such as a table that is not there. */
const SQL_ERROR = 1;

/** True when another process holds the lock that was needed. */
function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** The primary result code of SQLite; undefined for other errors. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

/** Explains to the operator what an error of SQLite or of the file system means; returns other errors unchanged. */
export function explainSqlite(error: unknown, file: string): unknown {
  const of = (code: StoreError['code'], message: string) => new StoreError(code, message, { cause: error });
  switch (resultCode(error) ?? errorCode(error)) {
    case BUSY:
    case LOCKED:
      return of(
        'store.busy',
        `Another process kept ${file} locked for too long. Is another copy of the bot or a database tool at work on it?`,
      );
    case FULL:
    case 'ENOSPC':
      return diskFullError(error, file);
    case CANTOPEN: {
      const advice = adviceOnFileLimit(errorOfOpening(file));
      if (advice !== undefined) return of('store.exhausted', advice);
      return deniedError(error, file);
    }
    case READONLY:
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return deniedError(error, file);
    case 'EMFILE':
    case 'ENFILE':
      return of('store.exhausted', adviceOnFileLimit(error)!);
    case SQL_ERROR:
      if (!/^no such table/.test((error as Error).message)) return error;
      return of(
        'store.damaged',
        `Tables of ${file} are gone (${(error as Error).message}). Stop the bot and restore a backup.`,
      );
    case CORRUPT:
    case NOTADB:
      return of(
        'store.damaged',
        `${file} is not a whole SQLite database. Move it away (with its -wal and -shm files) and restore a backup.`,
      );
    case IOERR:
      // On a full disk, the -shm file beside the database can't grow either, which SQLite reports as a disk error.
      if (hasNoRoom(file)) return diskFullError(error, file);
      return of(
        'store.damaged',
        `Reading or writing ${file} failed (${(error as Error).message}). Check the disk that DATA_DIR is on.`,
      );
    default:
      return error;
  }
}

function deniedError(cause: unknown, file: string): StoreError {
  const message = `${file} can't be opened for writing. DATA_DIR must be a folder that the bot's user may write to.`;
  return new StoreError('store.denied', message, { cause });
}

/** The system's error when it opens the file's folder, since SQLite does not tell its reason; undefined if it opens. */
function errorOfOpening(file: string): unknown {
  try {
    closeSync(openSync(dirname(file), 'r'));
    return undefined;
  } catch (error) {
    return error;
  }
}

function diskFullError(cause: unknown, file: string): StoreError {
  return new StoreError(
    'store.full',
    `No room left to write ${file}. Free some space on that disk, or point DATA_DIR at another one; nothing stored so far is lost.`,
    { cause },
  );
}

/** Less than SQLite needs to begin anything. */
const MIN_FREE_BYTES = 64 * 1024;

function hasNoRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < MIN_FREE_BYTES;
  } catch {
    return false;
  }
}
