import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../store-error.ts';
import { explainSqlite } from './sqlite-errors.ts';

/**
 * Writes a whole copy of a moment while others go on writing. It has its name only once it is complete
 * and on the disk, so a copy that was cut short is never taken for a backup.
 */
export async function backupSqlite(database: DatabaseSync, file: string): Promise<void> {
  if (existsSync(file)) {
    throw new StoreError('store.unable', `${file} is there already. Choose a new name for the backup.`);
  }
  const part = `${file}.part`;
  try {
    rmSync(part, { force: true });
    closeSync(openSync(part, 'a', 0o600));
    database.prepare('vacuum into ?').run(part);
    markAsCopy(part);
    sync(part);
    renameSync(part, file);
    sync(dirname(file));
  } catch (error) {
    rmSync(part, { force: true });
    throw explainSqlite(error, file);
  }
}

/** So that the bot that runs on it one day knows that it does not have everything that was posted. */
function markAsCopy(file: string): void {
  const copy = new DatabaseSync(file);
  try {
    copy.exec('pragma journal_mode = delete; update continuity set copied = 1');
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
