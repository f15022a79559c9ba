import { describe, expect, it } from 'vitest';
import { playMoves } from '../../../src/jobs/play-moves.ts';
import { parseMoves, type Refusal } from '../../../src/play/game.ts';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { lineText } from '../../../src/reply/model/text.ts';
import {
  gameCard,
  gameLines,
  gameReply,
  refusalText,
  solvedLines,
  solvedTitle,
} from '../../../src/reply/replies/game.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Board } from '../../../src/solver/types.ts';

const BOARD = makeBoard(['bcd', 'fgh', 'jkl', 'mnp']);
const WORDS = ['bfjmcg', 'gkdhlnbp', 'nbp'];
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
  const day = { best, isOver: false, streak: { current: 3 } };

  it('says what it is worth', () => {
    expect(solvedTitle({ words: 1, letters: 12 })).toBe('Solved in 1 word');
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
  it('begins with all letters and no controls that do nothing', () => {
    const card = cardAfter('');
    expect(card.title).toBe('Your game: BCD FGH JKL MNP');
    expect(card.sides.map(({ name }) => name)).toEqual(['Top', 'Left', 'Right', 'Bottom']);
    expect(card.sides[2]?.spots[0]).toEqual({ spot: 3, letter: 'f', isNext: true, isUsed: false });
    expect(card.can).toEqual({ back: false, restart: false, hint: true });
    expect(card.picture).toEqual({ board: BOARD });
  });

  it('says which letters may come next and which are used, and draws the current word', () => {
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
    expect(card.can).toEqual({ back: true, restart: true, hint: true });
    expect(card.picture.path?.words).toEqual([
      [0, 3, 6, 9, 1, 4],
      [4, 7, 2],
    ]);
  });

  it('draws a first letter, and the joining letter only with a second one', () => {
    expect(cardAfter('b').picture.path?.words).toEqual([[0]]);
    expect(cardAfter('bfjmcg.').picture.path?.words).toHaveLength(1);
  });

  it('says in sentences where the game is and why a move was refused', () => {
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

  it('has result and title without words when the board is solved', () => {
    const card = cardAfter('bfjmcg.kdhlnbp.', BOARD, { words: 2, letters: 14 });
    expect(card.title).toBe('Solved in 2 words: BCD FGH JKL MNP');
    expect(card.solved).toEqual({
      lines: ['14 letters.', 'Only daily boards count in your stats.'],
      counts: false,
    });
    expect(card.can).toEqual({ back: true, restart: true, hint: false });
    expect(gameReply(card).audience).toBe('asker');
  });

  it('numbers the sides of a board that is no box', () => {
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

  it('say so though others after them were made', () => {
    expect(refusalOf('bcf', BOARD)).toMatchObject({ code: 'letter' });
  });

  it('name no word that somebody may have meant', () => {
    for (const typo of ['bfjmcb', 'bfjcg', 'gfjmcg', 'bfjmcgm'])
      expect(lines(`${typo}.`).join(' '), typo).not.toMatch(/\bBFJMCG\b/);
  });
});
