import { describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { UserError } from '../../src/core/errors.ts';
import { addDays, dateAt, isBeforeEnd, readDate, spanOf, weekdayOf } from '../../src/puzzle/calendar.ts';
import fc, { anyCharacter } from '../fakes/fast-check.ts';
import { sample } from '../fakes/sample.ts';

/**
 * New York's clock by the rule of US law alone (second Sunday of March to first Sunday of November, both
 * at 02:00 local), without a time zone database: what the code under test must agree with.
 */
function sundayOf(year: number, month: number, nth: number): number {
  const first = new Date(Date.UTC(year, month, 1)).getUTCDay();
  return 1 + ((7 - first) % 7) + 7 * (nth - 1);
}
function switches(year: number): { summer: number; winter: number } {
  return {
    summer: Date.UTC(year, 2, sundayOf(year, 2, 2), 2 + 5),
    winter: Date.UTC(year, 10, sundayOf(year, 10, 1), 2 + 4),
  };
}
function plainDateAt(moment: number): string {
  const { summer, winter } = switches(new Date(moment).getUTCFullYear());
  const offset = moment >= summer && moment < winter ? -4 : -5;
  return new Date(moment + (offset - 3) * HOUR).toISOString().slice(0, 10);
}

describe('the puzzle date at a moment', () => {
  const every = sample(1, 7);
  test(`${sample('every hour', 'every seventh hour')} of 2026 to 2030, at its start, its middle and its last millisecond`, () => {
    let checked = 0;
    for (let hour = Date.UTC(2026, 0, 1); hour < Date.UTC(2031, 0, 1); hour += every * HOUR) {
      for (const moment of [hour, hour + 30 * MINUTE, hour + HOUR - 1]) {
        if (dateAt(moment) !== plainDateAt(moment)) expect.fail(new Date(moment).toISOString());
        checked++;
      }
    }
    expect(checked).toBe(3 * Math.ceil((24 * 1826) / every));
  });

  test('every minute around both switch nights of 2026 to 2030', () => {
    for (let year = 2026; year <= 2030; year++) {
      for (const change of Object.values(switches(year))) {
        for (let moment = change - DAY; moment <= change + DAY; moment += MINUTE) {
          if (dateAt(moment) !== plainDateAt(moment)) expect.fail(new Date(moment).toISOString());
        }
      }
    }
  });
});

describe('the span of a date', () => {
  test('spans follow one another without gap and hold exactly their own date', () => {
    let lengths = new Set<number>();
    for (let date: PuzzleDate = '2026-01-01'; date < '2031-01-01'; date = addDays(date, 1)) {
      const { from, to } = spanOf(date);
      expect(to).toBe(spanOf(addDays(date, 1)).from);
      expect(dateAt(from)).toBe(date);
      expect(dateAt(to - 1)).toBe(date);
      lengths = lengths.add((to - from) / HOUR);
    }
    expect([...lengths].sort()).toEqual([23, 24, 25]);
  });
});

test('days are added over months and leap years; weeks start on Monday', () => {
  expect(addDays('2028-02-28', 1)).toBe('2028-02-29');
  expect(addDays('2026-01-01', -1)).toBe('2025-12-31');
  expect(weekdayOf('2026-11-16')).toBe(1);
  expect(weekdayOf('2026-11-22')).toBe(7);
});

test.each<PuzzleDate>(['2026-01-15', '2026-03-07', '2026-07-01', '2026-10-31'])(
  'the end of %s is when the next puzzle comes out, to the millisecond',
  (date) => {
    const { from, to } = spanOf(date);
    expect([from, to - 1, to, to + DAY].map((at) => isBeforeEnd(date, at))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  },
);

// A Friday.
const NOW = Date.parse('2026-11-20T12:00:00Z');

describe('dates that are read', () => {
  test.each([
    ['today', '2026-11-20'],
    [' TODAY ', '2026-11-20'],
    ['', '2026-11-20'],
    ['yesterday', '2026-11-19'],
    ['2026-11-18', '2026-11-18'],
    ['2026/11/8', '2026-11-08'],
    ['2026.11.08', '2026-11-08'],
    ['20261118', '2026-11-18'],
    ['18 nov', '2026-11-18'],
    ['18th of November', '2026-11-18'],
    ['on Thursday', '2026-11-19'],
    ['for Thu', '2026-11-19'],
    ['for the 14th', '2026-11-14'],
    ['last thursday', '2026-11-19'],
    ['last Friday', '2026-11-13'],
    ['nov 18', '2026-11-18'],
    ['November 18th, 2025', '2025-11-18'],
    ['20 Nov.', '2026-11-20'],
    ['21 nov', '2025-11-21'],
    ['29 feb', '2024-02-29'],
    ['friday', '2026-11-20'],
    ['Thu', '2026-11-19'],
    ['saturday', '2026-11-14'],
    ['the 14th', '2026-11-14'],
    ['the 31st', '2026-10-31'],
    ['on the 2nd', '2026-11-02'],
    ['18.11.', '2026-11-18'],
    ['18.11.2025', '2025-11-18'],
    ['11/18', '2026-11-18'],
    ['18/11/2025', '2025-11-18'],
    ['10/10', '2026-10-10'],
    ['a week ago', '2026-11-13'],
    ['0 days ago', '2026-11-20'],
    ['one day ago', '2026-11-19'],
    ['2 days back', '2026-11-18'],
    ['the day before yesterday', '2026-11-18'],
  ])('%s', (text, date) => {
    expect(readDate(text, NOW)).toBe(date);
  });

  test('before 03:00 in New York, today is still the day before', () => {
    expect(readDate('today', Date.parse('2026-11-20T07:59:00Z'))).toBe('2026-11-19');
  });
});

test('29 February of four years ago, or of eight around 2100', () => {
  expect(readDate('29 feb', Date.parse('2103-11-20T17:00:00Z'))).toBe('2096-02-29');
});

describe('dates that are refused', () => {
  const expectRefused = (text: string, code: string, said: string) => {
    const mistake = { name: 'UserError', code, message: expect.stringContaining(said) };
    expect(() => readDate(text, NOW)).toThrow(expect.objectContaining(mistake));
  };

  test.each(['tomorrow', '2026-11-21', '2027-01-01', 'Nov 21, 2026', '9999-12-31'])(
    '%s is still to come',
    (text) => {
      expectRefused(text, 'date.to-come', 'newest is today’s, Friday, November 20, 2026');
    },
  );

  test.each(['0026-11-18', '1990-01-01', 'dec 31, 1999'])('%s is before the first board', (text) => {
    expectRefused(text, 'date.early', 'Saturday, January 1, 2000');
  });

  test.each([
    'soon',
    '2026118',
    '2026-02-30',
    '2026-13-01',
    '11/10',
    '11/18/26',
    '18/13',
    '18/11/2026/1',
    '1 1 1',
    'nov',
    'nov nov 18',
    'feb 30',
    'the 2nd',
    '14',
    '18.13.',
    '@everyone',
  ])('%s is nonsense, and the answer says what to type', (text) => {
    expectRefused(text, 'date.nonsense', 'today, yesterday or November 18');
  });
});

test('whatever is typed: a day that is out, or a UserError that quotes little of it', () => {
  const typed = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 300 }),
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString().slice(0, 10)),
  );
  fc.assert(
    fc.property(typed, (text) => {
      try {
        expect(readDate(text, NOW) <= dateAt(NOW)).toBe(true);
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
        expect((error as UserError).message.length).toBeLessThan(300);
      }
    }),
  );
});
