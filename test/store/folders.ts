import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new folder that goes when the tests of this file are done. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-store-'));
  folders.push(folder);
  return folder;
}
