import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { compileLexicon, loadLexicon } from '../../src/solver/lexicon.ts';
import { buildLexicon } from '../../src/wordlists/build.ts';
import { lexiconFromText, readLexicon, readOwnWords } from '../../src/wordlists/load.ts';
import { onlyLong } from '../fakes/sample.ts';

const folder = mkdtempSync(join(tmpdir(), 'letterboxed-words-'));
afterAll(() => rmSync(folder, { recursive: true }));
const ours = loadLexicon(compileLexicon([{ word: 'plain', likelihood: 0.5, tier: 'everyday' }]));

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
      expect(() => readOwnWords(name, () => ours)).toThrow('is too long. It can have 16 MB.');
  });

  it('extends ours with a plus in front of the file name', () => {
    const file = join(folder, 'mine.txt');
    writeFileSync(file, 'plain\nnovel\n');
    const lexicon = readOwnWords(`+${file}`, () => ours);
    expect(lexicon.find('plain')).toEqual({ word: 'plain', likelihood: 1, tier: 'everyday' });
    expect(lexicon.find('novel')?.tier).toBe('wide');
  });

  it('takes a list as it comes, and says in one sentence what it left out', () => {
    const notes: string[] = [];
    const note = (sentence: string) => notes.push(sentence);
    const list = 'Oslo\nfaçade\nit’s\nw0rd\nrock and roll\nco-op\nox\nfine\n';
    const words = [...lexiconFromText(list, undefined, 'mine.txt', { note }).entries()].map(
      ({ word }) => word,
    );
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
    expect(() => readOwnWords(join(folder, 'none.txt'), () => ours)).toThrow(
      /none\.txt" can't be read \(ENOENT\)/,
    );
  });
});

describe('the compiled word list', () => {
  it('is built once, and again only when something changed', onlyLong, () => {
    const file = join(folder, 'lexicon.bin');
    expect(buildLexicon(file).built).toBe(true);
    expect(buildLexicon(file).built).toBe(false);
    writeFileSync(`${file}.stamp`, 'older');
    expect(buildLexicon(file).built).toBe(true);
    expect(readLexicon(file).size).toBeGreaterThan(250_000);
  });

  it('says what to run when it is missing or damaged', () => {
    expect(() => readLexicon(join(folder, 'missing.bin'))).toThrow(
      /can't be read \(ENOENT.*npm run build:lexicon/,
    );
    const file = join(folder, 'bad.bin');
    writeFileSync(file, 'not a lexicon, but long enough to look at twice...');
    expect(() => readLexicon(file)).toThrow(/npm run build:lexicon/);
  });

  it('knows newer words and no names', () => {
    const lexicon = readLexicon();
    for (const word of ['emoji', 'sudoku', 'mochi', 'mixtape', 'queso'])
      expect(lexicon.find(word)).toBeDefined();
    expect(lexicon.find('london')).toBeUndefined();
  });
});
