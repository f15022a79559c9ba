/** A small version for every run; scripts/fleet-test.ts has 2,000 channels, and restarts the database besides. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { onlyLong, sample } from '../fakes/sample.ts';
import { describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { DISCORD } from './kill.ts';
import { runSeveralProcesses } from './several-processes.ts';

const CHANNELS = sample(60, 12);

const SLACK = fileURLToPath(new URL('../fakes/slack-platform.ts', import.meta.url));
const LEASE = 8_000;

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

  test.each([
    ['Discord', DISCORD],
    ['Slack', SLACK],
  ])(
    '40 channels due in one minute on %s, two processes stand still in the middle of their posts',
    onlyLong,
    async (_, module) => {
      const report = await runSeveralProcesses({
        server: process.env.TEST_DATABASE_URL ?? '',
        databaseUrl: await makeDatabase(),
        channels: 40,
        restart: false,
        module,
        lease: LEASE,
        standstill: 1.5 * LEASE,
      });
      expect(report).toMatchObject({ openings: 40, messages: 80, doubled: 0, missing: 0, unfinished: 0 });
    },
  );
});
