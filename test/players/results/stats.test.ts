import { describe, expect, test } from 'vitest';
import { bestOfEachDay, compareScores } from '../../../src/players/results/score.ts';
import { puzzleDays, statsOf, streakOf } from '../../../src/players/results/stats.ts';
import { spanOf } from '../../../src/puzzle/calendar.ts';
import { openStore } from '../../../src/store/store.ts';
import { sample } from '../../fakes/sample.ts';
import { random } from '../../solver/random-boards.ts';
import { makeFolder } from '../../store/folders.ts';
import { dayOf, resultOf } from '../made-up.ts';

const LATE = 30 * 3_600_000;

describe('stats', () => {
  test('are empty without results', () => {
    expect(statsOf([], [dayOf(0)], dayOf(1))).toEqual({
      streak: { current: 0, longest: 0, isTodaySolved: false, freezes: 0, frozen: [] },
      solved: 0,
      late: 0,
      reported: 0,
      words: undefined,
      letters: undefined,
      hints: undefined,
      withoutHints: 0,
      best: undefined,
      byWords: [],
    });
  });

  test('count a day played in two channels once, with its best result', () => {
    const list = [
      resultOf(dayOf(0), { channel: 'a', words: 4, letters: 20, hints: 3 }),
      resultOf(dayOf(0), { channel: 'b', words: 2, letters: 12, hints: 1 }),
      resultOf(dayOf(1), { channel: 'a', words: 3, letters: 15 }),
    ];
    const stats = statsOf(list, [], dayOf(1));
    expect(stats).toMatchObject({ solved: 2, words: 2.5, letters: 13.5, hints: 0.5, withoutHints: 1 });
    expect(stats.best).toEqual(list[1]);
    expect(stats.byWords).toEqual([
      { words: 2, times: 1 },
      { words: 3, times: 1 },
    ]);
    expect(stats.streak.current).toBe(2);
  });

  test('count a board solved after its day was over, but not in the streak', () => {
    const list = [resultOf(dayOf(0)), resultOf(dayOf(1), { after: LATE }), resultOf(dayOf(2))];
    const stats = statsOf(list, [dayOf(0), dayOf(1), dayOf(2)], dayOf(2));
    expect(stats).toMatchObject({ solved: 3, late: 1 });
    expect(stats.streak).toMatchObject({ current: 1, longest: 1 });
  });

  test('prefer a result on time to a better one after the day', () => {
    const onTime = resultOf(dayOf(0), { channel: 'a', words: 5 });
    const late = resultOf(dayOf(0), { channel: 'b', words: 1, after: LATE });
    expect(bestOfEachDay([late, onTime])).toEqual([onTime]);
    expect(bestOfEachDay([onTime, late])).toEqual([onTime]);
  });

  test('compare words, then letters, then hints, then time', () => {
    const order = [
      { words: 1, letters: 30, hints: 7, solvedAt: 9 },
      { words: 2, letters: 12, hints: 7, solvedAt: 9 },
      { words: 2, letters: 13, hints: 0, solvedAt: 9 },
      { words: 2, letters: 13, hints: 1, solvedAt: 1 },
      { words: 2, letters: 13, hints: 1, solvedAt: 2 },
    ];
    expect(order.toReversed().sort(compareScores)).toEqual(order);
  });
});

test('days with a puzzle are those whose puzzle was stored while it was on', async () => {
  const store = await openStore({ dataDir: makeFolder() });
  const keep = (index: number, source: string, at: number) =>
    store.puzzles.keep({ date: dayOf(index), source, puzzle: {}, at });
  await keep(0, 'newspaper', spanOf(dayOf(0)).from);
  await keep(1, 'house', spanOf(dayOf(1)).to - 1);
  await keep(2, 'newspaper', spanOf(dayOf(2)).to);
  await keep(3, 'newspaper', spanOf(dayOf(3)).to + 1);
  await keep(3, 'house', spanOf(dayOf(3)).from + 1);
  expect(await puzzleDays(store)).toEqual(new Set([dayOf(0), dayOf(1), dayOf(3)]));
  await store.close();
});

const days = (...indices: number[]) => indices.map(dayOf);

describe('a streak', () => {
  test.each([
    [
      'ends at a day with a puzzle that is not solved',
      days(0, 1, 3, 4),
      days(0, 1, 2, 3, 4),
      4,
      [2, 2, true],
    ],
    ['is not broken by a day without a puzzle', days(0, 1, 3, 4), days(0, 1, 3, 4), 4, [4, 4, true]],
    ['is not broken by today, which is not over yet', days(0, 1), days(0, 1, 2), 2, [2, 2, false]],
    ['is broken by yesterday', days(0, 1), days(0, 1, 2, 3), 3, [0, 2, false]],
    ['counts a solved day that is not among the known dates', days(0, 1, 2), [], 2, [3, 3, true]],
  ] as const)('%s', (_, solved, known, today, expected) => {
    const { current, longest, isTodaySolved } = streakOf(solved, known, dayOf(today));
    expect([current, longest, isTodaySolved]).toEqual(expected);
  });

  test('continues across months, years and daylight-saving changes', () => {
    const long = Array.from({ length: 400 }, (_, index) => dayOf(index));
    expect(streakOf(long, long, long.at(-1)!).current).toBe(400);
  });

  test('of five years with random habits: no freeze is earned or used twice, none on a day off, and none afterwards', () => {
    for (let person = 0; person < sample(400, 25); person++) {
      const next = random(person + 1);
      const habit = 0.5 + next() / 2;
      const solved: string[] = [];
      const known: string[] = [];
      const off: string[] = [];
      /** Counted day by day, as somebody with a calendar would. */
      const own = { days: 0, left: 0, streak: 0, used: [] as string[] };
      let holiday = 0;
      for (let index = 0; index < 5 * 365; index++) {
        const day = dayOf(index);
        if (holiday === 0 && next() < 0.01) holiday = 1 + Math.floor(next() * 14);
        const isOff = holiday > 0;
        if (isOff) {
          off.push(day);
          holiday--;
        }
        // Some days have no puzzle.
        if (next() < 0.99) known.push(day);
        const hasPuzzle = known.at(-1) === day;
        if (hasPuzzle && next() < (isOff ? 0.05 : habit)) {
          solved.push(day);
          own.days++;
          own.streak++;
          if (own.days % 10 === 0 && own.left < 2) own.left++;
        } else if (hasPuzzle && !isOff) {
          if (own.streak > 0 && own.left > 0) {
            own.left--;
            own.used.push(day);
          } else own.streak = 0;
        }
        if (index % 50 !== 49 && index < 5 * 365 - 1) continue;
        // The next morning: what was said of earlier days stands.
        const { current, freezes, frozen } = streakOf(solved, known, dayOf(index + 1), off);
        expect([current, freezes, frozen]).toEqual([own.streak, own.left, own.used]);
        expect(frozen.some((date) => off.includes(date) || solved.includes(date))).toBe(false);
      }
    }
  });
});
