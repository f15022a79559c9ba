import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { byUse, clueOf, isRelated, makeClues } from '../../scripts/clues/choose.ts';
import { basesOf } from '../../scripts/clues/forms.ts';
import { inflect } from '../../scripts/clues/inflect.ts';
import type { Sense } from '../../scripts/clues/wordnet.ts';
import { readListings } from '../../src/wordlists/build.ts';
import { clueBlocks, joinClues, readClue, readClues } from '../../src/wordlists/clues.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isOffensive } from '../../src/wordlists/offensive-words.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong, sample } from '../fakes/sample.ts';

const sense = (definition: string, more: Partial<Sense> = {}): Sense => ({
  kind: 'noun',
  definition,
  examples: [],
  synonyms: [],
  count: 0,
  ...more,
});

function readByHand(): (readonly [string, string])[] {
  const lines = readFileSync('scripts/clues/by-hand.txt', 'utf8').trim().split('\n');
  return lines.map((line) => line.split('\t') as [string, string]);
}

/** What some words are in WordNet, most often first. Reading it whole takes a second. */
const KINDS: Readonly<Record<string, string>> = {
  'verb noun': 'squeeze press look stop hide dance make sell hold know guess judge hop',
  'noun verb': 'wrinkle canopy bird officer lack title purr',
  verb: 'listen sit',
  noun: 'person device column series camel',
  'verb adj noun': 'cut',
  'verb noun adj': 'trim',
  'adj verb': 'own',
  'adj noun': 'one',
};
const kindsOf = (kinds: string) => kinds.split(' ').map((kind) => sense('', { kind: kind as Sense['kind'] }));
const someSenses = new Map(
  Object.entries(KINDS).flatMap(([kinds, words]) => words.split(' ').map((word) => [word, kindsOf(kinds)])),
);

describe('a clue', () => {
  test.each([
    ['happy', 'unhappy'],
    ['laughter', 'laugh'],
    ['beautiful', 'beauty'],
    ['land', 'island'],
    ['law', 'lawyer'],
    ['acts', 'action'],
  ])('does not say %s for %s', (token, word) => {
    expect(isRelated(token, word)).toBe(true);
  });

  test.each([
    ['control', 'contain'],
    ['the', 'theater'],
    ['public', 'forum'],
  ])('may say %s for %s', (token, word) => {
    expect(isRelated(token, word)).toBe(false);
  });

  test.each([
    ['wolves', 'wolf', 'plural'],
    ['cities', 'city', 'plural'],
    ['planned', 'plan', 'past'],
    ['hoping', 'hope', '-ing form'],
    ['forgot', 'forget', 'past'],
    ['geese', 'goose', 'plural'],
    ['happiest', 'happy', 'superlative'],
    ['better', 'good', 'comparative'],
  ])('knows that %s is a form of %s', (word, base, form) => {
    expect(basesOf(word)).toContainEqual(expect.objectContaining({ base, form }));
  });

  test.each([
    ['planes', 'plan'],
    ['robing', 'rob'],
    ['cutest', 'cut'],
    ['licensees', 'license'],
    ['copping', 'cope'],
    ['saltiness', 'saltines'],
    ['caves', 'cafe'],
  ])('knows that %s is no form of %s', (word, base) => {
    expect(basesOf(word).map((one) => one.base)).not.toContain(base);
  });

  test('is the commonest meaning that does not tell the word, else another word for it', () => {
    const senses = new Map([
      ['zovie', [sense('a zovie for all', { count: 9, synonyms: ['zoviegoer', 'film'] })]],
      ['yarnel', [sense('a fine yarnel', { count: 2 }), sense('a long tale; "he told one"', { count: 1 })]],
      ['zank', [sense('where a zanker works', { count: 50 }), sense('a slope of snow', { count: 1 })]],
    ]);
    expect(clueOf('zovies', senses)).toBe('another word for film (plural)');
    expect(clueOf('yarnel', senses)).toBe('a long tale');
    expect(clueOf('zank', senses)).toBeUndefined();
    expect(clueOf('hose', new Map([['hose', [sense('water with a hose', { kind: 'verb' })]]]))).toBe(
      'to water with a …',
    );
    expect(clueOf('xylomine', senses)).toBeUndefined();
  });

  test('is no meaning that is more than three times rarer', () => {
    const senses = new Map([
      ['zank', [sense('where a zanker works', { count: 11 }), sense('a slope of snow', { count: 3 })]],
      ['barnet', [sense('where a barnet is', { count: 12 }), sense('a unit of area', { count: 3 })]],
    ]);
    expect(clueOf('zank', senses)).toBe('a slope of snow');
    expect(clueOf('barnet', senses)).toBeUndefined();
  });

  test('is an example with a gap where the meaning tells, and has one where it is short', () => {
    const verb = (definition: string, examples: string[]) => [sense(definition, { kind: 'verb', examples })];
    const senses = new Map([
      ['zand', verb('fill a zander', ['The garden zanded', 'the garden was zanded with bees'])],
      ['zeem', verb('be full', ['the garden zeems with bees', 'the street zeemed with people'])],
    ]);
    expect(clueOf('zanded', senses)).toBe('the garden was … with bees');
    expect(clueOf('zeemed', senses)).toBe('was full: the street … with people');
    expect(clueOf('zeem', senses)).toBe('to be full');
  });

  test.each([
    [
      'a bird of the sea (as a gull) that lives on rocks, cliffs, and islands that no ship ever visits',
      /^a bird of the sea that lives on rocks, cliffs, and islands$/,
    ],
    ['any of numerous plants of the genus Zea', /^any of numerous plants$/],
    ['a skilled worker in iron who makes or mends zzyxes', /^a skilled worker in iron who makes or mends …$/],
    ['informal terms for a mother', /^a mother$/],
    ['of cloth', /^$/],
    ['a sign of love, greeting, etc.', /^a sign of love or greeting$/],
    ['a cable used e.g. on ships', /^a cable used on ships$/],
    [
      'a metric unit of capacity, formerly defined as the volume of one kilogram of pure water below the sea',
      /^a metric unit of capacity$/,
    ],
  ])('is short: %s', (definition, clue) => {
    expect(clueOf('zzyx', new Map([['zzyx', [sense(definition)]]])) ?? '').toMatch(clue);
  });

  test('names no nation in an example, and no head where a word has a meaning among all people', () => {
    const examples = ['he zeems Zembla’s food', 'the kitten zeems old fish'];
    expect(clueOf('zeems', new Map([['zeems', [sense('zeem', { kind: 'verb', examples })]]]))).toBe(
      'the kitten … old fish',
    );
    const known = [sense('informal terms for a human head'), sense('a round roof')];
    expect(clueOf('zeem', new Map([['zeem', known]]))).toBe('a round roof');
  });

  test('is no remark on how the word is used', () => {
    const known = sense('used of physical heat', { kind: 'adj', examples: ['a zeem stuffy room'] });
    expect(clueOf('zeem', new Map([['zeem', [known]]]))).toBe('a … stuffy room');
  });

  test('of a form is that of its base by hand, unless the form is more often a word of its own', () => {
    const bite = sense('use the teeth', { kind: 'verb', count: 6 });
    const clue = (count: number) =>
      clueOf(
        'bit',
        new Map([
          ['bit', [sense('a small piece', { count })]],
          ['bite', [bite]],
          ['use', [bite]],
        ]),
      );
    expect([clue(4), clue(9)]).toEqual(['used one’s teeth on', 'a small piece']);
    // By hand: wide, and not cold.
    expect(
      clueOf('broads', new Map([['broad', [sense('having great extent', { kind: 'adj' })]]])),
    ).toBeUndefined();
    expect(clueOf('hotter', new Map())).toBe('not cold (comparative)');
    expect(clueOf('ringer', new Map([['ring', [sense('a round band')]]]))).not.toContain('comparative');
    // To say that it is so.
    expect(clueOf('claimed', new Map([['say', [bite]]]))).toBe('said that it is so');
  });

  test('of a rare noun in -ing is the meaning of the verb', () => {
    const clue = (count: number) =>
      clueOf(
        'zeeming',
        new Map([
          ['zeeming', [sense('a brick on a wall', { count })]],
          ['manage', [sense('cope', { kind: 'verb' })]],
          ['zeem', [sense('manage somehow', { kind: 'verb', count: 5 })]],
        ]),
      );
    expect([clue(1), clue(3)]).toEqual(['managing somehow', 'a brick on a wall']);
  });

  test('of a verb keeps what it is done to', () => {
    const verb = (definition: string) => [sense(definition, { kind: 'verb' })];
    expect(clueOf('zeem', new Map([['zeem', verb('put (something) where nobody finds it')]]))).toBe(
      'to put something where nobody finds it',
    );
    expect(clueOf('zeem', new Map([['zeem', verb('(of a ship) go down')]]))).toBe('to go down');
    const long = 'control a function, process, or creation by a computer in the office of a large company';
    expect(clueOf('zeem', new Map([['zeem', verb(long)]]))).not.toBe('to control a function');
  });

  test('of a verb that is done again, or of its forms, is no noun’s', () => {
    const senses = new Map([
      ['zumb', [sense('go round', { kind: 'verb' }), sense('a round cake')]],
      ['zand', [sense('a flat cake')]],
    ]);
    expect(clueOf('rezumb', senses)).toBe('to go round, once more');
    expect(clueOf('rezumbing', senses)).toBe('going round, once more');
    for (const word of ['rezand', 'rezanding', 'zanding', 'unzand'])
      expect(clueOf(word, senses)).toBeUndefined();
  });

  test('is else that of the word it is made from, or its meaning with gaps', () => {
    const senses = new Map([
      ['gruff', [sense('fearless and daring', { kind: 'adj' })]],
      ['zund', [sense('sixty minutes')]],
      ['zundly', [sense('occurring every zund or payable by the zund', { kind: 'adj' })]],
      ['ring', [sense('a loud sound of bells')]],
      ['tone', [sense('the quality of a voice')]],
    ]);
    expect(clueOf('gruffly', senses)).toBe('fearless and daring (adverb)');
    expect(clueOf('zundly', senses)).toBe('occurring every … or payable by the …');
    expect(clueOf('ringers', senses)).toBe('people who have to do with: a loud sound of bells');
    expect(
      clueOf(
        'zumber',
        new Map([
          ['zumb', [sense('', { kind: 'verb', synonyms: ['wander'] })]],
          ['wander', [sense('go', { kind: 'verb' })]],
        ]),
      ),
    ).toBe('one that wanders');
    const verbs = new Map(['fell', 'wear'].map((verb) => [verb, [sense('', { kind: 'verb' })]]));
    expect(clueOf('lumberjacks', verbs)).toBe('they fell trees and wear plaid');
    // What a noun means says nothing about a verb's form.
    expect(clueOf('lumberjacking', new Map())).toBeUndefined();
    expect(clueOf('zundtone', senses)).toBeUndefined();
    expect(clueOf('whereas', senses)).toBe('while on the other hand');
  });

  test.each([
    ['to squeeze or press together', 'verb', '-ing form', 'squeezing or pressing together'],
    ['to look angry, wrinkle the forehead', 'verb', 'he, she or it', 'looks angry'],
    ['to stop, look, or listen at the door', 'verb', 'past', 'stopped, looked, or listened at the door'],
    ['to be in control', 'verb', 'past', 'was in control'],
    ['a canopy made of canvas', 'noun', 'plural', 'canopies made of canvas'],
    ['a bird that hides its head in sand', 'noun', 'plural', 'birds that hide their head in sand'],
    ['a dance using the arms', 'noun', 'plural', 'dances using the arms'],
    ['someone who makes or sells liquor', 'noun', 'plural', 'people who make or sell liquor'],
    ['any of various black or brown dogs', 'noun', 'plural', 'black or brown dogs'],
    ['a device that cuts and trims grass', 'noun', 'plural', 'devices that cut and trim grass'],
    ['an officer of the army who holds a post', 'noun', 'plural', 'officers of the army who hold a post'],
    ['one who knows or who guesses', 'noun', 'plural', 'people who know or who guess'],
    ['one who lacks nerve, is weak', 'noun', 'plural', 'people who lack nerve, are weak'],
    ['any of various small biting flies', 'noun', 'plural', 'small biting flies'],
    [
      'a column of wood that is driven into the ground',
      'noun',
      'plural',
      'columns of wood that are driven into the ground',
    ],
    ['a series of dreams', 'noun', 'plural', 'series of dreams'],
    ['one’s own person', 'noun', 'plural', 'one’s own people'],
    ['a title above a text', 'noun', 'plural', 'titles above a text'],
    ['a judge sits nearby', 'noun', 'plural', undefined],
    ['a camel has one or two', 'noun', 'plural', undefined],
    ['it purrs', 'noun', 'plural', 'they purr'],
    ['it goes with a nut', 'noun', 'plural', 'they go with a nut'],
    ['he hops, with his dog', 'noun', 'plural', 'they hop, with their dog'],
    ['it’s kissed', 'noun', 'plural', 'they are kissed'],
    ['lost in thought', 'verb', 'past', undefined],
    ['full of fear', 'adj', 'superlative', undefined],
  ] as const)('%s becomes, of a %s, %s: %s', (clue, kind, form, said) => {
    expect(inflect(clue, kind, form, someSenses)).toBe(said);
  });

  test('is first of the kind that the forms of a word show, where no text was tagged', () => {
    const known = [sense('an end'), sense('stop early', { kind: 'verb' })];
    const count = (aborted: number) => (word: string) => ({ aborted, aborts: 5, abort: 90 })[word] ?? 0;
    const kindOf = (aborted: number, tagged = known) =>
      byUse(new Map([['abort', tagged]]), count(aborted)).get('abort')?.[0]?.kind;
    expect(kindOf(50)).toBe('verb');
    expect(kindOf(4)).toBe('noun');
    expect(kindOf(50, [sense('an end', { count: 1 }), ...known])).toBe('noun');
  });

  test('written by hand does not tell its word', () => {
    const wrong = readByHand().filter(([word, clue]) => {
      const tokens = clue.toLowerCase().match(/[a-z]+/g) ?? [];
      const tells = (token: string) => token === word || (token.length > 3 && isRelated(token, word));
      return !/^[a-z]{3,}$/.test(word) || isOffensive(word) || tokens.some(tells);
    });
    expect(wrong).toEqual([]);
    expect(readByHand().length).toBeGreaterThan(4900);
  });

  test('is never offensive, and no offensive word has one', () => {
    const senses = new Map([
      ['whore', [sense('somebody who is paid')]],
      ['plonk', [sense('a bitch of a wine')]],
      ['plink', [sense('(offensive) a name for others')]],
    ]);
    for (const word of senses.keys()) expect(clueOf(word, senses)).toBeUndefined();
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
    for (const [word, clue] of [...clues].filter((_, index) => index % 20 === 0))
      expect(readClue(word)).toBe(clue);
    const commonest = [...readListings()]
      .filter(([word, { capital, level }]) => !capital && level > 0 && !isOffensive(word))
      .sort(([, a], [, b]) => b.count - a.count)
      .slice(0, 5000);
    const share = commonest.filter(([word]) => clues.has(word)).length / commonest.length;
    expect(share).toBeGreaterThan(0.94);
  });
});
