/**
 * Random weeks of a channel at a real door on its fake platform: settings change, the thread moves to another channel, people
 * play in channels, threads and private messages, boards are replaced, processes restart, the machine, the newspaper and the
 * platform fail. After each event, what messages announce is compared with what is then posted, and all answers that tell a
 * number of somebody's result with each other.
 */

import { REQUIRED_SCOPE_NAMES } from '../../src/chat/slack/manifest.ts';
import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { longDate } from '../../src/core/text.ts';
import { addDays, dateAt, spanOf } from '../../src/puzzle/calendar.ts';
import { STEP_NAMES, type ThreadStep } from '../../src/reply/replies/thread-steps.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { readable, textsIn } from '../abuse/told/reader.ts';
import { openPage } from '../chat/web/serve.ts';
import { OTHER_SIDES } from '../fakes/small-board.ts';
import { type Beside, type Name, type Place, type Shown, type World, world } from '../fakes/world.ts';
import { random } from '../solver/random-boards.ts';
import { announcedIn, type Coming, nextBelow, shownNext, stepsOf } from './announced-texts.ts';
import { FakePaper } from './fakes.ts';

/** On this board, too, all words of the small board can be played. */
const NEWSPAPER_SIDES = 'bmd fgh jkl cnp';
const TWO_WORDS = ['bfjmcg,gkdhlnbp', 'bfjm,mcgkdhlnbp'];
const THREE_WORDS = 'bfjmcg,gkdhln,nbp';
const PEOPLE: readonly Name[] = ['ada', 'ben', 'cleo'];
const ZONES = ['America/New_York', 'Europe/Berlin', 'Asia/Tokyo', 'America/Los_Angeles', 'Pacific/Auckland'];
const QUARTER = 15 * MINUTE;

/** What was compared, for a test that wants to know that it compared anything. */
export interface WeekReport {
  posted: number;
  announced: number;
  told: number;
  closings: number;
  /** Closings whose leaderboard was read again later. */
  kept: number;
  /** Results of boards that were replaced. */
  replaced: number;
  /** Rows of leaderboards with each mark. */
  late: number;
  reported: number;
  afterSolution: number;
  /** Threads that the daily thread has left, and that were closed. */
  left: number;
}

/** A thread that is open, and what its opening announces. */
interface Open {
  readonly opening: Shown;
  /** What its thread contains. */
  readonly there: readonly ThreadStep[];
  /** With their times. */
  readonly coming: Coming;
  /** Without a time, and not there yet. */
  readonly atOnce: readonly ThreadStep[];
}

/** Where somebody is. */
type Where = 'the channel' | Beside;

/** What answers tell of one thing; undefined where an answer does not tell it. */
type Told = Record<string, string | undefined>;

class Mismatch extends Error {}

function same(what: string, got: unknown, expected: unknown): void {
  const [one, other] = [JSON.stringify(got), JSON.stringify(expected)];
  if (one !== other) throw new Mismatch(`${what}: ${one} instead of ${other}`);
}

/** Lives through a week, or some days of it; throws at the first thing that differs. */
export async function liveThroughWeek(seed: number, report: WeekReport, days = 7): Promise<void> {
  const next = random(seed);
  const begin = Date.UTC(2026, Math.floor(next() * 12), 1 + Math.floor(next() * 28), Math.floor(next() * 24));
  const door = (['discord', 'slack', 'web'] as const)[Math.floor(next() * 3)]!;
  const board = makeBoard(NEWSPAPER_SIDES.split(' '));
  const paper = next() < 0.3 ? new FakePaper({ board, par: 4, official: ['bfjmcg', 'gkdhlnbp'] }) : undefined;
  const clock = {
    time: begin,
    now() {
      return this.time;
    },
  };
  const here = await world({
    doors: [door],
    clock,
    // It may look for a post whose answer was lost, and who manages channels.
    slack: { scopes: [...REQUIRED_SCOPE_NAMES, 'channels:history', 'users:read'] },
    ...(paper && { source: 'newspaper', newspaper: paper }),
    limits: { commandsPerPerson: 10_000, commandsPerChannel: 10_000 },
  });
  const week = new Week(here, next, report, paper);
  try {
    await week.live(begin + days * DAY);
  } catch (error) {
    throw new Error(`week ${seed}: ${String(error)}\n${week.events.slice(-40).join('\n')}`, { cause: error });
  } finally {
    await here.close();
  }
}

class Week {
  readonly events: string[] = [];
  readonly #here: World;
  readonly #next: () => number;
  readonly #report: WeekReport;
  readonly #place: Place;
  readonly #paper: FakePaper | undefined;
  /** Where the daily thread is. */
  #at: 'the channel' | 'another channel' = 'the channel';
  /** Dates on which not all places had the same board. */
  readonly #mixed = new Set<string>();
  /** Who solved the board of a date on its day. */
  readonly #solvers = new Map<PuzzleDate, readonly Name[]>();
  /** Who was on a leaderboard, of which date and where. */
  readonly #ranked = new Set<string>();
  /** The places that the closings of the threads named, by place and date. */
  readonly #closed = new Map<string, string[][]>();

  constructor(here: World, next: () => number, report: WeekReport, paper: FakePaper | undefined) {
    this.#here = here;
    this.#next = next;
    this.#report = report;
    this.#paper = paper;
    this.#place = here.places[0]!;
  }

  async live(end: number): Promise<void> {
    const { clock } = this.#here;
    await this.#change(`daily on zone:${this.#pick(ZONES)}`);
    while (clock.time < end) {
      const chance = this.#next();
      if (chance < 0.4) await this.#change(this.#setting());
      else if (chance < 0.7) await this.#play();
      else if (chance < 0.79) await this.#replace();
      else if (chance < 0.83) await this.#standStill();
      else if (chance < 0.87) await this.#fail();
      else if (chance < 0.89) await this.#move();
      else if (chance < 0.91) await this.#restart();
      else if (chance < 0.94) this.#printOrNot();
      await this.#goOn(clock.time + Math.ceil(this.#next() * 5 * 4) * QUARTER);
    }
    await this.#compareClosed();
    await this.#compareReplaced();
  }

  #pick<One>(those: readonly One[]): One {
    return those[Math.floor(this.#next() * those.length)]!;
  }

  #note(event: string): void {
    const { time } = this.#here.clock;
    this.events.push(`${new Date(time).toISOString().slice(0, 16)} ${this.#place.door}: ${event}`);
  }

  /** As it reads at the place, with people as `@name`. Slack's tables have display names: here, ids in small letters. */
  #read(shown: Shown): string {
    return PEOPLE.reduce((text, who) => {
      const names = [this.#place.named(who), this.#place.idOf(who).toLowerCase()];
      return names.reduce(
        (read, name) =>
          read.replaceAll(/^\w+$/.test(name) ? new RegExp(`(?<!@)\\b${name}\\b`, 'g') : name, `@${who}`),
        text,
      );
    }, shown.exact);
  }

  async #ask(line: string, who: Name = 'ada', where: Where | Shown = this.#at): Promise<string> {
    const shown = await this.#place.ask(who, line, where === 'the channel' ? undefined : where);
    return this.#read(shown) + (line.startsWith('play') ? await this.#readBoard(shown, who) : '');
  }

  /** What is written below a board that is played in its message. */
  async #readBoard({ id, exact }: Shown, who: Name): Promise<string> {
    if (!exact.includes('[the board, to play in place')) return '';
    const { ask } = openPage(this.#here.web!.door.url, who);
    return `\n${readable(textsIn(await ask('/play', { message: id, block: 0, moves: '' })))}`;
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

  async #change(line: string): Promise<void> {
    this.#note(line);
    const before = await this.#open();
    await this.#ask(line);
    // An open thread finishes.
    if (line.startsWith('daily weekends') && before !== undefined)
      same('announced after a change of weekends', [...(await this.#open())!.coming], [...before.coming]);
    await this.#compareAnnounced();
  }

  /** The daily thread moves to the other channel, or back. */
  async #move(): Promise<void> {
    if (this.#place.door === 'web') return;
    const from = this.#at;
    const to = from === 'the channel' ? 'another channel' : 'the channel';
    this.#note(`${to}: daily here`);
    await this.#ask('daily here', 'ada', to);
    const left = await this.#open(from);
    if (left !== undefined) same('announced where the thread was', [...left.coming], []);
    this.#at = to;
    await this.#compareAnnounced();
  }

  #messages(where = this.#at): Promise<readonly Shown[]> {
    return this.#place.messages(where === 'the channel' ? undefined : where);
  }

  /** The year is said once it is over. */
  #dateOf({ exact }: Shown): PuzzleDate {
    const [, day = '', year] = OPENING.exec(exact) ?? [];
    const { time } = this.#here.clock;
    const here = new Date(time).getUTCFullYear();
    const years = year === undefined ? [here - 1, here, here + 1] : [Number(year)];
    const moments = years.map((one) => Date.parse(`${day}, ${one} UTC`));
    const nearest = moments.toSorted((a, b) => Math.abs(a - time) - Math.abs(b - time))[0]!;
    return new Date(nearest).toISOString().slice(0, 10) as PuzzleDate;
  }

  async #openings(where = this.#at): Promise<Shown[]> {
    return (await this.#messages(where)).filter(
      ({ where, exact }) => where === 'channel' && OPENING.test(exact),
    );
  }

  async #open(where = this.#at): Promise<Open | undefined> {
    const messages = await this.#messages(where);
    const opening = messages.findLast(({ where, exact }) => where === 'channel' && OPENING.test(exact));
    if (opening === undefined) return undefined;
    const there = stepsIn(messages, opening);
    if (new Set(there).size < there.length) throw new Mismatch(`posted twice: ${there}`);
    const { coming, now } = announcedIn(opening.exact);
    const { time } = this.#here.clock;
    return {
      opening,
      there,
      coming: new Map([...coming].filter(([, at]) => at > time)),
      atOnce: now.filter((step) => !there.includes(step)),
    };
  }

  /** What the opening, the last message of its thread and `daily show` announce is one thing. Returns when the next post is. */
  async #compareAnnounced(): Promise<ReturnType<typeof shownNext>> {
    const next = shownNext(await this.#ask('daily show'));
    const open = await this.#open();
    if (open === undefined) return next;
    const { time } = this.#here.clock;
    const { opening, coming, there } = open;
    this.#report.announced += coming.size;
    for (const step of coming.keys())
      if (there.includes(step)) throw new Mismatch(`the opening announces ${step}, which is there already`);
    const first = Math.min(...coming.values());
    const firsts = [...coming].filter(([, at]) => at === first);
    const last = (await this.#messages()).findLast((message) => isStepIn(message, opening));
    const below = last && [...nextBelow(last.exact)];
    // One whose next step was given up in an outage stays as it was; the closing says that the step did not come.
    const isBehind = below?.some(([, at]) => at <= time);
    // A step that comes at once is the next message, so the last one names none.
    const isLast = below !== undefined && !isBehind && open.atOnce.length === 0;
    if (isLast) same('the last message announces', below.sort(), firsts.sort());
    if (next === undefined) same('the opening announces, and daily show nothing', [...coming], []);
    else if (Object.values(STEP_NAMES).includes(next.name) || (firsts.length > 0 && first < next.at)) {
      // Of steps that come together, it names one.
      const named = firsts.find(([step]) => STEP_NAMES[step] === next.name) ?? firsts[0];
      same('daily show says next', next, { name: STEP_NAMES[named?.[0] ?? 'start'], at: first });
    }
    return next;
  }

  /** Lets time pass with nothing wrong: what was announced is posted at its time, and nothing else. */
  async #goOn(until: number): Promise<void> {
    const { clock } = this.#here;
    let next = await this.#compareAnnounced();
    while (clock.time < until) {
      const before = await this.#open();
      const moments = [next?.at ?? until, ...(before?.coming.values() ?? [])];
      // It may come as soon as there is a board.
      if (next?.at === 0) moments.push(clock.time + QUARTER);
      // The bot looks each minute, and the day may end within this quarter of an hour.
      if (before !== undefined && before.atOnce.length > 0) moments.push(clock.time + MINUTE);
      const moment = Math.min(until, ...moments.filter((at) => at > clock.time));
      while (clock.time + HOUR < moment) await this.#here.at(clock.time + HOUR);
      await this.#here.at(moment);
      await this.#comparePosted(before, next);
      next = await this.#compareAnnounced();
    }
  }

  async #comparePosted(before: Open | undefined, next: ReturnType<typeof shownNext>): Promise<void> {
    const { time } = this.#here.clock;
    if (before !== undefined) {
      const timely = [...before.coming].filter(([, at]) => at <= time).map(([step]) => step);
      const due = [...timely, ...before.atOnce];
      const there = stepsIn(await this.#messages(), before.opening);
      const fresh = there.filter((step) => !before.there.includes(step));
      same('posted as announced', fresh.sort(), due.sort());
      this.#report.posted += fresh.length;
    }
    const open = await this.#open();
    const isNew = open !== undefined && open.opening.id !== before?.opening.id;
    if (next?.name === 'the opening' && next.at === time && this.#paper === undefined && !isNew)
      throw new Mismatch('the opening was announced, and is not there');
    if (!isNew) return;
    this.#note(open.opening.exact.split('\n')[0]!);
    if (open.atOnce.length > 0) throw new Mismatch(`the opening names ${open.atOnce}, not there`);
    if (before !== undefined) await this.#compareClosing(before.opening);
  }

  /** The closing has the places of the leaderboard. */
  async #compareClosing(opening: Shown): Promise<void> {
    const closing = await this.#closingOf(opening);
    if (closing === undefined) return;
    const board = await this.#ask(`leaderboard day date:${this.#dateOf(opening)}`);
    const crowned = [...this.#read(closing).matchAll(/^(👑|\d+\.) @(\w+): (\d+) word/gmu)].map(
      ([, mark, who, words]) => [mark === '👑' ? '1' : mark!.slice(0, -1), who, words],
    );
    same('the closing has the places of the leaderboard', crowned, timelyIn(board));
    this.#closed.set(`${this.#at} ${this.#dateOf(opening)}`, timelyIn(board));
    this.#report.closings++;
    // Somebody who solved it elsewhere brings that when the day is closed.
    if (this.#next() < 0.2) return;
    const date = this.#dateOf(opening);
    this.#note(`all share ${date}`);
    for (const who of PEOPLE) await this.#ask(`share line date:${date}`, who);
    for (const who of PEOPLE) await this.#compareTold(who, this.#at, date);
  }

  /** What comes after a closing changes no place that it named. */
  #compareKept(date: PuzzleDate, board: string): void {
    const named = this.#closed.get(`${this.#at} ${date}`);
    if (named === undefined || this.#mixed.has(date)) return;
    same(`the leaderboard of ${date} is what its closing said`, timelyIn(board), named);
    this.#report.kept++;
  }

  async #closingOf(opening: Shown): Promise<Shown | undefined> {
    return (await this.#messages()).find(
      ({ thread, exact }) => thread === opening.id && exact.startsWith('That was'),
    );
  }

  /** Somebody plays, asks for a hint, reports or shares, anywhere. */
  async #play(): Promise<void> {
    const today = dateAt(this.#here.clock.time);
    const before = this.#solvers.get(addDays(today, -1)) ?? [];
    // Most often they find better words after the day.
    const isOver = this.#next() < (before.length > 0 ? 0.7 : 0.2);
    const date = addDays(today, isOver ? -1 : 0);
    const who = this.#pick(isOver && before.length > 0 ? before : PEOPLE);
    const play = `play ${this.#solution(isOver ? 0.2 : 0.7)} date:${date}`;
    const hasBeside = this.#place.door !== 'web';
    const where = hasBeside ? this.#pick<Where>([this.#at, this.#at, 'the channel', 'another channel', 'private messages']) : 'the channel'; // biome-ignore format: one line reads better
    const line = this.#pick([
      play,
      play,
      play,
      `hint step:start date:${date}`,
      `reveal open:true date:${date}`,
      `record message:"in ${2 + Math.floor(this.#next() * 2)} words" date:${date}`,
      `share line date:${date}`,
    ]);
    this.#note(`${who}, ${where}: ${line}`);
    const answer = await this.#ask(line, who, where);
    if (line === play && !isOver) this.#solvers.set(date, [...(this.#solvers.get(date) ?? []), who]);
    const there = await this.#compareTold(who, where, date, line.startsWith('hint') ? '' : answer);
    // What nobody shares before the closing is brought after it, see `#compareClosing`.
    if (where === this.#at || this.#next() < 0.5) return;
    const here = await this.#compareTold(who, this.#at, date);
    // Only whether it was on time is the same everywhere: a thread may have told the solution before, in one channel.
    if (this.#paper === undefined && !this.#mixed.has(date))
      this.#compare(`${who} on ${date}, everywhere`, { there, here });
  }

  #solution(threeWords: number): string {
    return this.#next() < threeWords ? THREE_WORDS : this.#pick(TWO_WORDS);
  }

  /**
   * Every answer tells the same of somebody's result of a day; also the answer to what they did just now. Returns whether it
   * was on time.
   */
  async #compareTold(who: Name, where: Where, date: PuzzleDate, answer = ''): Promise<string | undefined> {
    const ask = (line: string) => this.#ask(line, who, where);
    const whose = `${who} on ${date}, ${where}`;
    const game = await ask(`play date:${date}`);
    const told: Told = {
      answer: wordsOfGame(answer) ?? wordsOfShare(answer),
      play: wordsOfGame(game),
      review: wordsOfReview(await ask(`review date:${date}`)),
    };
    // An answer in which a better result stays, and a note about what is shared, need not say when that was.
    const times: Told = { answer: lateIn(answer), play: told.play && (lateIn(game) ?? 'on time') };
    const hints: Told = { play: told.play && hintsIn(game) };
    const archived = lineOf(await ask('archive'), date);
    told.archive = /(\d+) words?/.exec(archived)?.[1];
    times.archive = told.archive && (lateIn(archived) ?? 'on time');
    hints.archive = hintsIn(archived);
    if (where === this.#at) {
      const shared = await ask(`share line date:${date}`);
      told.share = wordsOfShare(shared);
      times.share = lateIn(shared);
      hints.share = told.share && hintsIn(shared);
      const board = await ask(`leaderboard day date:${date}`);
      // Sharing may have brought a result here, late.
      const archivedAfter = lineOf(await ask('archive'), date);
      this.#compareKept(date, board);
      told.leaderboard = placesIn(board).find(([, person]) => person === who)?.[2];
      const row = board.split('\n').find((line) => line.includes(`@${who}`)) ?? '';
      const isListed = told.leaderboard !== undefined;
      this.#report.late += Number(row.includes('late'));
      this.#report.reported += Number(row.includes('self-reported'));
      this.#report.afterSolution += Number(row.includes('after the solution'));
      // Its column has a number; what came after the solution has a mark instead elsewhere.
      const points = isListed && !row.includes('after the solution') ? hintColumn(row) : undefined;
      hints.leaderboard = points === '0' ? 'no hints' : points;
      if (told.archive !== undefined && told.share !== undefined)
        this.#compare(`${whose}, by its marks`, {
          archive: marksIn(archivedAfter),
          share: marksIn(shared),
          leaderboard: isListed ? marksIn(row) : undefined,
        });
      if (told.archive !== undefined && isListed)
        same(`late, of ${whose}`, /\blate\b/.test(archivedAfter), /\blate\b/.test(row));
      this.#compareRanked(whose, date, told.leaderboard !== undefined);
    }
    if (told.review !== undefined && told.play === undefined)
      throw new Mismatch(`${whose}: reviewed, and not solved in the game`);
    this.#compare(whose, told);
    this.#compare(`${whose}, by its time`, times);
    this.#compare(`${whose}, by its hints`, hints);
    return times.play;
  }

  /** Nothing takes a result from the leaderboard, unless its board is replaced, as the newspaper's replaces the house's. */
  #compareRanked(whose: string, date: PuzzleDate, isRanked: boolean): void {
    if (isRanked) this.#ranked.add(whose);
    else if (this.#ranked.has(whose) && this.#paper === undefined && !this.#mixed.has(date))
      throw new Mismatch(`not on the leaderboard any more: ${whose}`);
  }

  #compare(whose: string, told: Told): void {
    const values = Object.values(told).filter((value) => value !== undefined);
    this.#report.told += values.length;
    if (new Set(values).size > 1) throw new Mismatch(`the result of ${whose}: ${JSON.stringify(told)}`);
  }

  async #replace(line = this.#next() < 0.7 ? `set ${OTHER_SIDES}` : 'set undo'): Promise<void> {
    const date = dateAt(this.#here.clock.time);
    this.#note(line);
    this.#mixed.add(date);
    const isSolvedBy = async (who: Name) =>
      wordsOfGame(await this.#ask(`play date:${date}`, who)) !== undefined;
    const solved: Name[] = [];
    for (const who of PEOPLE) if (await isSolvedBy(who)) solved.push(who);
    const results = () => Promise.all(PEOPLE.map(async (who) => solvedIn(await this.#ask('stats', who))));
    const before = await results();
    await this.#ask(line);
    same('boards in the stats before and after one is replaced', await results(), before);
    for (const who of PEOPLE) {
      await this.#compareTold(who, this.#at, date);
      if (!solved.includes(who) || (await isSolvedBy(who))) continue;
      for (const command of ['review', 'share line'])
        if (!(await this.#ask(`${command} date:${date}`, who)).includes('replaced'))
          throw new Mismatch(`${who} solved the board that was replaced, and ${command} does not say so`);
      this.#report.replaced++;
    }
  }

  /** Somebody solves the board of a day that has begun and has no thread yet, and the board is replaced. */
  async #compareReplaced(): Promise<void> {
    const { to } = spanOf(dateAt(this.#here.clock.time));
    await this.#here.at(to + MINUTE);
    await this.#ask(`play ${this.#solution(0.5)}`, this.#pick(PEOPLE));
    await this.#replace(`set ${OTHER_SIDES}`);
  }

  #printOrNot(): void {
    if (this.#paper === undefined) return;
    this.#paper.isDown = !this.#paper.isDown;
    this.#note(`the newspaper is ${this.#paper.isDown ? 'down' : 'back'}`);
  }

  async #restart(): Promise<void> {
    this.#note('a restart');
    await this.#here.restart();
  }

  /** The machine is off for a while; another process goes on. */
  async #standStill(): Promise<void> {
    const { clock } = this.#here;
    this.#note('the machine is off');
    await this.#here.restart();
    await this.#recover(clock.time + Math.ceil(this.#next() * 20) * HOUR);
  }

  /** The platform refuses everything for a while, or loses its answers. */
  async #fail(): Promise<void> {
    const { clock } = this.#here;
    const how = this.#pick(['refused', 'refused', 'lost'] as const);
    this.#note(`the platform fails: ${how}`);
    this.#place.fail(how);
    const until = clock.time + Math.ceil(this.#next() * 8) * QUARTER;
    while (clock.time < until) await this.#here.at(clock.time + QUARTER);
    this.#place.fail();
    await this.#recover(clock.time + QUARTER);
  }

  /** What was announced for the time of an outage is posted late, or the closing says that it did not come. */
  async #recover(moment: number): Promise<void> {
    const before = await this.#open();
    for (let minute = 0; minute <= 40; minute += 10) await this.#here.at(moment + minute * MINUTE);
    const openings = await this.#openings();
    const dates = openings.map((one) => this.#dateOf(one));
    if (new Set(dates).size < dates.length) throw new Mismatch(`opened twice: ${dates}`);
    if (before === undefined) return;
    const there = stepsIn(await this.#messages(), before.opening);
    const closing = await this.#closingOf(before.opening);
    if (closing === undefined) return;
    const missed = [...before.coming.keys()].filter((step) => !there.includes(step));
    const [, said = ''] = /This did not come in time: (.*?)\. For/.exec(closing.exact) ?? [];
    for (const step of missed)
      if (!said.includes(STEP_NAMES[step])) throw new Mismatch(`${step} did not come, and nobody says so`);
  }

  /** Only the last thread of a channel is open, and where the daily thread is off or elsewhere, none for long. */
  async #compareClosed(): Promise<void> {
    const isOff = (await this.#ask('daily show')).startsWith('The daily thread is off');
    for (const where of ['the channel', 'another channel'] as const) {
      const openings = await this.#openings(where);
      const goesOn = where === this.#at && !isOff;
      const yesterday = addDays(dateAt(this.#here.clock.time), -2);
      const over = goesOn ? openings.slice(0, -1) : openings.filter((one) => this.#dateOf(one) < yesterday);
      for (const opening of over)
        if (!opening.exact.includes('The day of this board is over'))
          throw new Mismatch(`the thread of ${this.#dateOf(opening)} is still open`);
      if (!goesOn) this.#report.left += over.length;
    }
  }
}

function isStepIn({ thread, exact }: Shown, { id }: Shown): boolean {
  return thread === id && stepsOf(exact).length > 0;
}

/** The steps in the thread of an opening. */
function stepsIn(messages: readonly Shown[], opening: Shown): ThreadStep[] {
  return messages.flatMap((message) => (isStepIn(message, opening) ? stepsOf(message.exact) : []));
}

/** The title of an opening: of the day, and once it is over. */
const OPENING = /^(?:Letter Boxed for )?\w+day, (\w+ \d+)(?:, (\d+))?/;

/** The rows of a leaderboard at any door: place, person and words. */
function placesIn(board: string): string[][] {
  const rows = board.matchAll(
    /^ *(\d+)[.|\s]+@(\w+)(?:[`|,\s]+(?:[A-Z][a-z]+|–))?(?:, [^\d\n`]+)?[`|\s]+(\d+)/gm,
  );
  return [...rows].map(([, ...row]) => row);
}

/** The rows of results that came before the closing. */
function timelyIn(board: string): string[][] {
  const late = board
    .split('\n')
    .flatMap((line) => (/\blate\b/.test(line) ? (/@(\w+)/.exec(line)?.[1] ?? []) : []));
  return placesIn(board).filter(([, person]) => !late.includes(person!));
}

/** The marks of a result, whatever else a line says. */
function marksIn(line: string): string {
  return ['after the solution', 'self-reported'].filter((mark) => line.includes(mark)).join();
}

/** The result that a game tells, of its own words or of others. */
function wordsOfGame(text: string): string | undefined {
  const [, stays] = /(?:best|result) stays (\d+) word/.exec(text) ?? [];
  return stays ?? /^(?:Solved in |Under par: )?(\d+) words?(?:\. It|, \d+ letters|:|$)/m.exec(text)?.[1];
}

function wordsOfReview(text: string): string | undefined {
  return /^How you did.*Your (\d+) words? with/ms.exec(text)?.[1];
}

function wordsOfShare(text: string): string | undefined {
  return /· (\d+) words? ·/.exec(text)?.[1];
}

function solvedIn(stats: string): string | undefined {
  return /Solved:?\s(\d+)/.exec(stats)?.[1];
}

/** Whether an answer says that a board was solved after its day. */
function lateIn(text: string): 'late' | undefined {
  return /after its day|its day is over/.test(text) ? 'late' : undefined;
}

function hintsIn(text: string): string | undefined {
  const [, said, points] = /(no hints|after the solution)|(\d+) hint points?/.exec(text) ?? [];
  return points ?? said;
}

/** The number of hint points in the row of a leaderboard, after those of words and letters. */
function hintColumn(row: string): string | undefined {
  return /@\w+.*?\d+[`|\s]+(?:\d+|–)[`|\s]+(\d+)/.exec(row)?.[1];
}

/** The line of a date in a list of days. */
function lineOf(text: string, date: PuzzleDate): string {
  return text.split('\n').find((line) => line.includes(longDate(date))) ?? '';
}
