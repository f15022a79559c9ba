import { describe, expect, test } from 'vitest';
import { playMoves } from '../../../src/jobs/play-moves.ts';
import { parseMoves, type Refusal } from '../../../src/play/game.ts';
import { namedBoardOf } from '../../../src/reply/model/named-board.ts';
import { lineText, plainText } from '../../../src/reply/model/text.ts';
import { gameLines, gameReply, gameTitle, refusalText } from '../../../src/reply/replies/game.ts';
import { makeBoard } from '../../../src/solver/board.ts';
import type { Board } from '../../../src/solver/types.ts';
import { labels } from '../look.ts';

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

/** The game after some moves, as `parseMoves` reads them. */
function gameAfter(moves: string, solved?: { words: number; letters: number }) {
  const judge = {
    words: WORDS.map((word) => ({ word })),
    isWord: (word: string) => WORDS.includes(word),
    isListExact: true,
  };
  const state = playMoves({
    board: BOARD,
    saved: undefined,
    input: { moves: parseMoves(moves)! },
    judge: () => judge as never,
  });
  const namedBoard = namedBoardOf(BOARD);
  return { namedBoard, state, isElsewhere: false, ...(solved !== undefined && { solved }) };
}
const lines = (moves: string) => gameLines(gameAfter(moves)).map((line) => lineText(line));
const pictureOf = (moves: string) =>
  gameReply(gameAfter(moves)).blocks.find((block) => block.kind === 'picture')!.picture;

describe('a game as doors show it', () => {
  test('begins with all letters and no controls that do nothing', () => {
    const game = gameAfter('');
    expect(gameTitle(game)).toBe('Your game: BCD FGH JKL MNP');
    expect(game.state).toMatchObject({ next: 0b111_111_111_111, used: 0 });
    expect(labels(gameReply(game))).toEqual(['Type words', 'Hint']);
    expect(pictureOf('')).toEqual({ board: BOARD });
  });

  test('says which letters may come next and which are used, and draws the current word', () => {
    const { state } = gameAfter('bfjmcg.kd');
    const letters = (spots: number) => [...BOARD.letters].filter((_, spot) => spots & (1 << spot)).join('');
    expect(letters(state.used)).toBe('bcfgjm');
    expect(letters(state.next)).toBe('fghjklmnp');
    expect(state).toMatchObject({ words: ['bfjmcg'], word: 'gkd', left: [...'dhklnp'] });
    expect(labels(gameReply(gameAfter('bfjmcg.kd')))).toEqual(['Type words', 'Take back', 'Hint']);
    // Nobody wins a race with a hint.
    expect(labels(gameReply({ ...gameAfter('bfjmcg.kd'), isRace: true }))).not.toContain('Hint');
    expect(pictureOf('bfjmcg.kd').path).toEqual([
      [0, 3, 6, 9, 1, 4],
      [4, 7, 2],
    ]);
  });

  test('draws a first letter, and the joining letter only with a second one', () => {
    expect(pictureOf('b').path).toEqual([[0]]);
    expect(pictureOf('bfjmcg.').path).toHaveLength(1);
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
    const solved = gameAfter('bfjmcg.kdhlnbp.', { words: 2, letters: 14 });
    const reply = gameReply(solved);
    expect(reply.title).toBe('Solved in 2 words: BCD FGH JKL MNP');
    expect(plainText(reply)).toContain('only daily boards go into your stats');
    expect(plainText(gameReply({ ...solved, isRace: true }))).not.toContain('stats');
    expect(labels(reply)).not.toContain('Share');
    expect(reply.audience).toBe('asker');
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
