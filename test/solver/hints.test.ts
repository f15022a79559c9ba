import { describe, expect, it } from 'vitest';
import { makeBoard, parseBoard } from '../../src/solver/board.ts';
import * as hints from '../../src/solver/hints.ts';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { makeSearch, type Search, type SearchOptions } from '../../src/solver/search.ts';
import type { Tier } from '../../src/solver/types.ts';
import { sample } from '../fakes/sample.ts';
import { allSolutions, spellings } from './brute.ts';
import { playableOn, randomCase, randomWords } from './random-boards.ts';

/** Random boards that are compared with brute force. */
const BOARDS = sample(1500, 40);

type Entry = { word: string; likelihood: number; tier: Tier };

const everyday = (word: string, likelihood = 1): Entry => ({ word, likelihood, tier: 'everyday' });
const wide = (word: string, likelihood = 1): Entry => ({ word, likelihood, tier: 'wide' });

describe('letters of hints against brute force', () => {
  it(`counts solutions by first and last letter on ${BOARDS} random boards, repeated letters included`, () => {
    let solved = 0;
    for (let seed = 20_001; seed <= 20_000 + BOARDS; seed++) {
      const { board, entries } = randomCase(seed);
      const playable = entries.filter(({ word }) => spellings(board.sides, word).length > 0);
      const search = makeSearch(board, playableOn(board, entries), { maxWords: 3 });
      const all = allSolutions(board.sides, playable, playable.length > 10 ? 2 : 3);
      const fewest = Math.min(...all.map(({ words }) => words.length));
      if (search.fewest === undefined || search.fewest !== fewest) {
        expect(all, `seed ${seed}`).toEqual([]);
        continue;
      }
      solved++;
      const best = all.filter(({ words }) => words.length === fewest);
      const tally = (letterOf: (words: string[]) => string) => {
        const counts: Record<string, number> = {};
        for (const { words } of best) counts[letterOf(words)] = (counts[letterOf(words)] ?? 0) + 1;
        return counts;
      };
      const byFirst = tally((words) => words[0]![0]!);
      const byLast = tally((words) => words.at(-1)!.at(-1)!);
      const table = (list: readonly { letter: string; solutions: number | bigint }[]) =>
        Object.fromEntries(
          list.filter(({ solutions }) => solutions !== 0).map((row) => [row.letter, row.solutions]),
        );

      const starts = hints.startLetters(search);
      expect(table(starts), `seed ${seed}, start`).toEqual(byFirst);
      const rank = ({ familiarity, solutions }: (typeof starts)[number]) =>
        Math.round(familiarity * 10) * 1e6 + Number(solutions);
      expect(starts.map(rank), `seed ${seed}, order`).toEqual(starts.map(rank).sort((a, b) => b - a));
      const { first, last, cut } = hints.edgeLetters(search);
      expect(cut).toBeUndefined();
      expect(table(first), `seed ${seed}, first`).toEqual(byFirst);
      expect(table(last), `seed ${seed}, last`).toEqual(byLast);
      expect(first.map(({ letter }) => letter).sort()).toEqual([...new Set(board.letters)].sort());
      for (const { letter, words } of first)
        expect(words).toBe(playable.filter(({ word }) => word.startsWith(letter)).length);
      for (const { letter, words } of last)
        expect(words).toBe(playable.filter(({ word }) => word.endsWith(letter)).length);
      for (const { spot, letter, words } of hints.hardestLetters(search)) {
        expect(board.letters[spot]).toBe(letter);
        const touching = playable.filter(({ word }) =>
          spellings(board.sides, word).some((path) => path.includes(spot)),
        );
        expect(words, `seed ${seed}, spot ${spot}`).toBe(touching.length);
      }
    }
    expect(solved).toBeGreaterThan(BOARDS / 4);
  });
});

describe('hints', () => {
  const board = parseBoard('abc def ghi jkl');
  const search = (entries: Entry[], options?: SearchOptions) =>
    makeSearch(board, playableOn(board, entries), options);

  it('puts the letter with the most familiar solution first, then the one with more solutions', () => {
    const starts = hints.startLetters(
      search([
        wide('adgjbehk'),
        wide('adgjbehak'),
        everyday('kcfil'),
        everyday('lifcjdgk', 0.9),
        everyday('kaebh', 0.8),
      ]),
    );
    expect(starts.map(({ letter }) => letter)).toEqual(['l', 'a']);
    expect(starts[0]).toMatchObject({ solutions: 1 });
    expect(starts[0]!.familiarity).toBeCloseTo(0.95 * 0.9);
    expect(starts[1]).toMatchObject({ solutions: 2, familiarity: 0.5 });
  });

  it('finds the familiar solution of a letter behind likelier obscure ones', () => {
    const [start] = hints.startLetters(
      search([wide('adgjbehk', 0.99), everyday('adgjbehak', 0.9), everyday('kcfil')]),
    );
    expect(start).toMatchObject({ letter: 'a', solutions: 2 });
    expect(start!.familiarity).toBeCloseTo(0.95);
  });

  it('counts by start letter only what the search allows', () => {
    const entries = [everyday('adgjbehk'), everyday('adgjbehak'), everyday('kcfil'), everyday('kcfail')];
    expect(hints.startLetters(search(entries))[0]!.solutions).toBe(4);
    expect(hints.startLetters(search(entries, { exclude: ['kcfil'] }))[0]!.solutions).toBe(2);
    const required = search(entries, { require: ['adgjbehak'] });
    expect(hints.startLetters(required)[0]!.solutions).toBe(2);
    expect(hints.edgeLetters(required).last[0]).toMatchObject({ letter: 'l', solutions: 2 });
    const played = search(entries, { played: ['adgjbehk'] });
    expect(hints.startLetters(played)).toMatchObject([{ letter: 'k', solutions: 2 }]);
    expect(() => hints.edgeLetters(played)).toThrow('Leave out the words played');
  });

  it('are all of them or none, whenever the search is stopped', () => {
    const board = makeBoard(['abcde', 'fghij', 'klmno', 'pqrst']);
    const words = randomWords(board.sides, 3_000, 8).map((word) => wide(word, 0.5));
    const playable = playableOn(board, words);
    expect(makeSearch(board, playable).fewest).toBe(3);
    for (const letters of [
      hints.startLetters,
      (one: Search) => hints.edgeLetters(one).first,
      (one: Search) => hints.edgeLetters(one).last,
    ]) {
      const lengths = [0, 1, 20, 60, Number.POSITIVE_INFINITY].map((most) => {
        let looks = 0;
        const stopped = makeSearch(board, playable, { stop: () => looks++ >= most });
        return letters(stopped).length;
      });
      expect(new Set(lengths)).toEqual(new Set([0, 20]));
    }
  });

  it('says nothing where there is nothing to say', () => {
    const none = search([everyday('adg')]);
    expect(hints.startLetters(none)).toEqual([]);
    expect(hints.edgeLetters(none).first.every(({ solutions }) => solutions === 0)).toBe(true);
    expect(hints.hardestLetters(none)[0]).toEqual({ letter: 'b', spot: 1, words: 0 });
  });
});

describe('what the filter leaves of a list', () => {
  const LIKELY = { forum: 0.9, mozart: 0.2, ram: 0.9, moor: 0.9, unform: 0.5, tub: 0.9, letter: 0.9 };
  const lexicon = loadLexicon(
    compileLexicon(
      Object.entries(LIKELY).map(([word, likelihood]) => ({
        word,
        likelihood,
        tier: likelihood < 0.9 ? 'wide' : 'everyday',
      })),
    ),
  );

  it('says what each stage of the filter leaves and drops, the likeliest and longest words first', () => {
    const stages = hints.explainFilter(
      parseBoard('ozu nri lfa mbt'),
      lexicon,
      { tier: 'everyday', exclude: ['RAM'] },
      2,
    );
    expect(stages).toEqual([
      { stage: 'list', left: 7, kept: ['letter', 'forum'], dropped: [] },
      { stage: 'letters', left: 6, kept: ['forum', 'moor'], dropped: ['letter'] },
      { stage: 'sides', left: 4, kept: ['forum', 'ram'], dropped: ['moor', 'mozart'] },
      { stage: 'everyday', left: 3, kept: ['forum', 'ram'], dropped: ['unform'] },
      { stage: 'exclude', left: 2, kept: ['forum', 'tub'], dropped: ['ram'] },
    ]);
  });

  it('leaves out the stages that nobody asked for', () => {
    const stages = hints.explainFilter(parseBoard('ozu nri lfa mbt'), lexicon);
    expect(stages.map(({ stage }) => stage)).toEqual(['list', 'letters', 'sides']);
  });
});
