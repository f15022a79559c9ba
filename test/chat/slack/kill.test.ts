/** A few of the kills that `PLATFORM=$PWD/test/fakes/slack-platform.ts npx node scripts/kill-test.ts` makes by the hundred. */

import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { killAtEveryAwait, killThroughDay } from '../../daily/kill.ts';
import { onlyLong } from '../../fakes/sample.ts';

const SLACK = fileURLToPath(new URL('../../fakes/slack-platform.ts', import.meta.url));
const EVERY = 70;
const KILLS = 12;

test(
  `another process finishes a channel's day in Slack that was killed at every ${EVERY}th await`,
  onlyLong,
  async () => {
    const { killed, wrong } = await killAtEveryAwait(EVERY, SLACK, 25);
    expect(wrong).toEqual([]);
    expect(killed).toBeGreaterThanOrEqual(2);
  },
);

test(
  `a day of 10 channels is complete after ${KILLS} kills at random, while Slack loses answers and calls`,
  onlyLong,
  async () => {
    const report = await killThroughDay({ channels: 10, kills: KILLS, seed: 5, module: SLACK });
    expect(report).toMatchObject({ openings: 10, doubled: 0, missing: 0, threadsWrong: 0, unfinished: 0 });
  },
);
