import { describe, expect, it } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { lineMeantBy, PHRASES } from '../../src/dispatch/phrases.ts';
import { readLexicon } from '../../src/wordlists/load.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const read = (line: string) => {
  const { command, options } = readLine(line, COMMANDS, isWord);
  return { command, ...options() };
};
const SIDES = 'ozu nri lfa mbt';

describe('what people say', () => {
  it('has a line for every phrase of the table that each command can read', () => {
    const said = PHRASES.replace(/^\S.*?:/gm, ',').split(',');
    const phrases = said.map((phrase) => phrase.trim().replace('…', '9')).filter((phrase) => phrase !== '');
    expect(phrases.length).toBeGreaterThan(200);
    expect(new Set(phrases).size).toBe(phrases.length);
    for (const phrase of phrases) {
      const meant = lineMeantBy(phrase);
      expect(meant, phrase).toMatchObject({ isSure: true });
      const name = meant!.line.split(' ')[0];
      expect([phrase, read(phrase).command]).toEqual([phrase, name]);
    }
  });

  it.each([
    ['hint please', { command: 'hint' }],
    ['Can you give me another hint, please?', { command: 'hint' }],
    ['/letterboxed give me a hint', { command: 'hint' }],
    ['help me', { command: 'help' }],
    ['Hello!', { command: 'help' }],
    ['hi bot', { command: 'help' }],
    ['can you help me', { command: 'help' }],
    ['remind me at 7pm', { command: 'remind', at: '7pm' }],
    ['could you remind me every day at 9:30?', { command: 'remind', at: '9:30' }],
    ['score', { command: 'stats' }],
    ['spoiler', { command: 'reveal' }],
    ['What was yesterday’s solution?', { command: 'reveal', date: 'yesterday' }],
    ["what's today's board", { command: 'today' }],
    ['vacation 5 days', { command: 'holiday', days: '5 days' }],
    ['I solved it in 2 words!', { command: 'record', message: 'i solved it in 2 words' }],
    ['is forum a word?', { command: 'check', words: 'forum' }],
    ['what can I play after forum', { command: 'next', words: 'forum' }],
    [`please solve ${SIDES}`, { command: 'solve', sides: SIDES }],
    [`can you solve this ${SIDES}`, { command: 'solve', sides: SIDES }],
    [`solv ${SIDES}`, { command: 'solve', sides: SIDES }],
  ])('%j is understood', (line, meant) => {
    expect(read(line)).toEqual(meant);
  });

  it.each([
    ['play stop please', { command: 'play', words: 'stop please' }],
    ['check please', { command: 'check', words: 'please' }],
    ['next rot after', { command: 'next', words: 'rot after' }],
    ['next after rot', { command: 'next', words: 'after rot' }],
    ['play game', { command: 'play', words: 'game' }],
    ['solve for abc deg hij', { command: 'solve', sides: 'for abc deg hij' }],
    ['hint the', { command: 'hint', words: 'the' }],
  ])('%j means words and sides as before', (line, meant) => {
    expect(read(line)).toEqual(meant);
  });

  it('does not run a mistyped command that changes a channel', () => {
    expect(() => read('daly on')).toThrow('Did you mean daily?');
    expect(() => read('solv forum')).toThrow('Did you mean solve?');
  });
});
