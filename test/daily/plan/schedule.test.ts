import { describe, expect, test } from 'vitest';
import { HOUR, MINUTE, type PuzzleDate } from '../../../src/core/clock.ts';
import { isDayOff, opensOnWeekend, scheduleOf } from '../../../src/daily/plan/schedule.ts';
import type { ClockTime } from '../../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../../src/daily/settings/settings.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import { THREAD_STEPS } from '../../../src/reply/replies/thread-steps.ts';
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
  test.each<[zone: string, date: PuzzleDate, expected: string[], change?: Partial<DailySettings>]>([
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
    ['America/New_York', '2026-01-15', ['01-15 23:00'], { opening: '23:00', steps: [] }],
    // Late openings far west show the puzzle that has just come out.
    ['Pacific/Honolulu', '2026-01-15', ['01-14 23:00'], { opening: '23:00', steps: [] }],
    // The hours between the changes of clocks in New York and further west delay no opening of a year that begins on a Sunday.
    ['America/Los_Angeles', '2034-06-14', ['06-14 19:30'], { opening: '19:30', steps: [] }],
  ])('%s, the puzzle of %s: %j', (zone, date, expected, change) => {
    expect(dayIn(zone, date, change)).toEqual(expected);
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

test('weekends are off from the day of the change on', () => {
  const settings: DailySettings = { ...DEFAULT_SETTINGS, weekends: false, weekendsChanged: ['2026-11-21'] };
  const isOff = (date: PuzzleDate) => isDayOff(settings, date);
  expect((['2026-11-15', '2026-11-20', '2026-11-21', '2026-11-22'] as const).map(isOff)).toEqual([
    false,
    false,
    true,
    true,
  ]);
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

test.each<[what: string, zone: string, date: PuzzleDate, at: ClockTime[], expected: string[]]>([
  [
    'left out comes right after the gap',
    'Europe/Berlin',
    '2026-03-28',
    ['02:30', '03:30'],
    ['01:00', '01:30'],
  ],
  ['that comes twice is the first', 'Europe/Berlin', '2026-10-24', ['02:30'], ['00:30']],
  ['in a gap of half an hour', 'Australia/Lord_Howe', '2026-10-03', ['02:15'], ['15:30']],
  // Both are at the end of the gap.
  ['in the gap before the next opening', 'Asia/Beirut', '2026-03-27', ['00:30'], ['21:59']],
])('a time %s, in %s after %s', (_, zone, date, at, expected) => {
  const steps = at.map((time, index) => ({ step: THREAD_STEPS[index]!, at: time }));
  const day = scheduleOf({ ...DEFAULT_SETTINGS, opening: '01:00', steps, zone }, date);
  const shown = day.steps.map(({ dueAt }) => new Date(dueAt).toISOString().slice(11, 16));
  expect(shown).toEqual(expected);
});

test('opened at any moment: only the solution moves, never earlier, and never beyond its day', () => {
  const next = random(4);
  let moved = 0;
  let reordered = 0;
  for (let run = 0; run < sample(300, 70); run++) {
    const settings = { ...DEFAULT_SETTINGS, ...randomSettings(next) };
    const date = addDays('2026-01-01', Math.floor(next() * 1800));
    const day = scheduleOf(settings, date);
    const openedAt = day.opensAt + Math.floor(next() * (day.span.to - day.opensAt));
    const opened = scheduleOf(settings, date, openedAt);
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
