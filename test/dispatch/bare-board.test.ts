import { describe, expect, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { readLine } from '../../src/dispatch/line.ts';
import { readLexicon } from '../../src/wordlists/load.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const read = (line: string) => readLine(line, COMMANDS, isWord);

describe('a line without a command', () => {
  test.each([
    'ozu nri lfa mbt',
    'OZU NRI LFA MBT',
    'Ozu Nri Lfa Mbt',
    'ozu,nri,lfa,mbt',
    'OZU, NRI, LFA, MBT',
    'ozu-nri-lfa-mbt',
    'ozu/nri/lfa/mbt',
    'ozu | nri | lfa | mbt',
    '[[ozu],[nri],[lfa],[mbt]]',
    '["ozu","nri","lfa","mbt"]',
    'ozunrilfambt',
    'OZUNRILFAMBT',
    'o z u n r i l f a m b t',
    '@letterboxed ozu nri lfa mbt',
    '/letterboxed ozunrilfambt',
    'eci axy otu hrn',
    'uoz inr fla bmt',
    // One to three sides are words by chance.
    'ant oiv rlm eby',
    'cat urn ivk hem',
    'ozun ri lfa mbt',
    'ozun rilf ambt',
    'oz un ri lf ma bt',
    'abcd efgh ijkl mnop',
    'abcde fghij klmno pqrst',
    'abcdef ghijkl mnopqr stuvwx',
    'abc def ghi jkl mno pqr stu vwx',
    'e x o r t l',
    'qzu nri lfk',
  ])('is a board: %s', (line) => {
    expect(read(line).command).toBe('solve');
    expect(read(line).options()).toHaveProperty('sides');
  });

  test.each([
    'hello bot what is this',
    'hey there friend',
    'good morning everyone',
    'thx bro gn',
    'omg lol wtf',
    'yo sup all',
    'are you in',
    'who are you',
    'what is it for',
    'is this thing on',
    'where is the board?',
    'any new puzzles yet',
    'i like this game',
    'the big mad fox',
    'my cat did it',
    'fun day out',
    'cat dog fish bird',
    'cat tub bar rat',
    'bread milk eggs tea',
    'state-of-the-art',
    'one, two, three',
    'ambidextrous',
    'considerably',
    'congratulate',
    'forum mozart',
    'es es es es',
    'ozu nri lfa ozu',
    'abc',
    'ozu nri',
    '123 456 789',
    '🙂 🙂 🙂',
  ])('is no board: %s', (line) => {
    expect(read(line).options).toThrow(/There is no command|isn’t a command/);
  });

  test('that could be a board after all says how to have it solved', () => {
    expect(read('hello bot what is this').options).toThrow(
      '"hello bot what is this" isn’t a command or a board. Try today, hint or help, or type the sides of a board, ' +
        'like ozu nri lfa mbt. To solve it as a board, type: solve hello bot what is this',
    );
    expect(read('how do i play chess with you tonight').options).not.toThrow('type: solve');
  });
});
