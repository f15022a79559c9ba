import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { formatBoard } from '../../src/solver/board.ts';
import { DIFFICULTIES, type GenerateOptions, generate, SHAPES } from '../../src/solver/generate.ts';
import { compileLexicon, type Lexicon, type LexiconEntry, loadLexicon } from '../../src/solver/lexicon.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { placeOfBoard, placeOfSeed } from '../../src/solver/series.ts';
import type { Board } from '../../src/solver/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { spellings } from './brute.ts';
import { random } from './random-boards.ts';

const lexicon = readLexicon();
const shape = (board: Board) => board.sides.map((side) => side.length);
/** A board as the game sees it: which letters share a side, in whatever order they are written. */
const partition = (board: Board) =>
  board.sides
    .map((side) => [...side].sort().join(''))
    .sort()
    .join(' ');

function expectSolved(board: Board, words: readonly string[], label: string) {
  const paths = words.map((word) => spellings(board.sides, word));
  expect(
    paths.map((list) => list.length),
    label,
  ).toEqual(words.map(() => 1));
  words.slice(1).forEach((word, index) => {
    expect(word[0], label).toBe(words[index]!.at(-1));
  });
  expect(new Set(paths.flat(2)).size, label).toBe(board.letters.length);
}

describe('generate', () => {
  it('makes every shape a board can have, of distinct letters, around everyday words that solve it', () => {
    expect(SHAPES).toHaveLength(26);
    for (const [sides, letters] of SHAPES) {
      for (const seed of ['a', 'b', 'c', 'd', 'e', 'f']) {
        const { board, solution } = generate(lexicon, { seed, sides, letters });
        const label = `${sides}x${letters} ${seed}: ${formatBoard(board)}`;
        expect(shape(board), label).toEqual(new Array(sides).fill(letters));
        expect(new Set(board.letters).size, label).toBe(sides * letters);
        expectSolved(board, solution.words, label);
        for (const word of solution.words) expect(new Set(word).size, label).toBeLessThan(sides * letters);
        const entries = solution.words.map((word) => lexicon.find(word)!);
        expect(entries.map(({ tier }) => tier)).toEqual(entries.map(() => 'everyday'));
        expect(solution.likelihood).toBe(
          entries.reduce((product, { likelihood }) => product * likelihood, 1),
        );
      }
    }
  });

  it('makes 4 sides with 3 letters when asked for nothing else', () => {
    expect(shape(generate(lexicon, { seed: '' }).board)).toEqual([3, 3, 3, 3]);
  });

  it('gives these very boards for these seeds and these words, whatever machine it runs on', () => {
    const madeUp = madeUpLexicon(3, 4000);
    const boards = ['', 'house:2026-11-20', '🙂'].map((seed) =>
      formatBoard(generate(madeUp, { seed }).board),
    );
    expect(boards).toEqual(['cuo dbi zre vsa', 'fui sev odn act', 'owu ziv mbe nya']);
  });

  it('gives the same board again, also in another process: nothing carries over from boards before', () => {
    const fresh = loadLexicon(compileLexicon(madeUpEntries(3, 4000)));
    const used = madeUpLexicon(3, 4000);
    for (let index = 0; index < 20; index++) generate(used, { seed: `before ${index}` });
    for (const difficulty of [undefined, 'hard'] as const) {
      const options: GenerateOptions = { seed: 'again', ...(difficulty && { difficulty }) };
      expect(generate(used, options)).toEqual(generate(fresh, options));
    }
  });

  it('gives the board of a seed for the difficulty it has, so that a difficulty only picks', () => {
    for (let index = 0; index < 30; index++) {
      const any = generate(lexicon, { seed: `pick ${index}` });
      expect(generate(lexicon, { seed: `pick ${index}`, difficulty: any.difficulty })).toEqual(any);
    }
  });

  it('is as hard as asked for, counted again from the playable words by a plain double loop', () => {
    for (const difficulty of DIFFICULTIES) {
      for (let index = 0; index < 15; index++) {
        const made = generate(lexicon, { seed: `level ${index}`, difficulty });
        const solutions = familiarSolutions(made.board);
        const level = solutions >= 19 ? 'easy' : solutions <= 4 ? 'hard' : 'medium';
        expect({ difficulty: made.difficulty, level }, formatBoard(made.board)).toEqual({
          difficulty,
          level: difficulty,
        });
      }
    }
  });

  it('has each difficulty for each shape that is not always hard', () => {
    for (const [sides, letters] of SHAPES.filter(([a, b]) => a * b <= 15)) {
      for (const difficulty of DIFFICULTIES) {
        expect(generate(lexicon, { seed: 'any', sides, letters, difficulty }).difficulty).toBe(difficulty);
      }
    }
    expect(generate(lexicon, { seed: 'any', sides: 8, letters: 3, difficulty: 'hard' }).difficulty).toBe(
      'hard',
    );
  });

  it('gives every date of ten years a place of its own, and its board stands at that place', () => {
    const seedOf = (day: number) =>
      `house:${new Date(Date.UTC(2026, 10, 20 + day)).toISOString().slice(0, 10)}`;
    const places = new Set(Array.from({ length: 3660 }, (_, day) => placeOfSeed(seedOf(day))));
    expect(places.size).toBe(3660);
    const boards = new Set<string>();
    for (let day = 0; day < 3660; day += 122) {
      const { board } = generate(lexicon, { seed: seedOf(day), difficulty: DIFFICULTIES[day % 3]! });
      expect(placeOfBoard(board.sides), seedOf(day)).toBe(placeOfSeed(seedOf(day)));
      boards.add(partition(board));
    }
    expect(boards.size).toBe(30);
  }, 60_000);

  it('leaves no side without a vowel where there are vowels enough, and mixes letters and sides well', () => {
    const vowelAt = [0, 0, 0];
    const sideOfFirst = [0, 0, 0, 0];
    for (let index = 0; index < 400; index++) {
      const { board, solution } = generate(lexicon, { seed: `look ${index}` });
      const plain = [...board.letters].filter((letter) => 'aeiou'.includes(letter)).length;
      const vowels = plain >= 4 ? 'aeiou' : 'aeiouy';
      const count = [...board.letters].filter((letter) => vowels.includes(letter)).length;
      const bySide = board.sides.map((side) => [...side].filter((letter) => vowels.includes(letter)).length);
      expect(Math.min(...bySide), formatBoard(board)).toBeGreaterThanOrEqual(count >= 4 ? 1 : 0);
      expect(Math.max(...bySide) - Math.min(...bySide), formatBoard(board)).toBeLessThanOrEqual(1);
      for (const side of board.sides)
        [...side].forEach((letter, at) => {
          if ('aeiou'.includes(letter)) vowelAt[at]!++;
        });
      sideOfFirst[board.sideOf[board.letters.indexOf(solution.words[0]![0]!)]!]!++;
    }
    for (const counts of [vowelAt, sideOfFirst])
      expect(Math.min(...counts) / Math.max(...counts), `${counts}`).toBeGreaterThan(0.7);
  });

  it('is not built around words a workplace would rather not see', () => {
    for (let index = 0; index < 300; index++) {
      const { solution } = generate(lexicon, { seed: `polite ${index}`, sides: 3, letters: 3 });
      expect(solution.words.join(' ')).not.toMatch(/\b(bastard|rape\b|suicid|slave|gook)/);
    }
    const around = (word: string) => () =>
      generate(loadLexicon(compileLexicon([everyday(word), everyday('lowbet')])), { seed: 'x' });
    expect(around('zuicidal')().solution.words).toEqual(['zuicidal', 'lowbet']);
    expect(around('suicidal')).toThrow(UserError);
  });

  const wrong: [string, object, RegExp][] = [
    ['generate.sides', { sides: 2 }, /A board has 3 to 8 sides, as a whole number, not 2\. Try/],
    ['generate.sides', { sides: 9 }, /not 9/],
    ['generate.sides', { sides: 3.5 }, /not 3\.5/],
    ['generate.sides', { sides: Number.NaN }, /not NaN/],
    ['generate.letters', { letters: 0 }, /Each side has 1 to 6 letters/],
    ['generate.letters', { letters: 7 }, /not 7/],
    [
      'generate.spots',
      { sides: 3, letters: 1 },
      /3 sides with 1 letter each make 3 letters; a board has 4 to 26/,
    ],
    ['generate.spots', { sides: 5, letters: 6 }, /make 30 letters/],
    [
      'generate.difficulty',
      { difficulty: 'brutal\u202e' },
      /"brutal�" is not a difficulty. It is one of: easy/,
    ],
    [
      'generate.large',
      { sides: 5, letters: 5, difficulty: 'easy' },
      /always hard. For an easy one, have at most 21/,
    ],
  ];
  for (const [code, options, message] of wrong) {
    it(`says what is wrong with ${JSON.stringify(options)}`, () => {
      const error = caught(() => generate(lexicon, { seed: 'x', ...options }));
      expect(error).toBeInstanceOf(UserError);
      expect(error).toMatchObject({ code, message: expect.stringMatching(message) });
    });
  }

  it('says so when the word list is too small for a shape, or for a difficulty', () => {
    const tiny = loadLexicon(compileLexicon([everyday('unform'), everyday('mobilization')]));
    const { board, solution, difficulty } = generate(tiny, { seed: 'x' });
    expectSolved(board, solution.words, formatBoard(board));
    expect(difficulty).toBe('hard');
    expect(caught(() => generate(tiny, { seed: 'x', difficulty: 'easy' }))).toMatchObject({
      code: 'generate.rare',
      message: expect.stringContaining('is easy'),
    });
    expect(caught(() => generate(tiny, { seed: 'x', sides: 5 }))).toMatchObject({ code: 'generate.words' });
    const none = loadLexicon(compileLexicon([{ word: 'zoaea', likelihood: 1, tier: 'wide' }]));
    expect(caught(() => generate(none, { seed: 'x' }))).toMatchObject({ code: 'generate.words' });
  });

  it('answers any small word list with a right board or a mistake', () => {
    let boards = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const next = random(seed);
      const small = loadLexicon(compileLexicon(madeUpEntries(seed, 5 + Math.floor(next() * 60))));
      const [sides, letters] = SHAPES[Math.floor(next() * SHAPES.length)]!;
      try {
        const { board, solution } = generate(small, { seed: `${seed}`, sides, letters });
        expectSolved(board, solution.words, formatBoard(board));
        boards++;
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
    }
    expect(boards).toBeGreaterThan(10);
  }, 60_000);
});

function familiarSolutions(board: Board): number {
  const words = findPlayable(board, lexicon).filter(
    ({ tier, likelihood }) => tier === 'everyday' && likelihood >= 0.99,
  );
  const masks = words.map(({ word }) => new Set(word));
  const single = masks.filter((mask) => mask.size === board.letters.length).length;
  if (single > 0) return single;
  let count = 0;
  words.forEach((a) => {
    words.forEach((b) => {
      if (a.word.at(-1) === b.word[0] && new Set(a.word + b.word).size === board.letters.length) count++;
    });
  });
  return count;
}

function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  return undefined;
}

function everyday(word: string): LexiconEntry {
  return { word, likelihood: 1, tier: 'everyday' };
}

function madeUpLexicon(seed: number, size: number): Lexicon {
  return loadLexicon(compileLexicon(madeUpEntries(seed, size)));
}

/** Syllables at random: words enough for boards, and none of them from a list that may change. */
function madeUpEntries(seed: number, size: number): LexiconEntry[] {
  const next = random(seed);
  const pick = (letters: string) => letters[Math.floor(next() * letters.length)]!;
  const entries = new Map<string, LexiconEntry>();
  while (entries.size < size) {
    let word = '';
    const syllables = 2 + Math.floor(next() * 3);
    for (let index = 0; index < syllables; index++) word += pick('bcdfghklmnprstvwyz') + pick('aeiou');
    if (next() < 0.6) word += pick('dlmnrst');
    entries.set(word, { word, likelihood: 1, tier: next() < 0.8 ? 'everyday' : 'wide' });
  }
  return [...entries.values()];
}
