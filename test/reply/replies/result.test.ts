import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { sharedReply, solvedPlayReply } from '../../../src/reply/replies/result.ts';
import type { Players } from '../../../src/reply/replies/result-line.ts';
import type { SolvedShown } from '../../../src/reply/replies/solved.ts';
import { DAY } from '../look.ts';

const WORDS = ['bfjmcg', 'gkdhlnbp'];
const RESULT = {
  date: '2026-11-20' as const,
  words: 2,
  letters: 14,
  hints: 1,
  sinceOpening: 90_000,
};
const day = { best: RESULT, isOver: false, recorded: {}, streak: { current: 4 } };
const solved = { words: 2, letters: 14, day };
const said = (more: Partial<SolvedShown['day']> = {}, isListExact = true) =>
  plainText(solvedPlayReply(DAY, WORDS, { ...solved, day: { ...day, ...more } }, isListExact));

describe('a result, for the person alone', () => {
  test('says in sentences what it is worth, with what to press above what to copy', () => {
    const reply = solvedPlayReply(DAY, WORDS, { ...solved, par: 4 }, true);
    expect(reply.blocks[0]).toEqual({
      kind: 'text',
      lines: [
        'Superb! 14 letters and 1 hint point. Par is 4.',
        'Solved 1 minute after the board was posted.',
        'Your streak is 4 days.',
      ],
    });
    expect(reply.blocks.map(({ kind }) => kind)).toEqual(['text', 'picture', 'buttons', 'menu', 'text']);
    expect(said({ rank: { rank: 2, of: 7 } })).toContain(
      '2nd of 7 here, 1 minute after the board was posted.',
    );
  });

  test('says how its channel did: the best only once everybody may know, and only to those who are not', () => {
    const here = (rank: number, players: Players) =>
      /.* here (?:solved|took).*/.exec(said({ rank: { rank, of: players.solved }, players }))?.[0];
    expect(here(2, { playing: 1, solved: 5 })).toBe('5 of 6 here solved it.');
    expect(here(2, { playing: 1, solved: 5, best: 2 })).toBe('5 of 6 here solved it, the best in 2 words.');
    expect(here(1, { playing: 1, solved: 5, best: 2 })).toBe('5 of 6 here solved it.');
    expect(here(2, { playing: 0, solved: 5, best: 1 })).toBe('The best here took 1 word.');
    expect(here(2, { playing: 0, solved: 5 })).toBeUndefined();
  });

  test('is praised only if nobody had shown the solution before', () => {
    expect(said()).toContain('Superb!');
    const after = said({ best: { ...RESULT, afterSolution: true } });
    expect(after).toContain('You solved it! 14 letters, after the solution.');
    expect(after).toContain('It ranks after results without the solution.');
    expect(after).toContain('2 words · after the solution');
  });

  test('says which word list judged it when it is not the game’s own', () => {
    expect(said()).not.toContain('rare words');
    expect(said({}, false)).toContain('rare words');
  });
});

describe('a shared result', () => {
  test('says nothing of the length of words until the day is over', () => {
    const path = { sides: [3, 3, 3, 3], words: [[0, 3, 6, 9]] };
    const shared = (letters: number, isOver: boolean) =>
      sharedReply(DAY, '42', { ...RESULT, par: 4, letters, path }, { isOver });
    expect(shared(14, false)).toEqual(shared(22, false));
    expect(shared(14, false).blocks.map(({ kind }) => kind)).toEqual(['text', 'buttons']);
    expect(shared(14, true).blocks.map(({ kind }) => kind)).toEqual(['text', 'picture', 'buttons']);
  });

  test('has no picture if the path is unknown, and no time after its day was over', () => {
    const reply = sharedReply(DAY, '42', { ...RESULT, sinceOpening: null }, { isOver: true });
    expect(reply.blocks.map(({ kind }) => kind)).toEqual(['text', 'buttons']);
    expect(plainText(reply)).toContain('@42 solved it after its day was over.\n🟦🟧\n');
  });
});
