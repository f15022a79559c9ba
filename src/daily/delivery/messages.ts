import { LRUCache } from 'lru-cache';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { capitalized, listed, longDate } from '../../core/text.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Given, Posted } from '../../dispatch/poster.ts';
import { puzzleOf } from '../../dispatch/target.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import { addDays } from '../../puzzle/calendar.ts';
import { remarkOn, remarkText } from '../../puzzle/remark.ts';
import type { PuzzleService } from '../../puzzle/service.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { AskerRef } from '../../reply/model/action.ts';
import { notes, textBlock, toAsker, toEveryone } from '../../reply/model/text.ts';
import type { Block, Inline, Line, Reply } from '../../reply/model/types.ts';
import { type OpeningExtras, openingReply } from '../../reply/replies/opening.ts';
import { STEP_NAMES, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Deliveries, Delivery } from '../../store/tables/deliveries.ts';
import type { JobAsker } from '../../work/job.ts';
import { type Day, dayOf, isClosed, postedOf, postKey, readRecordedPuzzle, recordOf } from '../day-thread.ts';
import { type DaySchedule, scheduleOf } from '../plan/schedule.ts';
import { type ComingStep, type DayQuestion, planSteps, postedSteps } from '../plan/todo.ts';
import { dateThere } from '../settings/local-time.ts';
import { type DailySettings, readSubscription, settingsOf } from '../settings/settings.ts';

/** The day that an opening begins in a channel. */
export interface OpeningContext extends ChannelRef {
  readonly puzzle: Puzzle;
  readonly settings: DailySettings;
  readonly now: number;
  /** The day of the last thread before this one. */
  readonly previousDate: PuzzleDate | undefined;
}

/** The day that ends in a channel. */
export interface ClosingContext extends ChannelRef, Pick<OpeningContext, 'settings' | 'now'> {
  readonly date: PuzzleDate;
  /** The board of its thread, where it can still be read. */
  readonly puzzle?: Puzzle;
  /** The kinds of remark of the closings before, the latest first; undefined for one without a remark. */
  readonly heard: readonly (string | undefined)[];
  /** Months that are over and reviewed with it, each by one of its dates. */
  readonly months: readonly PuzzleDate[];
}

export interface ClosingReview {
  readonly blocks: readonly Block[];
  /** The kind of its remark about people, so that the channel does not hear it again soon. */
  readonly remarkKind?: string | undefined;
}

/** What the messages of a day say about how people play. */
export interface DayReviews {
  /** The text of the first message, in the channel. It says nothing that may become untrue while people can read it. */
  opening(day: OpeningContext): Promise<OpeningExtras>;
  /** The last message, in the thread. */
  closing(day: ClosingContext): Promise<ClosingReview>;
}

/** All channels share a day's messages, and few puzzles are on at once. */
const MAX_CACHED_MESSAGES = 100;
/** Who asks for the jobs behind the daily thread's messages. Channels share those, so all of them count as one asker. */
export const DAILY_ASKER: JobAsker = { channel: 'daily' };

/** Makes the message of one step, or of several that come at once, in the order of `THREAD_STEPS`. */
export type AnswerSteps = (
  puzzle: Puzzle,
  steps: readonly ThreadStep[],
  audience?: Reply['audience'],
) => Promise<Reply>;

/** Answers with the steps of a puzzle's thread, for somebody who asks for them or for the daily thread. */
export function answerSteps(
  { puzzles, work }: { puzzles: Pick<PuzzleService, 'wordSource'>; work: Pick<JobRunner, 'run'> },
  asker: AskerRef | JobAsker = DAILY_ASKER,
): AnswerSteps {
  return async (whole, steps, audience = 'everyone') => {
    const source = await puzzles.wordSource(whole);
    // The source holds the dictionary already; it is not sent to the worker twice.
    const { dictionary: _, ...puzzle } = whole;
    return work.run('thread', { puzzle, source, steps, audience }, asker);
  };
}

/** Answers as `answer` does, but makes each answer once for all channels. */
export function cacheAnswers(answer: AnswerSteps): AnswerSteps {
  const made = new LRUCache<string, Promise<Reply>>({ max: MAX_CACHED_MESSAGES });
  return (puzzle, steps, audience = 'everyone') => {
    const { date, source, typedAt, board, dictionary, isFallback } = puzzle;
    const terms = [date, source, typedAt, isFallback, board.sides, dictionary?.length, steps, audience];
    const key = terms.join(' ');
    const known = made.get(key);
    if (known !== undefined) return known;
    const reply = answer(puzzle, steps, audience);
    made.set(key, reply);
    reply.catch(() => made.delete(key));
    return reply;
  };
}

/** The last message of a thread; `review` says how the day went, and `leftOut` what did not come in time. */
export function closingMessage(
  date: PuzzleDate,
  review: readonly Block[] = [],
  leftOut: readonly ThreadStep[] = [],
): Reply {
  const names = listed(leftOut.map((step) => STEP_NAMES[step]));
  const missed: Line = [
    `This did not come in time: ${names}. For the solution: `,
    { command: `reveal ${date}` },
  ];
  const next = textBlock([leftOut.length > 0 && missed, 'The next board is open in the channel.']);
  return toEveryone(`That was the board of ${longDate(date)}`, [...review, next]);
}

/** A day's thread, as its messages announce it. */
export interface AnnouncedThread extends Pick<DaySchedule, 'span' | 'zone'> {
  readonly postedSteps: readonly ThreadStep[];
  /** The earliest first. */
  readonly coming: readonly ComingStep[];
}

/** A thread that is open, or is being opened now. */
export function announcedThread(question: Omit<DayQuestion, 'nextThreadAt'>): AnnouncedThread {
  const { day, subscription } = question;
  const { span, zone } = scheduleOf(subscription.settings, day.date);
  return { span, zone, postedSteps: postedSteps(day), coming: planSteps(question).coming };
}

/** A thread as it is planned, before anything of it is posted. */
export function plannedThread(day: DaySchedule): AnnouncedThread {
  return { ...day, postedSteps: [], coming: day.steps.map(({ step, dueAt }) => ({ step, at: dueAt })) };
}

/** The message in the channel, without any hint. A `remark` on the board is left out where the channel's settings have none. */
export function openingMessage(
  { puzzle, settings }: Pick<OpeningContext, 'puzzle' | 'settings'>,
  { span, zone, postedSteps, coming }: AnnouncedThread,
  now: number,
  { remark, ...extras }: OpeningExtras = {},
): Reply {
  // Those that are posted are named without a time, together with those that follow at once.
  const posted = postedSteps.map((step) => ({ step, at: now }));
  const thread: Inline[] = [];
  for (const [at, steps] of Map.groupBy([...posted, ...coming], (one) => one.at)) {
    // A comma would also separate hints that come together.
    const names = listed(steps.map(({ step }) => STEP_NAMES[step]));
    thread.push(thread.length === 0 ? 'Thread: ' : '; ', names);
    if (at > now) thread.push(...comesAtText(at, now, zone));
  }
  return openingReply({
    puzzle,
    until: span.to,
    thread: thread.length > 0 && [...thread, '.'],
    ...extras,
    remark: settings.lines.includes('board') && remark,
  });
}

/** The time of a step, with its day where that is not the day of the message in the zone of the channel. */
function comesAtText(moment: number, now: number, zone: string): Inline[] {
  const isSameDay = dateThere(moment, zone) === dateThere(now, zone);
  return isSameDay ? [' at ', { moment, style: 'time' }] : [' ', { moment, style: 'weekday' }];
}

/**
 * A message of steps with one more line below: the board in characters, and when the thread's next step comes. The line avoids
 * the word `next`, since people may read it later.
 */
export function withNextStep(
  reply: Reply,
  { board }: Pick<Puzzle, 'board'>,
  { coming, zone }: Pick<AnnouncedThread, 'coming' | 'zone'>,
  now: number,
): Reply {
  const line: Inline[] = [formatBoard(board).toUpperCase()];
  const [next] = coming;
  // If a step is due now, its message comes next, and says what follows.
  if (next !== undefined && next.at > now) {
    const together = coming.filter(({ at }) => at === next.at).map(({ step }) => STEP_NAMES[step]);
    line.push(` · ${capitalized(listed(together))}`, ...comesAtText(next.at, now, zone));
  }
  return { ...reply, blocks: [...reply.blocks, { kind: 'note', line }] };
}

/** Days to look back for the last thread: a weekend off, or a week's holiday. */
const LAST_THREAD_DAYS = 8;

/** Whether the last thread before a day is recent enough to count as the one before it. */
export function isThreadBefore(last: Delivery | undefined, date: PuzzleDate): last is Delivery {
  return last !== undefined && last.date >= addDays(date, -LAST_THREAD_DAYS);
}

/** The date of the thread before a day's, if there is one. */
async function dateBefore(deliveries: Deliveries, channel: string, date: PuzzleDate) {
  const [last] = await deliveries.lastOpened(channel, date, 1);
  return isThreadBefore(last, date) ? last.date : undefined;
}

/** A channel's message of a day, with its thread. */
export interface DayPost {
  readonly posted: Posted;
  /** What the message should be now. */
  readonly reply: Reply;
  readonly given: Given;
  /** What the reply says about how people play. */
  readonly extras: OpeningExtras;
  readonly puzzle: Puzzle;
  readonly day: Day;
  readonly openedAt: number;
  readonly thread: AnnouncedThread;
}

/** Undefined if there is none, or if its day is being closed. */
export async function dayPostOf(
  { store, log }: Pick<App, 'store' | 'log'>,
  { tenant, channel, date, now }: ChannelRef & { readonly date: PuzzleDate; readonly now: number },
  makeExtras: DayReviews['opening'],
): Promise<DayPost | undefined> {
  const { subscriptions, deliveries } = store.tenant(tenant);
  const stored = await subscriptions.get(channel);
  const row = await deliveries.day(channel, date);
  if (stored === undefined || row === undefined || row.openedAt === null) return undefined;
  const { puzzle: recorded, remark, ...record } = recordOf(row, log);
  const day = dayOf(row, record, now);
  const posted = postedOf(record);
  const nextThreadAt = await deliveries.nextThreadAt(channel, date);
  const isClosing = isClosed(day, now) || (nextThreadAt !== undefined && nextThreadAt <= now);
  if (isClosing || recorded === undefined || posted === undefined) return undefined;
  const subscription = readSubscription(stored);
  const { settings } = subscription;
  const puzzle = await readRecordedPuzzle({ store, log }, recorded);
  const thread = announcedThread({ subscription, day, now });
  const previousDate = await dateBefore(deliveries, channel, date);
  const extras = await makeExtras({ tenant, channel, puzzle, settings, now, previousDate });
  const opening = { ...extras, remark: remarkText(puzzle, remark) };
  const reply = openingMessage({ puzzle, settings }, thread, now, opening);
  const keys = [postKey({ tenant, channel, date, step: 'opening' })];
  const given = { keys, ping: settings.ping, fold: settings.fold };
  return { puzzle, thread, day, openedAt: row.openedAt, posted, given, reply, extras };
}

/** A whole day as this channel would get it, in one message, for the asker alone. */
export async function testDay(request: Request, app: App, makeExtras: DayReviews['opening']): Promise<Reply> {
  const settings = await settingsOf(app.store, request.where, request.who.zone);
  const puzzle = await puzzleOf(request, app);
  const answer = answerSteps(app, request);
  const day = scheduleOf(settings, puzzle.date);
  const { tenant, channel } = request.where;
  const previousDate = await dateBefore(app.store.tenant(tenant).deliveries, channel, puzzle.date);
  const extras = await makeExtras({ tenant, channel, puzzle, settings, now: app.clock.now(), previousDate });
  const withRemark = { ...extras, remark: remarkOn(puzzle)?.text };
  const opening = openingMessage({ puzzle, settings }, plannedThread(day), day.opensAt, withRemark);
  const steps = settings.steps.map(({ step }) => step);
  const thread = steps.length === 0 ? [] : (await answer(puzzle, steps, 'asker')).blocks;
  const note = 'Only you see this. First the message in the channel, then all that follows in its thread.';
  return toAsker(`A test of the daily thread: ${opening.title}`, [notes(note), opening.blocks, thread], {
    rerun: { command: 'daily', options: { do: 'test', date: puzzle.date } },
  });
}
