/**
 * Random weeks of a channel at each of some doors: settings change, people play, boards are replaced, processes restart,
 * platforms and machines fail. After each event, what messages announce is compared with what is then posted, and all answers
 * that tell a number of somebody's result with each other.
 */

import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { addDays, dateAt } from '../../src/puzzle/calendar.ts';
import { lineText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { stepName, THREAD_STEPS, type ThreadStep } from '../../src/reply/replies/board.ts';
import { OTHER_SIDES } from '../fakes/small-board.ts';
import { random } from '../solver/random-boards.ts';
import { announced, linesOf, momentsIn, stepsOf } from './announced.ts';
import type { Shown } from './fakes.ts';
import { type Lived, type LivedDoor, live, PLACES, read, type Where } from './lived.ts';

const SOLUTIONS = ['bfjmcg,gkdhlnbp', 'bfjm,mcgkdhlnbp', 'bfjmcg,gkdhln,nbp'];
const PEOPLE = ['ann', 'ben', 'cat'];
const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Auckland'];
const QUARTER = 15 * MINUTE;

type Coming = ReadonlyMap<ThreadStep, number>;

/** What was compared, for a test that wants to know that it compared anything. */
export interface WeekReport {
  posted: number;
  announced: number;
  told: number;
  closings: number;
}

/** A thread that is open, and what its opening announces. */
interface Open {
  readonly opening: Shown;
  /** With their times. */
  readonly coming: Coming;
  /** Without a time, and not there yet. */
  readonly atOnce: readonly ThreadStep[];
}

class Mismatch extends Error {}

function same(what: string, got: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(got), JSON.stringify(expected)];
  if (one !== other) throw new Mismatch(`${what}: ${one} instead of ${other}`);
}

/** Lives through a week; throws at the first thing that differs. */
export async function liveThroughWeek(seed: number, report: WeekReport): Promise<void> {
  const next = random(seed);
  const begin = Date.UTC(2026, Math.floor(next() * 12), 1 + Math.floor(next() * 28), Math.floor(next() * 24));
  const week = new Week(await live(begin), next, report);
  try {
    await week.live(begin + 7 * DAY);
  } catch (error) {
    if (!(error instanceof Mismatch)) throw error;
    throw new Error(`week ${seed}: ${error.message}\n${week.events.slice(-12).join('\n')}`, { cause: error });
  }
}

class Week {
  readonly events: string[] = [];
  readonly #here: Lived;
  readonly #next: () => number;
  readonly #report: WeekReport;
  readonly #doors: readonly LivedDoor[];
  /** Dates whose board was replaced at a door. */
  readonly #replaced = new Set<string>();

  constructor(here: Lived, next: () => number, report: WeekReport) {
    this.#here = here;
    this.#next = next;
    this.#report = report;
    const doors = Object.keys(PLACES) as LivedDoor[];
    this.#doors = [this.#pick(doors)];
  }

  async live(end: number): Promise<void> {
    const { clock } = this.#here;
    for (const door of this.#doors) await this.#change(door, `daily on zone:${this.#pick(ZONES)}`);
    while (clock.time < end) {
      const door = this.#pick(this.#doors);
      const chance = this.#next();
      if (chance < 0.4) await this.#change(door, this.#setting());
      else if (chance < 0.75) await this.#play(door);
      else if (chance < 0.8) await this.#replace(door);
      else if (chance < 0.85) await this.#standStill();
      else if (chance < 0.9) await this.#fail();
      await this.#goOn(clock.time + Math.ceil(this.#next() * 5 * 4) * QUARTER);
    }
    for (const door of this.#doors) await this.#compareStats(door);
  }

  #pick<One>(those: readonly One[]): One {
    return those[Math.floor(this.#next() * those.length)]!;
  }

  #note(event: string): void {
    const { time } = this.#here.clock;
    this.events.push(`${new Date(time).toISOString().slice(0, 16)} ${event}`);
  }

  #setting(): string {
    const clock = () =>
      `${String(Math.floor(this.#next() * 24)).padStart(2, '0')}:${this.#pick(['00', '15', '30', '45'])}`;
    const isWeekend = [0, 6].includes(new Date(this.#here.clock.time).getUTCDay());
    if (isWeekend && this.#next() < 0.3) return `daily weekends:${this.#pick(['on', 'off'])}`;
    // Most often the steps that the thread has, so that some are moved that are posted already.
    const step = this.#pick(['start', 'count', 'solution', 'lengths', 'joint']);
    return this.#pick([
      () => 'daily on',
      () => 'daily on',
      () => 'daily on',
      () => 'daily off',
      () => 'daily pause',
      () => `daily pause until:"${1 + Math.floor(this.#next() * 12)} hours"`,
      () => `daily zone:${this.#pick(ZONES)}`,
      () => `daily opening:${clock()}`,
      () => `daily ${step}:${clock()}`,
      () => `daily ${step}:${clock()}`,
      () => `daily ${step}:${clock()}`,
      () => `daily ${step}:${clock()}`,
      () => `daily ${step}:off`,
    ])();
  }

  async #change(door: LivedDoor, line: string): Promise<void> {
    this.#note(`${door}: ${line}`);
    const before = this.#open(door);
    await this.#here.ask(line, 'boss', { door });
    // An open thread finishes.
    if (line.startsWith('daily weekends') && before !== undefined)
      same('announced after a change of weekends', [...this.#open(door)!.coming], [...before.coming]);
    await this.#compareAnnounced(door);
  }

  #open(door: LivedDoor): Open | undefined {
    const opening = this.#here.openings(door).at(-1);
    if (opening === undefined) return undefined;
    const { time } = this.#here.clock;
    const told = this.#stepsIn(door, opening).flatMap(({ steps }) => steps);
    const atOnce = atOnceIn(opening.reply).filter((step) => !told.includes(step));
    return { opening, coming: comingIn(opening.reply, time), atOnce };
  }

  #stepsIn(
    door: LivedDoor,
    opening: Shown,
  ): { readonly steps: readonly ThreadStep[]; readonly reply: Reply }[] {
    return this.#here.platforms[door]
      .in(PLACES[door])
      .filter(({ thread }) => thread === `t${opening.id}`)
      .map(({ reply }) => ({ steps: stepsOf(reply), reply }))
      .filter(({ steps }) => steps.length > 0);
  }

  /** What the opening, the last message of its thread and `daily show` announce is one thing. */
  async #compareAnnounced(door: LivedDoor): Promise<void> {
    const open = this.#open(door);
    if (open === undefined) return;
    const { time } = this.#here.clock;
    const { opening, coming } = open;
    this.#report.announced += coming.size;
    const posted = this.#stepsIn(door, opening);
    const told = posted.flatMap(({ steps }) => steps);
    for (const step of coming.keys())
      if (told.includes(step)) throw new Mismatch(`the opening announces ${step}, which is there already`);
    const first = Math.min(...coming.values());
    const firsts = [...coming].filter(([, at]) => at === first);
    const last = posted.at(-1);
    // One whose next step was given up in an outage stays as it was; the closing says that the step did not come.
    const isBehind = last !== undefined && announced(last.reply).some(({ at }) => at <= time);
    if (last !== undefined && !isBehind)
      same('the last message announces', [...comingIn(last.reply, time)].sort(), firsts.sort());
    const next = nextIn(await this.#here.ask('daily show', 'boss', { door }));
    if (next === undefined) same('the opening announces, and daily show nothing', [...coming], []);
    else if (THREAD_STEPS.map(stepName).includes(next.name) || (firsts.length > 0 && first < next.at)) {
      // Of steps that come together, it names one.
      const named = firsts.find(([step]) => stepName(step) === next.name) ?? firsts[0];
      same('daily show says next', next, { name: stepName(named?.[0] ?? 'start'), at: first });
    }
  }

  /** Lets time pass with nothing wrong: what was announced is posted at its time, and nothing else. */
  async #goOn(until: number): Promise<void> {
    const { clock } = this.#here;
    while (clock.time < until) {
      const before = new Map(this.#doors.map((door) => [door, this.#open(door)]));
      const promised = [...before.values()].flatMap((open) => [...(open?.coming.values() ?? [])]);
      const quarter = Math.floor(clock.time / QUARTER + 1) * QUARTER;
      const told = new Map(
        this.#doors.map((door) => {
          const open = before.get(door);
          return [door, open ? this.#stepsIn(door, open.opening).flatMap(({ steps }) => steps) : []];
        }),
      );
      await this.#here.at(Math.min(quarter, until, ...promised.filter((at) => at > clock.time)));
      for (const door of this.#doors) await this.#comparePosted(door, before.get(door), told.get(door)!);
    }
    for (const door of this.#doors) await this.#compareAnnounced(door);
  }

  async #comparePosted(
    door: LivedDoor,
    before: Open | undefined,
    told: readonly ThreadStep[],
  ): Promise<void> {
    const { time } = this.#here.clock;
    if (before !== undefined) {
      const timely = [...before.coming].filter(([, at]) => at <= time).map(([step]) => step);
      const due = [...timely, ...before.atOnce];
      const fresh = this.#stepsIn(door, before.opening)
        .flatMap(({ steps }) => steps)
        .filter((step) => !told.includes(step));
      same('posted as announced', fresh.sort(), due.sort());
      this.#report.posted += fresh.length;
    }
    const opening = this.#here.openings(door).at(-1);
    if (opening === undefined || opening.id === before?.opening.id) return;
    this.#note(`${door}: ${opening.reply.title}`);
    const atOnce = this.#stepsIn(door, opening).flatMap(({ steps }) => steps);
    same('posted with the opening', atOnce.toSorted(), atOnceIn(opening.reply).toSorted());
    if (before !== undefined) await this.#compareClosing(door, before.opening);
  }

  /** The closing has the places of the leaderboard. */
  async #compareClosing(door: LivedDoor, opening: Shown): Promise<void> {
    const closing = this.#here.platforms[door]
      .in(PLACES[door])
      .find(({ thread, reply }) => thread === `t${opening.id}` && reply.title.startsWith('That was'));
    if (closing === undefined) return;
    const date = String(opening.reply.again?.options.date);
    const board = read(await this.#here.ask(`leaderboard day date:${date}`, 'boss', { door }));
    const places = [...board.matchAll(/^(\d+) +(@\w+) +(\d+)/gm)].map(([, rank, who, words]) => [
      rank,
      who,
      words,
    ]);
    const crowned = [...read(closing.reply).matchAll(/^(👑|\d+\.) (@\w+): (\d+) word/gmu)].map(
      ([, mark, who, words]) => [mark === '👑' ? '1' : mark!.slice(0, -1), who, words],
    );
    same('the closing has the places of the leaderboard', crowned, places);
    this.#report.closings++;
  }

  /** Somebody plays, asks for a hint, reports or shares, anywhere at the door. */
  async #play(door: LivedDoor): Promise<void> {
    const who = this.#pick(PEOPLE);
    const where = this.#pick<Where>([{ door }, { door }, { door, channel: 'other' }, { door, direct: true }]);
    const date = addDays(dateAt(this.#here.clock.time), this.#next() < 0.3 ? -1 : 0);
    const line = this.#pick([
      `play ${this.#pick(SOLUTIONS)} date:${date}`,
      `play ${this.#pick(SOLUTIONS)} date:${date}`,
      `play ${this.#pick(SOLUTIONS)} date:${date}`,
      `hint step:start date:${date}`,
      `record message:"in ${2 + Math.floor(this.#next() * 2)} words" date:${date}`,
      `share line date:${date}`,
    ]);
    this.#note(`${who} ${JSON.stringify(where)}: ${line}`);
    await this.#here.ask(line, who, where);
    await this.#compareTold(who, { door }, date);
    await this.#compareTold(who, where, date);
  }

  /** Every answer tells the same of somebody's result of a day. */
  async #compareTold(who: string, where: Where, date: PuzzleDate): Promise<void> {
    const ask = async (line: string) => read(await this.#here.ask(line, who, where));
    const told: Record<string, string> = {};
    const tell = (answer: string, words: string | undefined) => {
      if (words !== undefined) told[answer] = words;
    };
    tell('play', wordsOfGame(await ask(`play date:${date}`)));
    tell('review', /^How you did.*Your (\d+) words? with/s.exec(await ask(`review date:${date}`))?.[1]);
    const archived = lineOf(await ask('archive'), date);
    tell('archive', /(\d+) words?/.exec(archived)?.[1]);
    if (where.direct !== true && where.channel === undefined) {
      const shared = await this.#share(who, where, date);
      tell('share', /· (\d+) words? ·/.exec(shared)?.[1]);
      const hintsOf = (text: string) =>
        /no hints|\d+ hint points?|some hints|after the solution/.exec(text)?.[0];
      if (archived.includes(' word') && shared.includes(' · '))
        same(`hints of ${who} on ${date}`, hintsOf(archived), hintsOf(shared));
      const board = await ask(`leaderboard day date:${date}`);
      tell('leaderboard', new RegExp(`^\\d+ +@${who} +(\\d+)`, 'm').exec(board)?.[1]);
    }
    this.#report.told += Object.keys(told).length;
    if (new Set(Object.values(told)).size > 1)
      throw new Mismatch(`the result of ${who} on ${date}: ${JSON.stringify(told)}`);
  }

  /** Shared in the channel, so that the best result counts there; only where there is one on time does that change anything. */
  async #share(who: string, where: Where, date: PuzzleDate): Promise<string> {
    return read(await this.#here.ask(`share line date:${date}`, who, where));
  }

  async #replace(door: LivedDoor): Promise<void> {
    const line = this.#next() < 0.7 ? `set ${OTHER_SIDES}` : 'set undo';
    const date = dateAt(this.#here.clock.time);
    this.#note(`${door}: ${line}`);
    this.#replaced.add(`${door} ${date}`);
    await this.#here.ask(line, 'boss', { door });
    for (const who of PEOPLE) await this.#compareTold(who, { door }, date);
  }

  /** The machine is off for a while; another process goes on. */
  async #standStill(): Promise<void> {
    const { clock } = this.#here;
    this.#note('the machine is off');
    await this.#here.restart();
    await this.#recover(clock.time + Math.ceil(this.#next() * 20) * HOUR);
  }

  /** The platforms refuse everything for a while. */
  async #fail(): Promise<void> {
    const { clock, platforms } = this.#here;
    this.#note('the platforms fail');
    for (const platform of Object.values(platforms)) platform.fault = () => 'later';
    const until = clock.time + Math.ceil(this.#next() * 8) * QUARTER;
    while (clock.time < until) await this.#here.at(clock.time + QUARTER);
    for (const platform of Object.values(platforms)) platform.fault = () => undefined;
    await this.#recover(clock.time + QUARTER);
  }

  /** What was announced for the time of an outage is posted late, or the closing says that it did not come. */
  async #recover(moment: number): Promise<void> {
    const before = this.#doors.map((door) => [door, this.#open(door)] as const);
    for (let minute = 0; minute <= 40; minute += 10) await this.#here.at(moment + minute * MINUTE);
    for (const [door, open] of before) {
      if (open === undefined) continue;
      const told = this.#stepsIn(door, open.opening).flatMap(({ steps }) => steps);
      const closing = this.#here.platforms[door]
        .in(PLACES[door])
        .find(({ thread, reply }) => thread === `t${open.opening.id}` && reply.title.startsWith('That was'));
      if (closing === undefined) continue;
      const missed = [...open.coming.keys()].filter((step) => !told.includes(step));
      const [, said = ''] = /This did not come in time: (.*?)\. For/.exec(read(closing.reply)) ?? [];
      for (const step of missed)
        if (!said.includes(stepName(step))) throw new Mismatch(`${step} did not come, and nobody says so`);
    }
  }

  /** Stats count each day by the result that the other answers tell. */
  async #compareStats(door: LivedDoor): Promise<void> {
    const today = dateAt(this.#here.clock.time);
    for (const who of PEOPLE) {
      const words: number[] = [];
      let isReplaced = false;
      for (let date = addDays(today, -9); date <= today; date = addDays(date, 1)) {
        isReplaced ||= this.#replaced.has(`${door} ${date}`);
        // Where no thread tells the solution, a result is what it is in the stats.
        const shared = read(await this.#here.ask(`share line date:${date}`, who, { door, channel: 'other' }));
        const told = /· (\d+) words? ·/.exec(shared)?.[1];
        if (told !== undefined) words.push(Number(told));
      }
      if (isReplaced || words.length === 0) continue;
      const stats = read(await this.#here.ask('stats', who, { door }));
      same(`boards in the stats of ${who}`, /Solved: (\d+)/.exec(stats)?.[1], String(words.length));
      const bars = [...stats.matchAll(/▇ (\d+) words?: (\d+)/g)].map(([, count, times]) => [count, times]);
      const expected = [...Map.groupBy(words.toSorted(), (one) => one)].map(([count, those]) => [
        String(count),
        String(those.length),
      ]);
      same(`words in the stats of ${who}`, bars, expected);
      const rank = /In this channel this week: (\d+)\w+ of/.exec(stats)?.[1];
      const board = read(await this.#here.ask('leaderboard week', who, { door }));
      if (rank !== undefined)
        same(`the place of ${who}`, rank, new RegExp(`^(\\d+) +@${who}`, 'm').exec(board)?.[1]);
    }
  }
}

function comingIn(reply: Reply, now: number): Coming {
  const coming = announced(reply).flatMap(({ text, at }) =>
    THREAD_STEPS.filter((step) => at > now && text.includes(stepName(step))).map(
      (step) => [step, at] as const,
    ),
  );
  return new Map(coming);
}

/** The steps that an opening names without a time: they follow it at once. */
function atOnceIn(reply: Reply): ThreadStep[] {
  const line = linesOf(reply).find((pieces) => String(pieces[0]).startsWith('Thread:'));
  const text = line === undefined ? '' : lineText(line, { moment: () => '' }).toLowerCase();
  const timed = announced(reply).map((one) => one.text);
  return THREAD_STEPS.filter(
    (step) => text.includes(stepName(step)) && !timed.some((names) => names.includes(stepName(step))),
  );
}

function nextIn(reply: Reply): { readonly name: string; readonly at: number } | undefined {
  for (const line of linesOf(reply)) {
    const [, name] = /^Next, (.*?):? ?$/.exec(String(line[0])) ?? [];
    const [at] = momentsIn(line);
    if (name !== undefined && at !== undefined) return { name, at };
    if (String(line[0]).startsWith('Next ')) return { name: 'now', at: 0 };
  }
  return undefined;
}

/** The result that a game tells, of its own words or of others. */
function wordsOfGame(text: string): string | undefined {
  const [, stays] = /(?:best|result) stays (\d+) word/.exec(text) ?? [];
  return stays ?? /^Solved in (\d+) word/.exec(text)?.[1];
}

/** The line of a date in a list of days. */
function lineOf(text: string, date: PuzzleDate): string {
  const format = {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    year: 'numeric',
    timeZone: 'UTC',
  } as const;
  const name = new Intl.DateTimeFormat('en-US', format).format(Date.parse(date));
  return text.split('\n').find((line) => line.startsWith(name)) ?? '';
}
