import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isRelated, makeClues } from '../../scripts/clues/choose.ts';
import { readListings } from '../../src/wordlists/build.ts';
import { clueBlocks, joinClues, readClue, readClues } from '../../src/wordlists/clues.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isOffensive } from '../../src/wordlists/offensive-words.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong, sample } from '../fakes/sample.ts';

function readByHand(): (readonly [string, string])[] {
  const lines = readFileSync('scripts/clues/by-hand.txt', 'utf8').trim().split('\n');
  return lines.map((line) => line.split('\t') as [string, string]);
}

describe('a clue', () => {
  test('written by hand does not tell its word', () => {
    const wrong = readByHand().filter(([word, clue]) => {
      const tokens = clue.toLowerCase().match(/[a-z]+/g) ?? [];
      const tells = (token: string) => token === word || (token.length > 3 && isRelated(token, word));
      return !/^[a-z]{3,}$/.test(word) || isOffensive(word) || tokens.some(tells);
    });
    expect(wrong).toEqual([]);
    expect(readByHand().length).toBeGreaterThan(4900);
  });

  test('is there for no offensive word', () => {
    for (const word of ['whore', 'bastard', 'suicide', 'slave']) expect(readClue(word)).toBeUndefined();
  });
});

describe('the file of clues', () => {
  test('is read word by word, from the first to the last', () => {
    const folder = makeFolder();
    const file = join(folder, 'clues.bin');
    const clues = Array.from({ length: 5000 }, (_, index): [string, string] => [
      `word${String.fromCharCode(97 + index / 26 / 26, 97 + ((index / 26) % 26), 97 + (index % 26))}`,
      `what number ${index} means, in words`,
    ]);
    const blocks = clueBlocks(clues);
    expect(blocks.length).toBeGreaterThan(2);
    writeFileSync(
      file,
      joinClues(blocks.map(({ first, text }) => ({ first, bytes: brotliCompressSync(text) }))),
    );
    for (const index of [0, 1, 1234, 2500, 4998, 4999])
      expect(readClue(clues[index]![0], file)).toBe(clues[index]![1]);
    for (const word of ['aaa', 'worda', 'wordaaaa', 'zzz']) expect(readClue(word, file)).toBeUndefined();
    expect([...readClues(file)]).toEqual(clues);
  });

  test('has a short clue for most everyday words, which never contains the word', () => {
    const everyday = [...readLexicon().entries()].filter(({ tier }) => tier === 'everyday');
    const step = sample(10, 300);
    const words = everyday.filter((_, index) => index % step === 0).map(({ word }) => word);
    const clues = words.map((word) => ({ word, clue: readClue(word) }));
    const known = clues.filter(({ clue }) => clue !== undefined);
    expect(known.length / words.length).toBeGreaterThan(0.98);
    for (const { word, clue = '' } of known) {
      expect(clue.length).toBeLessThanOrEqual(80);
      expect(clue).not.toMatch(/['`"\t\n]/);
      const tokens = clue.toLowerCase().match(/[a-z]+/g) ?? [];
      expect(tokens.filter((token) => token === word || isOffensive(token))).toEqual([]);
    }
  });

  test('is what the script makes of WordNet', onlyLong, () => {
    const clues = makeClues();
    const known = new Map(readClues());
    expect([...clues].filter(([word, clue]) => known.get(word) !== clue)).toEqual([]);
    expect(known.size).toBe(clues.size);
    const commonest = [...readListings()]
      .filter(([word, { capital, level }]) => !capital && level > 0 && !isOffensive(word))
      .sort(([, a], [, b]) => b.count - a.count)
      .slice(0, 5000);
    const share = commonest.filter(([word]) => clues.has(word)).length / commonest.length;
    expect(share).toBeGreaterThan(0.94);
  });
});
