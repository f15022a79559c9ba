import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { heading, milliseconds, quantile, row } from './table.ts';

const TIMES = 15;
const BIN = fileURLToPath(new URL('../bin/letterboxed.js', import.meta.url));

/** Whole processes side by side: an empty Node, and a board solved from a cold start. */
export function run(): void {
  const empty: number[] = [];
  const solve: number[] = [];
  for (let round = 0; round < TIMES; round++) {
    empty.push(time(['-e', '0']));
    solve.push(time([BIN, 'solve', 'ozu nri lfa mbt']));
  }
  const [a, b] = [empty, solve].map((times) =>
    quantile(
      times.sort((x, y) => x - y),
      0.5,
    ),
  ) as [number, number];
  heading('process', 'median ms');
  row('node -e 0', milliseconds(a));
  row('letterboxed solve', milliseconds(b));
  row('difference', milliseconds(b - a));
}

function time(args: readonly string[]): number {
  const began = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - began;
}
