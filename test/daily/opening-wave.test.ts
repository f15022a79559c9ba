/**
 * Channels that all open at one moment, delivered by four processes to a fake Discord that counts requests as Discord does.
 * Two of the processes are killed meanwhile, and the database restarts.
 *
 *   LONG=1 CHANNELS=35000 npx vitest run test/daily/opening-wave.test.ts   takes hours
 */
import { expect, onTestFinished, test } from 'vitest';
import { DAY_KIND } from '../../src/core/channel-ref.ts';
import { DAY } from '../../src/core/clock.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { onlyLong } from '../fakes/sample.ts';
import { describeOnPostgres, startServer } from '../store/real-postgres.ts';
import { DATE, HOUR, MINUTE, OPENING } from './ground.ts';
import { DISCORD, fillChannels, judge, startTogether } from './kill.ts';
import { serve } from './platforms/discord.ts';
import type { Place } from './platforms/platform.ts';

const CHANNELS = Number(process.env.CHANNELS ?? 300);
const REQUESTS_PER_SECOND = 50;
/** Milliseconds that an answer of Discord takes. */
const LATENCY = 80;
const PROCESSES = 4;
const CONCURRENCY = 24;

describeOnPostgres('the opening wave', () => {
  test(`${CHANNELS} channels open once, as fast as Discord allows`, {
    timeout: HOUR,
    ...onlyLong,
  }, async () => {
    const { url, run } = startServer();
    const limits = { global: REQUESTS_PER_SECOND };
    const platform = await serve({ channels: CHANNELS, limits, latency: LATENCY });
    onTestFinished(() => platform.close());
    let requests = 0;
    platform.onRequest = (when) => {
      if (when === 'before') requests++;
    };
    const store = await openStore({ databaseUrl: url });
    onTestFinished(() => store.close());
    await fillChannels(store, platform.places, OPENING - DAY);
    await openDayBefore(store, platform.places);
    const children = await startTogether(PROCESSES, {
      store: { databaseUrl: url },
      platform: DISCORD,
      config: { ...platform.config, requestsPerSecond: REQUESTS_PER_SECOND },
      lease: 30_000,
      concurrency: CONCURRENCY,
    });
    const kill = ({ process }: (typeof children)[number]) => process.kill('SIGKILL');
    const began = performance.now();

    const opened = (share: number) =>
      expect
        .poll(() => platform.tally().threads.size, { interval: 3_000, timeout: HOUR })
        .toBeGreaterThanOrEqual(share * CHANNELS);
    await opened(0.3);
    kill(children[0]!);
    await opened(0.5);
    kill(children[1]!);
    await opened(0.6);
    await run('restart');
    await opened(1);
    const minutes = (performance.now() - began) / MINUTE;
    console.info(
      `${CHANNELS} channels: all open after ${minutes.toFixed(1)} minutes, ${(requests / CHANNELS).toFixed(2)} requests each`,
    );
    // The last rows are written after their threads are there. The verdict comes when nobody needs the fake Discord any more:
    // it takes minutes of this process.
    const waiting = () => store.allDeliveries.backlog(OPENING + HOUR);
    await expect.poll(waiting, { interval: 3_000, timeout: HOUR }).toEqual([]);
    children.forEach(kill);
    const { wrong, posts } = await judge(store, platform.tally(), platform.places, ['opening']);
    expect(wrong).toEqual([]);
    expect(posts).toEqual({ opening: CHANNELS });
    // Few openings are interrupted; those are looked for before they are sent again.
    expect(requests).toBeLessThan(2.3 * CHANNELS + 10 * PROCESSES * CONCURRENCY);
  });
});

/** Most channels had a thread the day before, so that their requirements are not checked again. */
async function openDayBefore(store: Store, places: readonly Place[]): Promise<void> {
  const openedAt = OPENING - DAY;
  const key = { date: addDays(DATE, -1), kind: DAY_KIND } as const;
  await store.allDeliveries.plan(
    places.map(({ tenant, channel }) => ({ tenant, channel, ...key, dueAt: openedAt })),
  );
  const claim = { owner: 'yesterday', now: openedAt, until: openedAt + MINUTE };
  for (const lease of await store.allDeliveries.claim('discord', places.length, claim)) {
    const record = { message: lease.channel, thread: lease.channel };
    const settled = { state: 'sent', openedAt, doneAt: openedAt, record } as const;
    await store.tenant(lease.tenant).deliveries.settle(lease, settled, openedAt);
  }
}
