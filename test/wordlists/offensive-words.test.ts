import { describe, expect, test } from 'vitest';
import { AVOIDED, familiarWords } from '../../src/solver/difficulty.ts';
import { generate } from '../../src/solver/generate.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isOffensive } from '../../src/wordlists/offensive-words.ts';
import { sample } from '../fakes/sample.ts';

const lexicon = readLexicon();
const words = [...lexicon.entries()].map(({ word }) => word);

describe('words not put forward', () => {
  test.each([
    'whoring',
    'fagot',
    'chinky',
    'shitting',
    'slavery',
    'tits',
    'rapist',
    'farting',
    'midgets',
    'raping',
    'gypsy',
  ])('%s', (word) => {
    expect(isOffensive(word)).toBe(true);
  });

  test.each(
    `title titan cockle cockatoo dickens prickle pricked analog analyse assess assume spice spicy dyked jewel
    jewelry grape drape scrape fagoting negroni niggle niggling clitic homology pimple pimpernel farthing farther
    penistone twattle whorl shitake retardant lynchpin rapeseed turducken crape crapulent squawk slavering
    lesbian bisexual homosexual transsexual sexist cumshaw kafkaesque nazir tossed twinkle pubescent fetish
    hookah hebetude kraal gyrate midge mongoose mingle quimper coonskin rectus cumin scunner`
      .split(/\s+/)
      .map((word) => [word]),
  )('%s is as good as any', (word) => {
    expect(isOffensive(word)).toBe(false);
  });

  test('are few: a beginning shared by harmless words would exceed the limit', () => {
    const caught = words.filter(isOffensive);
    expect(caught.length).toBeGreaterThan(600);
    expect(caught.length).toBeLessThan(1000);
  });

  test('are all avoided in generated boards', () => {
    const { numbers } = familiarWords(lexicon);
    const familiar = Array.from(numbers, (number) => lexicon.wordAt(number));
    expect(familiar.filter(isOffensive).length).toBeGreaterThan(0);
    expect(familiar.filter((word) => isOffensive(word) && !AVOIDED.test(word))).toEqual([]);
  });

  test('no generated board is built around one', () => {
    const made = Array.from({ length: sample(60, 15) }, (_, seed) =>
      generate(lexicon, { seed: `seemly ${seed}` }),
    );
    expect(made.flatMap(({ solution }) => solution.words).filter(isOffensive)).toEqual([]);
  });
});
