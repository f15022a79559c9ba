import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FREQUENCY_PACKAGES } from '../../scripts/everyday/model.ts';
import { EVERYDAY_FILE } from '../../src/wordlists/build.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isSuitable } from '../../src/wordlists/offensive-words.ts';

const lexicon = readLexicon();
const tierOf = (word: string) => lexicon.find(word)?.tier;

describe('everyday words', () => {
  test.each(
    'splashy quartz ringtone skateboard comfortably backyards purred canned happier tiredest backpacker color lorry selfie'
      .split(' ')
      .map((word) => [word]),
  )('have %s among them', (word) => expect(tierOf(word)).toBe('everyday'));

  test.each(
    'bunyip babier eagerer properer rared til titian hos dago educations silentest danny'
      .split(' ')
      .map((word) => [word]),
  )('leave out %s', (word) => expect(tierOf(word)).toBe('wide'));

  test('are those of the file, but for words that are never put forward', () => {
    const listed = readFileSync(EVERYDAY_FILE, 'utf8').trim().split('\n');
    expect(listed).toEqual([...new Set(listed)].sort());
    const everyday = [...lexicon.entries()].filter(({ tier }) => tier === 'everyday').map(({ word }) => word);
    expect(everyday).toEqual(listed.filter(isSuitable));
    expect(everyday.length).toBeGreaterThan(40_000);
  });

  test('have their sources in NOTICE', () => {
    const notice = readFileSync('NOTICE', 'utf8');
    for (const name of Object.keys(FREQUENCY_PACKAGES)) expect(notice).toContain(name);
  });
});
