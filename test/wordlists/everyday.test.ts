import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { FREQUENCY_PACKAGES } from '../../scripts/everyday/model.ts';
import { EVERYDAY_FILE } from '../../src/wordlists/build.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isSuitable } from '../../src/wordlists/offensive-words.ts';

const lexicon = readLexicon();
const tierOf = (word: string) => lexicon.find(word)?.tier;

const eachOf = (words: string) => test.each(words.split(/\s+/).map((word) => [word]));

/** The words that people named as wrong, in issue 49 and where the list was judged, and one of each kind. */
describe('everyday words', () => {
  eachOf(`splashy quartz ringtone skateboard comfortably backyards checkerboard with
    purred canned happier tiredest backpacker color lorry selfie
    via derives mattering crediting unassigned sourced creatives statuses expiry gifting locales pocketing trashes righted
    ghosting bares breading kinfolk reoccurring valueless secretes stipulations babied whys propositioning concourse
    estimations policed vacationed bettering wowing succumbing gardened dirtying wallpapering
    eeriest chillier cheekier nosier cheerleading triplet watercolor zookeeper saltiness`)(
    'have %s among them',
    (word) => expect(tierOf(word)).toBe('everyday'),
  );

  eachOf(`bunyip babier eagerer properer rared til titian hos dago scumbag educations silentest danny
    aliased conjectured crazing ducting frighting lancers longshoreman resection ultrasonics
    anythings dinnered facsimileing circumstanced peopled prettying archest blamer`)('leave out %s', (word) =>
    expect(tierOf(word)).toBe('wide'),
  );

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
