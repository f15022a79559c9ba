/** For workers of tests: the jobs of the bot, none of which ever returns. */
import { BoardJobs } from '../../src/jobs/jobs.ts';
import type { Job } from '../../src/work/job.ts';

function stuck(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

export const JOBS: Readonly<Record<string, Job>> = Object.fromEntries(
  Object.getOwnPropertyNames(BoardJobs.prototype).map((name) => [name, stuck]),
);
