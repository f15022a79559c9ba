/**
 * Kills of the process that delivers the daily thread, on Discord's door and on Slack's.
 *
 *   LONG=1 AWAITS=1 KILLS=300 CHANNELS=200 npx vitest run test/daily/kill.test.ts   all of them
 *
 * `SEED=7` draws other kills, `ON=postgres` takes TEST_DATABASE_URL instead of SQLite.
 */

import { expect, test } from 'vitest';
import type { DoorName } from '../../src/core/channel-ref.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { makeDatabase } from '../store/real-postgres.ts';
import { DISCORD, killAtEveryAwait, killThroughDay, SLACK } from './kill.ts';

const KILLS = Number(process.env.KILLS ?? sample(12, 1));
const CHANNELS = Number(process.env.CHANNELS ?? sample(20, 3));
const SEED = Number(process.env.SEED ?? 5);
const database = () => (process.env.ON === 'postgres' ? makeDatabase() : undefined);
const ALL = { timeout: 7_200_000, ...onlyLong };

/** Kills at every await, instead of at some of them. */
const EVERY = process.env.AWAITS === '1' ? { every: 1, from: 1 } : undefined;
const SOME = {
  discord: [DISCORD, EVERY ?? { every: 200, from: 60 }],
  slack: [SLACK, EVERY ?? { every: 200, from: 95 }],
} as const satisfies Record<Exclude<DoorName, 'web' | 'terminal'>, unknown>;

test.each(Object.entries(SOME))(
  "killed on %s at awaits of a channel's day, another process finishes it: nothing twice, nothing lost",
  ALL,
  async (_, [module, { every, from }]) => {
    const databaseUrl = await database();
    const { points, killed, wrong } = await killAtEveryAwait(module, { every, from, databaseUrl });
    console.info(`killed at ${killed} of ${points} awaits`);
    expect(wrong).toEqual([]);
    expect(killed).toBeGreaterThan(0);
    // The last process got to its end before the next kill. A slow one has more awaits, in which it renews its leases.
    expect(points).toBeLessThan(from + killed * every);
    expect(points).toBeGreaterThan(80);
  },
);

test(`killed ${sample('12 times', 'once')} at random from a morning to the next in ${CHANNELS} channels with reminders, on a platform that misbehaves`, {
  timeout: ALL.timeout,
}, async () => {
  const databaseUrl = await database();
  const options = { channels: CHANNELS, kills: KILLS, seed: SEED, databaseUrl };
  const { wrong, posts, mischief } = await killThroughDay(options);
  expect(wrong).toEqual([]);
  expect(posts).toMatchObject({ opening: CHANNELS, closing: CHANNELS, reminder: CHANNELS });
  expect(mischief.after).toBeGreaterThan(0);
});
