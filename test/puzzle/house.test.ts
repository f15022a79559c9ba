import { describe, expect, test } from 'vitest';
import { compare, TABLES } from '../../scripts/house-schedule/tables.ts';
import { familyOf } from '../../scripts/house-schedule/words.ts';
import { addDays, houseDifficulty } from '../../src/puzzle/calendar.ts';
import { housePuzzle } from '../../src/puzzle/house.ts';
import { REMARK_KINDS, remarkOn, remarksOn, remarkText } from '../../src/puzzle/remark.ts';
import { formatBoard, makeBoard, stuckAt } from '../../src/solver/board.ts';
import { expectedBy, parOf, stepOf } from '../../src/solver/difficulty.ts';
import { countTwoWords, type GenerateOptions, generate } from '../../src/solver/generate.ts';
import { readListings } from '../../src/wordlists/build.ts';
import { lexiconFromText, readLexicon } from '../../src/wordlists/load.ts';
import { isSuitable, spellsCrude } from '../../src/wordlists/offensive-words.ts';
import { random } from '../solver/random-boards.ts';

const DAYS = 4_018;
const START = '2026-01-01';
const schedule = Array.from({ length: DAYS }, (_, day) => housePuzzle(addDays(START, day)));

test('has these very boards for these dates', () => {
  const days = schedule
    .slice(325, 329)
    .map(
      ({ date, board, par, difficulty, official }) =>
        `${date} ${formatBoard(board)} ${par} ${difficulty}: ${official!.join(' ')}`,
    );
  expect(days).toMatchInlineSnapshot(`
    [
      "2026-11-22 cem jpi toa urn 7 fiendish: jumper romantic",
      "2026-11-23 lie aou tby rvc 4 gentle: vocabulary yeti",
      "2026-11-24 iao cfb glt rnw 4 easy: wolf fabricating",
      "2026-11-25 nto gud cwi ahr 4 fair: watching ground",
    ]
  `);
});

test('each board is solved by its two words alone together, on four sides of three letters, and spells nothing crude', () => {
  for (const { date, board, official = [] } of schedule) {
    expect(
      board.sides.map(({ length }) => length),
      date,
    ).toEqual([3, 3, 3, 3]);
    expect(new Set(board.letters).size, date).toBe(12);
    expect(official[0]!.at(-1), date).toBe(official[1]![0]);
    for (const word of official) {
      expect(stuckAt(board, [...word]), `${date} ${word}`).toBeUndefined();
      expect(new Set(word).size, word).toBeLessThan(12);
      expect(isSuitable(word), word).toBe(true);
    }
    expect(new Set(official.join('')), date).toEqual(new Set(board.letters));
    expect(spellsCrude(board.letters), date).toBe(false);
  }
});

test('no word comes again within a year, none more than six times, and none of a family within 60 days', () => {
  const listings = readListings();
  const isListed = (word: string) => listings.get(word)?.everyday ?? false;
  const last = new Map<string, number>();
  const times = new Map<string, number>();
  // Two rounds: the schedule begins again after its last day.
  for (const [day, { date, official = [] }] of [...schedule, ...schedule].entries()) {
    for (const word of official) {
      const family = `family ${familyOf(word, isListed)}`;
      expect(day - (last.get(word) ?? -DAYS), `${date} ${word}`).toBeGreaterThan(365);
      expect(day - (last.get(family) ?? -DAYS), `${date} ${word}`).toBeGreaterThanOrEqual(60);
      last.set(word, day);
      last.set(family, day);
      if (day < DAYS) times.set(word, (times.get(word) ?? 0) + 1);
    }
  }
  expect(Math.max(...times.values())).toBeLessThanOrEqual(6);
  for (const word of times.keys()) expect(listings.get(word)!.foreign, word).toBe(false);
});

test('is as the newspaper’s answers in joints, letters, beginnings, endings, lengths and two-word solutions', () => {
  const lexicon = readLexicon();
  const answers = schedule.map(({ board, official = [] }) => ({
    words: [official[0]!, official[1]!] as const,
    solutions: countTwoWords(board, lexicon).solutions,
  }));
  for (const table of TABLES) {
    const { name, p, outside } = compare(table, answers);
    expect(p, name).toBeGreaterThan(0.05);
    expect(outside, name).toBe(0);
  }
});

test('is on the step of its weekday, with the par that goes with it', () => {
  const lexicon = readLexicon();
  for (const { date, board, par, difficulty } of schedule) {
    const expected = expectedBy(board, lexicon);
    expect(stepOf(expected), date).toBe(difficulty);
    expect(parOf(expected, 2), date).toBe(par);
  }
});

test('begins again after eleven years, on the same weekday', () => {
  const [first] = schedule;
  expect(housePuzzle(addDays(START, DAYS))).toEqual({ ...first, date: addDays(START, DAYS) });
  expect(housePuzzle(addDays(START, -1)).board).toEqual(schedule.at(-1)!.board);
});

test('makes a board for a word list that lacks a word of the scheduled one', () => {
  const lexicon = lexiconFromText('unform\nmobilization\n', undefined);
  const other = { lexicon, make: (options: GenerateOptions) => generate(lexicon, options) };
  const { official, board, source } = housePuzzle('2026-11-24', other);
  expect({ official, source }).toEqual({ official: ['unform', 'mobilization'], source: 'house' });
  expect(board.letters).toHaveLength(12);
});

test('a week has a word for each day, from Monday to Sunday, every week', () => {
  for (const monday of ['2026-11-16', '2028-02-28'] as const) {
    const week = Array.from({ length: 7 }, (_, day) => houseDifficulty(addDays(monday, day)));
    expect(week).toEqual(['gentle', 'easy', 'fair', 'medium', 'tricky', 'hard', 'fiendish']);
  }
});

/** A board for each kind, and what it says there. */
const EXAMPLES: Readonly<Record<string, readonly [sides: string, text: string]>> = {
  'two vowels': ['bcd fgh klm aet', 'Two vowels have to do all the work today.'],
  'vowels and y': ['bcd fgy klm aei', 'Three vowels, and Y to help them.'],
  'three vowels': ['bcd fgh klm aei', 'Three vowels, and no Y to help.'],
  'five vowels': ['abc edf ilm oup', 'All five vowels came today.'],
  'vowel side': ['bcd fgh klm eia', 'One side is all vowels: E, I and A.'],
  'vowel on every side': ['abc edf ilm otp', 'There is a vowel on every side.'],
  'two sides without a vowel': ['bcd fgh aik eot', 'Two of the four sides have no vowel.'],
  'one side for all vowels': ['bcd fgh klm eia', 'All the vowels are on one side.'],
  'no A': ['bcd efg hij klo', 'Not a single A today.'],
  'no E': ['bcd afg hij klo', 'The commonest letter of all is missing: no E today.'],
  'no I': ['bcd efg haj klo', 'There is no I in this one.'],
  'no O': ['bcd efg hij kla', 'No O anywhere today.'],
  'no N': ['bcd efg hij kla', 'No N, so no -ING and no UN-.'],
  'no R': ['bcd efg hij kla', 'R has the day off.'],
  'no S': ['bcd efg hij kla', 'No S, so no easy plurals.'],
  'no T': ['bcd efg hij kla', 'A board without a T.'],
  'no R, S or T': ['bcd efg hij kla', 'Neither R nor S nor T today.'],
  'q alone': ['qrs aei tnl hdo', 'Q without U today.'],
  'q and u': ['qrs aei tnl hdu', 'Q is here, and it brought its U.'],
  J: ['jrs aei tnl hdu', 'J is on the board today.'],
  X: ['xrs aei tnl hdu', 'There is an X on this one.'],
  Z: ['zrs aei tnl hdu', 'Z made it onto the board.'],
  K: ['krs aei tnl hdu', 'K turned up today.'],
  V: ['vrs aei tnl hdu', 'V is in the box today.'],
  W: ['wrs aei tnl hdu', 'W came along today.'],
  'two rare letters': ['jrs aez tnl hdu', 'J and Z on one board.'],
  run: ['lpa mou nst hei', 'L to P are all here, without a gap.'],
  'long run': ['lpa moq nst hei', 'Six letters of the alphabet in a row: LMNOPQ.'],
  'first half': ['abc def ghi ost', 'Nine letters from the first half of the alphabet.'],
  'second half': ['nop rst uva eib', 'Eight letters from the second half of the alphabet.'],
  'top row': ['wer tyu ial nds', 'Seven letters from the top row of the keyboard.'],
  'middle row': ['asd fgh eio ntr', 'Six letters from the middle row of the keyboard.'],
  'no bottom row': ['asd fgh eio ptr', 'Hardly a letter from the bottom row of the keyboard.'],
  'musical notes': ['abc def tio prs', 'Enough notes for a tune: A, B, C, D, E and F.'],
  'Roman numerals': ['cdi lma teo prs', 'Five letters are Roman numerals: C, D, I, L and M.'],
  mirror: ['ahi mot vwe prs', 'Eight of the letters look the same in a mirror.'],
  'commonest letters': ['aei not prs dlm', 'The six commonest letters of English are all here.'],
  'late start': ['eio prs tud lmn', 'The alphabet begins at D today.'],
  'early end': ['aei prs tod lmn', 'Nothing comes after T today.'],
  'side in order': ['ice prs tod lmn', 'One side spells ICE. It doesn’t count.'],
  'side in some order': ['eci prs tul amn', 'Shuffle one side and you get ICE. It doesn’t count.'],
  spread: ['hol idb aey pst', 'The letters of HOLIDAY are all here, on the wrong sides.'],
  TH: ['thb aei ols ndr', 'T and H share a side, so there is no TH.'],
  CH: ['chb aei ols ndr', 'C and H share a side, so there is no CH.'],
  SH: ['shb aei olt ndr', 'S and H share a side, so there is no SH.'],
  ST: ['stb aei olh ndr', 'S and T share a side, so there is no ST.'],
  ED: ['edb aio lsh ntr', 'E and D share a side, so there is no word in -ED.'],
  ER: ['erb aio lsh ntd', 'E and R share a side, so there is no word in -ER.'],
  LY: ['lyb aio esh ntd', 'L and Y share a side, so there is no word in -LY.'],
  ING: ['ins gae lot hdr', 'I, N and G are here, but -ING won’t go.'],
  'ING goes': ['isr nae got hdl', 'The sides leave room for -ING today.'],
};

const boardOf = (sides: string) => makeBoard(sides.split(' '));

describe('what is said about a board', () => {
  test('has an example of every kind, at least twenty', () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...REMARK_KINDS].sort());
    expect(REMARK_KINDS.length).toBeGreaterThanOrEqual(20);
  });

  test.each(Object.entries(EXAMPLES))('%s: %j', (kind, [sides, text]) => {
    expect(remarkText(boardOf(sides), kind)).toBe(text);
  });

  test('leaves out what was said before and what sounds like it, down to nothing', () => {
    const board = boardOf('qrs aei tnl hdo');
    const kinds = [...remarksOn(board)].map(({ kind }) => kind);
    expect(remarkOn(board)?.kind).toBe(kinds[0]);
    expect(remarkOn(board, kinds.slice(0, 1))?.kind).toBe(kinds[1]);
    expect(remarkOn(board, kinds)).toBeUndefined();
    const split = boardOf('thc aei sob ndr');
    expect([...remarksOn(split)].filter(({ text }) => text.includes('share a side')).length).toBeGreaterThan(
      1,
    );
    expect(remarkOn(split, ['LY'])?.text).not.toContain('share a side');
  });

  test('is the same for the same letters and sides only, and names no word that can be played', () => {
    const next = random(7);
    let words = 0;
    for (let index = 0; index < 3_000; index++) {
      const letters = [...'abcdefghijklmnopqrstuvwxyz']
        .map((letter) => ({ letter, at: next() }))
        .sort((a, b) => a.at - b.at)
        .slice(0, 12)
        .map(({ letter }) => letter);
      const board = makeBoard([0, 3, 6, 9].map((at) => letters.slice(at, at + 3).join('')));
      for (const { text } of remarksOn(board)) {
        expect(text).toMatch(/^[^!]{10,70}\.$/);
        for (const [word] of text.matchAll(/\b[A-Z]{3,}\b/g)) {
          if (word === 'ING' || /in a row/.test(text)) continue;
          words++;
          expect(
            stuckAt(board, [...word.toLowerCase()]),
            `${word} on ${board.sides.join(' ')}`,
          ).toBeDefined();
        }
      }
    }
    expect(words).toBeGreaterThan(300);
  });

  test('is also true of boards of other shapes', () => {
    expect(remarkText(boardOf('abc ade'), 'two sides without a vowel')).toBeUndefined();
    expect(remarkText(boardOf('th ht ae oi'), 'TH')).toBeUndefined();
    expect(remarkText(boardOf('bcd fgh jkl mnp'), 'two vowels')).toBeUndefined();
  });

  test('is in the order of how few of 1,000 house boards it is true of', () => {
    const shares = new Map(REMARK_KINDS.map((kind) => [kind, 0]));
    for (const { board } of schedule) {
      for (const { kind } of remarksOn(board)) shares.set(kind, shares.get(kind)! + 1);
    }
    const counts = [...shares.values()];
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });
});
