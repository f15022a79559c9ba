import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { LIMITS } from '../../config/limits.ts';
import { type ChannelRef, channelKey, DAY_KIND } from '../../core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../../core/clock.ts';
import { UserError, unlessMistake } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { clip, counted } from '../../core/text.ts';
import { dayOf, isClosed, recordOf, type StepEnd, storedChannelDays } from '../../daily/day-thread.ts';
import {
  answerSteps,
  cacheAnswers,
  closingMessage,
  openingMessage,
  plannedThread,
} from '../../daily/delivery/messages.ts';
import { type Forecast, forecast } from '../../daily/plan/forecast.ts';
import { DAY_STEPS, scheduleOf } from '../../daily/plan/schedule.ts';
import { afterLeavingOut, todo } from '../../daily/plan/todo.ts';
import { readSubscription, settingsOf } from '../../daily/settings/settings.ts';
import { describeReason } from '../../daily/suspension.ts';
import { reviveSteps } from '../../daily/verdicts.ts';
import { JobRunner } from '../../jobs/job-runner.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import { remarkOn } from '../../puzzle/remark.ts';
import { makePuzzleRepository } from '../../puzzle/repository.ts';
import { DayPuzzleService } from '../../puzzle/service.ts';
import type { Reply } from '../../reply/model/types.ts';
import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { Store } from '../../store/store.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import {
  type Arguments,
  type Subcommand,
  type SubcommandResult,
  type TerminalServices,
  typedFile,
  whileWriting,
} from './contract.ts';

const print = (fields: object, message: string) => console.error(message, fields);
const LOG: Log = { debug() {}, info() {}, warn: print, error: print };

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

async function plan(store: Store, typed: Arguments): Promise<SubcommandResult> {
  const at = momentOf(typed);
  const days = typed.integer('days', 1, 366) ?? 1;
  const posts = await forecast(store, { from: at, to: at + days * DAY }, LOG);
  const data = posts.map(({ skip, ...post }) => ({
    ...post,
    at: iso(post.at),
    ...(skip !== undefined && { skip: describeReason(skip) }),
  }));
  const lines = data.map(({ at: when, tenant, channel, date, steps, skip: reason }) => {
    const skipped = reason === undefined ? '' : ` is skipped: ${reason}`;
    return `${when}  ${tenant}/${channel}  ${steps.join(' + ')} of ${date}${skipped}`;
  });
  if (lines.length === 0) lines.push('Nothing is due: no place has its daily thread on in that time.');
  return { data, lines };
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
  const out = typedFile(typed.text('out') ?? 'dry-run');
  const due = await forecast(store, { from: at, to: at }, LOG);
  const posts = await dryRun(store, dryRunTools(store, at, typed, services), due);
  const renderers = await services.renderers();
  const files: string[] = [];
  for (const { channel, date, steps, reply } of posts) {
    for (const [door, { type, render }] of Object.entries(renderers)) {
      const name = [channel.tenant, channel.channel, date, steps.join('+')]
        .join('_')
        .replace(/[^\w+.-]/g, '-');
      const file = join(out, door, `${name}.${type}`);
      const rendered = await render(reply);
      whileWriting(file, () => {
        mkdirSync(join(out, door), { recursive: true });
        writeFileSync(file, `${rendered}\n`);
      });
      files.push(file);
    }
  }
  const sum = `${counted(posts.length, 'message')} at ${iso(at)}, nothing was posted.`;
  return { data: files, lines: [...files, sum] };
}

async function retry(store: Store, typed: Arguments): Promise<SubcommandResult> {
  const now = Date.now();
  return change(store, typed, 'due again', async (row, step) => {
    const { deliveries } = store.tenant(row.tenant);
    if (row.kind !== DAY_KIND)
      return row.state === 'given-up' && (await deliveries.revive(row, now)) ? [row.kind] : [];
    const isChosen = (one: string, end: StepEnd) =>
      end.state === 'given-up' && (step === undefined || one === step);
    return reviveSteps(deliveries, row, isChosen, { now, log: LOG });
  });
}

async function skip(store: Store, typed: Arguments): Promise<SubcommandResult> {
  if (typed.line.length < 2) {
    throw new UserError('terminal.daily', 'Say in which place, like: daily skip discord:123/456 count');
  }
  const now = Date.now();
  const reason = { code: 'skipped-by-operator' } as const;
  return change(store, typed, 'skipped', async (row, wanted) => {
    const { deliveries, subscriptions } = store.tenant(row.tenant);
    if (row.kind !== DAY_KIND) return (await deliveries.skipDue(row, reason, now)) ? [row.kind] : [];
    const stored = await subscriptions.get(row.channel);
    const record = recordOf(row, LOG);
    const day = dayOf(row, record, now);
    const due = stored === undefined ? [] : todo({ day, subscription: readSubscription(stored), now }).post;
    const isOpen = row.openedAt !== null && !isClosed(day, now);
    const named = DAY_STEPS.filter((step) => step === wanted && day.ends[step] === undefined && isOpen);
    // Without a step, all that is due is left out; with a step that is due, too, since what is due together is one message.
    const steps = wanted === undefined || due.some((step) => step === wanted) ? due : named;
    const leaveOut = steps.map((step) => ({ step, state: 'skipped', reason }) as const);
    const { ends, posting } = afterLeavingOut(day, leaveOut, now);
    if (steps.length === 0) return [];
    const begun = posting !== undefined;
    return (await deliveries.reviseDay(row, { ...record, ends }, { now, begun })) ? steps : [];
  });
}

/**
 * Changes what is to be posted of the current puzzle and the one before it; older ones would not be posted any more.
 *
 * @param outcome what it is afterwards, as the answer says it
 * @param act changes a row, or the named step of it, and returns what it has changed
 */
async function change(
  store: Store,
  { line: [, wanted = '', step] }: Arguments,
  outcome: string,
  act: (row: Delivery, step: string | undefined) => Promise<readonly string[]>,
): Promise<SubcommandResult> {
  const today = dateAt(Date.now());
  const all = [
    ...(await store.allDeliveries.ofDate(addDays(today, -1))),
    ...(await store.allDeliveries.ofDate(today)),
  ];
  const rows = all.filter(
    ({ tenant, channel, kind }) =>
      `${tenant}/${channel}`.includes(wanted) && (step === undefined || kind === DAY_KIND || kind === step),
  );
  const changed: (ChannelRef & { readonly date: PuzzleDate; readonly step: string })[] = [];
  for (const row of rows) {
    const { tenant, channel, date } = row;
    for (const one of await act(row, step)) changed.push({ tenant, channel, date, step: one });
  }
  const lines = changed.map(
    (row) => `${row.tenant}/${row.channel}  ${row.step} of ${row.date} is ${outcome}`,
  );
  if (lines.length === 0) lines.push(`There is nothing of today or yesterday to be ${outcome}.`);
  return { data: changed, lines };
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

function dryRunTools(store: Store, at: number, typed: Arguments, services: TerminalServices) {
  const lexicon = services.lexicon(typed.text('words'));
  const clock = { now: () => at };
  const work = new JobRunner({ lexicon, clock, log: LOG, workers: 0, jobTimeout: JOB_TIMEOUT_MS });
  const house = (date: PuzzleDate) => work.run('house', { date }, { channel: 'house' });
  const puzzles = new DayPuzzleService({
    source: services.settings().puzzle.source,
    days: storedChannelDays({ store, log: LOG }),
    repository: {
      ...makePuzzleRepository(store, clock.now, LOG),
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
    log: LOG,
  });
  return {
    /** The puzzle that a channel would get; the house's where it would wait for one. */
    puzzleFor: async (date: PuzzleDate, channel: ChannelRef) =>
      (await unlessMistake(puzzles.puzzleOf(date, channel))) ?? (await house(date)),
    answer: cacheAnswers(answerSteps({ puzzles, work })),
  };
}

/** A message as it would be posted. */
interface DryRunMessage {
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  readonly steps: readonly string[];
  readonly reply: Reply;
}

/** The messages of what is due, without posting or storing anything. What they say about how people play is left out. */
async function dryRun(
  store: Store,
  { puzzleFor, answer }: ReturnType<typeof dryRunTools>,
  due: readonly Forecast[],
): Promise<DryRunMessage[]> {
  const posts = due.filter(({ skip }) => skip === undefined);
  const days = Map.groupBy(posts, (post) => channelKey(post, post.date));
  const messages: DryRunMessage[] = [];
  for (const posted of days.values()) {
    const { tenant, channel, date } = posted[0]!;
    const steps = posted.flatMap((post) => post.steps);
    const ref = { tenant, channel };
    const puzzle = await puzzleFor(date, ref);
    const add = (included: readonly string[], reply: Reply) =>
      messages.push({ channel: ref, date, steps: included, reply });
    if (steps.includes('opening')) {
      const settings = await settingsOf(store, ref);
      const day = scheduleOf(settings, date);
      const remark = remarkOn(puzzle)?.text;
      add(['opening'], openingMessage({ puzzle, settings }, plannedThread(day), day.opensAt, { remark }));
    }
    if (steps.includes('closing')) add(['closing'], closingMessage(date));
    const inThread: ThreadStep[] = THREAD_STEPS.filter((step) => steps.includes(step));
    if (inThread.length > 0) add(inThread, await answer(puzzle, inThread));
  }
  return messages;
}
