/** A small version for every run; scripts/fleet-test.ts has 2,000 channels, and restarts the database besides. */
import { expect, test } from 'vitest';
import { sample } from '../fakes/sample.ts';
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
});
