import { describe, expect, test } from 'vitest';
import { playMoves } from '../../../src/jobs/play-moves.ts';
import { parseMoves, type Refusal } from '../../../src/play/game.ts';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { lineText } from '../../../src/reply/model/text.ts';
import { gameCard, gameLines, gameReply, refusalText } from '../../../src/reply/replies/game.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Board } from '../../../src/solver/types.ts';

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
    expect([card.next, card.used]).toEqual([0b111_111_111_111, 0]);
    expect(card.isBegun).toBe(false);
    expect(card.picture).toEqual({ board: BOARD });
  });

  test('says which letters may come next and which are used, and draws the current word', () => {
    const card = cardAfter('bfjmcg.kd');
    const letters = (spots: number) => [...BOARD.letters].filter((_, spot) => spots & (1 << spot)).join('');
    expect(letters(card.used)).toBe('bcfgjm');
    expect(letters(card.next)).toBe('fghjklmnp');
    expect(card).toMatchObject({ words: ['bfjmcg'], word: 'gkd', left: [...'dhklnp'] });
    expect(card.isBegun).toBe(true);
    expect(card.picture.path).toEqual([
      [0, 3, 6, 9, 1, 4],
      [4, 7, 2],
    ]);
  });

  test('draws a first letter, and the joining letter only with a second one', () => {
    expect(cardAfter('b').picture.path).toEqual([[0]]);
    expect(cardAfter('bfjmcg.').picture.path).toHaveLength(1);
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
