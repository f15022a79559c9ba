/** `LONG=1 CHANNELS=2000 npx vitest run test/daily/several-processes.test.ts`, on a PostgreSQL, has that many channels. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { describeOnPostgres, makeDatabase, startServer } from '../store/real-postgres.ts';
import { HOUR, OPENING } from './ground.ts';
import { type Child, DISCORD, fillChannels, judge, SLACK, startTogether, type Verdict } from './kill.ts';
import type { PlatformModule } from './platforms/platform.ts';

const SETTLING = { interval: 200, timeout: 120_000 };

/** One of them is killed after a third of the channels. */
async function runSeveralProcesses(options: {
  readonly databaseUrl: string;
  readonly channels: number;
  /** Restarts the database's server, as in a crash. */
  readonly restart?: () => Promise<unknown>;
  readonly module?: string;
  /** Instead of being killed, two of them stand still for this many milliseconds, in the middle of their posts. */
  readonly standstill?: number;
  readonly lease?: number;
}): Promise<Verdict> {
  // The whole test waits for the lease of the killed process: it is longer than any pause of a busy machine only with LONG.
  const { databaseUrl, module = DISCORD, standstill, lease = sample(12_000, 4_000) } = options;
  const platform = await ((await import(module)) as PlatformModule).serve();
  const store = await openStore({ databaseUrl });
  try {
    const places = platform.places.slice(0, options.channels);
    await fillChannels(store, places, OPENING - HOUR);
    const { config } = platform;
    const task = { store: { databaseUrl }, platform: module, config, lease, concurrency: 24 };
    const children = await startTogether(3, task);
    await posted(platform, options.channels * 0.3);
    if (standstill === undefined) children[0]!.process.kill('SIGKILL');
    else await standStill(children.slice(0, 2), platform, standstill);
    await posted(platform, options.channels * 0.6);
    await options.restart?.();
    const judged = async () => judge(store, platform.tally(), places, ['opening', 'start']);
    await expect.poll(async () => (await judged().catch(() => undefined))?.wrong, SETTLING).toEqual([]);
    for (const { process } of children) process.kill('SIGTERM');
    await Promise.all(children.map(({ ended }) => ended));
    return await judged();
  } finally {
    await store.close();
    await platform.close();
  }
}

/** Both in the middle of requests. The third one takes over what they were posting, if their leases end meanwhile. */
async function standStill(children: readonly Child[], platform: Served, milliseconds: number): Promise<void> {
  platform.mischief = () => 'slow';
  for (const { process } of children) {
    const inRequest = Promise.withResolvers<void>();
    platform.onRequest = (when) => when === 'before' && inRequest.resolve();
    await inRequest.promise;
    process.kill('SIGSTOP');
  }
  await sleep(milliseconds);
  for (const { process } of children) process.kill('SIGCONT');
  platform.mischief = () => 'none';
}

type Served = Awaited<ReturnType<PlatformModule['serve']>>;

/** Resolves when that many channels have got anything. */
async function posted(platform: Served, count: number): Promise<void> {
  await expect.poll(() => platform.tally().messages.size, SETTLING).toBeGreaterThanOrEqual(count);
}

const CHANNELS = Number(process.env.CHANNELS ?? sample(60, 12));

const LEASE = 8_000;

describeOnPostgres('three processes on one PostgreSQL', () => {
  const eachOnce = { wrong: [], posts: { opening: CHANNELS, start: CHANNELS } };

  test(`${CHANNELS} channels due in one minute, one process killed: each channel exactly once`, async () => {
    const databaseUrl = await makeDatabase();
    expect(await runSeveralProcesses({ databaseUrl, channels: CHANNELS })).toEqual(eachOnce);
  });

  test('the same while the database restarts as in a crash', onlyLong, async () => {
    const { url, run } = startServer();
    const restart = () => run('restart');
    const report = await runSeveralProcesses({ databaseUrl: url, channels: CHANNELS, restart });
    expect(report).toEqual(eachOnce);
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
      expect(report).toEqual({ wrong: [], posts: { opening: 40, start: 40 } });
    },
  );
});
