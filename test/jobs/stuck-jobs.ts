/** For workers of tests: the jobs of the bot, none of which ever returns. */
import { JOBS as REAL } from '../../src/jobs/jobs.ts';
import type { Job } from '../../src/work/job.ts';

function stuck(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

export const JOBS: Readonly<Record<string, Job>> = Object.fromEntries(
  Object.keys(REAL).map((name) => [name, stuck]),
);
