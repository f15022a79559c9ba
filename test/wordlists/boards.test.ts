import { describe, expect, it } from 'vitest';
import { parseBoard } from '../../src/solver/board.ts';
import { findPlayable } from '../../src/solver/playable.ts';
import { makeSearch } from '../../src/solver/search.ts';
import { readLexicon } from '../../src/wordlists/load.ts';

const lexicon = readLexicon();
const all = [...lexicon.entries()].map(({ word }) => word);

describe('counts on the real word list, against a plain double loop', () => {
  it.each([
    'ozu nri lfa mbt',
    'eci axy otu hrn',
    'riu pgh lcs yao',
    'tub pxi snq oja',
    'jli cud btk asr',
    'utp aef mli bor',
  ])('%s', (text) => {
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

  it('finds juxtaposition niqab', () => {
    const board = parseBoard('tub pxi snq oja');
    const [best] = makeSearch(board, findPlayable(board, lexicon)).solutions('shortest');
    expect(best?.words).toEqual(['juxtaposition', 'niqab']);
  });
});
