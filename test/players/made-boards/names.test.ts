import { describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import {
  madeName,
  readWritten,
  refuseOffensiveBoard,
  sameNameAs,
} from '../../../src/players/made-boards/names.ts';
import { parseBoard } from '../../../src/solver/board.ts';
import { readLexicon } from '../../../src/wordlists/load.ts';
import { houseOf } from '../../fakes/log-spoilers.ts';
import { sample } from '../../fakes/sample.ts';

const lexicon = readLexicon();
const isWord = (word: string) => lexicon.find(word) !== undefined;
const read = (name: string) => readWritten('name', name, isWord);

describe('names of boards', () => {
  test.each([
    'Tea time',
    'Classic cocktails',
    'Été à Genève',
    'Dickens & Co.',
    '12 Angry Men',
    'Hello!',
    'Scunthorpe United',
    'Sussex (Essex)',
    'The pen is mightier',
    'Moby Dick',
    'Love bite',
    // Crude in other languages, but words of English.
    'Pica pica',
    'Per se',
    'Maria Puttkamer',
    'Nachts im Museum',
    'Les fées',
    'Nguyễn Huệ',
    'Тихий вечер',
    'שלום עולם',
    'मेरा बोर्ड',
    // With the characters of no width that Persian writes between letters.
    'می\u200cخواهم',
    'お母さんの味',
    'マンゴー',
    '妈妈的味道',
    'รักเธอ',
    '보지 마세요',
  ])('may be %s', (name) => expect(read(name)).toBe(name.normalize('NFC')));

  test.each([
    'fuck',
    'Fuuuck you',
    'niggger',
    'F.U.C.K',
    'fück',
    'xxfuckxx',
    'sh1t',
    'ａｓｓhole',
    // In parts.
    'fu ck',
    'nig ger',
    'xx fu ck xx',
    'blow job',
    // Cyrillic, Greek and Cherokee letters.
    'ѕhіt',
    'Вitсh',
    'niggεr',
    'ΝΙGGΕR',
    'Ꭲits',
    // Small capitals, a dotless i, bars and hooks through letters.
    'ꜰᴜᴄᴋ',
    'ʙɪᴛᴄʜ',
    'nıgger',
    'ƒuƈk',
    'cuŋt cunŧ',
    // Other languages, with and without their accents.
    'Putain',
    'Hijo-de-Puta',
    'cabron',
    'Scheiße',
    'SCHEISSE',
    'Kurwa!',
    'puuuta',
    'vaf fanculo',
    'сука блядь',
    'Хуй!',
    'madarchod',
    'orospu',
    '씨발놈아',
    '操你妈',
    'フェラチオ',
    'شرموطة',
    'คนเหี้ย',
  ])('are refused if people read an offensive word in them: %s', (name) =>
    expect(() => read(name)).toThrow(/don’t post that name/),
  );

  test.each([
    '<@123>',
    '@everyone',
    'https://example.org',
    '**bold**',
    '---',
    '🍵',
    '',
    // Nobody sees these.
    'a\u200Bb',
    '\u3164',
    '\u115F',
    '\uFFA0\uFFA0',
    'Tea\u3164time',
    'Tea\uFE0F',
    'Te\u034Fa',
    'Tea\u200Ctime',
    'می\u200c',
    // Marks on nothing, and one mark upon another.
    '\u0301a',
    'a \u0301b',
    'Te\u0301\u0302\u0303a',
    `a${'\u0335'.repeat(29)}`,
  ])('are refused with other characters: %j', (name) => expect(() => read(name)).toThrow(/can’t be a name/));

  test('have thirty characters at most', () => {
    expect(read('x'.repeat(30))).toHaveLength(30);
    expect(() => read('x'.repeat(31))).toThrow(/too long/);
  });

  test('are the same in any case and with other separators', () => {
    expect(sameNameAs('Tea time')('tea-TIME')).toBe(true);
    expect(sameNameAs('Tea time')('Teatimes')).toBe(false);
    // Written with an accent of its own, as some systems do.
    expect(sameNameAs('Café')('Cafe\u0301')).toBe(true);
    expect(sameNameAs('e\u0301'.repeat(30))('é'.repeat(30))).toBe(true);
    expect(sameNameAs('Tea')('Te\u034fa\ufe0f')).toBe(true);
    // Cyrillic, Greek, and small capitals.
    expect(sameNameAs('Tea')('Теа')).toBe(true);
    expect(sameNameAs('Tea')('ΤΕΑ')).toBe(true);
    expect(sameNameAs('Tea')('ᴛᴇᴀ')).toBe(true);
    // Vowels of many scripts are marks: day and gift.
    expect(sameNameAs('दिन')('दान')).toBe(false);
  });

  test('match no typed name that is too long to be one', () => {
    expect(sameNameAs('ﷺ'.repeat(2000))('ﷺ')).toBe(false);
    expect(sameNameAs('a'.repeat(31))('a'.repeat(31))).toBe(false);
  });

  test('are made from a letter of each side, never a word and never twice', () => {
    const board = parseBoard('ozu nri lfa mbt');
    expect(madeName(board, isWord, () => false)).toBe('Board ONLM');
    expect(
      madeName(
        board,
        (word) => word === 'onlm',
        () => false,
      ),
    ).toBe('Board ZRFB');
    expect(madeName(board, isWord, (name) => name !== 'Board 3')).toBe('Board 3');
  });
});

describe('letters of boards', () => {
  test.each(['fuc kin gxy zab', 'xfu cky ozi mbt', 'ab ass cd ef', 'ozc unt lfa mbi'])(
    'that spell an offensive word in their order are refused: %s',
    (sides) => expect(() => refuseOffensiveBoard(parseBoard(sides))).toThrow(/another order/),
  );

  test.each(['ozu nri lfa mbt', 'kcu fni gxy zab'])('may spell one backwards or none: %s', (sides) => {
    refuseOffensiveBoard(parseBoard(sides));
  });

  test('of nearly all house boards are fine', () => {
    const days = Array.from({ length: sample(20, 6) }, (_, day): PuzzleDate => `2027-01-${day + 10}`);
    const refused = days.filter((date) => {
      try {
        refuseOffensiveBoard(houseOf(lexicon, date).board);
        return false;
      } catch {
        return true;
      }
    });
    expect(refused.length).toBeLessThan(2);
  });
});

/** Of 70 words, twice, and of the 31 runs that begin with each. */
const MOST_LOOK_UPS = 70 * 2 + 70 * 31;

describe('notes of makers', () => {
  const readNoteOf = (text: string) => readWritten('note', text, isWord);

  test('are short sentences, checked as names are', () => {
    expect(readNoteOf(' Made on a train, for Ada. ')).toBe('Made on a train, for Ada.');
    expect(readNoteOf('tea '.repeat(35))).toHaveLength(139);
    expect(() => readNoteOf('a'.repeat(141))).toThrow('That note is too long. It can have 140 characters.');
    expect(() => readNoteOf('f u c k you')).toThrow('I don’t post that note here');
    expect(() => readNoteOf('@everyone')).toThrow('can’t be a note');
  });

  test('are as long as they look, where one character stands for a phrase', () => {
    expect(readNoteOf('ﷺ')).toBe('ﷺ');
    expect(readNoteOf('한'.repeat(140))).toHaveLength(140);
    expect(() => readNoteOf('ﷺ'.repeat(140))).toThrow('That note is too long. It can have 140 characters.');
  });

  test('cost a bounded number of look-ups, however many words they have', () => {
    let asked = 0;
    const count = (word: string) => {
      asked++;
      return isWord(word);
    };
    for (const words of [
      'a '.repeat(70),
      'q '.repeat(70),
      'ab '.repeat(46),
      'ﷺ'.repeat(15),
      'x-'.repeat(69),
    ]) {
      asked = 0;
      readWritten('note', `${words}x`.slice(0, 140), count);
      expect(asked).toBeLessThanOrEqual(MOST_LOOK_UPS);
    }
  });
});
