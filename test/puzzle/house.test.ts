import { expect, test } from 'vitest';
import { familyOf } from '../../scripts/house-schedule/words.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import { SCHEDULE_DAYS as DAYS, housePuzzle, SCHEDULE_START as START } from '../../src/puzzle/house.ts';
import { readSchedule } from '../../src/puzzle/house-schedule.ts';
import { formatBoard, stuckAt } from '../../src/solver/board.ts';
import { expectedBy, gradeOf, parOf } from '../../src/solver/difficulty.ts';
import { type GenerateOptions, generate } from '../../src/solver/generate.ts';
import { readListings } from '../../src/wordlists/build.ts';
import { lexiconFromText, readLexicon } from '../../src/wordlists/load.ts';
import { isSuitable, spellsCrude } from '../../src/wordlists/offensive-words.ts';
import { onlyLong, sample } from '../fakes/sample.ts';

/** Every weekday is met, as a week is no multiple of it. */
const STEP = sample(1, 11);
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
      "2026-11-22 iun pra cme jot 8 fiendish: jumper romantic",
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

// What this test and the next say is of the table of words alone, which changes only when scripts/house-schedule/make.ts writes it.
test(
  'no word comes again within a year, none more than six times, and none of a family within 60 days',
  onlyLong,
  () => {
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
  },
);

test('is on the step of its weekday, with the par that goes with it', () => {
  const lexicon = readLexicon();
  for (const { date, board, par, difficulty } of schedule.filter((_, day) => day % STEP === 0)) {
    const expected = expectedBy(board, lexicon);
    expect(gradeOf(expected), date).toBe(difficulty);
    expect(parOf(expected, 2), date).toBe(par);
  }
});

test('begins again after eleven years, on the same weekday', () => {
  const [first] = schedule;
  expect(readSchedule()).toHaveLength(DAYS);
  expect(housePuzzle(addDays(START, DAYS))).toEqual({ ...first, date: addDays(START, DAYS) });
  expect(housePuzzle(addDays(START, -1)).board).toEqual(schedule.at(-1)!.board);
});

test('makes a board for a word list that lacks a word of the scheduled one', () => {
  const [known] = housePuzzle('2026-11-24').official!;
  const lexicon = lexiconFromText(`unform\nmobilization\n${known}\n`, undefined);
  const other = { lexicon, make: (options: GenerateOptions) => generate(lexicon, options) };
  const { official, board, source } = housePuzzle('2026-11-24', other);
  expect({ official, source }).toEqual({ official: ['unform', 'mobilization'], source: 'house' });
  expect(board.letters).toHaveLength(12);
});
