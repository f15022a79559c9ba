import { describe, expect, it } from 'vitest';
import { candidates } from '../../src/solver/candidates.ts';
import { familiarWords } from '../../src/solver/familiar.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { measure } from '../../src/solver/measure.ts';
import { allSolutions, spellings } from './brute.ts';
import { random } from './random-boards.ts';

describe('measure', () => {
  const next = random(11);
  const words = new Set<string>();
  while (words.size < 400) {
    let word = '';
    for (let index = 2 + Math.floor(next() * 2); index > 0; index--)
      word += 'bdlmnrst'[Math.floor(next() * 8)]! + 'aeiou'[Math.floor(next() * 5)]!;
    // Half begin with a vowel, or nothing could follow on a word that ends with one.
    words.add(next() < 0.5 ? word : word.slice(1));
  }
  const lexicon = loadLexicon(
    compileLexicon([...words].map((word) => ({ word, likelihood: 1, tier: 'everyday' as const }))),
  );
  const familiar = familiarWords(lexicon);

  it('counts the fewest-word solutions that brute force lists', () => {
    const lengths = new Set<number>();
    for (const [sides, sideLength] of [
      [4, 1],
      [3, 2],
      [4, 2],
      [3, 3],
      [5, 2],
      [4, 3],
    ] as const) {
      for (const candidate of candidates(lexicon, { seed: 'count', shape: { sides, sideLength } }).take(12)) {
        const playable = [...words].filter((word) => spellings(candidate.sides, word).length > 0);
        const list = playable.map((word) => ({ word, likelihood: 1 }));
        const most = Math.min(candidate.words.length, playable.length > 120 ? 2 : 3);
        const all = allSolutions(candidate.sides, list, most);
        if (all.length === 0) continue;
        const fewest = Math.min(...all.map((solution) => solution.words.length));
        const solutions = all.filter((solution) => solution.words.length === fewest).length;
        lengths.add(fewest);
        const known = candidate.words.length;
        const label = `${candidate.sides.join(' ')} (${candidate.words.join(' ')})`;
        expect(measure(familiar, candidate.sides, known, Number.POSITIVE_INFINITY), label).toEqual({
          fewest,
          solutions,
        });
        expect(measure(familiar, candidate.sides, known, 2).solutions, label).toBe(Math.min(2, solutions));
      }
    }
    expect([...lengths].sort()).toEqual([1, 2, 3]);
  });
});
