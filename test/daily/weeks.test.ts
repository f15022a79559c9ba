import { expect, test } from 'vitest';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { liveThroughWeek, type WeekReport } from './weeks.ts';

/**
 * The sample is a day on Slack and one on Discord, which finds what shows on most days. `LONG=1 WEEK=7 WEEKS=1` lives through
 * the seventh week alone.
 */
const WEEKS = Number(process.env.WEEKS ?? sample(100, 2));
const FIRST = Number(process.env.WEEK ?? sample(1, 2));
const DAYS = sample(7, 1);

test('random weeks: what messages announce is posted, and all answers tell one number of a result', {
  timeout: IS_LONG ? 7_200_000 : 120_000,
}, async () => {
  const report: WeekReport = { posted: 0, announced: 0, told: 0, closings: 0, left: 0 };
  const failures: string[] = [];
  for (let week = FIRST; week < FIRST + WEEKS; week++) {
    await liveThroughWeek(week, report, DAYS).catch((error: unknown) => failures.push(String(error)));
    if (IS_LONG)
      console.info(week, failures.at(-1)?.startsWith(`Error: week ${week}:`) ? failures.at(-1) : 'well');
  }
  console.info(`${WEEKS} weeks: ${JSON.stringify(report)}`);
  expect(failures).toEqual([]);
  expect(report.announced).toBeGreaterThan(WEEKS);
  expect(report.told).toBeGreaterThan(WEEKS);
});
