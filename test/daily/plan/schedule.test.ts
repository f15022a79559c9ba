import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, type PuzzleDate } from '../../../src/core/clock.ts';
import { newDay } from '../../../src/daily/day-thread.ts';
import { asOpened, opensOnWeekend, scheduleOf } from '../../../src/daily/plan/schedule.ts';
import { afterPost, type PlannedSubscription, todo } from '../../../src/daily/plan/todo.ts';
import type { ClockTime } from '../../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { sample } from '../../fakes/sample.ts';
import { random } from '../../solver/random-boards.ts';
import { randomSettings, ZONES } from '../walk.ts';

/** By zone: making one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** Another way than the one the schedule takes: a day and a time as the zone's own clocks show them. */
function shown(moment: number, zone: string): string {
  const format =
    formats.get(zone) ??
    new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' });
  formats.set(zone, format);
  return format.format(moment).slice(5);
}

function dayIn(zone: string, date: PuzzleDate, change: Partial<DailySettings> = {}): string[] {
  const day = scheduleOf({ ...DEFAULT_SETTINGS, ...change, zone }, date);
  return [shown(day.opensAt, zone), ...day.steps.map(({ dueAt }) => shown(dueAt, zone))];
}

describe('where the default day falls', () => {
  test.each<[zone: string, date: PuzzleDate, expected: string[]]>([
    ['America/New_York', '2026-01-15', ['01-15 08:00', '01-15 08:00', '01-15 12:00', '01-15 20:00']],
    ['America/Los_Angeles', '2026-07-15', ['07-15 08:00', '07-15 08:00', '07-15 12:00', '07-15 20:00']],
    ['Europe/London', '2026-01-15', ['01-15 08:00', '01-15 08:00', '01-15 12:00', '01-15 20:00']],
    // The puzzle comes out at 09:00 there; in the weeks between the switches of both sides at 08:00.
    ['Europe/Berlin', '2026-01-15', ['01-15 09:00', '01-15 09:00', '01-15 12:00', '01-15 20:00']],
    ['Europe/Berlin', '2026-03-20', ['03-20 08:00', '03-20 08:00', '03-20 12:00', '03-20 20:00']],
    ['Asia/Dubai', '2026-07-15', ['07-15 11:00', '07-15 11:00', '07-15 12:00', '07-15 20:00']],
    // Far east, the puzzle on at eight in the morning is the one that came out the day before.
    ['Asia/Kolkata', '2026-01-15', ['01-16 08:00', '01-16 08:00', '01-16 12:00', '01-16 20:00']],
    ['Pacific/Auckland', '2026-01-15', ['01-16 08:00', '01-16 08:00', '01-16 12:00', '01-16 20:00']],
    ['Pacific/Honolulu', '2026-01-15', ['01-15 08:00', '01-15 08:00', '01-15 12:00', '01-15 20:00']],
  ])('%s, the puzzle of %s', (zone, date, expected) => {
    expect(dayIn(zone, date)).toEqual(expected);
  });

  test('late openings far west show the puzzle that has just come out', () => {
    expect(dayIn('Pacific/Honolulu', '2026-01-15', { opening: '23:00', steps: [] })).toEqual(['01-14 23:00']);
  });
});

test.each<[zone: string, opening: ClockTime]>([
  ['America/New_York', '08:00'],
  ['America/New_York', '23:30'],
  ['America/Denver', '22:00'],
  ['America/Los_Angeles', '21:00'],
  ['Pacific/Pitcairn', '22:00'],
  ['Pacific/Honolulu', '23:00'],
  ['Europe/Berlin', '00:30'],
  ['Asia/Kolkata', '08:00'],
  ['Pacific/Auckland', '08:00'],
  ['Pacific/Kiritimati', '20:00'],
])('%s, %s: a weekend is the days on which it opens', (zone, opening) => {
  for (let date: PuzzleDate = '2026-01-01'; date < '2027-01-01'; date = addDays(date, 1)) {
    const settings = { ...DEFAULT_SETTINGS, zone, opening };
    const day = scheduleOf(settings, date);
    const weekday = new Date(`2026-${shown(day.opensAt, zone).slice(0, 5)}`).getUTCDay();
    expect(opensOnWeekend(settings, date), date).toBe(weekday === 0 || weekday === 6);
  }
});

test('in every zone, each day opens while its puzzle is on, and has its steps before the next one opens', () => {
  const next = random(3);
  for (const zone of ZONES) {
    const settings = { ...DEFAULT_SETTINGS, ...randomSettings(next), zone };
    // Around the changes of clocks in spring; with LONG, every day of two years.
    const [first, last, step] = sample(['2026-01-01', '2027-12-31', 1], ['2026-03-27', '2026-04-06', 3]);
    for (let date = first as PuzzleDate; date <= last; date = addDays(date, step)) {
      const day = scheduleOf(settings, date);
      const { span, opensAt, closesAt, steps } = day;
      expect([zone, date, opensAt >= span.from, opensAt < span.to]).toEqual([zone, date, true, true]);
      expect(closesAt).toBe(scheduleOf(settings, addDays(date, 1)).opensAt);
      for (const { dueAt, endsAt } of steps)
        expect([zone, date, dueAt >= opensAt, dueAt < endsAt, endsAt <= closesAt]).toEqual([
          zone,
          date,
          true,
          true,
          true,
        ]);
    }
  }
});

describe('daylight saving', () => {
  test('the hours between the changes of New York and of a zone further west delay no opening of the year', () => {
    const late = { opening: '19:30', steps: [] } as const;
    // A year that begins on a Sunday.
    expect(dayIn('America/Los_Angeles', '2034-06-14', late)).toEqual(['06-14 19:30']);
  });

  const early = {
    opening: '01:30' as ClockTime,
    steps: [
      { step: 'start', at: '02:30' },
      { step: 'count', at: '03:30' },
    ],
  } satisfies Partial<DailySettings>;

  test('a time that is left out comes right after the gap', () => {
    const day = scheduleOf({ ...DEFAULT_SETTINGS, ...early, zone: 'Europe/Berlin' }, '2026-03-28');
    expect(day.steps.map(({ dueAt }) => new Date(dueAt).toISOString())).toEqual([
      '2026-03-29T01:00:00.000Z',
      '2026-03-29T01:30:00.000Z',
    ]);
  });

  test('of a time that comes twice the first is taken', () => {
    const day = scheduleOf({ ...DEFAULT_SETTINGS, ...early, zone: 'Europe/Berlin' }, '2026-10-24');
    expect(new Date(day.steps[0]!.dueAt).toISOString()).toBe('2026-10-25T00:30:00.000Z');
  });

  test('a gap of half an hour, as on Lord Howe', () => {
    const steps = [{ step: 'start', at: '02:15' }] as const;
    const day = scheduleOf(
      { ...DEFAULT_SETTINGS, opening: '01:00', steps, zone: 'Australia/Lord_Howe' },
      '2026-10-03',
    );
    expect(new Date(day.steps[0]!.dueAt).toISOString()).toBe('2026-10-03T15:30:00.000Z');
  });
});

test('opened at any moment: only the solution moves, never earlier, and never beyond its day', () => {
  const next = random(4);
  let moved = 0;
  let reordered = 0;
  for (let run = 0; run < sample(300, 70); run++) {
    const settings = { ...DEFAULT_SETTINGS, ...randomSettings(next) };
    const day = scheduleOf(settings, addDays('2026-01-01', Math.floor(next() * 1800)));
    const openedAt = day.opensAt + Math.floor(next() * (day.span.to - day.opensAt));
    const opened = asOpened(day, openedAt);
    const others = (steps: typeof day.steps) => steps.filter(({ step }) => step !== 'solution');
    expect(others(opened.steps)).toEqual(others(day.steps));
    const before = day.steps.find(({ step }) => step === 'solution');
    const after = opened.steps.find(({ step }) => step === 'solution');
    if (before === undefined || after === undefined || before.dueAt === after.dueAt) continue;
    moved++;
    expect(after.dueAt).toBeGreaterThan(before.dueAt);
    expect(after.dueAt).toBeLessThanOrEqual(Math.min(openedAt + 4 * HOUR + MINUTE, day.span.to));
    expect(after.dueAt).toBeLessThan(day.closesAt);
    expect(after.endsAt).toBeGreaterThan(after.dueAt);
    expect(after.endsAt).toBeLessThanOrEqual(day.closesAt);
    const order = (steps: typeof day.steps) => steps.map(({ step }) => step).join();
    if (order(opened.steps) !== order(day.steps)) reordered++;
    expect(opened.steps).toEqual(opened.steps.toSorted((one, other) => one.dueAt - other.dueAt));
  }
  expect(moved).toBeGreaterThan(5);
  expect(reordered).toBeGreaterThan(0);
});

describe('at the very moment', () => {
  const date = '2026-11-20' as PuzzleDate;
  const settings = DEFAULT_SETTINGS;
  const day = scheduleOf(settings, date);
  const at = (now: number, subscription: Partial<PlannedSubscription> = {}) =>
    todo({
      now,
      subscription: { settings, setAt: 0, since: 0, state: 'active', until: null, ...subscription },
      day: afterPost(newDay(date), ['opening'], { state: 'sent', at: day.opensAt }),
    });

  test('in which a step’s time is over, it is skipped', () => {
    const { step, endsAt } = day.steps.at(-1)!;
    const reasonAt = (now: number) => at(now).leaveOut.find((one) => one.step === step)?.reason;
    expect(reasonAt(endsAt - 1)).toBeUndefined();
    expect(reasonAt(endsAt)).toEqual({ code: 'puzzle-over' });
  });

  test('in which a pause is over, steps come again', () => {
    const { dueAt } = day.steps[1]!;
    const until = dueAt + MINUTE;
    expect(at(until - 1, { state: 'paused', until }).post).toEqual([]);
    expect(at(until, { state: 'paused', until }).post).not.toEqual([]);
  });
});
