import { expect, test } from 'vitest';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { liveThroughWeek, type WeekReport } from './weeks.ts';

/** Each of the faults that this was written for shows within eleven weeks. */
const WEEKS = sample(100, 1);
const FIRST = Number(process.env.WEEK ?? 1);

test('random weeks: what messages announce is posted, and all answers tell one number of a result', {
  timeout: IS_LONG ? 3_600_000 : 60_000,
}, async () => {
  const report: WeekReport = { posted: 0, announced: 0, told: 0, closings: 0 };
  for (let week = FIRST; week < FIRST + WEEKS; week++) await liveThroughWeek(week, report);
  console.info(`${WEEKS} weeks: ${JSON.stringify(report)}`);
  expect(report.posted).toBeGreaterThan(WEEKS);
  expect(report.told).toBeGreaterThan(10 * WEEKS);
  expect(report.closings).toBeGreaterThan(WEEKS / 4);
});
