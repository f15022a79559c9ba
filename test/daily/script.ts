/**
 * Days of a channel as scripts. A line has a moment of November 2026 in New York, what happens then, and behind an arrow all
 * that one then sees the bot do, in its order:
 *
 *     20 07:00 daily on count:12:00
 *     20 08:00 -> opening, start
 *     20 12:00 message lost-after -> count
 *     ..1 20 12:02 works -> 12:01 look
 *
 * `..1` ticks every minute since the line before, where its events happen, and tells when anything was seen; `~1` does not
 * tell. `look` is a search for a post, and `(look)` one that need not be made; steps in
 * one message are `count+solution`; `closing of 20` is of another day than the one that is on. What can happen is in `EVENTS`;
 * anything else is typed as a command by somebody who manages the channel, in another channel with its name before it.
 */
import { onTestFinished } from 'vitest';
import { sinceYesterday } from '../../src/chat/door.ts';
import type { ChannelRef } from '../../src/core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { answerSteps } from '../../src/daily/delivery/messages.ts';
import { reactivateOnRequest } from '../../src/daily/suspension.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { dayReviews, playerHandlers } from '../../src/players/reviews.ts';
import { addDays, dateAt } from '../../src/puzzle/calendar.ts';
import { plainText } from '../../src/reply/model/text.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeBoard } from '../../src/solver/board.ts';
import { makeTestApp, someone, type TestApp, type TestAppOptions } from '../fakes/app.ts';
import { say } from '../fakes/ask.ts';
import { dayOf, loseDeliveries } from '../fakes/day-thread.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';
import { announcedIn, shownNext, stepsOf } from './announced-texts.ts';
import { FakePaper, FakePlatform, type Fault, type Seen, type Shown } from './fakes.ts';
import { CHANNEL, type Ground, makeGround, NEW_YORK } from './ground.ts';

export interface Lived extends TestApp, Pick<Ground, 'platform' | 'at' | 'restart'> {
  readonly paper: FakePaper;
  /** The store is set back to before the first day. */
  restore(): void;
  /** What somebody types; `boss` manages every channel. */
  ask(line: string, who?: string, channel?: string): Promise<Reply>;
  /** The messages in a channel that open a day, the last one last. */
  openings(channel?: string): Shown[];
  /** What the last of them says, and each message in its thread. */
  opening(channel?: string): string;
  thread(): string[];
}

export const read = (reply: Reply) => plainText(reply, { reveal: true });

export async function live(now: number, options: TestAppOptions = {}): Promise<Lived> {
  const platform = new FakePlatform('web');
  const board = makeBoard(SIDES.split(' '));
  const paper: FakePaper = new FakePaper({ board, par: 4 }, () => made.clock.now());
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  const made = await makeTestApp({
    store,
    words: WORDS,
    house,
    newspaper: paper,
    posterOf: () => platform,
    ...options,
  });
  const { app, clock } = made;
  clock.time = now;
  platform.now = () => clock.time;
  made.allowErrors('this post cannot be made: it is left out', 'preparing a post failed');
  const ground = await makeGround(now, {
    store,
    clock,
    platform,
    puzzles: app.puzzles,
    answerSteps: answerSteps(app),
    log: app.log,
    random: () => 0.5,
    reviews: dayReviews(app),
    handlers: playerHandlers(app),
    concurrency: 1,
  });
  onTestFinished(async () => {
    await ground.daily.stop();
    await made.close();
    await store.close();
  });
  const lived: Lived = {
    ...made,
    ...ground,
    paper,
    restore: () => loseDeliveries(dataDir),
    ask(line, who = 'boss', channel = CHANNEL.channel) {
      return say(app, line, someone({ id: who, mayManage: who === 'boss' }, { channel }));
    },
    openings: (channel = CHANNEL.channel) =>
      platform.in({ ...CHANNEL, channel }).filter(({ threadName }) => threadName !== undefined),
    opening: (channel) => read(lived.openings(channel).at(-1)!.reply),
    thread() {
      const thread = `t${lived.openings().at(-1)!.id}`;
      return platform
        .in(CHANNEL)
        .flatMap(({ reply, ...one }) => (one.thread === thread ? [read(reply)] : []));
    },
  };
  return lived;
}

/** What happens, with what follows its name. */
const EVENTS: Readonly<Record<string, (here: Lived, argument: string) => unknown>> = {
  restart: ({ restart }) => restart(),
  restore: ({ restore }) => restore(),
  /** What goes wrong with every request, with every message, in one channel, or with the next requests; `works` ends it. */
  fails: ({ platform }, fault) => {
    platform.fault = () => fault as Fault;
  },
  message: ({ platform }, fault) => {
    platform.fault = ({ what }) => (what === 'message' ? (fault as Fault) : undefined);
  },
  general: ({ platform }, fault) => {
    platform.fault = ({ channel: { channel } }) => (channel === 'general' ? (fault as Fault) : undefined);
  },
  next: ({ platform }, list) => {
    const faults = list.split(' ');
    platform.fault = () => {
      const fault = faults.shift() ?? 'well';
      return fault === 'well' ? undefined : (fault as Fault);
    };
  },
  works: ({ platform }) => {
    platform.fault = () => undefined;
    platform.missing = () => [];
    platform.isUnreadable = false;
  },
  lacks: ({ platform }, what) => {
    platform.missing = () => [{ what, how: 'Allow it for the bot in this channel.' }];
  },
  unarchivable: ({ platform }) => {
    platform.archive = () => Promise.reject(new PostFailure('refused', 'no right to archive'));
  },
  unreadable: ({ platform }) => {
    platform.isUnreadable = true;
  },
  paper: ({ paper }, state) => {
    paper.isDown = state === 'down';
  },
  /** The bot is in the server again. */
  back: ({ store, clock }) => store.tenant(CHANNEL.tenant).markPresent(sinceYesterday(clock)),
  /** The last opening is deleted by hand. */
  gone: ({ platform, openings }) => {
    platform.messages.splice(platform.messages.indexOf(openings().at(-1)!), 1);
  },
  /** Somebody runs any command in the channel. */
  command: ({ app }) => reactivateOnRequest(app)(someone()),
  /** Somebody else types something. */
  ann: ({ ask }, line) => ask(line, 'ann'),
};

/** What is told behind the arrow, after the moment of its line. */
const ANSWERS: Readonly<Record<string, (here: Lived) => Promise<string>>> = {
  /** What comes next, as `daily show` says. */
  async show({ ask }) {
    const next = shownNext(exactly(await ask('daily show')));
    if (next === undefined) return 'next nothing';
    return next.name === 'now' ? 'next now' : `next ${next.name} ${clockOf(next.at)}`;
  },
  /** What the last opening announces. */
  async announced({ openings }) {
    const { now, coming } = announcedIn(exactly(openings().at(-1)!.reply));
    const all = [...now, ...Array.from(coming, ([step, at]) => `${step} ${clockOf(at)}`)];
    return `announces ${all.length === 0 ? 'nothing' : all.join(' ')}`;
  },
  /** What became of the steps of this day and the one before that were not posted. */
  async became({ store, clock }) {
    const today = dateAt(clock.time);
    const lines: string[] = [];
    for (const date of [addDays(today, -1), today]) {
      const all = Object.entries(await dayOf(store, CHANNEL, date)).filter(
        ([, became]) => !became.startsWith('posted'),
      );
      for (const [became, steps] of Map.groupBy(all, ([, became]) => became))
        lines.push(`${steps.map(([step]) => step).join('+')}${suffixOf(date, clock.time)} ${became}`);
    }
    return lines.join('; ');
  },
};

const LINE = /^(?:(\.\.|~)(\d+) )?(\d+) (\d\d):(\d\d)(?: (?!->)(.*?))?(?: -> (.*))?$/;

interface SeenThen {
  readonly at: number;
  readonly text: string;
}

class Script {
  readonly here: Lived;
  /** What was seen since the last line, each with its moment. */
  #seen: SeenThen[] = [];
  /** Dates of threads. */
  readonly #dates = new Map<string, string>();

  constructor(here: Lived) {
    this.here = here;
    here.platform.watch = (seen) => this.#tell(this.#nameOf(seen));
  }

  #tell(text: string): void {
    if (text !== '') this.#seen.push({ at: this.here.clock.time, text });
  }

  /** Plays one line, and returns it as it should have been. */
  async play(line: string): Promise<string> {
    const [head, ticks, every, day, hour, minute, happens = '', told = ''] = LINE.exec(line) ?? [];
    if (head === undefined) throw new Error(`no line of a script: ${line}`);
    const { here } = this;
    const moment = NEW_YORK(Number(day), Number(hour), Number(minute));
    if (every === undefined) here.clock.time = moment;
    const events = happens.split('; ').filter((event) => event !== '');
    for (const event of events.filter((one) => !(one in ANSWERS))) await this.#happen(event);
    const step = Number(every) * MINUTE;
    while (here.clock.time + step < moment) await here.at(here.clock.time + step);
    await here.at(moment);
    for (const event of events.filter((one) => one in ANSWERS)) this.#tell(await ANSWERS[event]!(here));
    const all = inOrder(this.#seen, told.startsWith('(look)')).map(({ at, text }) =>
      at === moment || ticks === '~' || text === '(look)' ? text : `${clockOf(at)} ${text}`,
    );
    this.#seen = [];
    const begin = line.slice(0, line.length - (told === '' ? 0 : told.length + ' -> '.length));
    return all.length === 0 ? begin : `${begin} -> ${all.join(', ')}`;
  }

  async #happen(event: string): Promise<void> {
    const [, name = '', argument = ''] = /^(\S+) ?(.*)$/.exec(event) ?? [];
    const [, channel, line] = /^#(\w+) (.*)$/.exec(event) ?? [];
    if (line !== undefined) await this.here.ask(line, 'boss', channel);
    else if (name in EVENTS) await EVENTS[name]!(this.here, argument);
    else await this.here.ask(event);
  }

  #nameOf(seen: Seen): string {
    switch (seen.what) {
      case 'look':
        return 'look';
      case 'notice':
        return `notice to ${seen.person}`;
      case 'archive':
        return `${placeOf(seen.channel)}archived${this.#dates.get(seen.thread) ?? ''}`;
      case 'deletion':
        return `deleted ${this.#nameOfMessage(seen.shown)}`;
      case 'message':
        return this.#nameOfMessage(seen.shown);
    }
  }

  #nameOfMessage({ id, channel, reply, thread, threadName, person }: Shown): string {
    const text = exactly(reply);
    const [title = ''] = text.split('\n');
    const place = placeOf(channel);
    if (person !== undefined) return `to ${person}`;
    if (threadName !== undefined) {
      const day = Number(/ (\d+)/.exec(title)?.[1]);
      const suffix = suffixOf(addDays('2026-10-31', day), this.here.clock.time);
      this.#dates.set(`t${id}`, ` of ${day}`);
      return `${place}opening${suffix}`;
    }
    const of = this.#dates.get(thread ?? '') ?? '';
    const suffix = of === ` of ${Number(dateAt(this.here.clock.time).slice(-2))}` ? '' : of;
    if (!title.startsWith('That was')) return `${place}${stepsOf(text).join('+') || `"${title}"`}${suffix}`;
    const [, missed] =
      /did not come in time: (.*?)\. For the solution: \/letterboxed reveal \d+-\d+-\d+/.exec(text) ?? [];
    return `${place}closing${suffix}${missed === undefined ? '' : ` (missed ${missed})`}`;
  }
}

function placeOf({ channel }: ChannelRef): string {
  return channel === CHANNEL.channel ? '' : `#${channel} `;
}

function suffixOf(date: PuzzleDate, moment: number): string {
  return date === dateAt(moment) ? '' : ` of ${Number(date.slice(-2))}`;
}

/**
 * Searches come first and count once, or not at all where they may be made and need not; messages of two threads come in any
 * order, so that those of another day come last.
 */
function inOrder(seen: readonly SeenThen[], mayLook: boolean): SeenThen[] {
  const all = mayLook ? [{ at: 0, text: '(look)' }] : [];
  for (const then of Map.groupBy(seen, ({ at }) => at).values()) {
    const look = then.find(({ text }) => text === 'look');
    if (look !== undefined && !mayLook) all.push(look);
    const isOther = ({ text }: SeenThen) => / of \d+/.test(text) && !text.includes(' left out');
    all.push(...then.filter((one) => one.text !== 'look' && !isOther(one)), ...then.filter(isOther));
  }
  return all;
}

/** With moments as ISO 8601 has them. */
function exactly(reply: Reply): string {
  return plainText(reply, { reveal: true, moment: (at) => new Date(at).toISOString() });
}

/** The time in New York. */
function clockOf(moment: number): string {
  return new Date(moment - (NEW_YORK(0, 0) % 86_400_000)).toISOString().slice(11, 16);
}

/** Plays a script, whose lines are indented, and returns it with what was seen. */
export async function play(script: string, options: TestAppOptions = {}): Promise<string> {
  const lines = script.trimEnd().split('\n');
  const [, day, hour] = /(\d+) (\d\d):/.exec(lines[0]!) ?? [];
  const played = new Script(await live(NEW_YORK(Number(day), Number(hour)), options));
  let seen = '';
  for (const line of lines) seen += `  ${await played.play(line.trim())}\n`;
  return seen;
}
