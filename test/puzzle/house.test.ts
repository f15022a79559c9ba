import { describe, expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import { houseDifficulty, houseDifficultyBySolutions, housePuzzle } from '../../src/puzzle/house.ts';
import { REMARK_KINDS, remarkOn, remarksOn, remarkText } from '../../src/puzzle/remark.ts';
import { formatBoard, makeBoard, stuckAt } from '../../src/solver/board.ts';
import { generate } from '../../src/solver/generate.ts';
import { readClues } from '../../src/wordlists/clues.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { isSuitable, spellsCrude } from '../../src/wordlists/offensive-words.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { random } from '../solver/random-boards.ts';

const board = makeBoard(['pam', 'ent', 'ril', 'ocs']);
const make: Parameters<typeof housePuzzle>[1] = ({ seed, ...how }) => ({
  board,
  solution: { words: [seed, JSON.stringify(how)] },
  par: 5,
});

test('the house board of a date is its own, labelled, with the solution it was built around', () => {
  expect(housePuzzle('2026-11-26', make)).toEqual({
    date: '2026-11-26',
    source: 'house',
    board,
    par: 5,
    official: ['house:2026-11-26', `{"share":[${2 / 7},${5 / 7}]}`],
  });
});

test('gives these very boards for these dates', () => {
  const lexicon = readLexicon();
  const days = Array.from({ length: 4 }, (_, day) => {
    const puzzle = housePuzzle(addDays('2026-11-22', day), (options) => generate(lexicon, options));
    return `${puzzle.date} ${formatBoard(puzzle.board)}: ${puzzle.official!.join(' ')}`;
  });
  expect(days).toEqual([
    '2026-11-22 wtq nyl hac uie: whence equality',
    '2026-11-23 hao frn igs lud: flashing grounds',
    '2026-11-24 rft aeg sun dmh: smug grandfather',
    '2026-11-25 kzl esd cnb aoh: blockhead dozens',
  ]);
});

// Without the schedule, one day in six repeats a word: 30 days show that with hardly a doubt.
test('no word comes again within 90 days; none offends, each has a clue, and few are plurals or participles', () => {
  const lexicon = readLexicon();
  const clues = readClues();
  const days = Array.from({ length: sample(3_650, 30) }, (_, day) =>
    housePuzzle(addDays('2026-11-24', day), (options) => generate(lexicon, options)),
  );
  const last = new Map<string, number>();
  for (const [day, { date, board, official = [] }] of days.entries()) {
    expect(spellsCrude(board.letters), date).toBe(false);
    for (const word of official) {
      expect(day - (last.get(word) ?? Number.NEGATIVE_INFINITY), `${date} ${word}`).toBeGreaterThan(90);
      expect(isSuitable(word), word).toBe(true);
      expect(clues.has(word), word).toBe(true);
    }
    for (const word of official) last.set(word, day);
  }
  const words = days.flatMap(({ official = [] }) => official);
  const share = (ending: RegExp) => words.filter((word) => ending.test(word)).length / words.length;
  const slack = sample(0.003, 0.08);
  expect(share(/s$/)).toBeLessThan(0.07 + slack);
  expect(share(/(?:ed|ing)$/)).toBeLessThan(0.09 + slack);
});

test('a date after the schedule has a board of its own, too', () => {
  expect(housePuzzle('2040-02-29', make).official![0]).toBe('house:2040-02-29');
});

test.each([
  [0, 'hard'],
  [3, 'hard'],
  [4, 'medium'],
  [41, 'medium'],
  [42, 'easy'],
  [500, 'easy'],
])('calls a board with %i two-word solutions %s, as days of the week are', (solutions, difficulty) => {
  expect(houseDifficultyBySolutions(solutions)).toBe(difficulty);
});

test('no two dates of ten years share a seed', () => {
  const seeds = new Set<string>();
  for (let day = 0; day < 3653; day++) {
    const [seed] = housePuzzle(addDays('2026-01-01', day), make).official!;
    seeds.add(seed!);
  }
  expect(seeds.size).toBe(3653);
});

test('a week starts easy on Monday and ends hard on Sunday, every week', () => {
  for (const monday of ['2026-11-16', '2028-02-28'] as const) {
    const week = Array.from({ length: 7 }, (_, day) => houseDifficulty(addDays(monday, day)));
    expect(week).toEqual(['easy', 'easy', 'medium', 'medium', 'medium', 'hard', 'hard']);
  }
});

test('a week draws once from all parts of the days of the newspaper', () => {
  const parts = Array.from({ length: 7 }, (_, day) => {
    const [, how] = housePuzzle(addDays('2026-11-30', day), make).official!;
    const [from, to]: [number, number] = JSON.parse(how!).share;
    return [from * 7, to * 7].map(Math.round).join('-');
  });
  expect(parts).toEqual(['5-7', '5-7', '2-5', '2-5', '2-5', '0-2', '0-2']);
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

  test('is in the order of how few of 1,000 house boards it is true of', onlyLong, () => {
    const lexicon = readLexicon();
    const shares = new Map(REMARK_KINDS.map((kind) => [kind, 0]));
    for (let day = 0; day < 1_000; day++) {
      const { board } = housePuzzle(addDays('2020-01-01', day), (options) => generate(lexicon, options));
      for (const { kind } of remarksOn(board)) shares.set(kind, shares.get(kind)! + 1);
    }
    const counts = [...shares.values()];
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
  });
});
