/** A small version for every run; scripts/fleet-test.ts has 2,000 channels, and restarts the database besides. */
import { expect, test } from 'vitest';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { runSeveralProcesses } from './several-processes.ts';

const CHANNELS = sample(60, 12);

describeOnPostgres('three processes on one PostgreSQL, with pg-boss between them', () => {
  test(`${CHANNELS} channels due in one minute, one process killed: each channel exactly once`, async () => {
    const report = await runSeveralProcesses({
      server: process.env.TEST_DATABASE_URL ?? '',
      databaseUrl: await makeDatabase(),
      channels: CHANNELS,
      restart: false,
    });
    expect(report).toMatchObject({
      openings: CHANNELS,
      messages: 2 * CHANNELS,
      doubled: 0,
      missing: 0,
      threadsWrong: 0,
      unfinished: 0,
      unexplained: 0,
    });
  });

  // A quick one is in queue/in-process-queue.test.ts.
  test.runIf(IS_LONG)('no process holds all openings: each posts a share', async () => {
    const { openingsOf, doubled, missing } = await runSeveralProcesses({
      server: process.env.TEST_DATABASE_URL ?? '',
      databaseUrl: await makeDatabase(),
      channels: 24,
      kill: false,
      restart: false,
    });
    expect({ doubled, missing }).toEqual({ doubled: 0, missing: 0 });
    // Together they post exactly all; what is in flight is posted by the process that has it.
    expect(openingsOf.reduce((sum, count) => sum + count, 0)).toBe(24);
    expect(Math.max(...openingsOf)).toBeLessThan(18);
  });
});
