import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterFile } from './after-file.ts';

/** A new folder that goes when the tests of this file are done. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'letterboxed-test-'));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
