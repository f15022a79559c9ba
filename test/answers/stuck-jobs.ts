/** For workers of tests: the jobs of the bot, none of which ever returns. At the address with `?greedy`, all take memory. */
import { JOBS as REAL } from '../../src/answers/jobs.ts';
import type { Job } from '../../src/work/job.ts';

const isGreedy = import.meta.url.endsWith('?greedy');

function stuck(): never {
  const taken: object[] = [];
  for (;;) {
    if (isGreedy) taken.push(Array.from({ length: 1000 }, (_, index) => ({ index })));
    else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  }
}

export const JOBS: Readonly<Record<string, Job>> = Object.fromEntries(
  Object.keys(REAL).map((name) => [name, stuck]),
);
