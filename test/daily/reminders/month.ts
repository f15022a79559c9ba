/** People who play, take days off and are reminded for some weeks, and a plain recount of it. */
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { nextReminder } from '../../../src/daily/reminders.ts';
import { isOnTime } from '../../../src/players/results/score.ts';
import { streakOf } from '../../../src/players/results/stats.ts';
import { addDays, dateAt, spanOf } from '../../../src/puzzle/calendar.ts';
import { random } from '../../solver/random-boards.ts';
import { FakePlatform } from '../fake-poster.ts';
import { HandClock, MINUTE, makeStore, testDaily } from '../ground.ts';
import { hookedPoster, hookedStore } from '../hooks.ts';

const TENANT = 'web:local';
/** Clocks change in New York on March 8 and in Berlin on March 29. */
const FIRST: PuzzleDate = '2026-03-06';
const STEP = 30 * MINUTE;
const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland', 'UTC'];
const TIMES = ['08:00', '12:30', '19:00', '23:30'];
const MOST_IGNORED = 5;

interface Player {
  readonly id: string;
  readonly at: string;
  readonly zone: string;
  /** When they solve each date; those missing are not solved. */
  readonly solves: ReadonlyMap<PuzzleDate, number>;
  readonly daysOff: ReadonlySet<PuzzleDate>;
}

export interface MonthOptions {
  readonly days: number;
  readonly seed: number;
  /** How likely a process is to die in a tick in which it has something to send. */
  readonly dies?: number;
}

export async function runMonth({ days, seed, dies = 0 }: MonthOptions) {
  const next = random(seed);
  const dates = Array.from({ length: days }, (_, day) => addDays(FIRST, day));
  const from = spanOf(FIRST).from;
  const until = spanOf(dates.at(-1)!).to;
  const players = Array.from({ length: 12 }, (_, index) => makePlayer(`p${index}`, dates, next));
  const store = await makeStore();
  const clock = new HandClock(from);
  const platform = new FakePlatform();
  const share = store.tenant(TENANT);
  for (const { id: person, at, zone, daysOff } of players) {
    const nextAt = nextReminder(at, zone, from);
    await share.reminders.set({ person, channel: 'general', at, zone, setAt: from, nextAt });
    await share.holidays.add(person, [...daysOff]);
  }
  let deaths = 0;
  let owner = 0;
  /** One process: it ticks, and perhaps dies at one of its awaits, after which nothing of it goes on. */
  const live = async (moment: number, dieAt: number): Promise<boolean> => {
    clock.moment = moment;
    const { promise: death, resolve: die } = Promise.withResolvers<'dead'>();
    let points = 0;
    const hook = async () => {
      if (++points < dieAt) return;
      die('dead');
      await new Promise<never>(() => {});
    };
    const daily = testDaily({
      store: hookedStore(store, hook),
      posters: [hookedPoster(platform, hook)],
      clock,
      random: next,
      owner: `p${++owner}`,
    });
    const work = (async () => {
      await daily.tick();
      await daily.runDue();
      return 'done' as const;
    })();
    return (await Promise.race([work, death])) === 'done';
  };
  const survivor = testDaily({ store, posters: [platform], clock, random: next, owner: 'survivor' });
  const recounts = new Map(players.map((player) => [player, new Recount(player)]));
  const expected: string[] = [];
  for (let moment = from; moment < until; moment += STEP) {
    for (const player of players) {
      const date = dateAt(moment);
      const recount = recounts.get(player)!;
      if (player.solves.get(date) === moment) {
        await solve(player.id, date, moment);
        recount.solved();
      }
      const due = moment > from ? recount.at(moment) : undefined;
      if (due !== undefined) expected.push(due);
    }
    const isBusy = expected.length > platform.messages.length;
    if (isBusy && next() < dies) {
      // Several may die of one tick's work, one after another, each after the lease of the one before.
      for (let death = 0; death < 2; death++)
        if (!(await live(moment + death * 3 * MINUTE, 1 + Math.floor(next() * 40)))) deaths++;
      clock.moment = moment + 6 * MINUTE;
    } else clock.moment = moment;
    await survivor.tick();
    await survivor.runDue();
  }
  await survivor.stop();

  async function solve(person: string, date: PuzzleDate, solvedAt: number): Promise<void> {
    const numbers = { words: 2, letters: 14, hints: 0 };
    await share.results.record({ person, channel: 'general', date, ...numbers, solvedAt, sinceOpening: 0 });
  }

  const today = dates.at(-1)!;
  const streaks = await Promise.all(
    players.map(async ({ id }) => {
      const scores = await store.allPeople.scoresOf('web', id);
      const solved = scores.filter(isOnTime).map(({ date }) => date);
      return streakOf(solved, dates, today, await store.allPeople.holidaysOf('web', id)).current;
    }),
  );
  return {
    reminded: platform.messages.map(({ person, reply }) => `${person} ${dateIn(reply)}`).sort(),
    expected: expected.sort(),
    streaks,
    expectedStreaks: players.map((player) => streakRecount(player, dates, today)),
    deaths,
  };
}

function makePlayer(id: string, dates: readonly PuzzleDate[], next: () => number): Player {
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]!;
  const diligence = next();
  const solves = new Map<PuzzleDate, number>();
  for (const date of dates) {
    const { from, to } = spanOf(date);
    const moment = from + Math.floor((next() * (to - from)) / STEP) * STEP;
    if (next() < diligence) solves.set(date, moment);
  }
  const daysOff = new Set(dates.filter(() => next() < 0.15));
  return { id, at: pick(TIMES), zone: pick(ZONES), solves, daysOff };
}

/** What one person should get: a row of reminders begins again with each board they solve, and five end it all. */
class Recount {
  readonly #player: Player;
  readonly #dates = new Set<string>();
  #row = 0;
  #isOver = false;

  constructor(player: Player) {
    this.#player = player;
  }

  solved(): void {
    this.#row = 0;
  }

  /** The reminder that is expected at a moment, by the person's own clock and what they did until then. */
  at(moment: number): string | undefined {
    const { id, at, zone, solves, daysOff } = this.#player;
    const there = { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
    if (new Intl.DateTimeFormat('en-GB', there).format(moment) !== at) return undefined;
    const date = dateAt(moment);
    const isSolved = (solves.get(date) ?? Number.POSITIVE_INFINITY) <= moment;
    if (isSolved || daysOff.has(date) || this.#dates.has(date)) return undefined;
    this.#isOver ||= this.#row >= MOST_IGNORED;
    if (this.#isOver) return undefined;
    this.#row += 1;
    this.#dates.add(date);
    return `${id} ${date}`;
  }
}

function streakRecount({ solves, daysOff }: Player, dates: readonly PuzzleDate[], today: PuzzleDate): number {
  let streak = 0;
  for (const date of dates) {
    if (solves.has(date)) streak += 1;
    else if (!daysOff.has(date) && date !== today) streak = 0;
  }
  return streak;
}

/** The date that a reminder's button leads to. */
function dateIn({ blocks }: { readonly blocks: readonly object[] }): string {
  return /"date":"(\d{4}-\d\d-\d\d)"/.exec(JSON.stringify(blocks))?.[1] ?? '';
}
