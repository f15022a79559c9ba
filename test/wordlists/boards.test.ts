import { describe, expect, it } from 'vitest';
import { parseBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import type { PlayableWord } from '../../src/solver/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { sample } from '../fakes/sample.ts';

const lexicon = readLexicon();
const all = [...lexicon.entries()].map(({ word }) => word);

describe('counts on the real word list, against a plain double loop', () => {
  const boards = [
    'ozu nri lfa mbt',
    'tub pxi snq oja',
    'eci axy otu hrn',
    'riu pgh lcs yao',
    'jli cud btk asr',
    'utp aef mli bor',
  ];
  it.each(sample(boards, boards.slice(0, 2)))('%s', (text) => {
    const sides = text.split(' ');
    const side = (letter: string) => sides.findIndex((letters) => letters.includes(letter));
    const playable = all.filter((word) => {
      for (let at = 0; at < word.length; at++) {
        if (side(word[at]!) < 0 || (at > 0 && side(word[at]!) === side(word[at - 1]!))) return false;
      }
      return true;
    });
    const board = parseBoard(text);
    const found = findPlayable(board, lexicon);
    expect(found.map(({ word }) => word).sort()).toEqual(playable);

    const covers = (chain: string) => new Set(chain).size === 12;
    let ones = 0;
    const twos = new Set<string>();
    for (const first of playable) {
      if (covers(first)) ones++;
      for (const second of playable) {
        if (first.at(-1) === second[0] && covers(first + second)) twos.add(`${first} ${second}`);
      }
    }
    const search = makeSearch(board, found);
    expect(search.count(1)).toBe(ones);
    expect(search.count(2)).toBe(twos.size);
    const listed = [...search.solutions('shortest', { exactly: 2 })].map(({ words }) => words.join(' '));
    expect(new Set(listed)).toEqual(twos);
    expect(listed).toHaveLength(twos.size);
  });

  const hard = ['qhi tdb fol caz', 'ado inm yxw rvz', 'itj egn ohk mqc'];
  it.each(sample(hard, hard.slice(0, 1)))(
    '%s needs four words: three never cover it, and the ten best are valid and distinct',
    (text) => {
      const board = parseBoard(text);
      const found = findPlayable(board, lexicon);
      const search = makeSearch(board, found);
      expect(search.fewest).toBe(4);
      expect(hasChainOf(3, new Set(text.replaceAll(' ', '')), found)).toBe(false);
      const best = search.solutions('shortest').take(10).toArray();
      expect(new Set(best.map(({ words }) => words.join(' '))).size).toBe(10);
      expect(best[0]?.words).toHaveLength(4);
      for (const { words } of best) {
        expect(words.length).toBeGreaterThanOrEqual(4);
        expect(new Set(words.join('')).size).toBe(12);
        for (const [at, word] of words.entries()) if (at > 0) expect(word[0]).toBe(words[at - 1]!.at(-1));
      }
    },
  );

  it('finds juxtaposition niqab', () => {
    const board = parseBoard('tub pxi snq oja');
    const [best] = makeSearch(board, findPlayable(board, lexicon)).solutions('shortest');
    expect(best?.words).toEqual(['juxtaposition', 'niqab']);
  });
});

/** Tries every chain of so many words, one after the other. */
function hasChainOf(words: number, letters: ReadonlySet<string>, playable: readonly PlayableWord[]): boolean {
  const masks = playable.map(({ word }) => ({ word, mask: maskOf(word, letters) }));
  const full = maskOf([...letters].join(''), letters);
  const tryFrom = (left: number, covered: number, last: string | undefined): boolean =>
    masks.some(({ word, mask }) => {
      if (last !== undefined && word[0] !== last) return false;
      const now = covered | mask;
      return now === full || (left > 1 && tryFrom(left - 1, now, word.at(-1)));
    });
  return tryFrom(words, 0, undefined);
}

function maskOf(word: string, letters: ReadonlySet<string>): number {
  const order = [...letters];
  return [...word].reduce((mask, letter) => mask | (1 << order.indexOf(letter)), 0);
}
