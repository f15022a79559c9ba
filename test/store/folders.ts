import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { SQLITE_FILE } from '../../src/store/store.ts';
import { afterFile } from '../fakes/after-file.ts';

/** A new folder that goes when the tests of this file are done. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-store-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function checkIntegrity(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
}
