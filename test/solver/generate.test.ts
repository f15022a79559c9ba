import { describe, expect, it } from 'vitest';
import { UserError } from '../../src/core/errors.ts';
import { formatBoard } from '../../src/solver/board.ts';
import {
  difficultyByWords,
  difficultyOf,
  everydayWords,
  expectedBy,
  expectedWords,
  parOf,
  wordsOff,
} from '../../src/solver/difficulty.ts';
import { countTwoWords, DIFFICULTIES, type GenerateOptions, generate } from '../../src/solver/generate.ts';
import { compileLexicon, type Lexicon, type LexiconEntry, loadLexicon } from '../../src/solver/lexicon.ts';
import { findPlayable, walkDistinct } from '../../src/solver/playable.ts';
import type { Board } from '../../src/solver/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { sample } from '../fakes/sample.ts';
import { spellings } from './brute.ts';
import { everydayLexicon, random, SHAPES } from './random-boards.ts';

const lexicon = readLexicon();
const shape = (board: Board) => board.sides.map((side) => side.length);
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
    for (const { sides, sideLength: letters } of SHAPES) {
      for (const seed of ['a', 'b', 'c', 'd', 'e', 'f'].slice(0, sample(6, 1))) {
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

  it('gives these very boards for these seeds and these words, whatever machine it runs on', () => {
    const madeUp = madeUpLexicon(3, 4000);
    const boards = ['', 'house:2026-11-20', '🙂'].map((seed) =>
      formatBoard(generate(madeUp, { seed }).board),
    );
    expect(boards).toEqual(['irz cas tou ewn', 'imd tea oun cwf', 'uoi trb mla cne']);
  });

  it('gives the same board again, also in another process: nothing carries over from boards before', () => {
    const fresh = loadLexicon(compileLexicon(madeUpEntries(3, 4000)));
    const used = madeUpLexicon(3, 4000);
    for (let index = 0; index < 4; index++) generate(used, { seed: `before ${index}` });
    for (const difficulty of [undefined, 'hard'] as const) {
      const options: GenerateOptions = { seed: 'again', ...(difficulty && { difficulty }) };
      expect(generate(used, options)).toEqual(generate(fresh, options));
    }
  });

  it('reads a seed alike with capitals and spaces around it, as phones type it', () => {
    const { seed: typed, ...made } = generate(lexicon, { seed: ' Kwrtbn ' });
    const { seed, ...same } = generate(lexicon, { seed: 'kwrtbn' });
    expect([typed, seed]).toEqual([' Kwrtbn ', 'kwrtbn']);
    expect(made).toEqual(same);
  });

  it('is as hard as asked for, by two-word solutions counted with a plain double loop', () => {
    for (const difficulty of DIFFICULTIES) {
      for (let index = 0; index < sample(2, 1); index++) {
        const made = generate(lexicon, { seed: `level ${index}`, difficulty });
        const solutions = twoWordSolutions(made.board);
        expect(solutions).toBe(countTwoWords(made.board, lexicon).solutions);
        expect(made.wanted).toBeUndefined();
        expect(made.difficulty).toBe(difficulty);
        if (difficulty === 'easy') expect(solutions).toBeGreaterThanOrEqual(51);
        if (difficulty === 'hard') expect(solutions).toBeLessThanOrEqual(2);
      }
    }
  });

  it('has each difficulty for each shape, or gives the closest and says so', () => {
    let given = 0;
    const shapes = SHAPES.filter((_, at) => at % sample(1, 2) === 0);
    for (const { sides, sideLength: letters } of shapes) {
      for (const difficulty of DIFFICULTIES) {
        const made = generate(lexicon, { seed: 'any', sides, letters, difficulty });
        if (made.difficulty === difficulty) given++;
        expect(made.wanted).toBe(made.difficulty === difficulty ? undefined : difficulty);
        expect(made.par).toBeGreaterThanOrEqual(made.solution.words.length);
        expect(made.par).toBeLessThanOrEqual(made.solution.words.length + 6);
      }
    }
    expect(given).toBeGreaterThanOrEqual(shapes.length * DIFFICULTIES.length - 2);
  });

  it('is built around words that everyone uses when it is easy', () => {
    for (let index = 0; index < 8; index++) {
      const { solution } = generate(lexicon, { seed: `known ${index}`, difficulty: 'easy' });
      expect(Math.min(...solution.words.map((word) => lexicon.find(word)!.likelihood))).toBeGreaterThan(
        0.998,
      );
    }
  });

  it('has these bounds of what is easy and hard, and of par', () => {
    const solutions = [0, 2, 3, 50, 51, 500];
    expect(solutions.map(difficultyOf)).toEqual(['hard', 'hard', 'medium', 'medium', 'easy', 'easy']);
    const small = { sides: 3, sideLength: 3 };
    const words = (count: number) => difficultyByWords(small, count);
    expect([54, 55, 94, 95].map(words)).toEqual(['hard', 'medium', 'medium', 'easy']);
    const off = DIFFICULTIES.map((one) =>
      [53, 54, 55, 94, 95, 96].map((count) => wordsOff(small, count, one)),
    );
    expect(off).toEqual([
      [42, 41, 40, 1, 0, 0],
      [2, 1, 0, 0, 1, 2],
      [0, 0, 1, 40, 41, 42],
    ]);
    expect([4.49, 4.5, 8, 99].map((expected) => parOf(expected, 2))).toEqual([4, 5, 8, 8]);
    expect(parOf(1.2, 3)).toBe(3);
  });

  it('has a par that goes with how many words a player is expected to need', () => {
    const { board, par } = generate(lexicon, { seed: 'par' });
    const expected = expectedWords(everydayWords(walkDistinct(board, lexicon), lexicon));
    expect(par).toBe(parOf(expected, 2));
  });

  it('expects as many words as counting letter by letter does', () => {
    for (let nth = 0; nth < sample(20, 5); nth++) {
      const { board } = generate(lexicon, { seed: `expected ${nth}` });
      const words = findPlayable(board, lexicon).flatMap(({ word, tier }) =>
        tier === 'everyday' ? [word] : [],
      );
      const before = (word: string) => words.filter((one) => one.at(-1) === word[0]).length;
      const letters = board.letters.split('').map((letter) => {
        const having = words.filter((word) => word.includes(letter));
        return {
          rarity: 1 / (1 + having.length),
          reached: having.reduce((sum, word) => sum + before(word), 0),
        };
      });
      const hardest = Math.min(...letters.map(({ reached }) => reached)) / words.length;
      const rarity = letters.reduce((sum, one) => sum + one.rarity, 0);
      expect(expectedBy(board, lexicon)).toBeCloseTo(2 + 3.5 / Math.sqrt(0.2 + hardest) + 6 * rarity, 9);
    }
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
      /3 sides with 1 letter each make 3 letters\. A board has 4 to 26/,
    ],
    ['generate.spots', { sides: 5, letters: 6 }, /make 30 letters/],
    [
      'generate.difficulty',
      { difficulty: 'brutal\u202e' },
      /"brutal�" is not a difficulty. It is one of: easy/,
    ],
  ];
  for (const [code, options, message] of wrong) {
    it(`says what is wrong with ${JSON.stringify(options)}`, () => {
      const mistake = { name: 'UserError', code, message: expect.stringMatching(message) };
      expect(() => generate(lexicon, { seed: 'x', ...options })).toThrow(expect.objectContaining(mistake));
    });
  }

  it('says so when the word list is too small for a shape, or for a difficulty', () => {
    const tiny = everydayLexicon(['unform', 'mobilization']);
    const { board, solution, difficulty } = generate(tiny, { seed: 'x' });
    expectSolved(board, solution.words, formatBoard(board));
    expect(difficulty).toBe('hard');
    expect(generate(tiny, { seed: 'x', difficulty: 'easy' })).toMatchObject({
      difficulty: 'hard',
      wanted: 'easy',
    });
    const isTooSmall = expect.objectContaining({ code: 'generate.words' });
    expect(() => generate(tiny, { seed: 'x', sides: 5 })).toThrow(isTooSmall);
    const none = loadLexicon(compileLexicon([{ word: 'zoaea', likelihood: 1, tier: 'wide' }]));
    expect(() => generate(none, { seed: 'x' })).toThrow(isTooSmall);
  });

  it('answers any small word list with a right board or a mistake', () => {
    let boards = 0;
    for (let seed = 1; seed <= sample(40, 15); seed++) {
      const next = random(seed);
      const small = loadLexicon(compileLexicon(madeUpEntries(seed, 5 + Math.floor(next() * 60))));
      const { sides, sideLength: letters } = SHAPES[Math.floor(next() * SHAPES.length)]!;
      try {
        const { board, solution } = generate(small, { seed: `${seed}`, sides, letters });
        expectSolved(board, solution.words, formatBoard(board));
        boards++;
      } catch (error) {
        expect(error).toBeInstanceOf(UserError);
      }
    }
    expect(boards).toBeGreaterThan(sample(10, 4));
  });
});

function twoWordSolutions(board: Board): number {
  const words = findPlayable(board, lexicon).map(({ word, walks }) => ({ word, mask: walks[0]!.mask }));
  let count = 0;
  for (const first of words)
    for (const second of words)
      if ((first.mask | second.mask) === board.full && first.word.at(-1) === second.word[0]) count++;
  return count;
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
