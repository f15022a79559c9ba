import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'kysely';
import { errorCode, StoreError } from '../../core/errors.ts';
import type { Db } from '../schema.ts';
import { explainSqlite, openDatabase } from './sqlite.ts';

/** Node's own `recursive` never returns if a parent exists but takes no folders, such as /proc. */
export function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process that starts at the same moment may have made it first.
    if (!existsSync(path)) throw error;
  }
}

/** Endings of the files that SQLite keeps beside a database. */
const COMPANIONS = ['-wal', '-shm'] as const;
/** The ending of a file beside a database that shows later that there was one. */
const MARK_SUFFIX = '.made';

/**
 * Makes a database if there is none and never was one. The remains of one are never taken for a fresh start: the file gets
 * its name only with its first page, so a file of 0 bytes has lost its contents.
 *
 * @throws StoreError that asks the operator to decide
 */
export function makeDatabase(file: string): void {
  if (existsSync(file)) {
    if (statSync(file).size === 0 && statSync(file).isFile())
      throw lostDatabaseError(`${file} is empty (0 bytes), so whatever it held is lost.`, file);
  } else {
    const remains = [...COMPANIONS, MARK_SUFFIX].map((end) => file + end);
    const leftOver = [...remains, rescueName(file)].filter((name) => existsSync(name));
    // Another process may have made the database since.
    if (leftOver.length > 0 && !existsSync(file))
      throw lostDatabaseError(
        `${file} is missing, although this folder has had it (${leftOver.join(', ')}).`,
        file,
      );
    makeFirst(file);
  }
}

/**
 * Marks the folder of a database that was opened, so that a later loss of the database is noticed. If root used the command line
 * there first, the mark is root's, and the bot's user can't write it again.
 */
export function markMade(file: string): void {
  const mark = file + MARK_SUFFIX;
  if (!existsSync(mark)) writeFileSync(mark, '', { mode: 0o600 });
}

function makeFirst(file: string): void {
  const fresh = `${file}.new-${process.pid}`;
  try {
    // Only its owner may read it; SQLite gives the files beside it the same rights.
    closeSync(openSync(fresh, 'w', 0o600));
    openDatabase(fresh).close();
    putInPlace(fresh, file);
  } finally {
    for (const end of ['', ...COMPANIONS]) rmSync(fresh + end, { force: true });
  }
}

/** Names the finished file. A link never replaces a file: two processes that start at once both use the first one's. */
function putInPlace(fresh: string, file: string): void {
  try {
    linkSync(fresh, file);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return;
    // A file system without links.
    if (!existsSync(file)) renameSync(fresh, file);
  }
}

function lostDatabaseError(what: string, file: string): StoreError {
  const remains = `${file} and the files beside it that begin with its name`;
  const copy = rescueName(file);
  const advice = existsSync(copy)
    ? `${copy} is a copy of it: delete ${remains}, rename the copy to ${file}, and start again. To begin with an empty ` +
      'database, move the copy to another folder instead of renaming it.'
    : `Restore a backup (docs/hosting.md says how), or, to begin with an empty database, delete ${remains}, and start again.`;
  return new StoreError('store.lost', `${what} ${advice}`);
}

/** Copies a database to a file that is not there yet. */
export async function backUp(db: Db, file: string): Promise<void> {
  if (existsSync(file))
    throw new StoreError('store.unable', `${file} is there already. Choose a new name for the backup.`);
  await copyDatabase(db, file);
}

/**
 * Writes a whole copy of one moment while others go on writing. It gets its name only once it is complete and on the disk,
 * so a copy that was cut short is never taken for a backup.
 */
async function copyDatabase(db: Db, file: string): Promise<void> {
  const part = `${file}.part-${process.pid}`;
  try {
    rmSync(part, { force: true });
    closeSync(openSync(part, 'a', 0o600));
    await sql`vacuum into ${part}`.execute(db);
    markAsCopy(part);
    sync(part);
    renameSync(part, file);
    sync(dirname(file));
  } catch (error) {
    try {
      rmSync(part, { force: true });
    } catch {
      // A folder that can't be written is the error itself.
    }
    throw explainCopy(error, file);
  }
}

/** Errors of SQLite come explained as errors of the database, but are about the copy, which may be on another disk. */
function explainCopy(error: unknown, copy: string): unknown {
  const cause = error instanceof StoreError ? error.cause : error;
  const explained = explainSqlite(cause, copy);
  switch (explained instanceof StoreError ? explained.code : undefined) {
    case 'store.full':
      return new StoreError(
        'store.full',
        `No room left to write the copy ${copy}. Free some space on that disk.`,
        { cause },
      );
    case 'store.denied':
      return new StoreError(
        'store.denied',
        `The copy ${copy} can't be written. Its folder must exist, and the user who copies must be allowed to write there.`,
        { cause },
      );
    default:
      return error instanceof StoreError ? error : explained;
  }
}

/** Marks the copy, so that a bot which later runs on it knows that it may lack posts. */
function markAsCopy(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec(`pragma journal_mode = delete; update fingerprint set value = 'copy'`);
  } finally {
    copy.close();
  }
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Does not begin with the database's name: `lostDatabaseError` has people delete all files that do. */
export function rescueName(file: string): string {
  return resolve(dirname(file), 'letterboxed-rescue.db');
}

/**
 * Copies a database whose file was replaced or deleted while it was open: only the open file still has its data, and the
 * system deletes it when the process ends. Like any backup, the copy may hold what is erased later. Returns the error that
 * says where the copy is, and throws one that says why there is none.
 */
export async function rescue(db: Db, relative: string): Promise<StoreError> {
  const file = resolve(relative);
  const copy = rescueName(file);
  const what = `${file} was replaced or deleted while the bot uses it. Do not restart the bot yet:`;
  try {
    makeFolder(dirname(copy));
    // Written even if the whole folder was deleted: if the copy is cut short, the next start is not taken for a fresh one.
    markMade(file);
    await copyDatabase(db, copy);
  } catch (cause) {
    const reason = (cause as Error).message;
    throw new StoreError(
      'store.damaged',
      `${what} what it has stored is nowhere else. Copying it failed, and is tried again each minute. ${reason}`,
      { cause },
    );
  }
  return new StoreError(
    'store.damaged',
    `${what} ${copy} is a copy of what it has stored. Stop the bot, delete what is left of ${file}, ${file}-wal and ` +
      `${file}-shm, rename the copy to ${file}, and start the bot.`,
  );
}
