import { describe, expect, test } from 'vitest';
import {
  currentSpots,
  GAME_LIMITS,
  type Game,
  gameAfter,
  type IsWord,
  isSolved,
  lettersLeft,
  type Move,
  nextSpots,
  PLAIN_MOVES,
  parseMoves,
  play,
  startGame,
  wordsPlayed,
} from '../../src/play/game.ts';
import { restoreGame, savedWords, saveGame } from '../../src/play/saved-game.ts';
import { makeBoard, parseBoard } from '../../src/solver/board.ts';
import { judgeWords } from '../../src/solver/check.ts';
import type { Board } from '../../src/solver/types.ts';
import { agree } from '../agree.ts';
import { sample } from '../fakes/sample.ts';
import { random, randomCase } from '../solver/random-boards.ts';

export interface Table {
  readonly board: Board;
  readonly words: readonly string[];
  readonly judge: IsWord;
}

/** A made-up board with words of its own. */
export function tableOf(seed: number): Table {
  const { board, entries } = randomCase(seed);
  const words = entries.map(({ word }) => word);
  return { board, words, judge: (word) => words.includes(word) };
}

/** Moves as somebody makes them who partly knows the words: whole words typed or tapped, and mistakes between. */
export function randomMoves({ board, words }: Table, seed: number, count: number): Move[] {
  const next = random(seed);
  const below = (limit: number) => Math.floor(next() * limit);
  const moves: Move[] = [];
  const enterLetter = (letter: string) => {
    const spots = Array.from(board.letters, (other, spot) => (other === letter ? spot : -1)).filter(
      (spot) => spot >= 0,
    );
    const isTapped = spots.length > 0 && next() < 0.4;
    moves.push(isTapped ? { kind: 'spot', spot: spots[below(spots.length)]! } : { kind: 'letter', letter });
  };
  while (moves.length < count) {
    const dice = next();
    if (dice < 0.6 && words.length > 0) {
      for (const letter of words[below(words.length)]!) enterLetter(letter);
      moves.push({ kind: 'enter' });
    } else if (dice < 0.8) enterLetter('abcdefghijklmnopqrstuvwxyz'[below(26)]!);
    else if (dice < 0.85) moves.push({ kind: 'spot', spot: below(26) });
    else moves.push({ kind: dice < 0.99 ? PLAIN_MOVES[below(3)]! : 'restart' });
  }
  return moves;
}

export function playAll(game: Game, moves: readonly Move[], judge: IsWord): Game {
  return moves.reduce((now, move) => play(now, move, judge).game, game);
}

const BOARD = parseBoard('ozu nri lfa mbt');
const isWord = (word: string) => ['unform', 'mobilization', 'forum', 'nut', 'tan'].includes(word);
const after = (moves: string, board = BOARD) => playAll(startGame(board), parseMoves(moves)!, isWord);
const last = (moves: string, board = BOARD) => {
  const list = parseMoves(moves)!;
  return play(playAll(startGame(board), list.slice(0, -1), isWord), list.at(-1)!, isWord);
};
const spots = (set: number, board = BOARD) =>
  Array.from(board.letters, (letter, spot) => ({ letter, spot }))
    .filter(({ spot }) => set & (1 << spot))
    .map(({ letter }) => letter)
    .join('');

describe('a game', () => {
  test('is played word by word until every letter is used', () => {
    const unform = after('unform.');
    expect(wordsPlayed(unform)).toEqual(['unform']);
    expect(unform.word).toBe('m');
    expect(lettersLeft(unform).join('')).toBe('zilabt');
    expect(isSolved(unform)).toBe(false);
    const solved = after('unform.obilization.');
    expect(isSolved(solved)).toBe(true);
    expect(solved.word).toBe('');
    expect(lettersLeft(solved)).toEqual([]);
  });

  test('says which letters may come next', () => {
    expect(spots(nextSpots(after('')))).toBe('ozunrilfambt');
    expect(spots(nextSpots(after('f')))).toBe('ozunrimbt');
    expect(spots(nextSpots(after('forum.')))).toBe('ozunrilfa');
    expect(nextSpots(after('unform.obilization.'))).toBe(0);
  });

  test('takes the letter that joins two words as typed when the next word is typed whole', () => {
    expect(after('unform.mobilization.').words).toEqual(['unform', 'mobilization']);
    expect(last('unform.m').refusal).toBeUndefined();
  });

  test.each([
    ['fl', { code: 'letter', broken: { rule: 'same-side', position: 1, letter: 'l' } }],
    ['fx', { code: 'letter', broken: { rule: 'unknown-letter', position: 1, letter: 'x' } }],
    ['fZ', { code: 'letter', broken: { rule: 'unknown-letter', position: 1, letter: 'Z' } }],
    ['fo.', { code: 'word', word: 'fo', broken: { rule: 'too-short', position: 2, letter: '' } }],
    ['forub.', { code: 'word', word: 'forub', broken: { rule: 'not-a-word', position: 0, letter: 'f' } }], // biome-ignore format: one line reads better
    ['.', { code: 'nothing-entered' }],
    ['forum..', { code: 'nothing-entered' }],
    ['<', { code: 'nothing-to-take-back' }],
    ['unform.obilization.a', { code: 'solved' }],
    ['unform.obilization..', { code: 'solved' }],
  ])('refuses the last move of %s, and stays as it was', (moves, refusal) => {
    const played = last(moves);
    expect(played.refusal).toEqual(refusal);
    expect(played.game).toEqual(after(moves.slice(0, -1)));
  });

  test('takes letters back one by one, and opens the word before again', () => {
    expect(after('forum.or<<').words).toEqual(['forum']);
    expect(after('forum.or<<').word).toBe('m');
    expect(after('forum.or<<<')).toMatchObject({ words: [], word: 'forum' });
    expect(after('unform.obilization.<')).toMatchObject({ words: ['unform'], word: 'mobilization' });
    expect(after('forum.or-').word).toBe('m');
    expect(after('forum.or0')).toEqual(startGame(BOARD));
  });

  test('refuses a word that has no end, and words without number', () => {
    const long = playAll(startGame(BOARD), Array(40).fill(parseMoves('on')!).flat(), isWord);
    expect(long.word).toHaveLength(64);
    const many = gameAfter(
      BOARD,
      Array.from({ length: 40 }, (_, at) => (at % 2 ? 'nut' : 'tan')),
    );
    const more = playAll(many, parseMoves('an')!, isWord);
    expect(play(more, { kind: 'enter' }, isWord).refusal).toEqual({ code: 'too-many-words' });
    const lengthy = gameAfter(BOARD, ['ta'.repeat(32), ...Array(3).fill(`${'at'.repeat(28)}a`)]);
    expect(lengthy.words.join('')).toHaveLength(235);
    const nearly = playAll(lengthy, parseMoves('ntanta')!, isWord);
    expect(play(nearly, { kind: 'enter' }, isWord).refusal).toEqual({ code: 'too-many-words' });
  });
});

describe('a board with a letter on two sides', () => {
  const board = makeBoard(['abc', 'dea', 'fgh']);
  const judge = () => true;
  const game = (moves: string) => playAll(startGame(board), parseMoves(moves)!, judge);

  test('keeps both spots of a typed letter until the next one decides', () => {
    expect(currentSpots(game('a'))).toEqual([(1 << 0) | (1 << 5)]);
    expect(currentSpots(game('ad'))).toEqual([1 << 0, 1 << 3]);
    expect(currentSpots(game('ab'))).toEqual([1 << 5, 1 << 1]);
    expect(currentSpots(game('faf'))).toEqual([1 << 6, (1 << 0) | (1 << 5), 1 << 6]);
  });

  test('may go on from either, and from a tapped spot only from there', () => {
    expect(nextSpots(game('a'))).toBe(board.full);
    expect(spots(nextSpots(game('A')), board)).toBe('deafgh');
    expect(spots(nextSpots(game('F')), board)).toBe('abcfgh');
    expect(game('aa').word).toBe('aa');
    expect(game('AA').word).toBe('A');
  });

  test('counts the way that covers most, whatever was tapped', () => {
    expect(spots(game('bdfA.').covered, board)).toBe('abdf');
    expect(game('cfA.fah.').words).toEqual(['cfA', 'afah']);
    expect(spots(game('cfA.fah.').covered, board)).toBe('acafh');
  });
});

describe('any moves on any board', () => {
  /** Games of about fifty moves each: a fault in one of 10,000 moves is missed with a probability of e^-5. */
  const GAMES = sample(1_000, 40);
  const seeds = Array.from({ length: GAMES }, (_, seed) => seed);

  test('keep what holds of every game', () => {
    let solved = 0;
    let words = 0;
    for (const seed of seeds) {
      const table = tableOf(seed);
      let game = startGame(table.board);
      for (const move of randomMoves(table, seed, 40)) {
        const before: Game = game;
        const label = `seed ${seed}, ${move.kind} after ${before.words} ${before.word}`;
        const played = play(game, move, table.judge);
        game = played.game;
        if (played.refusal !== undefined) agree(label, game === before, true);
        const current = currentSpots(game);
        agree(label, current.length, game.word.length);
        agree(label, current.includes(0), false);
        // What may come next is what is taken, spot by spot.
        const next = nextSpots(game);
        for (let spot = 0; spot < table.board.letters.length; spot++) {
          const taken = play(game, { kind: 'spot', spot }, table.judge).refusal === undefined;
          const isJoining = game.word.length === 1 && game.words.length > 0;
          if (!isJoining) agree(label, taken, (next & (1 << spot)) !== 0);
        }
        agree(label, restoreGame(JSON.parse(JSON.stringify(saveGame(game))), table.board), game);
        agree(label, isSolved(game), game.words.length > 0 && lettersLeft(game).length === 0);
      }
      words += game.words.length;
      if (isSolved(game)) solved++;
    }
    // The moves are no mere mistakes.
    expect(words).toBeGreaterThan(GAMES / 4);
    expect(solved).toBeGreaterThan(0);
  });

  test('take just the words that `check` takes, and cover just the same', () => {
    let [taken, refused] = [0, 0];
    for (const seed of seeds) {
      const table = tableOf(seed);
      const { board, judge } = table;
      const game = playAll(startGame(board), randomMoves(table, seed + 2, 30), judge);
      const before = wordsPlayed(game);
      expect(judgeWords(board, before, judge)).toMatchObject({
        words: before.map((word) => ({ word })),
        left: lettersLeft(game),
        solved: isSolved(game),
      });
      if (isSolved(game)) continue;
      for (const word of [...table.words, ...table.words.map((one) => one.slice(1))]) {
        const cleared = play(game, { kind: 'clear' }, judge).game;
        // The letter that joins two words is there already.
        const rest = word.startsWith(cleared.word) ? word.slice(cleared.word.length) : word;
        const moves = Array.from(rest, (letter) => ({ kind: 'letter' as const, letter }));
        const entered = play(playAll(cleared, moves, judge), { kind: 'enter' }, judge);
        const isTaken = entered.refusal === undefined && wordsPlayed(entered.game).at(-1) === word;
        const judged = judgeWords(board, [...before, word], judge);
        const label = `${board.sides} ${before} ${word}`;
        const isRight = judged.words.every(({ broken }) => broken === undefined);
        agree(label, isTaken, isRight);
        if (!isTaken) refused++;
        else {
          taken++;
          agree(label, lettersLeft(entered.game), judged.left);
          agree(label, isSolved(entered.game), judged.solved);
        }
      }
    }
    expect(taken).toBeGreaterThan(GAMES / 2);
    expect(refused).toBeGreaterThan(GAMES / 2);
  });
});

test('the moves that play a game of most words and letters again are not too many', () => {
  const { words, letters } = GAME_LIMITS;
  const again = `${'a'.repeat(letters / words)}.`.repeat(words);
  expect(parseMoves(again)).toHaveLength(again.length);
});

const ANY = () => true;
const saved = saveGame(playAll(startGame(BOARD), parseMoves('forum.onar')!, ANY));

describe('a saved game', () => {
  test('holds a version, the sides, the words and the current word, and nothing else', () => {
    expect(saved).toEqual({ version: 1, sides: BOARD.sides, words: ['forum'], word: 'monar' });
    expect(savedWords(saved)).toEqual(['forum', 'monar']);
  });

  test.each([
    ['nothing', undefined],
    ['text', 'forum'],
    ['another version', { ...saved, version: 2 }],
    ['another board', { ...saved, sides: ['abc', 'def', 'ghi', 'jkl'] }],
    ['a word that can not be walked', { ...saved, words: ['ozu'], word: 'u' }],
    ['words that do not chain', { ...saved, words: ['forum', 'tan'], word: 'n' }],
    ['a word too short', { ...saved, words: ['fo'], word: 'o' }],
    ['a letter that is on no side', { ...saved, word: 'mx' }],
    ['a spot that is not there', { ...saved, word: 'mZ' }],
    ['a current word that begins elsewhere', { ...saved, word: 'tan' }],
    ['no current word after a word', { ...saved, word: '' }],
    ['a current word without end', { ...saved, word: 'mo'.repeat(40) }],
    ['other characters', { ...saved, word: 'm"' }],
  ])('is not restored from %s', (_, data) => {
    expect(restoreGame(data, BOARD)).toBeUndefined();
    if (data === undefined || typeof data === 'string') expect(savedWords(data)).toBeUndefined();
    expect(savedWords({ ...saved, sides: ['ozu', '', 'lfa', 'o'] })).toBeUndefined();
  });
});

describe('moves as text', () => {
  const signs = { back: '<', enter: '.', clear: '-', restart: '0' };
  const textOfMove = (move: Move) =>
    move.kind === 'letter'
      ? move.letter
      : move.kind === 'spot'
        ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'[move.spot]
        : signs[move.kind];

  test('come back as they were, whatever they are', () => {
    for (let seed = 0; seed < 200; seed++) {
      const moves = randomMoves(tableOf(seed), seed, 30);
      expect(parseMoves(moves.map(textOfMove).join(''))).toEqual(moves);
    }
  });

  test.each(['é', 'a b', '1', '\n', 'a'.repeat(281)])(
    'are refused for a foreign character, or for more than 280 of them: %j',
    (text) => {
      expect(parseMoves(text)).toBeUndefined();
    },
  );
});
