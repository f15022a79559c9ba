import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StoreOptions } from '../../src/store/store.ts';

const WRITER = fileURLToPath(new URL('writer.ts', import.meta.url));

export interface Written {
  /** The last number it printed, 0 for none. */
  readonly acknowledged: number;
  readonly trouble: string | undefined;
  readonly code: number | null;
  readonly stderr: string;
}

/**
 * Runs a writer and kills it `killAfter` milliseconds after it began to open the store, or, with
 * `killFrom: 'first-row'`, after it acknowledged its first row; or as soon as `killWhen` resolves.
 */
export function runWriter(
  options: StoreOptions,
  {
    person,
    first,
    count,
    killAfter,
    killFrom = 'opening',
    killWhen,
  }: {
    person: string;
    first: number;
    count: number;
    killAfter?: number;
    killFrom?: 'opening' | 'first-row';
    killWhen?: Promise<unknown>;
  },
): Promise<Written> {
  const args = [WRITER, JSON.stringify(options), person, `${first}`, `${count}`];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  let stdout = '';
  let stderr = '';
  let isArmed = false;
  void killWhen?.then(() => child.kill('SIGKILL'));
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk;
    if (killAfter === undefined || isArmed) return;
    if (killFrom === 'first-row' && !/^\d+\n/m.test(stdout)) return;
    isArmed = true;
    setTimeout(() => child.kill('SIGKILL'), killAfter);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      // A line cut in the middle was not said.
      const lines = stdout.split('\n').slice(0, -1);
      const after = (word: string) => lines.find((line) => line.startsWith(word))?.slice(word.length);
      resolve({
        acknowledged: Number(lines.findLast((line) => /^\d+$/.test(line)) ?? 0),
        trouble: after('trouble '),
        code,
        stderr,
      });
    });
  });
}
