import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { familiarWords } from '../../src/solver/difficulty.ts';
import { generate } from '../../src/solver/generate.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { hasOffensiveWord, LISTED } from '../../src/wordlists/offensive-names.ts';
import { isCrude, isOffensive, isSuitable } from '../../src/wordlists/offensive-words.ts';
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
    'scumbag',
    'dago',
    'dagoes',
    'cocksucker',
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
    expect(caught.length).toBeGreaterThan(1_500);
    expect(caught.length).toBeLessThan(1_900);
    const crude = words.filter(isCrude);
    expect(crude.length).toBeGreaterThan(600);
    expect(crude.length).toBeLessThan(1_000);
    expect(crude.filter((word) => !isOffensive(word))).toEqual([]);
  });

  /** What the lists name for a meaning that is not the usual one, for a person's looks, or for no reason that we can see. */
  const OTHER_MEANINGS = new Set(
    `bareback bastinado beanbag beanbags bluegum bluegums bogan bong booby boody boonies booty bung chug chugs chunky
    cocky commie coondog cumquat diddle dipstick domination dope dumb escort fingering flange gables gangsta geez geezer
    gubs gummer hadji hadjis haji hajis hajji hajjis hardcore hobo hoser idiot jeez jig jigger jiggers jiggy jigs kimchis
    kumquat limy looser loser mams muff muncher niggle niggled niggles niggling nigglings nip nudger pansies pansy pegging
    piker pollock pollocks pom poms pud puss quashie quickie reefer rigger scallywag scat scissoring sexual sexuality
    sexually shrimping skeet sloper slopers slopy snatch snowballing sooty spit spitter spunk spunky squinty strappado
    stringer stupid swallower tang tinker tinkers transvestite triplex tuckahoe turnon undressing vomit wab weewee welcher
    welfare whacker whiz whop willie yank yanks`.split(/\s+/),
  );

  test('are all words of ours that two public lists are sure about, unless they mean something else', () => {
    const file = new URL('./listed-words.txt', import.meta.url);
    const listed = new Set(readFileSync(file, 'utf8').replace(/^#.*$/gm, '').split(/\s+/));
    const known = words.filter((word) => listed.has(word));
    expect(known.length).toBeGreaterThan(350);
    expect(known.filter((word) => !isOffensive(word) && !OTHER_MEANINGS.has(word))).toEqual([]);
    expect([...OTHER_MEANINGS].filter((word) => !listed.has(word) || isOffensive(word))).toEqual([]);
  });

  test('of many languages are in no name', () => {
    expect(LISTED.length).toBe(626);
    expect(LISTED.filter((word) => !hasOffensiveWord(word, () => false))).toEqual([]);
  });

  test('are no everyday words, and no generated board is built around one', () => {
    const everyday = [...lexicon.entries()].filter(({ tier }) => tier === 'everyday');
    expect(everyday.filter(({ word }) => !isSuitable(word))).toEqual([]);
    const { numbers } = familiarWords(lexicon);
    expect(
      Array.from(numbers, (number) => lexicon.wordAt(number)).filter((word) => !isSuitable(word)),
    ).toEqual([]);
    const made = Array.from({ length: sample(60, 15) }, (_, seed) =>
      generate(lexicon, { seed: `seemly ${seed}` }),
    );
    expect(made.flatMap(({ solution }) => solution.words).filter((word) => !isSuitable(word))).toEqual([]);
  });
});
