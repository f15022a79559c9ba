import { LRUCache } from 'lru-cache';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { capitalized, listed, longDate, weekdayName } from '../../core/text.ts';
import type { JobRunner } from '../../jobs/job-runner.ts';
import type { Puzzle, PuzzleService } from '../../puzzle/types.ts';
import { textBlock, toEveryone } from '../../reply/model/text.ts';
import type { Block, Inline, Line, Reply } from '../../reply/model/types.ts';
import { stepName, THREAD_STEPS, type ThreadStep } from '../../reply/replies/board.ts';
import { type OpeningExtras, openingReply } from '../../reply/replies/opening.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import type { JobAsker } from '../../work/job.ts';
import { recordOf } from '../day-thread.ts';
import { type ComingStep, type PlannedSubscription, stillToCome } from '../plan/plan.ts';
import type { DaySchedule, DayStep } from '../plan/schedule.ts';
import { dateThere } from '../settings/local-time.ts';

/** All channels share a day's messages, and few puzzles are on at once. */
const MAX_CACHED_MESSAGES = 100;
/** Channels share the messages, so the whole daily thread counts as one asker. */
const DAILY_ASKER: JobAsker = { channel: 'daily' };

/** Makes the message of one step, or of several that come at once, in the order of the ladder. */
export type AnswerSteps = (
  puzzle: Puzzle,
  steps: readonly ThreadStep[],
  audience?: Reply['audience'],
) => Promise<Reply>;

/** Answers with the steps of a puzzle's thread, for somebody who asks for them or for the daily thread. */
export function answerSteps(
  { puzzles, work }: { puzzles: Pick<PuzzleService, 'wordSource'>; work: Pick<JobRunner, 'run'> },
  asker = DAILY_ASKER,
): AnswerSteps {
  return async (whole, steps, audience = 'everyone') => {
    const source = await puzzles.wordSource(whole);
    const { dictionary: _, ...puzzle } = whole;
    return work.run('thread', { puzzle, source, steps, audience }, asker);
  };
}

/** The same answers, each made once for all channels. */
export function cacheAnswers(answer: AnswerSteps): AnswerSteps {
  const made = new LRUCache<string, Promise<Reply>>({ max: MAX_CACHED_MESSAGES });
  return (puzzle, steps, audience = 'everyone') => {
    const { date, source, board, dictionary } = puzzle;
    const key = [date, source, board.sides, dictionary?.length, steps, audience].join(' ');
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
  const names = listed(leftOut.map(stepName));
  const missed: Line = [
    `This did not come in time: ${names}. For the solution: `,
    { command: `reveal ${date}` },
  ];
  const next = textBlock([leftOut.length > 0 && missed, 'The next board is open in the channel.']);
  return toEveryone(`That was the board of ${longDate(date)}`, [...review, next]);
}

/** A day's thread, as its messages announce it. */
export interface AnnouncedThread extends Pick<DaySchedule, 'span' | 'zone'> {
  /** The steps in it. */
  readonly postedSteps: readonly ThreadStep[];
  readonly coming: readonly ComingStep[];
}

/** What is known of a thread. */
interface ThreadSoFar {
  readonly day: DaySchedule;
  readonly subscription: PlannedSubscription;
  /** The rows of its day. */
  readonly rows: readonly Delivery[];
  readonly log: Pick<Log, 'warn'>;
  readonly now: number;
}

export function announcedThread({ day, subscription, rows, log, now }: ThreadSoFar): AnnouncedThread {
  const postedSteps = rows.filter(({ state }) => state === 'sent').flatMap((row) => stepsIn(row, log));
  const stateOf = (_: PuzzleDate, step: DayStep) => rows.find((row) => row.step === step)?.state;
  return { ...day, postedSteps, coming: stillToCome({ now, subscription, stateOf }, day) };
}

/** A thread as it is planned, before anything of it is posted. */
export function plannedThread(day: DaySchedule): AnnouncedThread {
  return { ...day, postedSteps: [], coming: day.steps.map(({ step, dueAt }) => ({ step, at: dueAt })) };
}

/** The steps in the message of a row: its own, and others. */
export function stepsIn(row: Delivery, log: Pick<Log, 'warn'>): ThreadStep[] {
  const names: readonly string[] = [row.step, ...(recordOf(row, log).merged ?? [])];
  return THREAD_STEPS.filter((step) => names.includes(step));
}

/** The message in the channel, without any hint. */
export function openingMessage(
  puzzle: Puzzle,
  { span, zone, postedSteps, coming }: AnnouncedThread,
  now: number,
  extras: OpeningExtras = {},
): Reply {
  const at = new Map<number, ThreadStep[]>(postedSteps.length > 0 ? [[now, [...postedSteps]]] : []);
  // Steps that are due already follow at once, in one message.
  for (const { step, at: comesAt } of coming) at.set(comesAt, [...(at.get(comesAt) ?? []), step]);
  const thread: Inline[] = [...at].flatMap(([comesAt, together], index): Inline[] => [
    // A comma would also separate hints that come together.
    index === 0 ? 'Thread: ' : '; ',
    listed(together.map(stepName)),
    ...(comesAt > now ? comesAtText(comesAt, now, zone) : []),
  ]);
  return openingReply({
    puzzle,
    until: span.to,
    thread: thread.length > 0 && [...thread, '.'],
    ...extras,
  });
}

/** The time of a step, with its day where that is not the day of the message. */
function comesAtText(moment: number, now: number, zone: string): Inline[] {
  const day = dateThere(moment, zone);
  const isOtherDay = day !== dateThere(now, zone);
  return [' at ', { moment, style: 'time' }, ...(isOtherDay ? [` on ${weekdayName(day)}`] : [])];
}

/**
 * The same with the board in characters, and with the time of the thread's next step in one line below. It avoids the word
 * `next`, since people may read the line later.
 */
export function withNextStep(
  reply: Reply,
  { board }: Pick<Puzzle, 'board'>,
  { coming, zone }: Pick<AnnouncedThread, 'coming' | 'zone'>,
  now: number,
): Reply {
  const next = coming.filter(({ at }) => at > now);
  const at = Math.min(...next.map((step) => step.at));
  const together = next.filter((step) => step.at === at).map(({ step }) => stepName(step));
  const line: Inline[] = [
    formatBoard(board).toUpperCase(),
    ...(next.length === 0 ? [] : [` · ${capitalized(listed(together))}`, ...comesAtText(at, now, zone)]),
  ];
  return { ...reply, blocks: [...reply.blocks, { kind: 'note', line }] };
}
