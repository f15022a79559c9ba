import { describe, expect, it, vi } from 'vitest';
import { countByLetters, pointsOf, reviewOf, scoresOf } from '../../src/play/review.ts';
import { hasRepeats, parseBoard } from '../../src/solver/board.ts';
import { generate } from '../../src/solver/generate.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { sample } from '../fakes/sample.ts';
import { allSolutions } from '../solver/brute.ts';
import { randomCase } from '../solver/random-boards.ts';

const lettersOf = (words: readonly string[]) => words.join('').length;

/** How many of some solutions there are of each number of letters, up to a bound. */
function byLetters(solutions: readonly { words: readonly string[] }[], most: number) {
  const all = Map.groupBy(solutions, ({ words }) => lettersOf(words));
  return new Map(
    [...all].filter(([letters]) => letters <= most).map(([letters, some]) => [letters, some.length]),
  );
}

describe('a review against brute force', () => {
  it('on random boards: place, counts, what was possible after each word, and scores in order', () => {
    let places = 0;
    let scores = 0;
    for (let seed = 1; seed <= sample(2_000, 25); seed++) {
      const { board, entries } = randomCase(seed);
      const words = findPlayable(board, loadLexicon(compileLexicon(entries)));
      const most = words.length > 10 ? 2 : words.length > 7 ? 3 : 4;
      const all = allSolutions(board.sides, words, most);
      const search = makeSearch(board, words);
      const label = `seed ${seed}, ${board.sides.join(' ')}`;
      const points: { words: number; letters: number; points: number }[] = [];
      for (let count = 1; count <= most; count++) {
        const some = all.filter((solution) => solution.words.length === count);
        if (hasRepeats(board)) {
          expect(countByLetters(search, { words: count, letters: 99 }), label).toBeUndefined();
          // Nothing is said of better ones, which are not counted.
          for (const { words } of count === search.fewest ? some.slice(0, 3) : [])
            for (const { better } of reviewOf(search, words).words) expect(better, label).toBeUndefined();
          continue;
        }
        for (const letters of [99, 9, 0])
          expect(countByLetters(search, { words: count, letters }), label).toEqual(byLetters(some, letters));
        for (const solution of some.slice(0, 3)) {
          const letters = lettersOf(solution.words);
          const review = reviewOf(search, solution.words);
          expect(review.place, label).toEqual({
            rank: 1 + some.filter((other) => lettersOf(other.words) < letters).length,
            of: some.length,
            shortest: Math.min(...some.map((other) => lettersOf(other.words))),
          });
          const least = Math.min(...all.map((other) => other.words.length));
          const isBetter = (other: { words: readonly string[] }) =>
            count === least
              ? other.words.length === count && lettersOf(other.words) < letters
              : other.words.length < count;
          for (const [index, { onwards, better }] of review.words.entries()) {
            const begun = all.filter(
              (other) => other.words.slice(0, index + 1).join() === solution.words.slice(0, index + 1).join(),
            );
            const fewest = Math.min(...begun.map((other) => other.words.length)) - index - 1;
            const isShorter = fewest < solution.words.length - index - 1 && fewest > 0;
            const ways = begun.filter((other) => other.words.length === index + 1 + fewest).length;
            expect(onwards, label).toEqual(isShorter ? { words: fewest, ways } : undefined);
            // Where words were played after the last letter, there is nothing to go on to.
            const isOpen = index < count - 1 && fewest > 0;
            expect(better, label).toBe(isOpen ? begun.filter(isBetter).length : undefined);
          }
          points.push({ words: count, letters, points: pointsOf(review, 0)!.points });
          const numbers = { words: count, letters, hints: 5 };
          const longer = { ...numbers, letters: letters + 3 };
          expect(scoresOf(search, [longer, numbers])[1], label).toEqual({
            fewest: least,
            points: pointsOf(review, 5)!.points,
          });
          expect(pointsOf(review, 5)!.points).toBe(Math.max(0, pointsOf(review, 0)!.points - 5));
          places++;
        }
      }
      for (const better of points)
        for (const worse of points) {
          const isBetter = better.words - worse.words || better.letters - worse.letters;
          if (isBetter > 0) continue;
          expect(better.points, label).toBeGreaterThanOrEqual(worse.points);
          scores++;
        }
    }
    expect(places).toBeGreaterThan(sample(2_000, 25) / 3);
    expect(scores).toBeGreaterThan(sample(100, 50));
  });

  it('on boards like the newspaper’s: as many solutions as the search counts, and the place of every pair', () => {
    const lexicon = readLexicon();
    for (let seed = 1; seed <= sample(500, 1); seed++) {
      const { board } = generate(lexicon, { seed: `review ${seed}` });
      const words = findPlayable(board, lexicon);
      const search = makeSearch(board, words, { padded: true });
      for (const count of [2, 3, 4]) {
        const counts = countByLetters(search, { words: count, letters: 99 })!.values();
        expect(
          counts.reduce((sum, solutions) => sum + solutions, 0),
          `${seed}`,
        ).toBe(search.count(count));
      }
      // Plainly: every two words, without the tables of either.
      const pairs = words.flatMap((one) =>
        words
          .filter(({ word }) => word[0] === one.word.at(-1))
          .map(({ word }) => [one.word, word] as const)
          .filter((pair) => new Set(pair.join('')).size === board.letters.length),
      );
      expect(countByLetters(search, { words: 2, letters: 99 }), `${seed}`).toEqual(
        byLetters(
          pairs.map((pair) => ({ words: pair })),
          999,
        ),
      );
    }
  });
});

it('counts a shorter way on in which every letter touches a new spot', () => {
  const board = parseBoard('ae bf cg d');
  const entries = ['abc', 'cde', 'cdbe', 'efg'].map((word) => ({
    word,
    likelihood: 1,
    tier: 'wide' as const,
  }));
  const search = makeSearch(board, findPlayable(board, loadLexicon(compileLexicon(entries))));
  const { words } = reviewOf(search, ['abc', 'cdbe', 'efg']);
  expect(words.map(({ better }) => better)).toEqual([1, 0, undefined]);
});

it('scores a solution of eight words without counting all others, which takes a minute', () => {
  const board = parseBoard('iao cfb glt rnw');
  let isOver = false;
  const search = makeSearch(board, findPlayable(board, readLexicon()), { stop: () => isOver });
  expect(search.fewest).toBe(2);
  isOver = true;
  expect(scoresOf(search, [{ words: 8, letters: 37, hints: 0 }])).toEqual([{ fewest: 2, points: 10 }]);
  expect(search.withPadded.cut).toBe(undefined);
});

it('counts a board’s solutions once for all who solve it in as many words', () => {
  const search = makeSearch(
    parseBoard('ozu nri lfa mbt'),
    findPlayable(parseBoard('ozu nri lfa mbt'), readLexicon()),
  );
  const [{ words } = { words: [] }] = search.solutions('shortest');
  const one = { words: words.length, letters: lettersOf(words), hints: 0 };
  const counted = vi.spyOn(search, 'words', 'get');
  const [first] = scoresOf(search, [one]);
  const [later] = scoresOf(search, [{ ...one, letters: one.letters + 1 }]);
  expect(later).toEqual({ ...first, points: first!.points - 1 });
  // With a word that the game has turned out not to accept.
  expect(scoresOf(search, [{ ...one, letters: 1 }])).toMatchObject([{ points: 100 }]);
  expect(counted).toHaveBeenCalledTimes(1);
});

it('takes ten points at most for letters, however many a solution has more than the shortest', () => {
  const word = { word: 'x', tier: 'wide', gained: [] } as const;
  const review = { words: [word, word], isSolved: true, fewest: 2, place: { rank: 9, of: 9, shortest: 12 } };
  expect([13, 22, 40].map((letters) => pointsOf({ ...review, letters }, 0)?.points)).toEqual([99, 90, 90]);
});
