import { expect, test } from 'vitest';
import { IS_LONG, sample } from '../fakes/sample.ts';
import { liveThroughWeek, type WeekReport } from './weeks.ts';

/** `LONG=1 WEEK=7 WEEKS=1` lives through the seventh week alone. */
const { WEEK: first = '1', WEEKS: count = '100' } = process.env;
/**
 * The sample is a day with 22 announcements, 42 numbers of results, and one that comes after the closing of its day. It finds
 * what shows on most days; what shows at one door only is a matter of `test/chat/every-door`.
 */
const WEEKS = sample(
  Array.from({ length: Number(count) }, (_, index) => Number(first) + index),
  [34],
);
const DAYS = sample(7, 1);

const RESULTS = { replaced: 0, late: 0, reported: 0, afterSolution: 0 };

test('random weeks: what messages announce is posted, and all answers tell one number of a result', {
  timeout: IS_LONG ? 7_200_000 : 120_000,
}, async () => {
  const report: WeekReport = { posted: 0, announced: 0, told: 0, closings: 0, kept: 0, left: 0, ...RESULTS };
  const failures: string[] = [];
  for (const week of WEEKS) {
    await liveThroughWeek(week, report, DAYS).catch((error: unknown) => failures.push(String(error)));
    if (IS_LONG)
      console.info(week, failures.at(-1)?.startsWith(`Error: week ${week}:`) ? failures.at(-1) : 'well');
  }
  console.info(`${WEEKS.length} weeks: ${JSON.stringify(report)}`);
  expect(failures).toEqual([]);
  expect(report.announced).toBeGreaterThan(WEEKS.length);
  expect(report.told).toBeGreaterThan(WEEKS.length);
  expect(report.closings).toBeGreaterThan(0);
  expect(report.kept).toBeGreaterThan(0);
  expect(report.replaced).toBeGreaterThan(0);
  if (WEEKS.length >= 20) expect(Object.entries(report).filter(([, count]) => count === 0)).toEqual([]);
});
