import { describe, expect, test } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { dateAt, readDate } from '../../src/puzzle/calendar.ts';
import fc from '../fakes/fast-check.ts';

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
    ['nov 18', '2026-11-18'],
    ['November 18th, 2025', '2025-11-18'],
    ['20 Nov.', '2026-11-20'],
    ['21 nov', '2025-11-21'],
    ['29 feb', '2024-02-29'],
    ['friday', '2026-11-20'],
    ['Thu', '2026-11-19'],
    ['saturday', '2026-11-14'],
  ])('%s', (text, date) => {
    expect(readDate(text, NOW)).toBe(date);
  });

  test('before 03:00 in New York, today is still the day before', () => {
    expect(readDate('today', Date.parse('2026-11-20T07:59:00Z'))).toBe('2026-11-19');
  });
});

describe('dates that are refused', () => {
  test.each(['tomorrow', '2026-11-21', '2027-01-01', 'Nov 21, 2026', '9999-12-31'])(
    '%s is still to come',
    (text) => {
      expect(mistakeOf(text)).toMatchObject({
        code: 'date.to-come',
        message: expect.stringContaining('newest is today’s, Friday, November 20, 2026'),
      });
    },
  );

  test.each(['0026-11-18', '1990-01-01', 'dec 31, 1999'])('%s is before the first board', (text) => {
    expect(mistakeOf(text)).toMatchObject({
      code: 'date.early',
      message: expect.stringContaining('Saturday, January 1, 2000'),
    });
  });

  test.each([
    'soon',
    '2026118',
    '2026-02-30',
    '2026-13-01',
    '11/18',
    '18/11/2026',
    '1 1 1',
    'nov',
    'nov nov 18',
    '@everyone',
  ])('%s is nonsense, and the answer says what to type', (text) => {
    const mistake = mistakeOf(text);
    expect(mistake.code).toBe('date.nonsense');
    expect(mistake.message).toContain('today, yesterday or November 18');
  });
});

test('whatever is typed: a day that is out, or a UserError that quotes little of it', () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
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

function mistakeOf(text: string): UserError {
  try {
    readDate(text, NOW);
  } catch (error) {
    if (error instanceof UserError) return error;
    throw error;
  }
  throw new Error(`"${text}" was read`);
}
