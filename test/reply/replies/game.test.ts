import { describe, expect, test } from 'vitest';
import { playMoves } from '../../../src/jobs/play-moves.ts';
import { parseMoves, type Refusal } from '../../../src/play/game.ts';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { lineText, plainText } from '../../../src/reply/model/text.ts';
import { gameCard, gameLines, gameReply, refusalText } from '../../../src/reply/replies/game.ts';
import { ALL_HINT_POINTS } from '../../../src/reply/replies/hint-steps.ts';
import { sharedReply, solvedPlayReply } from '../../../src/reply/replies/result.ts';
import {
  durationText,
  hereText,
  notationOf,
  type Players,
  resultLine,
  squaresOf,
} from '../../../src/reply/replies/result-line.ts';
import { praise, type SolvedShown, solvedLines, solvedTitle } from '../../../src/reply/replies/solved.ts';
import { titleOf } from '../../../src/reply/replies/titles.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Board } from '../../../src/solver/types.ts';
import { DAY } from '../look.ts';

const BOARD = makeBoard(['bcd', 'fgh', 'jkl', 'mnp']);
const WORDS = ['bfjmcg', 'gkdhlnbp', 'nbp'];
const broken = { position: 1, letter: 'l' } as const;

describe('why a move changed nothing', () => {
  test.each<[Refusal, string]>([
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
});

/** The card after some moves, as `parseMoves` reads them. */
function cardAfter(moves: string, board: Board = BOARD, solved?: { words: number; letters: number }) {
  const judge = {
    words: WORDS.map((word) => ({ word })),
    isWord: (word: string) => WORDS.includes(word),
    isListExact: true,
  };
  const state = playMoves({
    board,
    saved: undefined,
    input: { moves: parseMoves(moves)! },
    judge: () => judge as never,
  });
  const namedBoard = namedBoardOf(board);
  return gameCard({ namedBoard, state, isElsewhere: false, ...(solved !== undefined && { solved }) });
}
const lines = (moves: string) => gameLines(cardAfter(moves)).map((line) => lineText(line));

describe('a game as doors show it', () => {
  test('begins with all letters and no controls that do nothing', () => {
    const card = cardAfter('');
    expect(card.title).toBe('Your game: BCD FGH JKL MNP');
    expect(card.sides.map(({ name }) => name)).toEqual(['Top', 'Left', 'Right', 'Bottom']);
    expect(card.sides[2]?.spots[0]).toEqual({ spot: 3, letter: 'f', isNext: true, isUsed: false });
    expect(card.isBegun).toBe(false);
    expect(card.picture).toEqual({ board: BOARD });
  });

  test('says which letters may come next and which are used, and draws the current word', () => {
    const card = cardAfter('bfjmcg.kd');
    const spots = card.sides.flatMap((side) => side.spots);
    const letters = (pick: 'isNext' | 'isUsed') =>
      spots
        .filter((spot) => spot[pick])
        .map(({ letter }) => letter)
        .join('');
    expect(letters('isUsed')).toBe('bcmfgj');
    expect(letters('isNext')).toBe('mnpfghjkl');
    expect(card).toMatchObject({ words: ['bfjmcg'], word: 'gkd', left: [...'dhklnp'] });
    expect(card.isBegun).toBe(true);
    expect(card.picture.path?.words).toEqual([
      [0, 3, 6, 9, 1, 4],
      [4, 7, 2],
    ]);
  });

  test('draws a first letter, and the joining letter only with a second one', () => {
    expect(cardAfter('b').picture.path?.words).toEqual([[0]]);
    expect(cardAfter('bfjmcg.').picture.path?.words).toHaveLength(1);
  });

  test('says in sentences where the game is and why a move was refused', () => {
    expect(lines('')).toEqual(['No words yet.', 'Left: B C D F G H J K L M N P']);
    expect(lines('bfjmcg.')).toEqual(['BFJMCG – G…', 'Left: D H K L N P']);
    expect(lines('nbp.').at(-1)).toBe('Nothing starts with P. Take NBP back?');
    expect(lines('nbp.k').at(-1)).toBe('Left: C D F G H J K L M');
    expect(lines('bfjcg.')).toEqual([
      'BFJCG',
      'Left: B C D F G H J K L M N P',
      'BFJCG is not in the word list.',
    ]);
  });

  test('has result and title without words when the board is solved', () => {
    const card = cardAfter('bfjmcg.kdhlnbp.', BOARD, { words: 2, letters: 14 });
    expect(card.title).toBe('Solved in 2 words: BCD FGH JKL MNP');
    expect(card.solved).toEqual({
      lines: ['14 letters.', 'Only daily boards count in your stats.'],
      counts: false,
    });
    expect(gameReply(card).audience).toBe('asker');
  });

  test('numbers the sides of a board that is no box', () => {
    const card = cardAfter('', makeBoard(['ab', 'cd', 'ef', 'gh', 'ij']));
    expect(card.sides.map(({ name }) => name)).toEqual(['Side 1', 'Side 2', 'Side 3', 'Side 4', 'Side 5']);
  });
});

describe('moves that are refused', () => {
  const refusalOf = (moves: string, board: Board, known: readonly string[] = []) =>
    playMoves({
      board,
      saved: undefined,
      input: { moves: parseMoves(moves)! },
      judge: () =>
        ({ words: known.map((word) => ({ word })), isWord: () => false, isListExact: true }) as never,
    }).refusal;

  test('say so though others after them were made', () => {
    expect(refusalOf('bcf', BOARD)).toMatchObject({ code: 'letter' });
  });

  test('name no word that somebody may have meant', () => {
    for (const typo of ['bfjmcb', 'bfjcg', 'gfjmcg', 'bfjmcgm'])
      expect(lines(`${typo}.`).join(' '), typo).not.toMatch(/\bBFJMCG\b/);
  });
});

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
  plainText(solvedPlayReply(DAY, WORDS.slice(0, 2), { ...solved, day: { ...day, ...more } }, isListExact));

describe('a result, for the person alone', () => {
  test('says in sentences what it is worth, with what to press above what to copy', () => {
    const reply = solvedPlayReply(DAY, WORDS.slice(0, 2), { ...solved, par: 4 }, true);
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

  test('has its title and points only if nobody can do it in fewer words', () => {
    const title = (fewest: number) =>
      solvedLines({ ...solved, score: { fewest, points: 93 } }).find((line) => line.includes('points.'));
    expect(title(2)).toBe('Virtuoso: 93 of 100 points. It can’t be done in fewer words.');
    expect(title(1)).toBeUndefined();
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

test('a place says how many it is better than, unless it is the first or the last', () => {
  expect(hereText({ rank: 1, of: 7, behind: 6 })).toBe('1st of 7 here');
  expect(hereText({ rank: 2, of: 7, behind: 4 })).toBe('Better than 4 of 6 here');
  expect(hereText({ rank: 7, of: 7, behind: 0 })).toBe('7th of 7 here');
});
