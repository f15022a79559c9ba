/** `LONG=1 CHANNELS=2000 npx vitest run test/daily/several-processes.test.ts`, on a PostgreSQL, has that many channels. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { onlyLong, sample } from '../fakes/sample.ts';
import { describeOnPostgres, makeDatabase, startServer } from '../store/real-postgres.ts';
import { DISCORD } from './kill.ts';
import { runSeveralProcesses } from './several-processes.ts';

const CHANNELS = Number(process.env.CHANNELS ?? sample(60, 12));

const SLACK = fileURLToPath(new URL('../fakes/slack-platform.ts', import.meta.url));
const LEASE = 8_000;

describeOnPostgres('three processes on one PostgreSQL, with pg-boss between them', () => {
  const eachOnce = {
    openings: CHANNELS,
    messages: 2 * CHANNELS,
    doubled: 0,
    missing: 0,
    threadsWrong: 0,
    unfinished: 0,
    unexplained: 0,
  };

  test(`${CHANNELS} channels due in one minute, one process killed: each channel exactly once`, async () => {
    const databaseUrl = await makeDatabase();
    expect(await runSeveralProcesses({ databaseUrl, channels: CHANNELS })).toMatchObject(eachOnce);
  });

  test('the same while the database restarts as in a crash', onlyLong, async () => {
    const { url, run } = startServer();
    const restart = () => run('restart');
    const report = await runSeveralProcesses({ databaseUrl: url, channels: CHANNELS, restart });
    expect(report).toMatchObject(eachOnce);
  });

  test.each([
    ['Discord', DISCORD],
    ['Slack', SLACK],
  ])(
    '40 channels due in one minute on %s, two processes stand still in the middle of their posts',
    onlyLong,
    async (_, module) => {
      const report = await runSeveralProcesses({
        databaseUrl: await makeDatabase(),
        channels: 40,
        module,
        lease: LEASE,
        standstill: 1.5 * LEASE,
      });
      expect(report).toMatchObject({ openings: 40, messages: 80, doubled: 0, missing: 0, unfinished: 0 });
    },
  );
});
