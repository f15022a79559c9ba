import { describe, expect, it } from 'vitest';
import type { Refusal } from '../../../src/play/game.ts';
import { refusalText, solvedLines, solvedTitle } from '../../../src/reply/replies/game.ts';
import { parseBoard } from '../../../src/solver/board.ts';

const BOARD = parseBoard('ozu nri lfa mbt');
const broken = { position: 1, letter: 'l' } as const;

describe('why a move changed nothing', () => {
  it.each<[Refusal, string]>([
    [{ code: 'letter', broken: { ...broken, rule: 'same-side' } }, 'L is on the same side.'],
    [{ code: 'letter', broken: { ...broken, rule: 'unknown-letter' } }, 'L is not on this board.'],
    [
      { code: 'word', word: 'fo', broken: { ...broken, rule: 'too-short' } },
      'A word has at least 3 letters.',
    ],
    [
      { code: 'word', word: 'forub', broken: { ...broken, rule: 'not-a-word' } },
      'FORUB is not in the word list.',
    ],
  ])('is one short sentence: %j', (refusal, text) => {
    expect(refusalText(refusal, BOARD)).toBe(text);
  });
});

describe('a solved board', () => {
  const best = { words: 2, letters: 14, hints: 1, sinceOpening: 60_000 };
  const day = { best, streak: { current: 3 } };

  it('says what it is worth', () => {
    expect(solvedTitle({ words: 1, letters: 12 })).toBe('Solved in 1 word');
    expect(solvedLines({ words: 2, letters: 14, par: 5, day })).toEqual([
      'Superb!',
      '14 letters and some hints.',
      'Par is 5.',
      'Your streak is 3 days.',
    ]);
    expect(solvedLines({ words: 5, letters: 30, par: 5, day })).toContain('Your best stays 2 words.');
    expect(solvedLines({ words: 6, letters: 30, par: 5 })).toEqual([
      '30 letters.',
      'Par is 5.',
      'Only daily boards count in your stats.',
    ]);
    const late = {
      ...day,
      best: { ...best, sinceOpening: null },
      recorded: { beaten: {} },
      rank: { rank: 1, of: 2 },
    };
    expect(solvedLines({ words: 2, letters: 14, day: late })).toEqual([
      'You solved it!',
      '14 letters and some hints.',
      'Your new best.',
      'It counts in your stats only, because its day is over.',
      '1st of 2 here.',
    ]);
  });
});
