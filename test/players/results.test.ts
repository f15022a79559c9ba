import { describe, expect, test } from 'vitest';
import { Random } from '../../src/core/random.ts';
import { DEFAULT_SETTINGS, parseStored } from '../../src/daily/settings/settings.ts';
import { channelStreak } from '../../src/players/day-post.ts';
import { anonymizePath } from '../../src/players/results/results.ts';
import {
  bestOfEachDay,
  compareScores,
  periodBefore,
  periodOf,
  puzzleDays,
  type Score,
  standingsOf,
  statsOf,
  streakOf,
} from '../../src/players/results/stats.ts';
import { addDays, spanOf, weekdayOf } from '../../src/puzzle/calendar.ts';
import { pathOf } from '../../src/reply/picture/path.ts';
import { PERIODS } from '../../src/reply/replies/standings.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { openStore } from '../../src/store/store.ts';
import type { ResultSums } from '../../src/store/tables/results.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import fc from '../fakes/fast-check.ts';
import { makeFolder } from '../fakes/folder.ts';
import { sample } from '../fakes/sample.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';
import { madeUp } from '../reply/setting.ts';
import { random } from '../solver/random-boards.ts';
import { dayOf, resultOf } from './made-up.ts';

const sideOf = (sides: readonly number[], spot: number) =>
  sides.flatMap((length, side) => Array.from({ length }, () => side))[spot];

describe('an anonymized path', () => {
  test('is the same path on a board with its sides and letters shuffled', () => {
    for (let seed = 0; seed < 100; seed++) {
      const { board, words } = madeUp(seed);
      const path = pathOf(board, [words[0]!.word]);
      const { sides, words: traced } = anonymizePath(board, path, new Random(`${seed}`));
      expect(sides.toSorted()).toEqual(board.sides.map((side) => side.length).toSorted());
      expect(traced.map((word) => word.length)).toEqual(path.map((word) => word.length));
      const moved = new Map<number, number>();
      for (const [at, spot] of path.flat().entries()) {
        const there = traced.flat()[at]!;
        expect(moved.get(spot) ?? there).toBe(there);
        moved.set(spot, there);
      }
      expect(new Set(moved.values()).size).toBe(moved.size);
      for (const [a, toA] of moved) {
        for (const [b, toB] of moved) {
          expect(sideOf(sides, toA) === sideOf(sides, toB)).toBe(board.sideOf[a] === board.sideOf[b]);
        }
      }
    }
  });

  test('moves each spot everywhere equally often', () => {
    const board = makeBoard(['abc', 'def', 'ghi', 'jkl']);
    const seen = Array.from({ length: 12 }, () => 0);
    const draws = 6000;
    for (let seed = 0; seed < draws; seed++) {
      const { words } = anonymizePath(board, [[4]], new Random(`seed ${seed}`));
      seen[words[0]![0]!]!++;
    }
    for (const times of seen) expect(Math.abs(times - draws / 12)).toBeLessThan(draws / 48);
  });
});

const LATE = 30 * 3_600_000;

test.each<[string, Partial<Score>, Partial<Score>]>([
  ['played and not reported', {}, { reported: true, words: 2 }],
  ['before the solution was told', { words: 9 }, { afterSolution: true, words: 2 }],
  ['of fewer words', { letters: 30 }, { words: 4, letters: 12 }],
  ['of fewer letters', { hints: 5 }, { letters: 21 }],
  ['whose letters are known', {}, { letters: 0 }],
  ['with fewer hints', { solvedAt: 9 }, { hints: 1 }],
  ['that came earlier', {}, { solvedAt: 6 }],
])('a result %s is better', (_, better, worse) => {
  const base = { words: 3, letters: 20, hints: 0, solvedAt: 5 };
  expect(compareScores({ ...base, ...better }, { ...base, ...worse })).toBeLessThan(0);
  expect(compareScores({ ...base, ...worse }, { ...base, ...better })).toBeGreaterThan(0);
});

describe('stats', () => {
  test('are empty without results', () => {
    expect(statsOf([], [dayOf(0)], dayOf(1))).toEqual({
      streak: { current: 0, longest: 0, isTodaySolved: false, freezes: 0, frozen: [] },
      solved: 0,
      afterDay: 0,
      reported: 0,
      afterSolution: 0,
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
    // The averages of hints and the days without any are of the same days.
    const shown = statsOf([...list, resultOf(dayOf(2), { afterSolution: true })], [], dayOf(2));
    expect(shown).toMatchObject({ solved: 3, hints: 0.5, withoutHints: 1 });
    expect(statsOf([resultOf(dayOf(2), { afterSolution: true })], [], dayOf(2)).hints).toBeUndefined();
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
    expect(stats).toMatchObject({ solved: 3, afterDay: 1 });
    expect(stats.streak).toMatchObject({ current: 1, longest: 1 });
  });

  test('prefer a result on time to a better one after the day', () => {
    const onTime = resultOf(dayOf(0), { channel: 'a', words: 5 });
    const late = resultOf(dayOf(0), { channel: 'b', words: 1, after: LATE });
    expect(bestOfEachDay([late, onTime])).toEqual([onTime]);
    expect(bestOfEachDay([onTime, late])).toEqual([onTime]);
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
  const typed = [
    { date: dayOf(4), at: spanOf(dayOf(4)).to - 1 },
    { date: dayOf(5), at: spanOf(dayOf(5)).to },
  ];
  const known = await puzzleDays(store, Promise.resolve(typed));
  expect(known).toEqual(new Set([dayOf(0), dayOf(1), dayOf(3), dayOf(4)]));
  await store.close();
});

test('a missed day with a typed board breaks the streaks of people and of its channel', async () => {
  const { app, store, clock, close } = await makeTestApp({ words: WORDS, house, source: 'off' });
  const ask = async (line: string, asker = someone()) => opened(await say(app, line, asker));
  for (const index of [0, 1, 2, 3]) {
    clock.time = spanOf(dayOf(index)).from;
    await ask(`set ${SIDES}`, someone({ mayManage: true }));
    if (index !== 2) await ask('play bfjmcg gkdhlnbp');
  }
  const { where } = someone();
  for (const channel of ['general', 'elsewhere'])
    expect(await ask('stats', someone({}, { channel }))).toContain('Streak: 1 day\nLongest streak: 2 days');
  expect(await ask('leaderboard review')).toContain('3 of 4 boards were solved');
  const reviewed = { ...where, date: dayOf(3), settings: DEFAULT_SETTINGS };
  expect(await channelStreak(store, reviewed)).toMatchObject({ current: 1, longest: 2 });
  await close();
});

test('a channel that wants typed boards alone has missed none of the boards of others', async () => {
  const { app, clock, close } = await makeTestApp({ words: WORDS, house });
  const manager = someone({ mayManage: true });
  const ask = async (line: string, asker = manager) => opened(await say(app, line, asker));
  await ask('daily source:off');
  for (const index of [0, 1, 2, 3]) {
    clock.time = spanOf(dayOf(index)).from;
    await ask('today', someone({}, { channel: 'elsewhere' }));
    if (index % 2 > 0) continue;
    await ask(`set ${SIDES}`);
    await ask('play bfjmcg gkdhlnbp');
  }
  const review = await ask('leaderboard review');
  expect(review).toContain('2 of 2 boards were solved');
  expect(review).toContain('The longest streak here was 2 days.');
  await close();
});

test('the streak of a channel goes by whether it had weekends then, whatever is set later', async () => {
  const { app, store, clock, close } = await makeTestApp({ words: WORDS, house });
  const manager = someone({ mayManage: true });
  const { tenant, channel } = manager.where;
  for (let index = 0; index < 28; index++) {
    const date = dayOf(index);
    await store.puzzles.keep({ date, source: 'house', puzzle: {}, at: spanOf(date).from });
    if (weekdayOf(date) <= 5) await store.tenant(tenant).results.record(resultOf(date));
  }
  const streakAfter = async (line: string, on: number, until: number) => {
    clock.time = spanOf(dayOf(on)).from;
    await say(app, line, manager);
    const settings = parseStored((await store.tenant(tenant).subscriptions.get(channel))?.settings);
    const { current, frozen } = await channelStreak(store, { tenant, channel, date: dayOf(until), settings });
    return [current, frozen];
  };
  expect(await streakAfter('daily on weekends:off', 0, 25)).toEqual([20, []]);
  for (const value of ['on', 'off', 'on'])
    expect(await streakAfter(`daily weekends ${value}`, 26, 25), value).toEqual([20, []]);
  const frozen = [dayOf(26), dayOf(27)];
  expect(await streakAfter('daily weekends off', 28, 27)).toEqual([20, frozen]);
  await say(app, 'daily on weekends:off', someone({ mayManage: true }, { channel: 'elsewhere' }));
  expect(await streakAfter('daily here', 29, 27)).toEqual([20, frozen]);
  await close();
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
    ['is not broken by a puzzle that is still to come', days(0, 1), days(0, 1, 2), 1, [2, 2, true]],
    ['is broken by yesterday', days(0, 1), days(0, 1, 2, 3), 3, [0, 2, false]],
    ['counts a solved day that is not among the known dates', days(0, 1, 2), [], 2, [3, 3, true]],
  ] as const)('%s', (_, solved, known, today, expected) => {
    const { current, longest, isTodaySolved } = streakOf(solved, known, dayOf(today));
    expect([current, longest, isTodaySolved]).toEqual(expected);
  });

  test('of five years with random habits: no freeze is earned or used twice, none on a day off, and none afterwards', () => {
    for (let person = 0; person < sample(400, 4); person++) {
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
        const { current, freezes, frozen } = streakOf(solved, known, dayOf(index + 1), { skipped: off });
        expect([current, freezes, frozen]).toEqual([own.streak, own.left, own.used]);
        expect(frozen.some((date) => off.includes(date) || solved.includes(date))).toBe(false);
      }
    }
  });
});

const KEYS = ['words', 'counted', 'letters', 'hints', 'solvedAt'] as const;
/** Few different values, so that there are many ties. */
const board = fc.uniqueArray(
  fc.record({
    person: fc.string({ minLength: 1, maxLength: 2 }),
    days: fc.integer({ min: 1, max: 2 }),
    reported: fc.nat({ max: 1 }),
    afterSolution: fc.nat({ max: 1 }),
    counted: fc.nat({ max: 1 }),
    words: fc.integer({ min: 2, max: 3 }),
    letters: fc.integer({ min: 12, max: 13 }),
    hints: fc.nat({ max: 1 }),
    solvedAt: fc.nat({ max: 1 }),
  }),
  { selector: ({ person }) => person },
);
describe('standings', () => {
  test('a rank is one more than the number of better people, compared pair by pair', () => {
    fc.assert(
      fc.property(board, (sums) => {
        const keyOf = (one: ResultSums) => [
          one.reported + one.afterSolution - one.days,
          one.reported - one.days,
          -one.days,
          ...KEYS.map((key) => (key === 'counted' ? -one[key] : one[key])),
        ];
        const isBetter = (a: ResultSums, b: ResultSums) => {
          const [mine, other] = [keyOf(a), keyOf(b)];
          const first = mine.findIndex((value, index) => value !== other[index]);
          return first >= 0 && mine[first]! < other[first]!;
        };
        const standings = standingsOf(sums);
        expect(standings.map(({ person }) => person).toSorted()).toEqual(
          sums.map(({ person }) => person).toSorted(),
        );
        for (const { rank, ...own } of standings)
          expect(rank).toBe(1 + sums.filter((other) => isBetter(other, own)).length);
        const ranks = standings.map(({ rank }) => rank);
        expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
      }),
    );
  });
});

test.each([
  ['day', '2026-11-20', '2026-11-20', '2026-11-20'],
  ['week', '2026-11-20', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-16', '2026-11-16', '2026-11-22'],
  ['week', '2026-11-22', '2026-11-16', '2026-11-22'],
  ['week', '2027-01-01', '2026-12-28', '2027-01-03'],
  ['month', '2026-11-20', '2026-11-01', '2026-11-30'],
  ['month', '2024-02-29', '2024-02-01', '2024-02-29'],
  ['month', '2026-12-31', '2026-12-01', '2026-12-31'],
] as const)('the %s of %s', (name, date, from, to) => {
  expect(periodOf(name, date)).toEqual({ name, from, to });
});

test('the period of all time is the same from any date, and has none before it', () => {
  const all = periodOf('all', '2026-11-20');
  expect(periodOf('all', '2025-01-01')).toEqual(all);
  expect(all.from < '2010-01-01').toBe(true);
  expect(periodBefore(all)).toBeUndefined();
});

test('periods of a kind are adjacent, and each includes its own dates', () => {
  fc.assert(
    fc.property(fc.constantFrom(...PERIODS), fc.integer({ min: -2000, max: 2000 }), (name, offset) => {
      const date = dayOf(offset);
      const period = periodOf(name, date);
      expect(period.from <= date && date <= period.to).toBe(true);
      const before = periodBefore(period);
      if (before === undefined) return;
      expect(addDays(before.to, 1)).toBe(period.from);
      expect(periodOf(name, period.from)).toEqual(period);
      expect(periodOf(name, period.to)).toEqual(period);
      if (name === 'week') expect(weekdayOf(period.from)).toBe(1);
    }),
  );
});
