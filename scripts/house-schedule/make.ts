/**
 * Makes src/puzzle/house-schedule.txt: the house's board of each day of eleven years, chosen so that joints, letters, lengths,
 * endings and two-word solutions are as common as the newspaper's, and so that each weekday has its difficulty.
 *
 *     node scripts/house-schedule/make.ts          mends what no longer fits after a change of the word list: replaces the days
 *                                                  with a word that is not wanted any more (unwanted.txt) or of a family that
 *                                                  comes too soon, and moves the letters of boards that are off their step
 *     node scripts/house-schedule/make.ts anew     makes all days, in some minutes: their words then need clues
 *
 * `node scripts/house-schedule/compare.ts` prints how like the newspaper's answers the schedule is.
 */
import { writeFileSync } from 'node:fs';
import { Random } from '../../src/core/random.ts';
import { addDays, weekdayOf } from '../../src/puzzle/calendar.ts';
import { housePuzzle, rotate, SCHEDULE_START } from '../../src/puzzle/house.ts';
import { gradeOf, parOf } from '../../src/solver/difficulty.ts';
import { GRADES } from '../../src/solver/types.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import { Chooser, DAYS_BETWEEN_FAMILY } from './choose.ts';
import { arranged, makePool, measured, type PoolBoard } from './pool.ts';
import { scheduleWords } from './words.ts';

/** Eleven years of whole weeks. */
const DAYS = 574 * 7;
const POOL_BOARDS = 80_000;
const REPAIR_BOARDS = 12_000;
const MOVES = 25_000_000;
/** Sides that are tried for the words of a day. */
const ARRANGEMENTS = 300;
/** Expected words of the gentlest and of the hardest board: beyond them, boards are dull or unpleasant. */
const EXPECTED = [3.2, 8] as const;

const isAnew = process.argv[2] === 'anew';
const lexicon = readLexicon();
const words = scheduleWords(lexicon);
const pool = makePool(lexicon, words, isAnew ? POOL_BOARDS : REPAIR_BOARDS, 'house pool').filter(
  ({ expected }) => expected >= EXPECTED[0] && expected < EXPECTED[1],
);
console.log(`words: ${words.length}, boards: ${pool.length}`);
const steps = {
  day: (day: number) => weekdayOf(addDays(SCHEDULE_START, day)) - 1,
  board: ({ expected }: PoolBoard) => GRADES.indexOf(gradeOf(expected)),
};
const chooser = new Chooser(pool, words, DAYS, steps, new Random('house schedule'));
const boards = isAnew ? chooser.choose(MOVES) : chooser.repair(keptBoards());
const lines = boards.map(({ words, expected, board }) =>
  rotate([...words, parOf(expected, words.length), ...board.sides].join(' ')),
);
writeFileSync(new URL('../../src/puzzle/house-schedule.txt', import.meta.url), `${lines.join('\n')}\n`);

/** The boards of the schedule as it is, undefined where the words can't stay. */
function keptBoards(): (PoolBoard | undefined)[] {
  const numbers = new Map(words.map(({ word }, number) => [word, number]));
  const last = new Map<string, number>();
  let moved = 0;
  const kept = Array.from({ length: DAYS }, (_, day) => {
    const { board, official = [] } = housePuzzle(addDays(SCHEDULE_START, day));
    const [first, second] = official.map((word) => numbers.get(word));
    if (first === undefined || second === undefined) return undefined;
    const families = [first, second].map((number) => words[number]!.family);
    if (families.some((family) => day - (last.get(family) ?? -DAYS) < DAYS_BETWEEN_FAMILY)) return undefined;
    for (const family of families) last.set(family, day);
    const whole = measured(lexicon, words, [first, second], board);
    if (whole === undefined || steps.board(whole) === steps.day(day)) return whole;
    moved++;
    return onStep(day, [first, second]);
  });
  console.log(`moved: ${moved}, days to fill: ${kept.filter((board) => board === undefined).length}`);
  return kept;
}

/** The same words on other sides, as hard as the day should be. */
function onStep(day: number, numbers: readonly [number, number]): PoolBoard | undefined {
  const random = new Random(`day ${day}`);
  for (let tries = 0; tries < ARRANGEMENTS; tries++) {
    const board = arranged(lexicon, words, numbers, random);
    if (board !== undefined && steps.board(board) === steps.day(day)) return board;
  }
  return undefined;
}
