import { describe, expect, test } from 'vitest';
import { ALL_HINT_POINTS } from '../../../src/reply/replies/hint-steps.ts';
import { praise, solvedLines, solvedTitle } from '../../../src/reply/replies/solved.ts';

describe('a solved board', () => {
  const best = { words: 2, letters: 14, hints: 1, sinceOpening: 60_000 };
  const day = { best, isOver: false, streak: { current: 3 } };

  test('says what it is worth', () => {
    expect(solvedTitle(1)).toBe('Solved in 1 word');
    expect(solvedLines({ words: 2, letters: 14, par: 5, day })).toEqual([
      'Superb! 14 letters and 1 hint point. Par is 5.',
      'Solved 1 minute after the board was posted.',
      'Your streak is 3 days.',
    ]);
    expect(solvedLines({ words: 2, letters: 14, par: 5, day }, true)).toEqual([
      'Superb!',
      '14 letters and 1 hint point.',
      'Par is 5.',
    ]);
    expect(solvedLines({ words: 5, letters: 30, par: 5, day })).toContain(
      'Your best stays 2 words, 14 letters, some hints.',
    );
    expect(solvedLines({ words: 6, letters: 30, par: 5 })).toEqual([
      '30 letters.',
      'Par is 5.',
      'Only daily boards count in your stats.',
    ]);
    const late = {
      ...day,
      best: { ...best, sinceOpening: null },
      recorded: { beaten: { ...best, words: 3 } },
      rank: { rank: 1, of: 2 },
    };
    expect(solvedLines({ words: 2, letters: 14, day: late })).toEqual([
      'You solved it! 14 letters and 1 hint point.',
      'Your new best. Before: 3 words, 14 letters, some hints.',
      '1st of 2 here.',
      'It counts in your stats only, because its day is over.',
    ]);
  });

  test('has its title and points only if nobody can do it in fewer words', () => {
    const title = (fewest: number) =>
      solvedLines({ words: 2, letters: 14, day, score: { fewest, points: 93 } }).find((line) =>
        line.includes('points.'),
      );
    expect(title(2)).toBe('Virtuoso: 93 of 100 points. It can’t be done in fewer words.');
    expect(title(1)).toBeUndefined();
  });
});

test.each([
  ['Brilliant!', {}],
  ['You solved it!', { hints: ALL_HINT_POINTS }],
  ['You solved it!', { sinceOpening: null }],
  ['Excellent!', { words: 3 }],
  ['Well done!', { words: 4 }],
])('says %s for two words at par 4 with %o', (said, how) => {
  expect(praise({ words: 2, hints: 0, sinceOpening: undefined, ...how }, 4)).toBe(said);
});
