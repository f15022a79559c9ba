import { describe, expect, it } from 'vitest';
import { SubsetTable } from '../../src/solver/bits.ts';
import { makeBoard, parseBoard } from '../../src/solver/board.ts';
import { Levels } from '../../src/solver/large-boards.ts';
import { findPlayable, packWords, walkBoard } from '../../src/solver/playable.ts';
import { Problem } from '../../src/solver/problem.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { allSolutions } from './brute.ts';
import { everydayLexicon, random, randomWords } from './random-boards.ts';

const SHAPES = [
  [4, 4],
  [6, 3],
  [5, 4],
  [8, 3],
  [6, 4],
  [5, 5],
] as const;
/** Few boards, such as 14, need all levels looked at, since no quick search finds how many words it takes. */
const SEEDS = sample(
  Array.from({ length: 30 }, (_, index) => index + 1),
  [1, 14],
);

function randomSides(seed: number): string[] {
  const [sideCount, size] = SHAPES[seed % SHAPES.length]!;
  const next = random(seed);
  const alphabet = 'abcdefghijklmnopqrstuvwxyz'.split('');
  const side = () =>
    Array.from({ length: size }, () => alphabet.splice(Math.floor(next() * alphabet.length), 1)[0]!).join('');
  return Array.from({ length: sideCount }, side);
}

/** Independent and plain: for one word after the other, all (last letter, letters used) that chains may have. */
function plainFewest(sides: readonly string[], words: readonly string[], most: number): number | undefined {
  const letters = sides.join('');
  const full = 2 ** letters.length - 1;
  const edges = new Map<string, { last: string; mask: number }[]>();
  for (const word of words) {
    const mask = [...word].reduce((bits, letter) => bits | (1 << letters.indexOf(letter)), 0);
    edges.set(word[0]!, [...(edges.get(word[0]!) ?? []), { last: word.at(-1)!, mask }]);
  }
  let chains = [...letters].map((last) => ({ last, mask: 0 }));
  for (let count = 1; count <= most; count++) {
    const reached = new Map<string, Set<number>>();
    for (const { last, mask } of chains) {
      for (const edge of edges.get(last) ?? []) {
        if ((mask | edge.mask) === full) return count;
        const known = reached.get(edge.last) ?? new Set();
        known.add(mask | edge.mask);
        reached.set(edge.last, known);
      }
    }
    chains = [...reached].flatMap(([last, masks]) => [...masks].map((mask) => ({ last, mask })));
  }
  return undefined;
}

describe('large boards', () => {
  const lexicon = readLexicon();

  it.each([
    ...SEEDS.map((seed) => [randomSides(seed), 400, 4] as const),
    // So many chains that some are dropped, and one word fewer than the quick search finds.
    [['fdj', 'hml', 'nkg', 'aub', 'twz', 'qsc'], 150, 8] as const,
  ])('the fewest words are those of a plain program, board %s', (sides, mostWords, maxWords) => {
    const board = makeBoard(sides);
    const columns = walkBoard(board, lexicon);
    // The plain program can't hold more words than these; which are taken does not matter.
    const words = Array.from({ length: columns.size }, (_, number) => columns.word(number)).filter(
      (_, index) => index % Math.ceil(columns.size / mostWords) === 0,
    );
    const search = makeSearch(board, words, { maxWords });
    const spelled = words.map(({ word }) => word);
    expect(search.fewest).toBe(plainFewest(sides, spelled, maxWords));
    expect(search.solutions('shortest').next().value?.words.length).toBe(search.fewest);
    expect(search.cut).toBeUndefined();
  });

  it.each(['abcd efgh ijkl mnop', 'ozui nrek lfas mbtd', 'ozue nris lfag mbtc dhpk', 'ozu nri ozu nri flam'])(
    'says nothing untrue of %s, whenever it is stopped',
    (sides) => {
      const board = parseBoard(sides);
      const columns = walkBoard(board, lexicon);
      for (const looks of sample([0, 1, 2, 4, 16, 64], [0, 2, 16])) {
        let left = looks;
        const search = makeSearch(board, columns, { stop: () => left-- <= 0 });
        const { fewest } = search;
        const { atLeast, atMost } = search.fewestBounds;
        if (fewest === undefined) expect(atLeast).toBeLessThan(atMost ?? Number.POSITIVE_INFINITY);
        const four = search.counted(4);
        const lengths = [...search.solutions('shortest').take(200)].map(({ words }) => words.length);
        if (fewest === undefined) continue;
        expect(lengths[0]).toBe(fewest);
        // Only a list of the shortest that is whole has longer ones after it.
        if (search.count(fewest) === undefined) expect(new Set(lengths)).toEqual(new Set([fewest]));
        // No look at the clock was left for it, so that nothing is known of this count.
        if (left < 0 && !four.exact) expect(Number(four.value)).toBe(0);
      }
    },
  );
});

it.each([3, 6, 9])(
  'a table of subsets finds the maximal masks of %i bits, as a plain filter does',
  (bits) => {
    const next = random(bits);
    const masks = new Set(Array.from({ length: 2 * bits }, () => Math.floor(next() * 2 ** bits)));
    const table = new SubsetTable(bits);
    for (const mask of masks) table.add(mask);
    table.addSubsets();
    const isCovered = (mask: number) => [...masks].some((other) => other !== mask && (mask & ~other) === 0);
    for (const mask of masks) expect(table.isMaximal(mask)).toBe(!isCovered(mask));
  },
);

it('levels find a chain whose last two words begin on the last spot of the board', () => {
  const board = parseBoard('abcde fghij klmno pqrst uvwxy');
  const words = ['afbgchdiej', 'jkplqmrnsoty', 'yaufv', 'vfwfx'];
  const playable = findPlayable(board, everydayLexicon(words));
  expect(new Levels(new Problem(board, packWords(board, playable), {})).find(4)).toHaveLength(4);
});

it('a count ends before its states take too much memory', onlyLong, () => {
  const sides = ['abcdefg', 'hijklmn', 'opqrst', 'uvwxyz'];
  const board = makeBoard(sides);
  const words = randomWords(sides, 10_600, 8);
  const playable = findPlayable(board, everydayLexicon(words));
  let looks = 0;
  // It ends after about a thousand looks; otherwise it would go on for minutes.
  const search = makeSearch(board, playable, { stop: () => ++looks > 2_000 });
  expect(search.count(4)).toBeUndefined();
  expect(search.cut).toContain('too many ways');
  expect(looks).toBeLessThan(2_000);
});

it('leaves out solutions with a first or last word too many, as a plain filter does', () => {
  const seen = { padded: 0, needed: 0 };
  for (const sides of [
    ['abcdef', 'ghijkl', 'mnopqr'],
    ['abcd', 'efgh', 'ijkl', 'mnop', 'qrst'],
  ]) {
    const board = makeBoard(sides);
    const words = randomWords(sides, 120, 16);
    const playable = findPlayable(board, everydayLexicon(words));
    const all = allSolutions(sides, playable, 4);
    const known = new Set(all.map((solution) => solution.words.join()));
    const needed = all.filter(
      (solution) =>
        !known.has(solution.words.slice(1).join()) && !known.has(solution.words.slice(0, -1).join()),
    );
    for (const [padded, expected] of [
      [true, all],
      [false, needed],
    ] as const) {
      const search = makeSearch(board, playable, { padded });
      for (const count of [1, 2, 3, 4]) {
        const some = expected.filter((solution) => solution.words.length === count);
        expect(search.count(count), `${sides}, ${count}`).toBe(some.length);
        const listed = search.solutions('shortest', { exactly: count, limit: Infinity }).toArray();
        // Lists of four words are the best that were found.
        if (count < 4) expect(listed).toHaveLength(some.length);
        const spelled = new Set(some.map((solution) => solution.words.join()));
        for (const solution of listed) expect(spelled.has(solution.words.join())).toBe(true);
        if (some.length > 0) expect(listed).not.toEqual([]);
      }
    }
    seen.padded += all.length - needed.length;
    seen.needed += needed.length;
  }
  expect(seen.padded).toBeGreaterThan(100);
  expect(seen.needed).toBeGreaterThan(100);
});
