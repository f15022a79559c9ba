import { describe, expect, test } from 'vitest';
import { plainText } from '../../../src/reply/model/text.ts';
import { type ResultShown, sharedReply, solvedPlayReply } from '../../../src/reply/replies/result.ts';
import type { Players } from '../../../src/reply/replies/result-line.ts';
import { DAY } from '../look.ts';

const WORDS = ['bfjmcg', 'gkdhlnbp'];
const RESULT = {
  date: '2026-11-20' as const,
  words: 2,
  letters: 14,
  hints: 1,
  sinceOpening: 90_000,
};
const request = { namedBoard: DAY, words: WORDS, result: RESULT, isListExact: true, streak: 4 };

describe('a result, for the person alone', () => {
  test('says in sentences what it is worth, with what to press above what to copy', () => {
    const reply = solvedPlayReply({ ...request, par: 4 });
    const [said] = reply.blocks;
    expect(said).toEqual({
      kind: 'text',
      lines: [
        'Superb! 14 letters and 1 hint point. Par is 4.',
        'Solved 1 minute after the board was posted.',
        'Your streak is 4 days.',
      ],
    });
    expect(reply.blocks.map(({ kind }) => kind)).toEqual(['text', 'picture', 'buttons', 'menu', 'text']);
    expect(plainText(solvedPlayReply({ ...request, rank: { rank: 2, of: 7 } }))).toContain(
      '2nd of 7 here, 1 minute after the board was posted.',
    );
  });

  test('says how its channel did: the best only once everybody may know, and only to those who are not', () => {
    const said = (rank: number, players: Players) =>
      /.* here (?:solved|took).*/.exec(
        plainText(solvedPlayReply({ ...request, rank: { rank, of: players.solved }, players })),
      )?.[0];
    expect(said(2, { playing: 1, solved: 5 })).toBe('5 of 6 here solved it.');
    expect(said(2, { playing: 1, solved: 5, best: 2 })).toBe('5 of 6 here solved it, the best in 2 words.');
    expect(said(1, { playing: 1, solved: 5, best: 2 })).toBe('5 of 6 here solved it.');
    expect(said(2, { playing: 0, solved: 5, best: 1 })).toBe('The best here took 1 word.');
    expect(said(2, { playing: 0, solved: 5 })).toBeUndefined();
  });

  test('is praised only if nobody had shown the solution before', () => {
    const said = (result: ResultShown) => plainText(solvedPlayReply({ ...request, result }));
    expect(said(request.result)).toContain('Superb!');
    const after = said({ ...request.result, afterSolution: true });
    expect(after).toContain('You solved it! 14 letters, after the solution.');
    expect(after).toContain('It ranks after results without the solution.');
    expect(after).toContain('2 words · after the solution');
  });

  test('says which word list judged it when it is not the game’s own', () => {
    expect(plainText(solvedPlayReply(request))).not.toContain('rare words');
    expect(plainText(solvedPlayReply({ ...request, isListExact: false }))).toContain('rare words');
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
