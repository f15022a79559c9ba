import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { FREQUENCY_PACKAGES } from '../../scripts/everyday/model.ts';
import { type Lexicon, makeLexicon } from '../../src/solver/lexicon.ts';
import { buildLexicon, EVERYDAY_FILE } from '../../src/wordlists/build.ts';
import { lexiconFromText, lexiconOf, readLexicon, readLexiconFile } from '../../src/wordlists/load.ts';
import { isSuitable } from '../../src/wordlists/offensive-words.ts';
import {
  packClues,
  packLexicon,
  unpackClues,
  unpackEveryday,
  unpackLexicon,
} from '../../src/wordlists/packed.ts';
import { agree } from '../agree.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong, sample } from '../fakes/sample.ts';

const folder = makeFolder();
const ignore = () => {};

describe('a person’s own word list', () => {
  it('replaces ours: any case, comments, blank lines, Windows line ends, a byte order mark', () => {
    const lexicon = lexiconFromText('\uFEFFZebra\r\n# mine\r\n\r\nox\r\napple # fruit\r\n', undefined);
    expect([...lexicon.entries()]).toEqual([
      { word: 'apple', likelihood: 1, tier: 'everyday' },
      { word: 'zebra', likelihood: 1, tier: 'everyday' },
    ]);
  });

  it('is refused where it is too long, or never ends', () => {
    const file = join(folder, 'long.txt');
    writeFileSync(file, 'forum\n'.repeat(3_000_000));
    for (const name of process.platform === 'win32' ? [file] : [file, '/dev/zero'])
      expect(() => lexiconOf(name, ignore)).toThrow('is too long. It can have 16 MB.');
  });

  it('extends ours with a plus in front of the file name', () => {
    const file = join(folder, 'mine.txt');
    writeFileSync(file, 'plain\nblorpy\n');
    const lexicon = lexiconOf(`+${file}`, ignore);
    expect(lexicon.find('plain')).toEqual({ word: 'plain', likelihood: 1, tier: 'everyday' });
    expect(lexicon.find('blorpy')?.tier).toBe('wide');
    expect(lexicon.find('forum')).toEqual(readLexicon().find('forum'));
  });

  it('takes a list as it comes, and says in one sentence what it left out', () => {
    const notes: string[] = [];
    const note = (sentence: string) => notes.push(sentence);
    const list = 'Oslo\nfaçade\nit’s\nw0rd\nrock and roll\nco-op\nox\nfine\n';
    const words = [...lexiconFromText(list, undefined, 'mine.txt', note).entries()].map(({ word }) => word);
    expect(words).toEqual(['facade', 'fine', 'oslo']);
    expect(notes).toEqual([
      'mine.txt: left out 4 of 8 lines, which are not words of plain letters, such as "it’s", "w0rd", "rock and roll".',
    ]);
  });

  it.each([
    ['\n# nothing\nox\n', 'mine.txt has no word of three plain letters or more. It should'],
    [
      '1 2\n3 4\n',
      'mine.txt has no word of three plain letters or more, only lines such as "1 2", "3 4". It',
    ],
  ])('refuses %j, in which there are no words', (text, message) => {
    expect(() => lexiconFromText(text, undefined, 'mine.txt')).toThrow(message);
  });

  it('names a missing file', () => {
    expect(() => lexiconOf(join(folder, 'none.txt'), ignore)).toThrow(/none\.txt" can't be read \(ENOENT\)/);
  });
});

describe('the compiled word list', () => {
  it('is built once, and again only when something changed', onlyLong, () => {
    const file = join(folder, 'lexicon.bin');
    expect(buildLexicon(file).built).toBe(true);
    expect(buildLexicon(file).built).toBe(false);
    writeFileSync(`${file}.stamp`, 'older');
    expect(buildLexicon(file).built).toBe(true);
    expect(readLexiconFile(file).size).toBeGreaterThan(250_000);
  });

  it('says what to run when it is missing or damaged', () => {
    expect(() => readLexiconFile(join(folder, 'missing.bin'))).toThrow(
      /can't be read \(ENOENT.*npm run build:lexicon/,
    );
    const file = join(folder, 'bad.bin');
    writeFileSync(file, 'not a lexicon, but long enough to look at twice...');
    expect(() => readLexiconFile(file)).toThrow(/npm run build:lexicon/);
  });

  it('knows newer words and no names', () => {
    const lexicon = readLexicon();
    for (const word of ['emoji', 'sudoku', 'mochi', 'mixtape', 'queso'])
      expect(lexicon.find(word)).toBeDefined();
    expect(lexicon.find('london')).toBeUndefined();
  });
});

describe('a packed word list', () => {
  it('unpacks to the same words, with their tiers and likelihoods', () => {
    const list = readLexicon();
    const packed = packLexicon(list);
    const everyday = makeLexicon(unpackEveryday(packed.everyday));
    const unpacked = makeLexicon(unpackLexicon(packed.words, everyday));
    agree('likelihoods', unpacked.likelihoods, list.likelihoods);
    agree('tiers', unpacked.tiers, list.tiers);
    const wordsOf = ({ size, wordAt }: Lexicon) =>
      Array.from({ length: Math.ceil(size / step) }, (_, index) => wordAt(step * index));
    const step = sample(1, 10);
    agree('all', wordsOf(unpacked), wordsOf(list));
    const known = [...list.tiers.keys()].filter((word) => list.tiers[word] === 0);
    agree(
      'everyday',
      wordsOf(everyday),
      wordsOf({ ...list, size: known.length, wordAt: (nth) => list.wordAt(known[nth]!) }),
    );
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
    eeriest chillier cheekier nosier cheerleading triplet watercolor zookeeper saltiness
    meme hashtag malware phishing username logout screenshot quinoa ramen sriracha kimchi gelato lockdown webpage touchscreen
    rainforest topsoil winemaker softhearted gelatinous epoxy linguine souffle archeology iconic strategize
    hackathon esports macaron ebike downvote livestream gaslighting kettlebell hoverboard
    drawl amidst masseur godson hydrating proofreader misogynistic storylines emu overgrows`)(
    'have %s among them',
    (word) => expect(tierOf(word)).toBe('everyday'),
  );

  eachOf(`bunyip babier eagerer properer rared til titian hos dago scumbag educations silentest danny
    aliased conjectured crazing ducting frighting lancers longshoreman resection ultrasonics
    anythings dinnered facsimileing circumstanced peopled prettying archest blamer`)('leave out %s', (word) =>
    expect(tierOf(word)).toBe('wide'),
  );

  eachOf('fintech fangirl facetime covid yeet')('leave out %s, which is accepted', (word) =>
    expect(lexicon.find(word)).toMatchObject({ tier: 'wide', likelihood: expect.closeTo(0.8, 1) }),
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
