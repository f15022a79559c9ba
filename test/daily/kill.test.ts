/**
 * Kills of the process that delivers the daily thread, by Discord's door. A death at each await is in interrupted.test.ts, and
 * one that goes on after another process has taken over, at both doors, in freeze.test.ts.
 *
 *   LONG=1 KILLS=300 CHANNELS=200 npx vitest run test/daily/kill.test.ts   more of them
 *
 * `SEED=7` draws other kills, `ON=postgres` takes TEST_DATABASE_URL instead of SQLite.
 */

import { expect, test } from 'vitest';
import { sample } from '../fakes/sample.ts';
import { makeDatabase } from '../store/real-postgres.ts';
import { killThroughDay } from './kill.ts';

const KILLS = Number(process.env.KILLS ?? sample(12, 1));
const CHANNELS = Number(process.env.CHANNELS ?? sample(20, 3));
const SEED = Number(process.env.SEED ?? 5);
const database = () => (process.env.ON === 'postgres' ? makeDatabase() : undefined);

test(`killed ${sample('12 times', 'once')} at random from a morning to the next in ${CHANNELS} channels with reminders, on a platform that misbehaves`, {
  timeout: 7_200_000,
}, async () => {
  const databaseUrl = await database();
  const options = { channels: CHANNELS, kills: KILLS, seed: SEED, databaseUrl };
  const { wrong, posts, mischief } = await killThroughDay(options);
  expect(wrong).toEqual([]);
  expect(posts).toMatchObject({ opening: CHANNELS, closing: CHANNELS, reminder: CHANNELS });
  expect(mischief.after).toBeGreaterThan(0);
});
