import { describe, expect, it } from 'vitest';
import { makeLexicon } from '../../src/solver/lexicon.ts';
import { lexiconFromText, readLexicon } from '../../src/wordlists/load.ts';
import {
  packClues,
  packLexicon,
  unpackClues,
  unpackEveryday,
  unpackLexicon,
} from '../../src/wordlists/packed.ts';

describe('a packed word list', () => {
  it('unpacks to the same words, with their tiers and likelihoods', () => {
    const list = readLexicon();
    const packed = packLexicon(list);
    const everyday = makeLexicon(unpackEveryday(packed.everyday));
    const known = [...list.entries()].filter(({ tier }) => tier === 'everyday');
    expect([...everyday.entries()].map(({ word }) => word)).toEqual(known.map(({ word }) => word));
    const unpacked = makeLexicon(unpackLexicon(packed.words, everyday));
    expect(unpacked.size).toBe(list.size);
    expect([...unpacked.entries()]).toEqual([...list.entries()]);
  });

  it('is refused if a byte is missing', () => {
    const packed = packLexicon(lexiconFromText('bat\nbats\ncat\ncats\n', undefined));
    const everyday = unpackEveryday(packed.everyday);
    for (const part of [packed.words.subarray(1), packed.words.subarray(0, -1)])
      expect(() => unpackLexicon(part, everyday)).toThrow(RangeError);
    for (const part of [packed.everyday.subarray(1), packed.everyday.subarray(0, -1)])
      expect(() => unpackEveryday(part)).toThrow(RangeError);
  });
});

describe('packed clues', () => {
  it('unpack to the same', () => {
    const clues: [string, string][] = [
      ['for', 'in favor of'],
      ['forum', 'a public meeting'],
      ['forums', 'public meetings'],
      ['fun', 'what this is'],
    ];
    expect([...unpackClues(packClues(clues))]).toEqual(clues);
  });
});
