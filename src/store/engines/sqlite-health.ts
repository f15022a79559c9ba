import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { StoreError, type StoreTrouble } from '../store-error.ts';
import { explainSqlite, hasNoRoom } from './sqlite-errors.ts';

/** Milliseconds that a failed write counts for: the next one may fit into room that was there already. */
const REMEMBERED = 30_000;
/** The first bytes of every SQLite database. */
const MAGIC = 'SQLite format 3\0';
const GRAVE: readonly StoreTrouble[] = ['store.full', 'store.damaged', 'store.denied'];

/**
 * Whether a database file can be used. A query that is answered from SQLite's cache does not show that the file is
 * still there, and a short write that it has room for more.
 */
export class SqliteHealth {
  readonly #file: string;
  #failure: { readonly error: StoreError; readonly at: number } | undefined;
  /**
   * Open as long as the database is: the system then gives the number of the file to no other. To be closed after
   * the database, since closing any descriptor of a file ends the locks that SQLite has on it.
   */
  #descriptor: number | undefined;
  /** Bytes. SQLite never makes the file smaller. */
  #size = 0;

  constructor(file: string) {
    this.#file = file;
  }

  /** To be called when the database is open. */
  opened(): void {
    this.#descriptor = openSync(this.#file, 'r');
  }

  /** To be called when the database is closed. */
  closed(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  /** Explains an error of the database, and remembers a grave one. */
  explain(error: unknown): unknown {
    const explained = explainSqlite(error, this.#file);
    if (explained instanceof StoreError && GRAVE.includes(explained.code))
      this.#failure = { error: explained, at: performance.now() };
    return explained;
  }

  /**
   * @param written a number that only grows, just written to the database
   * @throws StoreError unless the file that has this name now holds it
   */
  check(written: number): void {
    if (this.#failure !== undefined && performance.now() - this.#failure.at < REMEMBERED)
      throw this.#failure.error;
    if (hasNoRoom(this.#file)) throw explainSqlite({ code: 'ENOSPC' }, this.#file);
    this.#checkFile();
    if (this.#read() < written) throw this.#damaged('does not have what was just written to it');
  }

  #checkFile(): void {
    const descriptor = this.#descriptor;
    if (descriptor === undefined) return;
    const { ino, size } = fstatSync(descriptor);
    if (this.#namedNumber() !== ino)
      throw this.#damaged('was replaced or deleted while the bot uses it. Restart the bot');
    const start = Buffer.alloc(MAGIC.length);
    readSync(descriptor, start, 0, start.length, 0);
    if (size < this.#size || start.toString('latin1') !== MAGIC)
      throw this.#damaged('was cut off or overwritten. Stop the bot and restore a backup');
    this.#size = size;
  }

  /** The system's number of the file that has the name now. */
  #namedNumber(): number {
    try {
      return statSync(this.#file).ino;
    } catch (error) {
      throw explainSqlite(error, this.#file);
    }
  }

  #damaged(what: string): StoreError {
    return new StoreError('store.damaged', `${this.#file} ${what}.`);
  }

  /** Through a connection of its own, which has nothing in its cache. */
  #read(): number {
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(this.#file, { readOnly: true });
      const row = database.prepare('select max(written) as written from probe').get();
      return (row?.written as number | null) ?? 0;
    } catch (error) {
      throw explainSqlite(error, this.#file);
    } finally {
      database?.close();
    }
  }
}

/** Problems that one check lists: a file with so many is damaged anyway. */
const MOST_PROBLEMS = 20;

/** What SQLite finds wrong with a file and its indexes; nothing when it is intact. */
export function integrityProblems(database: DatabaseSync): string[] {
  const found = database.prepare(`pragma integrity_check(${MOST_PROBLEMS})`).all() as {
    integrity_check: string;
  }[];
  const keys = database.prepare('pragma foreign_key_check').all() as { table: string; parent: string }[];
  return [
    ...found.map((row) => row.integrity_check).filter((message) => message !== 'ok'),
    ...keys.map(({ table, parent }) => `a row of ${table} names a row that ${parent} does not have`),
  ];
}

/** Indexes can be made again from their tables. Returns whether that was all. */
export function repairIndexes(database: DatabaseSync, problems: readonly string[]): boolean {
  if (!problems.every((message) => /\bindex\b/.test(message))) return false;
  database.exec('reindex');
  return integrityProblems(database).length === 0;
}
