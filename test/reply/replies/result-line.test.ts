import { expect, test } from 'vitest';
import {
  durationText,
  notationOf,
  resultLine,
  spokenResult,
  squaresOf,
} from '../../../src/reply/replies/result-line.ts';

test('writes a result in one line', () => {
  const result = { date: '2026-11-20' as const, words: 2, hints: 0, lengths: [5, 6] };
  expect(resultLine(result)).toBe('Letter Boxed, November 20 · 2 words · no hints');
  expect(resultLine({ ...result, words: 1, hints: 1 })).toBe(
    'Letter Boxed, November 20 · 1 word · 1 hint point',
  );
  expect(resultLine({ ...result, hints: 3 })).toBe('Letter Boxed, November 20 · 2 words · 3 hint points');
});

test('draws a square for each letter in a colour for each word, as many as a phone shows', () => {
  expect(squaresOf([5, 3])).toBe('🟦🟦🟦🟦🟦 🟧🟧🟧');
  const many = Array.from({ length: 12 }, () => 10);
  expect([...squaresOf(many)].filter((sign) => /\p{Extended_Pictographic}/u.test(sign))).toHaveLength(60);
  expect(squaresOf(many)).toMatch(/… 6 more words$/);
  expect(squaresOf([61, 3])).toBe('… 2 more words');
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

test('the sentence for screen readers leaves out lengths that are not known, and says what is only reported', () => {
  expect(spokenResult({ words: 1, lengths: [14], hints: 1 })).toBe(
    '1 word of 14 letters, with 1 hint point.',
  );
  expect(spokenResult({ words: 3, lengths: [], hints: 0 })).toBe('3 words, with no hints.');
  expect(spokenResult({ words: 3, lengths: [], hints: 0, reported: true })).toBe(
    '3 words, with no hints, self-reported.',
  );
});
