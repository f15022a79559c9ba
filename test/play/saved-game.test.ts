import { describe, expect, it } from 'vitest';
import { formatMoves, parseMoves, startGame } from '../../src/play/game.ts';
import { restoreGame, savedWords, saveGame } from '../../src/play/saved-game.ts';
import { parseBoard } from '../../src/solver/board.ts';
import { playAll, randomMoves, tableOf } from './boards.ts';

const BOARD = parseBoard('ozu nri lfa mbt');
const ANY = () => true;
const saved = saveGame(playAll(startGame(BOARD), parseMoves('forum.onar')!, ANY));

describe('a saved game', () => {
  it('holds a version, the sides, the words and the current word, and nothing else', () => {
    expect(saved).toEqual({ version: 1, sides: BOARD.sides, words: ['forum'], word: 'monar' });
    expect(savedWords(saved)).toEqual(['forum', 'monar']);
  });

  it.each([
    ['nothing', undefined],
    ['text', 'forum'],
    ['another version', { ...saved, version: 2 }],
    ['another board', { ...saved, sides: ['abc', 'def', 'ghi', 'jkl'] }],
    ['a word that can not be walked', { ...saved, words: ['ozu'], word: 'u' }],
    ['words that do not chain', { ...saved, words: ['forum', 'tan'], word: 'n' }],
    ['a word too short', { ...saved, words: ['fo'], word: 'o' }],
    ['a letter that is on no side', { ...saved, word: 'mx' }],
    ['a spot that is not there', { ...saved, word: 'mZ' }],
    ['a current word that begins elsewhere', { ...saved, word: 'tan' }],
    ['no current word after a word', { ...saved, word: '' }],
    ['a current word without end', { ...saved, word: 'mo'.repeat(40) }],
    ['other characters', { ...saved, word: 'm"' }],
  ])('is not restored from %s', (_, data) => {
    expect(restoreGame(data, BOARD)).toBeUndefined();
    if (data === undefined || typeof data === 'string') expect(savedWords(data)).toBeUndefined();
  });
});

describe('moves as text', () => {
  it('come back as they were, whatever they are', () => {
    for (let seed = 0; seed < 200; seed++) {
      const moves = randomMoves(tableOf(seed), seed, 30);
      expect(parseMoves(formatMoves(moves))).toEqual(moves);
    }
  });

  it.each(['é', 'a b', '1', '\n', 'a'.repeat(281)])(
    'are refused for a foreign character, or for more than 280 of them: %j',
    (text) => {
      expect(parseMoves(text)).toBeUndefined();
    },
  );
});
