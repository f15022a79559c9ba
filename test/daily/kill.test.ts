/**
 * Kills of the process that delivers the daily thread, on Discord's door and on Slack's.
 *
 *   LONG=1 AWAITS=1 KILLS=300 CHANNELS=200 npx vitest run test/daily/kill.test.ts   all of them
 *
 * `SEED=7` draws other kills, `ON=postgres` takes TEST_DATABASE_URL instead of SQLite.
 */

import { expect, test } from 'vitest';
import { onlyLong, sample } from '../fakes/sample.ts';
import { DISCORD, killAtEveryAwait, killThroughDay, SLACK } from './kill.ts';

const KILLS = Number(process.env.KILLS ?? sample(12, 1));
const CHANNELS = Number(process.env.CHANNELS ?? sample(20, 3));
const SEED = Number(process.env.SEED ?? 5);
/** Kills at every await, instead of at some of them. */
const AWAITS = process.env.AWAITS === '1';
const SERVER = process.env.ON === 'postgres' ? process.env.TEST_DATABASE_URL : undefined;
const ALL = { timeout: 7_200_000, ...onlyLong };

test.each([
  ['Discord', DISCORD, 120, 20],
  ['Slack', SLACK, 70, 25],
] as const)(
  "killed on %s at awaits of a channel's day, another process finishes it: nothing twice, nothing lost",
  ALL,
  async (_, module, some, someFirst) => {
    const [every, first] = AWAITS ? [1, 1] : [some, someFirst];
    const { points, killed, wrong } = await killAtEveryAwait(every, module, first, SERVER);
    console.info(`killed at ${killed} of ${points} awaits`);
    expect(wrong).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(2);
    // The last process got to its end before the next kill. A slow one has more awaits, in which it renews its leases.
    expect(points).toBeLessThan(first + killed * every);
    expect(points).toBeGreaterThan(150);
  },
);

test(
  'a day of 10 channels on Slack is complete after 12 kills, while it loses answers and calls',
  onlyLong,
  async () => {
    const report = await killThroughDay({ channels: 10, kills: 12, seed: 5, module: SLACK });
    expect(report).toMatchObject({ openings: 10, doubled: 0, missing: 0, threadsWrong: 0, unfinished: 0 });
  },
);

test(`killed ${sample('12 times', 'once')} at random from a morning to the next in ${CHANNELS} channels with reminders, on a platform that misbehaves`, {
  timeout: ALL.timeout,
}, async () => {
  const report = await killThroughDay({ channels: CHANNELS, kills: KILLS, seed: SEED, server: SERVER });
  expect(report).toMatchObject({
    kills: KILLS,
    openings: CHANNELS,
    closings: CHANNELS,
    reminders: CHANNELS,
    doubled: 0,
    missing: 0,
    threadsWrong: 0,
    unfinished: 0,
    unexplained: 0,
  });
  expect(report.mischief.after).toBeGreaterThan(0);
});
