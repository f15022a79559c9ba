import { statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../../core/errors.ts';
import { StoreError } from '../store-error.ts';

/** Primary result codes of SQLite; the extended ones have them in their lowest byte. */
const BUSY = 5;
const LOCKED = 6;
const READONLY = 8;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const NOTADB = 26;

/** True when another process holds the lock that was needed. */
export function isBusy(error: unknown): boolean {
  return resultCode(error) === BUSY;
}

/** The primary result code of SQLite; undefined for an error of somebody else. */
function resultCode(error: unknown): number | undefined {
  const { errcode } = error as { readonly errcode?: number };
  return errcode === undefined ? undefined : errcode & 0xff;
}

/** Says what an error of SQLite or of the file system means for the operator; others pass as they are. */
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
      return full(error, file);
    case READONLY:
    case CANTOPEN:
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
    case 'EISDIR':
      return of(
        'store.denied',
        `${file} can't be opened for writing. DATA_DIR must be a folder that the bot's user may write to.`,
      );
    case CORRUPT:
    case NOTADB:
      return of(
        'store.damaged',
        `${file} is not a whole SQLite database. Move it away (with its -wal and -shm files) and restore a backup.`,
      );
    case IOERR:
      // The file that processes share beside the database can't grow either: SQLite calls that a disk error.
      if (hasNoRoom(file)) return full(error, file);
      return of(
        'store.damaged',
        `Reading or writing ${file} failed (${(error as Error).message}). Check the disk that DATA_DIR is on.`,
      );
    default:
      return error;
  }
}

function full(cause: unknown, file: string): StoreError {
  return new StoreError(
    'store.full',
    `No room left to write ${file}. Free some space on that disk, or point DATA_DIR at another one; nothing stored so far is lost.`,
    { cause },
  );
}

/** Less than SQLite needs to begin anything. */
const LITTLE_ROOM = 64 * 1024;

export function hasNoRoom(file: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(dirname(file));
    return bavail * bsize < LITTLE_ROOM;
  } catch {
    return false;
  }
}
