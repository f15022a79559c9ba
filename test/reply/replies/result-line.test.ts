import { expect, test } from 'vitest';
import { ALL_HINT_POINTS } from '../../../src/reply/replies/hint-steps.ts';
import {
  durationText,
  hereText,
  notationOf,
  resultLine,
  squaresOf,
} from '../../../src/reply/replies/result-line.ts';
import { titleOf } from '../../../src/reply/replies/titles.ts';

test('writes a result in one line', () => {
  const day = { date: '2026-11-20', name: 'Friday, November 20, 2026' } as const;
  const result = { words: 2, hints: 0 };
  expect(resultLine(day, result)).toBe('Letter Boxed, November 20 · 2 words · no hints');
  expect(resultLine(day, { words: 1, hints: ALL_HINT_POINTS - 1 })).toBe(
    'Letter Boxed, November 20 · 1 word · some hints',
  );
  expect(resultLine(day, { ...result, hints: ALL_HINT_POINTS })).toBe(
    'Letter Boxed, November 20 · 2 words · all hints',
  );
  expect(resultLine({ name: 'Snakes' }, { ...result, reported: true })).toBe(
    'Letter Boxed, Snakes · 2 words · no hints · self-reported',
  );
});

test('draws a square for each word and empty ones up to par, as many as fit in a line', () => {
  expect(squaresOf({ words: 2 })).toBe('🟦🟧');
  expect(squaresOf({ words: 2, par: 5 })).toBe('🟦🟧⬜⬜⬜');
  expect(squaresOf({ words: 3, par: 2 })).toBe('🟦🟧🟩');
  expect(squaresOf({ words: 23 })).toMatch(/^🟦.{19} … 3 more words$/u);
  expect([...squaresOf({ words: 1, par: 1000 })]).toHaveLength(20);
});

test.each([
  [0, 'less than a minute'],
  [59_999, 'less than a minute'],
  [60_000, '1 minute'],
  [3_900_000, '1 hour 5 minutes'],
  [7_200_000, '2 hours'],
  [90_061_000, '1 day 1 hour'],
  [86_400_000 + 60_000, '1 day'],
])('%i milliseconds are %s', (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test('the notation of the players has first letter, last letter and length', () => {
  expect(notationOf(['sophomoric', 'cab'])).toBe('S - C(10), C - B(3)');
  expect(notationOf([])).toBe('');
});

test('gives each result one of seven titles, and a better one never a lesser title', () => {
  const titles = Array.from({ length: 101 }, (_, points) => titleOf(points));
  expect(titles.filter((title, points) => title !== titles[points - 1])).toEqual([
    'Explorer',
    'Pathfinder',
    'Navigator',
    'Wordsmith',
    'Architect',
    'Virtuoso',
    'Legend',
  ]);
  // In the fewest words, without a hint, however long; and in one word more, however short.
  expect([titleOf(90), titleOf(85)]).toEqual(['Virtuoso', 'Architect']);
});

test('a place says how many it is better than, unless it is the first or the last', () => {
  expect(hereText({ rank: 1, of: 7, behind: 6 })).toBe('1st of 7 here');
  expect(hereText({ rank: 2, of: 7, behind: 4 })).toBe('Better than 4 of 6 here');
  expect(hereText({ rank: 7, of: 7, behind: 0 })).toBe('7th of 7 here');
});
