/**
 * Random weeks of a machine whose clock jumps by an hour, a day or a year at random moments, and is corrected a while later.
 *
 *   LONG=1 WEEKS=30 npx vitest run test/accidents/clock-weeks.test.ts
 */
import { expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { postKey } from '../../src/daily/day-thread.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { CHANNEL, makeGround, subscribe } from '../daily/ground.ts';
import { IS_LONG } from '../fakes/sample.ts';
import { random } from '../solver/random-boards.ts';

/** On the first day, the clock is a year ahead. */
const SAMPLE = [6];
const WEEKS = IS_LONG ? Array.from({ length: Number(process.env.WEEKS ?? 30) }, (_, week) => week) : SAMPLE;
const DAYS = IS_LONG ? 7 : 2;
/** Midnight in New York. */
const BEGIN = Date.UTC(2026, 10, 16, 5);
const FIRST: PuzzleDate = '2026-11-16';
/** Hours in New York. */
const TIMES = { opening: 8, start: 8, count: 12, lengths: 16, solution: 20 } as const;
const JUMPS = [HOUR, -HOUR, -DAY, 365 * DAY, -365 * DAY, DAY];

interface Jump {
  readonly from: number;
  readonly until: number;
  readonly by: number;
}

function makeJumps(next: () => number, end: number): Jump[] {
  const jumps: Jump[] = [];
  for (let at = BEGIN + next() * 20 * HOUR; at < end - 4 * HOUR; at += (4 + next() * 30) * HOUR) {
    const from = Math.floor(at / MINUTE) * MINUTE;
    const until = from + Math.ceil(next() * 90) * MINUTE;
    jumps.push({ from, until, by: JUMPS[Math.floor(next() * JUMPS.length)]! });
    at = until;
  }
  return jumps;
}

/** What was wrong in a week: posts that are lost, came twice, or late. */
async function liveThroughWeek(seed: number): Promise<string[]> {
  const next = random(seed);
  const end = BEGIN + DAYS * DAY;
  const jumps = makeJumps(next, end);
  let now = BEGIN;
  const ground = await makeGround(BEGIN);
  const at = (hour: number) => `${String(hour).padStart(2, '0')}:00` as `${number}:${number}`;
  const { opening, ...steps } = TIMES;
  const chosen = Object.entries(steps).map(([step, hour]) => ({ step, at: at(hour) }));
  await subscribe(ground.store, {
    zone: 'America/New_York',
    opening: at(opening),
    steps: chosen as never,
  });
  /** When each post came, by the right time. */
  const came = new Map<string, number[]>();
  ground.platform.watch = (seen) => {
    if (seen.what !== 'message') return;
    const { key, mergedKeys } = seen.shown;
    for (const one of [key, ...mergedKeys]) came.set(one, [...(came.get(one) ?? []), now]);
  };
  while (now < end) {
    const jump = jumps.find(({ from, until }) => now >= from && now < until);
    await ground.at(now + (jump?.by ?? 0));
    now += MINUTE;
  }
  await ground.daily.stop();
  const wrong: string[] = [];
  for (const [key, times] of came) if (times.length > 1) wrong.push(`twice: ${key}`);
  for (let day = 0; day < DAYS; day++) {
    const date = addDays(FIRST, day);
    // The next day's opening closes a day.
    const closing = day < DAYS - 1 ? { closing: 24 + TIMES.opening } : {};
    for (const [step, hour] of Object.entries({ ...TIMES, ...closing })) {
      const due = BEGIN + day * DAY + hour * HOUR;
      const isWrong = jumps.find(({ from, until }) => due >= from && due < until);
      const latest = (isWrong?.until ?? due) + 2 * MINUTE;
      const [time] = came.get(postKey({ ...CHANNEL, date, step })) ?? [];
      if (time === undefined) wrong.push(`lost: ${date} ${step}`);
      else if (time > latest) wrong.push(`${(time - latest) / MINUTE + 2} minutes late: ${date} ${step}`);
    }
  }
  const told = jumps.map(({ from, until, by }) => {
    const when = new Date(from - 5 * HOUR).toISOString().slice(5, 16);
    return `${when} ${by / HOUR} h for ${(until - from) / MINUTE} min`;
  });
  return wrong.length === 0 ? [] : [`week ${seed}: ${wrong.join('; ')} (jumps: ${told.join(', ')})`];
}

test.each(WEEKS)(
  'week %i: nothing is lost, comes twice, or comes two minutes after the clock is right again',
  { timeout: HOUR },
  async (week) => expect(await liveThroughWeek(week)).toEqual([]),
);
