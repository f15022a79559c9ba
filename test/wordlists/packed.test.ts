import { describe, expect, it } from 'vitest';
import { makeLexicon } from '../../src/solver/lexicon.ts';
import { lexiconFromText, readLexicon } from '../../src/wordlists/load.ts';
import { packClues, packLexicon, unpackClues, unpackLexicon } from '../../src/wordlists/packed.ts';

describe('a packed word list', () => {
  it('unpacks to the same words, with their tiers and likelihoods', () => {
    const list = readLexicon();
    const unpacked = makeLexicon(unpackLexicon(packLexicon(list)));
    expect(unpacked.size).toBe(list.size);
    expect([...unpacked.entries()]).toEqual([...list.entries()]);
  });

  it('is refused if a byte is missing', () => {
    const packed = packLexicon(lexiconFromText('bat\nbats\ncat\ncats\n', undefined));
    expect(() => unpackLexicon(packed.subarray(1))).toThrow(RangeError);
    expect(() => unpackLexicon(packed.subarray(0, -1))).toThrow(RangeError);
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
