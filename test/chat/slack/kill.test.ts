/** A few of the kills that `PLATFORM=$PWD/test/fakes/slack-platform.ts npx node scripts/kill-test.ts` makes by the hundred. */
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { killAtEveryAwait, killThroughDay } from '../../daily/kill-runs.ts';

const SLACK = fileURLToPath(new URL('../../fakes/slack-platform.ts', import.meta.url));
const EVERY = 140;
const KILLS = 3;
/** Processes are started; on a busy machine that takes its time. */
const PATIENCE = 180_000;

test(
  `killed at every ${EVERY}th await of a place's day in Slack, another process finishes it`,
  async () => {
    const { killed, wrong } = await killAtEveryAwait(EVERY, SLACK, 25);
    expect(wrong).toEqual([]);
    expect(killed).toBeGreaterThan(1);
  },
  PATIENCE,
);

test(
  `killed ${KILLS} times at random in a day of 10 channels, while Slack loses answers and calls`,
  async () => {
    const report = await killThroughDay({ places: 10, kills: KILLS, seed: 5, module: SLACK });
    expect(report).toMatchObject({ openings: 10, doubled: 0, missing: 0, threadsWrong: 0, unfinished: 0 });
  },
  PATIENCE,
);
