import { expect, test } from 'vitest';
import { ALL_HINT_POINTS } from '../../../src/reply/replies/hint.ts';
import {
  durationText,
  notationOf,
  praise,
  resultLine,
  squaresOf,
} from '../../../src/reply/replies/result-line.ts';
import { titleOf } from '../../../src/reply/replies/titles.ts';

test('writes a result in one line', () => {
  const result = { date: '2026-11-20' as const, words: 2, hints: 0 };
  expect(resultLine(result)).toBe('Letter Boxed, November 20 · 2 words · no hints');
  expect(resultLine({ ...result, words: 1, hints: ALL_HINT_POINTS - 1 })).toBe(
    'Letter Boxed, November 20 · 1 word · some hints',
  );
  expect(resultLine({ ...result, hints: ALL_HINT_POINTS })).toBe(
    'Letter Boxed, November 20 · 2 words · all hints',
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

test.each([
  ['Brilliant!', {}],
  ['You solved it!', { hints: ALL_HINT_POINTS }],
  ['You solved it!', { sinceOpening: null }],
])('says %s for two words with %o', (said, how) => {
  expect(praise({ words: 2, hints: 0, par: 4, ...how })).toBe(said);
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
