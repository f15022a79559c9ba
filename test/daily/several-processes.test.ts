/** `LONG=1 CHANNELS=2000 npx vitest run test/daily/several-processes.test.ts`, on a PostgreSQL, has that many channels. */
import { expect, onTestFinished, test } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { onlyLong } from '../fakes/sample.ts';
import { describeOnPostgres, startServer } from '../store/real-postgres.ts';
import { HOUR, OPENING } from './ground.ts';
import { DISCORD, fillChannels, judge, startTogether } from './kill.ts';
import { serve } from './platforms/discord.ts';

const CHANNELS = Number(process.env.CHANNELS ?? 60);
const SETTLING = { interval: 200, timeout: 120_000 };

describeOnPostgres('three processes on one PostgreSQL', () => {
  test.each([false, true])(
    `${CHANNELS} channels due in one minute, one process killed: each channel exactly once, with a crash of the database: %s`,
    onlyLong,
    async (crashes) => {
      const { url: databaseUrl, run } = startServer();
      const platform = await serve();
      onTestFinished(() => platform.close());
      const store = await openStore({ databaseUrl });
      onTestFinished(() => store.close());
      const places = platform.places.slice(0, CHANNELS);
      await fillChannels(store, places, OPENING - HOUR);
      const { config } = platform;
      const task = { store: { databaseUrl }, platform: DISCORD, config, lease: 12_000, concurrency: 24 };
      const children = await startTogether(3, task);
      const posted = (share: number) =>
        expect.poll(() => platform.tally().messages.size, SETTLING).toBeGreaterThanOrEqual(share * CHANNELS);
      await posted(0.3);
      children[0]!.process.kill('SIGKILL');
      await posted(0.6);
      if (crashes) await run('restart');
      const judged = () => judge(store, platform.tally(), places, ['opening', 'start']);
      await expect.poll(async () => (await judged().catch(() => undefined))?.wrong, SETTLING).toEqual([]);
      for (const { process } of children) process.kill('SIGTERM');
      await Promise.all(children.map(({ ended }) => ended));
      expect(await judged()).toEqual({ wrong: [], posts: { opening: CHANNELS, start: CHANNELS } });
    },
  );
});
