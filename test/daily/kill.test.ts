/** A few of the kills of scripts/kill-test.ts, which makes them all and three hundred more; here on Discord's own door. */

import { expect, test } from 'vitest';
import { onlyLong, sample } from '../fakes/sample.ts';
import { killAtEveryAwait, killThroughDay } from './kill.ts';

const EVERY = 120;
const FIRST = 20;
const KILLS = sample(12, 1);
const CHANNELS = sample(20, 3);

test(
  `killed at every ${EVERY}th await of a channel's day, another process finishes it: nothing twice, nothing lost`,
  onlyLong,
  async () => {
    const { points, killed, wrong } = await killAtEveryAwait(EVERY, undefined, FIRST);
    expect(wrong).toEqual([]);
    // The last process got to its end before the next kill. A slow one has more awaits, in which it renews its leases.
    expect(points).toBeLessThan(FIRST + killed * EVERY);
    expect(points).toBeGreaterThan(150);
  },
);

test(`killed ${sample('12 times', 'once')} at random from a morning to the next in ${CHANNELS} channels with reminders, on a platform that misbehaves`, async () => {
  const report = await killThroughDay({ channels: CHANNELS, kills: KILLS, seed: 5 });
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
