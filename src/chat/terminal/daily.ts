import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../config/limits.ts';
import { type ChannelRef, channelKey } from '../../core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../../core/clock.ts';
import { UserError, unlessMistake } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { clip, counted } from '../../core/text.ts';
import { storedChannelDays } from '../../daily/day-thread.ts';
import {
  type AnswerSteps,
  answerSteps,
  cacheAnswers,
  closingMessage,
  openingMessage,
  plannedThread,
} from '../../daily/delivery/messages.ts';
import { type Forecast, forecast } from '../../daily/plan/planner.ts';
import { scheduleOf } from '../../daily/plan/schedule.ts';
import { settingsOf } from '../../daily/settings/settings.ts';
import { describeReason } from '../../daily/suspension.ts';
import { JobRunner } from '../../jobs/job-runner.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import { remarkOn } from '../../puzzle/remark.ts';
import { makePuzzleRepository } from '../../puzzle/repository.ts';
import { DayPuzzleService } from '../../puzzle/service.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { Reply } from '../../reply/model/types.ts';
import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { DeliveryState } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import {
  type Arguments,
  EXIT,
  type Subcommand,
  type SubcommandResult,
  type TerminalServices,
} from './contract.ts';

/** Milliseconds for a message, where nobody else is waiting. */
const JOB_TIMEOUT_MS = 2_000;
const DAILY_TOOLS: Readonly<
  Record<string, (store: Store, typed: Arguments, services: TerminalServices) => Promise<SubcommandResult>>
> = {
  plan,
  run,
  retry,
  skip,
};

/** The operator's tools for the daily thread. They read and change rows; only the running bot posts. */
export const daily: Subcommand = {
  usage: 'daily plan|run|retry|skip [place] [step]',
  flags: ['at', 'days', 'dry-run', 'out'],
  words: Object.keys(DAILY_TOOLS),
  async run(typed, services) {
    const [name = ''] = typed.line;
    const tool = Object.hasOwn(DAILY_TOOLS, name) ? DAILY_TOOLS[name] : undefined;
    if (tool === undefined) {
      throw new UserError(
        'terminal.daily',
        `The daily thread is set in its channel. Here there is: daily plan [--at TIME] [--days N], daily run --at TIME ` +
          '--dry-run [--out FOLDER], daily retry [place] [step], daily skip <place> [step]. A place is typed like ' +
          'discord:123/456, or a part of that.',
      );
    }
    const store = await services.openBotStore();
    try {
      return await tool(store, typed, services);
    } finally {
      await store.close();
    }
  },
};

async function plan(store: Store, typed: Arguments, services: TerminalServices): Promise<SubcommandResult> {
  const at = momentOf(typed);
  const days = typed.integer('days', 1, 366) ?? 1;
  const posts = await forecast(store, at, at + days * DAY, spreadOf(services));
  return {
    exit: EXIT.answered,
    json: () =>
      posts.map(({ skip, ...post }) => ({
        ...post,
        at: iso(post.at),
        dueAt: iso(post.dueAt),
        ...(skip !== undefined && { skip: describeReason(skip) }),
      })),
    *lines() {
      if (posts.length === 0) yield 'Nothing is due: no place has its daily thread on in that time.';
      for (const { at: when, tenant, channel, date, step, skip: reason } of posts) {
        const what = `${step} of ${date}`;
        yield `${iso(when)}  ${tenant}/${channel}  ${reason === undefined ? what : `${what} is skipped: ${describeReason(reason)}`}`;
      }
    },
  };
}

/**
 * Writes what would be posted at a moment to files. Sends no request: where the newspaper's board is not stored, it counts as
 * unreachable.
 */
async function run(store: Store, typed: Arguments, services: TerminalServices): Promise<SubcommandResult> {
  if (!typed.flag('dry-run')) {
    throw new UserError(
      'terminal.daily',
      'Only the running bot posts. Add --dry-run to have every message that would be posted written to files.',
    );
  }
  const at = momentOf(typed);
  const out = typed.text('out') ?? 'dry-run';
  const due = await forecast(store, at, at, spreadOf(services));
  const posts = await dryRun(store, dryRunTools(store, at, typed, services), due);
  const renderers = await services.renderers();
  const files: string[] = [];
  for (const { channel, date, steps, reply } of posts) {
    for (const [door, { type, render }] of renderers) {
      const name = [channel.tenant, channel.channel, date, steps.join('+')]
        .join('_')
        .replace(/[^\w+.-]/g, '-');
      const file = join(out, door, `${name}.${type}`);
      mkdirSync(join(out, door), { recursive: true });
      writeFileSync(file, `${await render(reply)}\n`);
      files.push(file);
    }
  }
  return {
    exit: EXIT.answered,
    json: () => files,
    *lines() {
      yield* files;
      yield `${counted(posts.length, 'message')} at ${iso(at)}, nothing was posted.`;
    },
  };
}

async function retry(store: Store, typed: Arguments): Promise<SubcommandResult> {
  return change(store, typed, 'given-up', 'due again', ({ tenant, channel, date, step }) =>
    store.tenant(tenant).deliveries.makeDueAgain(channel, date, step, Date.now()),
  );
}

async function skip(store: Store, typed: Arguments): Promise<SubcommandResult> {
  if (typed.line.length < 2) {
    throw new UserError('terminal.daily', 'Say in which place, like: daily skip discord:123/456 count');
  }
  return change(store, typed, 'due', 'skipped', ({ tenant, ...row }) =>
    store.tenant(tenant).deliveries.skipDue(row, { code: 'skipped-by-operator' }, Date.now()),
  );
}

type Row = Awaited<ReturnType<Store['allDeliveries']['steps']>>[number];

/**
 * Changes rows of the current puzzle and the one before it; older ones would not be posted any more.
 *
 * @param state of the rows that are changed
 * @param what they are afterwards, as the answer says it
 */
async function change(
  store: Store,
  { line: [, wanted = '', step] }: Arguments,
  state: DeliveryState,
  what: string,
  act: (row: Row) => Promise<boolean>,
): Promise<SubcommandResult> {
  const today = dateAt(Date.now());
  const rows = [
    ...(await store.allDeliveries.steps(addDays(today, -1))),
    ...(await store.allDeliveries.steps(today)),
  ].filter(
    (row) =>
      row.state === state &&
      `${row.tenant}/${row.channel}`.includes(wanted) &&
      (step === undefined || row.step === step),
  );
  const changed: Row[] = [];
  for (const row of rows) if (await act(row)) changed.push(row);
  return {
    exit: EXIT.answered,
    json: () => changed,
    *lines() {
      for (const row of changed) yield `${row.tenant}/${row.channel}  ${row.step} of ${row.date} is ${what}`;
      if (changed.length === 0) yield `There is nothing of today or yesterday to be ${what}.`;
    },
  };
}

function spreadOf(services: TerminalServices): number {
  return services.settings().puzzle.openingsSpread ?? 0;
}

const ISO_MOMENT = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/;

function momentOf(typed: Arguments): number {
  const text = typed.text('at');
  if (text === undefined) return Date.now();
  // A date alone would be a moment of UTC, and other texts mean to JavaScript what nobody expects.
  const moment = ISO_MOMENT.test(text) ? Date.parse(text.replace(' ', 'T')) : Number.NaN;
  if (!Number.isNaN(moment)) return moment;
  throw new UserError(
    'terminal.time',
    `--at "${clip(text)}" is not a moment I can read. Type one like 2026-11-21T08:00 (in this machine’s zone) or 2026-11-21T13:00Z.`,
  );
}

function iso(moment: number): string {
  return new Date(moment).toISOString().replace(':00.000Z', 'Z');
}

interface DryRunTools {
  /** The puzzle that a channel would get; the house's where it would wait for one. */
  readonly puzzleFor: (date: PuzzleDate, channel: ChannelRef) => Promise<Puzzle>;
  readonly answer: AnswerSteps;
}

function dryRunTools(store: Store, at: number, typed: Arguments, services: TerminalServices): DryRunTools {
  const lexicon = services.lexicon(typed.text('words'));
  const print = (fields: object, message: string) => console.error(message, fields);
  const log: Log = { debug() {}, info() {}, warn: print, error: print };
  const clock = { now: () => at };
  const work = new JobRunner({ lexicon, clock, log, workers: 0, jobTimeout: JOB_TIMEOUT_MS });
  const house = (date: PuzzleDate) => work.run('house', date, { channel: 'house' });
  const puzzles = new DayPuzzleService({
    source: services.settings().puzzle.source,
    days: storedChannelDays({ store, log }),
    repository: {
      ...makePuzzleRepository(store, clock.now, log),
      // Nothing is stored, and without a claim no request is sent.
      keepPuzzle: async () => {},
      claimFetch: async () => undefined,
      claimReport: async () => false,
    },
    newspaper: { ask: () => Promise.reject(new Error('a dry run sends no request')) },
    house,
    lexicon,
    limits: LIMITS,
    now: clock.now,
    random: Math.random,
    sleep: async () => {},
    log,
  });
  return {
    puzzleFor: async (date, channel) =>
      (await unlessMistake(puzzles.puzzleOf(date, channel))) ?? (await house(date)),
    answer: cacheAnswers(answerSteps({ puzzles, work })),
  };
}

/** A message as it would be posted. */
interface DryRunMessage {
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  /** The steps that it contains. */
  readonly steps: readonly string[];
  readonly reply: Reply;
}

/** The messages of what is due, without posting or storing anything. What they say about how people play is left out. */
async function dryRun(
  store: Store,
  { puzzleFor, answer }: DryRunTools,
  due: readonly Forecast[],
): Promise<DryRunMessage[]> {
  const posts = due.filter(({ skip }) => skip === undefined);
  const days = Map.groupBy(posts, (post) => channelKey(post, post.date));
  const messages: DryRunMessage[] = [];
  for (const steps of days.values()) {
    const { tenant, channel, date } = steps[0]!;
    const ref = { tenant, channel };
    const puzzle = await puzzleFor(date, ref);
    const add = (included: readonly string[], reply: Reply) =>
      messages.push({ channel: ref, date, steps: included, reply });
    if (steps.some(({ step }) => step === 'opening')) {
      const settings = await settingsOf(store, ref);
      const day = scheduleOf(settings, date);
      const remark = settings.lines.includes('board') && remarkOn(puzzle.board)?.text;
      add(['opening'], openingMessage(puzzle, plannedThread(day), day.opensAt, { remark }));
    }
    if (steps.some(({ step }) => step === 'closing')) add(['closing'], closingMessage(date));
    const inThread: ThreadStep[] = THREAD_STEPS.filter((step) => steps.some((one) => one.step === step));
    if (inThread.length > 0) add(inThread, await answer(puzzle, inThread));
  }
  return messages;
}
