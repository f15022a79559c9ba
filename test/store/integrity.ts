import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { SQLITE_FILE } from '../../src/store/store.ts';

export function checkIntegrity(dataDir: string): void {
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
  database.close();
}
