/** A few of the kills that scripts/kill-test.ts makes by the hundred, on Discord's door and on Slack's. */

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { onlyLong, sample } from '../fakes/sample.ts';
import { DISCORD, killAtEveryAwait, killThroughDay } from './kill.ts';

const SLACK = fileURLToPath(new URL('../fakes/slack-platform.ts', import.meta.url));
const KILLS = sample(12, 1);
const CHANNELS = sample(20, 3);

test.each([
  ['Discord', DISCORD, 120, 20],
  ['Slack', SLACK, 70, 25],
] as const)(
  "killed on %s at awaits of a channel's day, another process finishes it: nothing twice, nothing lost",
  onlyLong,
  async (_, module, every, first) => {
    const { points, killed, wrong } = await killAtEveryAwait(every, module, first);
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
