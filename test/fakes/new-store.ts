import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, SQLITE_FILE, type Store, type StoreOptions } from '../../src/store/store.ts';

let template: Promise<Buffer> | undefined;

/**
 * A new store in an empty folder. It starts as a copy of one whose tables were made before, once for all tests of a
 * process: making them takes longer than most tests.
 */
export async function openNewStore(folder: string, onQuery?: StoreOptions['onQuery']): Promise<Store> {
  template ??= makeTemplate();
  writeFileSync(join(folder, SQLITE_FILE), await template, { mode: 0o600 });
  return openStore({ dataDir: folder, onQuery });
}

async function makeTemplate(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-template-'));
  const store = await openStore({ dataDir: folder });
  await store.close();
  const bytes = readFileSync(join(folder, SQLITE_FILE));
  rmSync(folder, { recursive: true });
  return bytes;
}
