/**
 * Weeks of five people in two servers and a workspace, from the typed line to the rows in SQLite: missed
 * days, ties, a day without a puzzle, one who stays off the board for a while, one who deletes everything,
 * boards entered too late. What leaderboards, stats and closing lines say is checked against a plain
 * recomputation from a diary that the test keeps itself.
 */

import { afterAll, afterEach, expect, test } from 'vitest';
import { HOUR, type PuzzleDate } from '../../src/core/clock.ts';
import type { DoorName, Request } from '../../src/dispatch/contract.ts';
import { dayLine } from '../../src/players/reviews.ts';
import { addDays, spanOf } from '../../src/puzzle/calendar.ts';
import { lineText } from '../../src/reply/model/text.ts';
import { Random } from '../../src/solver/random.ts';
import { makeTestApp, type TestApp } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { sample } from '../fakes/sample.ts';
import { house, WORDS } from '../fakes/small-board.ts';
import { bestOf, type Entry, expectedLine, expectedRows, isOnTime } from '../players/diary.ts';
import { standingsRows } from '../players/standings-rows.ts';

const WEEKS = sample(8, 3);
const MONDAY: PuzzleDate = '2026-11-16';
const DAYS = Array.from({ length: 7 }, (_, index) => addDays(MONDAY, index));
/** The bot was down: nobody saw that day's board. */
const DARK = DAYS[2]!;
const SOLUTIONS = ['bfjmcg,gkdhlnbp', 'bfjm,mcgkdhlnbp', 'bfjmcg,gkdhln,nbp'];
/** Hints and what each counts in a result. */
const WEIGHTS = new Map([
  ['start', 1],
  ['count', 1],
  ['lengths', 2],
]);
const STEPS = [...WEIGHTS.keys()];

const weigh = (steps: ReadonlySet<string>) =>
  [...steps].reduce((sum, step) => sum + (WEIGHTS.get(step) ?? 0), 0);

interface Seat {
  readonly person: string;
  readonly door: DoorName;
  readonly tenant: string;
}
/** Ann and Cleo play in two servers; Bob also in the workspace, where he has another id. */
const SEATS: readonly Seat[] = [
  { person: 'ann', door: 'discord', tenant: 'discord:1' },
  { person: 'bob', door: 'discord', tenant: 'discord:1' },
  { person: 'cleo', door: 'discord', tenant: 'discord:1' },
  { person: 'ann', door: 'discord', tenant: 'discord:2' },
  { person: 'dan', door: 'discord', tenant: 'discord:2' },
  { person: 'cleo', door: 'discord', tenant: 'discord:2' },
  { person: 'eve', door: 'slack', tenant: 'slack:T1' },
  { person: 'U-bob', door: 'slack', tenant: 'slack:T1' },
];
const TENANTS = [...new Set(SEATS.map(({ tenant }) => tenant))];

interface SeatEntry extends Entry, Seat {}

let world: TestApp;
let ties = 0;
afterEach(() => world.close());
afterAll(() => {
  expect(ties).toBeGreaterThan(WEEKS / 2);
});

const askerAt = ({ person, door, tenant }: Seat): Omit<Request, 'command' | 'options'> => ({
  door,
  who: { id: person, mayManage: false },
  where: { tenant, channel: 'games', direct: false },
});
const ask = (seat: Seat, line: string) => say(world.app, line, askerAt(seat));

test.each(Array.from({ length: WEEKS }, (_, seed) => seed))('week %i', async (seed) => {
  world = await makeTestApp({ words: WORDS, house });
  const random = new Random(`week ${seed}`);
  const chance = (percent: number) => random.below(100) < percent;
  let diary: SeatEntry[] = [];
  const seen = new Map<string, Set<string>>();
  const hidden = new Set<string>();

  async function play(seat: Seat, date: PuzzleDate, at: number): Promise<void> {
    world.clock.time = at;
    const steps = seen.get(`${seat.door} ${seat.person} ${date}`) ?? new Set();
    seen.set(`${seat.door} ${seat.person} ${date}`, steps);
    const on = date === world.app.puzzles.dateAt(at) ? '' : ` date:${date}`;
    if (chance(20)) {
      const step = STEPS[random.below(STEPS.length)]!;
      steps.add(step);
      await ask(seat, `hint ${step}${on}`);
    }
    const solution = SOLUTIONS[random.below(SOLUTIONS.length)]!;
    const reply = await ask(seat, `play ${solution}${on}`);
    expect(reply.title).toMatch(/^Solved in /);
    const words = solution.split(',');
    diary.push({
      ...seat,
      date,
      words: words.length,
      letters: words.join('').length,
      hints: weigh(steps),
      at,
    });
  }

  for (const date of DAYS) {
    const out = spanOf(date).from;
    if (date === DARK) continue;
    const moves = SEATS.filter(() => chance(75)).flatMap((seat) => {
      const first = { seat, date, at: out + HOUR * (1 + random.below(1 + (seed % 2))) };
      const again = { ...first, at: first.at + 5 * HOUR };
      const late = { ...first, date: addDays(date, -1), at: out + 10 * HOUR };
      return [first, ...(chance(25) ? [again] : []), ...(chance(15) && late.date >= MONDAY && late.date !== DARK ? [late] : [])]; // biome-ignore format: one line reads better
    });
    world.clock.time = out + 1;
    await ask(SEATS[0]!, 'today');
    for (const { seat, date, at } of moves.toSorted((a, b) => a.at - b.at)) await play(seat, date, at);

    world.clock.time = out + 20 * HOUR;
    if (date === DAYS[3]) {
      await ask(SEATS[2]!, 'privacy hide');
      hidden.add('cleo');
    }
    if (date === DAYS[4]) {
      await ask(SEATS[4]!, 'privacy delete sure');
      diary = diary.filter(({ person }) => person !== 'dan');
      for (const key of seen.keys()) if (key.includes(' dan ')) seen.delete(key);
      expect(await world.store.allPeople.export('discord', 'dan')).toEqual([]);
    }
    if (date === DAYS[6]) {
      await ask(SEATS[2]!, 'privacy unhide');
      hidden.delete('cleo');
    }
    await check(diary, hidden, date);
  }
});

async function check(
  diary: readonly SeatEntry[],
  hidden: ReadonlySet<string>,
  today: PuzzleDate,
): Promise<void> {
  for (const tenant of TENANTS) {
    const counting = bestOf(diary.filter((entry) => entry.tenant === tenant && isOnTime(entry))).filter(
      ({ person }) => !hidden.has(person),
    );
    const seat = SEATS.find((one) => one.tenant === tenant)!;
    const week = opened(await ask(seat, 'leaderboard week'));
    expect(standingsRows(week)).toEqual(expectedRows(counting));
    ties += standingsRows(week).length - new Set(standingsRows(week).map((row) => row.split(' ')[0])).size;
    expect(standingsRows(opened(await ask(seat, 'leaderboard all')))).toEqual(expectedRows(counting));
    const solvers = counting.filter(({ date }) => date === today);
    const line = await dayLine(world.store, { tenant, channel: 'games' }, today, true);
    const [day, leaders] = (line === undefined ? '' : lineText(line)).split(/ ?Best of the week: /);
    expect(day).toBe(expectedLine(solvers) ?? '');
    expect(leaders !== undefined).toBe(today === DAYS[6] && counting.length > 0);
  }
  for (const seat of SEATS) {
    const own = diary.filter(({ person, door }) => person === seat.person && door === seat.door);
    const stats = opened(await ask(seat, 'stats'));
    const dates = new Set(own.map(({ date }) => date));
    const onTime = new Set(own.filter(isOnTime).map(({ date }) => date));
    expect(/Solved: (\d+) board/.exec(stats)?.[1] ?? '0').toBe(String(dates.size));
    expect(/Streak: (\d+) day/.exec(stats)?.[1] ?? '0').toBe(String(streakOn(onTime, today)));
  }
}

/** Backwards from today, or from yesterday while today's board is still open. */
function streakOn(solved: ReadonlySet<string>, today: PuzzleDate): number {
  const days = DAYS.filter((day) => day <= today && day !== DARK);
  if (!solved.has(today)) days.pop();
  const missed = days.findLastIndex((day) => !solved.has(day));
  return days.length - 1 - missed;
}
