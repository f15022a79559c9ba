import type { ChannelRef } from '../../core/channel-ref.ts';
import { DAY, MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { briefDate } from '../../core/text.ts';
import { type Post, PostFailure } from '../../dispatch/poster.ts';
import { addDays, dateAt, firstOfMonth } from '../../puzzle/calendar.ts';
import { REMARK_REPEAT_DAYS, remarkOn } from '../../puzzle/remark.ts';
import { NoPuzzle, type PuzzleService } from '../../puzzle/service.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { Reply } from '../../reply/model/types.ts';
import { dayBoardReply } from '../../reply/replies/board.ts';
import type { ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { Reason } from '../../store/schema.ts';
import { PRIORITIES, type Settled } from '../../store/tables/deliveries.ts';
import {
  type Day,
  type DeliveryRecord,
  dayOf,
  openingOf,
  postedOf,
  postKey,
  readRecordedPuzzle,
  recordedPuzzle,
  recordOf,
} from '../day-thread.ts';
import { type DayStep, scheduleOf } from '../plan/schedule.ts';
import {
  afterLeavingOut,
  afterPost,
  dueAtOf,
  type LeftOut,
  missedSteps,
  planSteps,
  todo,
} from '../plan/todo.ts';
import { type ReadSubscription, readSubscription } from '../settings/settings.ts';
import { askMissing, houseCommand, noBoardNotice, notifyQuietly, suspend } from '../suspension.ts';
import {
  type Attempt,
  beginPost,
  type Delivered,
  type DeliveryHandler,
  type Ending,
  endingOfError,
  type PostTools,
  retryForBoard,
  retrySettled,
} from './deliver.ts';
import {
  type AnswerSteps,
  announcedThread,
  closingMessage,
  type DayReviews,
  isThreadBefore,
  openingMessage,
  withNextStep,
} from './messages.ts';

export interface DayTools extends PostTools {
  readonly puzzles: PuzzleService;
  readonly answerSteps: AnswerSteps;
  readonly reviews?: DayReviews;
}

/** An attempt at a channel's day, with all that decides what it does. */
interface DayAttempt extends Attempt {
  readonly tools: DayTools;
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  readonly day: Day;
  readonly subscription: ReadSubscription;
  readonly nextThreadAt: number | undefined;
  /** The steps of the message that it makes. */
  readonly steps: readonly DayStep[];
}

/** Makes the one message of a channel's day that is due, if any, and finds the day's next moment. */
export const deliverDays =
  (tools: DayTools): DeliveryHandler =>
  async (attempt) => {
    const { claimed, deliveries } = attempt;
    const { tenant, channel, date } = claimed.lease;
    const { subscriptions } = tools.store.tenant(tenant);
    const stored = await subscriptions.get(channel);
    const now = tools.now();
    const known = dayOf(claimed.delivery, claimed.record, now);
    if (stored === undefined) {
      const settled = { state: 'skipped', doneAt: now, reason: { code: 'switched-off' } } as const;
      return { ending: { end: 'looked' }, steps: [], settled: { ...settled, record: claimed.record } };
    }
    const subscription = readSubscription(stored);
    // Also before it opens: after a clock that was ahead, a later day may be open already.
    const nextThreadAt = await deliveries.nextThreadAt(channel, date);
    const { post: steps, leaveOut } = todo({ day: known, subscription, now, nextThreadAt });
    const day = leaveOut.length === 0 ? known : noteLeftOut(attempt, known, leaveOut);
    const read = { channel: { tenant, channel }, date, day, subscription, nextThreadAt };
    const whole = { ...attempt, ...read, tools, steps };
    if (steps.length === 0) return endWithout(whole, leaveOut);
    const message = { ...whole, steps: steps.length > 1 ? await stepsOfMessage(whole) : steps };
    const [first] = steps;
    const make = first === 'opening' ? openDay : first === 'closing' ? closeDay : postSteps;
    const ending = await make(message).catch((error: unknown) =>
      error instanceof PostFailure && error.kind === 'refused'
        ? endRefused(message, error)
        : endingOfError(attempt, error),
    );
    // A channel that is active again keeps the reason of its suspension until something is posted there.
    if (subscription.reason !== null && ending.end === 'sent') await subscriptions.posted(channel);
    return endMessage(message, ending);
  };

/**
 * Of the steps that are due together, those of one message. One that was due before the store was restored may be there, in a
 * message with whichever steps were due then, so it is looked for by its key alone.
 */
async function stepsOfMessage({ tools, claimed, day, subscription, steps }: DayAttempt) {
  if (claimed.delivery.begun) return steps;
  const restoredUntil = (await tools.store.restoredUntil(tools.now())) ?? 0;
  const inDoubt = steps.find((step) => dueAtOf(step, day, subscription) <= restoredUntil);
  return inDoubt === undefined ? steps : [inDoubt];
}

/** Notes what is left out, in the record that is stored next. */
function noteLeftOut({ tools, claimed }: Attempt, known: Day, leaveOut: readonly LeftOut[]): Day {
  for (const { step, reason } of leaveOut)
    tools.log.info({ ...claimed.where, step, reason: reason.code }, 'a step is left out');
  const day = afterLeavingOut(known, leaveOut, tools.now());
  claimed.record = { ...claimed.record, ends: day.ends };
  return day;
}

/** The end of an attempt that has no message to make. */
function endWithout(attempt: DayAttempt, leaveOut: readonly LeftOut[]): Delivered {
  const given = leaveOut.find(({ state }) => state === 'given-up');
  const ending = given ? ({ end: 'given-up', reason: given.reason } as const) : ({ end: 'looked' } as const);
  return { ending, steps: leaveOut.map(({ step }) => step), settled: settledDay(attempt, attempt.day) };
}

const WAITS_AFTER: readonly Reason['code'][] = ['removed', 'refused', 'missing-requirements'];

/** What the row of a day says once a message of it has ended. */
function endMessage(attempt: DayAttempt, ending: Ending): Delivered {
  const { tools, claimed, day, steps } = attempt;
  const { record, delivery } = claimed;
  // Only what an earlier attempt began: this one knows how its own post ended.
  const { begun } = delivery;
  // The next attempt looks for it if it may have been sent, and otherwise makes what is due then.
  if (ending.end === 'later') return { ending, steps, settled: retrySettled(claimed, ending) };
  // The message can be posted once the bot is back, see `markPresent`, or the channel is active again: that wakes the day.
  if (ending.end === 'given-up' && WAITS_AFTER.includes(ending.reason.code))
    return { ending, steps, settled: { state: 'waiting', begun, reason: ending.reason, record } };
  if (ending.end === 'moved') throw new Error('a message of a day is never moved');
  // An opening's ids are in the record itself.
  const { message } = ending.end === 'sent' && steps[0] !== 'opening' ? ending.posted : {};
  const end = {
    state: ending.end,
    at: tools.now(),
    ...(message !== undefined && { message }),
    ...(ending.end !== 'sent' && { reason: ending.reason }),
    ...(ending.end === 'given-up' && begun && ({ unknown: true } as const)),
  };
  return { ending, steps, settled: settledDay(attempt, afterPost(day, steps, end)) };
}

/** The row of a day after its latest message, with the next moment. */
function settledDay({ tools, claimed, subscription, nextThreadAt }: DayAttempt, day: Day): Settled {
  const now = tools.now();
  const { ends, openedAt, posting, reason } = day;
  // A person's verdict is about the message in `posting`, which counts only as long as `begun` is set.
  const { verdict, ...others } = claimed.record;
  const record = { ...others, ...(posting !== undefined && verdict !== undefined && { verdict }) };
  const common = {
    record: { ...record, ends },
    begun: posting !== undefined,
    openedAt: openedAt ?? undefined,
    reason,
  };
  const { post, leaveOut, lookAt } = todo({ day, subscription, now, nextThreadAt });
  const isOver = post.length + leaveOut.length === 0 && lookAt === null;
  const last = ends.closing ?? (openedAt === null ? ends.opening : undefined);
  if (isOver && last !== undefined) {
    // A row that is over stays begun where nobody knows whether its last message is there.
    const { state, unknown = false } = last;
    return { ...common, state, reason: last.reason ?? null, doneAt: now, begun: unknown };
  }
  const at = post.length + leaveOut.length > 0 ? now : lookAt;
  // Only a change can make something due: mostly the next thread, after which this one is closed.
  if (at === null) return { ...common, state: 'waiting', priority: PRIORITIES.other };
  const priority = openedAt === null ? PRIORITIES.opening : PRIORITIES.step;
  return { ...common, state: 'due', dueAt: at, nextAt: at, priority };
}

async function endRefused(attempt: DayAttempt, failure: PostFailure): Promise<Ending> {
  const { tools, poster, channel, claimed, steps } = attempt;
  const isClosing = steps[0] === 'closing';
  // A thread that refuses its last message again, after the channel was reactivated, says nothing about the channel.
  if (isClosing && claimed.record.refusedClosing)
    return { end: 'given-up', reason: { code: 'closed', message: failure.message } };
  const known = failure.missingRequirements;
  const missing = known.length > 0 ? known : await askMissing(tools.log, poster, channel);
  const reason = await suspend(attempt, missing, failure.message);
  if (isClosing) claimed.record = { ...claimed.record, refusedClosing: true };
  return { end: 'given-up', reason };
}

/** Milliseconds that an opening waits for the newspaper before it does what the settings say instead. */
const NEWSPAPER_TIMEOUT_MS = 30 * MINUTE;
/** A last message in a thread that people have forgotten would only bring it up again: it is closed without one. */
const STALE_THREAD_MS = 9 * DAY;

/** The number of last closings whose remarks come again only if no other fits. */
const TOLD_REPEAT_DAYS = 10;

/** Posts the day's opening and the thread under it. */
async function openDay(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, channel, date, day, deliveries, subscription } = attempt;
  const { settings } = subscription;
  const now = tools.now();
  const puzzle = await findPuzzle(attempt);
  if ('end' in puzzle) return puzzle;
  const opened = await deliveries.lastOpened(channel.channel, date, REMARK_REPEAT_DAYS);
  const [last] = opened;
  const recent = isThreadBefore(last, date) ? last : undefined;
  const heard = opened.flatMap((row) => openingOf(row).remark ?? []);
  const remark = settings.lines.includes('board') ? remarkOn(puzzle, heard) : undefined;
  const extras = await tools.reviews?.opening({
    ...channel,
    puzzle,
    settings,
    now,
    previousDate: recent?.date,
  });
  const thread = announcedThread({ subscription, day: { ...day, openedAt: now }, now });
  const reply = openingMessage({ puzzle, settings }, thread, now, { ...extras, remark: remark?.text });
  const noted = { puzzle: recordedPuzzle(puzzle), ...(remark && { remark: remark.kind }) };
  const post = await beginMessage(attempt, reply, noted);
  // The date comes first, since lists of threads cut names.
  const threadName = `${briefDate(date)} · Letter Boxed`;
  // After a recent thread, the door need not check the requirements again, while thousands of channels wait at popular times. A
  // refusal shows what has been taken away since.
  const recentOpening = recent && postedOf(openingOf(recent));
  const posted = await poster.open({ ...post, threadName, ping: settings.ping, recentOpening });
  // The threads of earlier days are to be closed now.
  if (last !== undefined) await deliveries.wakeBefore(channel.channel, date, tools.now());
  return { end: 'sent', posted };
}

/** @param note what the row notes of it from now on */
function beginMessage(attempt: DayAttempt, reply: Reply, note: DeliveryRecord = {}): Promise<Post> {
  const { claimed, steps, channel, date, day, subscription } = attempt;
  const [key, ...mergedKeys] = steps.map((step) => postKey({ ...channel, date, step }));
  // Before a restore all of them were due, or none, see `stepsOfMessage`.
  const dueAt = dueAtOf(steps[0]!, day, subscription);
  const { quiet, fold } = subscription.settings;
  return beginPost(attempt, {
    channel,
    reply,
    quiet,
    fold,
    key: key!,
    mergedKeys,
    dueAt,
    question: { date, step: steps[0]! },
    // What may be there can be older than its step's time by the settings of now, but not older than the day's opening.
    since: Math.min(dueAt, claimed.delivery.opensAt ?? dueAt),
    note: { ...note, posting: [...steps] },
    // The row has the opening's ids. Those of steps are in `ends`.
    isOneOfMany: steps[0] !== 'opening',
  });
}

/** The puzzle to open with; without one, how the attempt ends. */
async function findPuzzle(attempt: DayAttempt): Promise<Puzzle | Ending> {
  const { tools, claimed, channel, date } = attempt;
  const { puzzle: recorded, message } = claimed.record;
  // The board is fixed once its message may be there, or is there without its thread; until then it is chosen anew.
  if (recorded !== undefined && (claimed.delivery.begun || message !== undefined)) {
    return readRecordedPuzzle(tools, recorded);
  }
  try {
    const puzzle = await tools.puzzles.puzzleOf(date, channel);
    if (!puzzle.isFallback) return puzzle;
    if (!hasWaitedTooLong(attempt)) return retryForBoard(attempt, { code: 'newspaper-late' });
    // The fetcher may be in a long pause after a failure, so the newspaper is asked once more before its board is given up.
    await tools.puzzles.allowRetry(date);
    return await tools.puzzles.puzzleOf(date, channel);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (hasWaitedTooLong(attempt))
      await notifyOnce(attempt, error instanceof NoPuzzle ? error.why : error.message);
    return retryForBoard(attempt, { code: 'no-puzzle', message: error.message });
  }
}

/** Notes when the wait began: with the first attempt, so a channel that opens late after a downtime waits too. */
function hasWaitedTooLong({ tools, claimed }: DayAttempt): boolean {
  const now = tools.now();
  // A clock that was ahead may have begun it.
  const waitsSince = Math.min(now, claimed.record.waitsSince ?? now);
  claimed.record = { ...claimed.record, waitsSince };
  return now >= waitsSince + NEWSPAPER_TIMEOUT_MS;
}

async function notifyOnce(
  { tools, poster, channel, date, subscription, claimed }: DayAttempt,
  message: string,
): Promise<void> {
  if (claimed.record.notified || subscription.setBy === null) return;
  claimed.record = { ...claimed.record, notified: true };
  const house = houseCommand(subscription.settings, tools.puzzles);
  const notice = noBoardNotice(channel, date, message, house);
  await notifyQuietly(tools.log, poster, channel, subscription.setBy, notice);
}

/**
 * Ends a day's thread once the next one is open: the message in the channel stops inviting people to the day, a last
 * message in the thread says how it went, and the thread is archived.
 */
async function closeDay(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, claimed, channel, date, day, deliveries, subscription } = attempt;
  const { settings, state } = subscription;
  const now = tools.now();
  const { puzzle: recorded, ...sent } = claimed.record;
  const thread = postedOf(sent) ?? {};
  const puzzle = recorded && (await readRecordedPuzzle(tools, recorded));
  const given = { keys: [postKey({ ...channel, date, step: 'opening' })], ping: settings.ping };
  // The last message must not wait for this edit. If the thread was switched off and gets none, the edit alone is tried again.
  async function showDayIsOver({ mayRetry }: { readonly mayRetry: boolean }): Promise<void> {
    if (puzzle === undefined) return;
    const edit = () => poster.edit(channel, thread, dayBoardReply(puzzle), given);
    await quietly(attempt, edit, "a past day's message could not be changed", { mayRetry });
  }
  const archive = () =>
    quietly(attempt, () => poster.archive(channel, thread), 'a thread could not be archived');
  const isStale = now >= scheduleOf(settings, date).closesAt + STALE_THREAD_MS;
  const isOff = state === 'off';
  if (isStale || isOff) {
    claimed.check();
    await showDayIsOver({ mayRetry: !isStale });
    await archive();
    return { end: 'skipped', reason: { code: isOff ? 'switched-off' : 'thread-too-old' } };
  }
  const before = await deliveries.lastOpened(channel.channel, date, TOLD_REPEAT_DAYS);
  const review = await tools.reviews?.closing({
    ...channel,
    date,
    puzzle,
    settings,
    now,
    heard: before.map((row) => openingOf(row).told),
    months: await monthsToReview(attempt, now),
  });
  const reply = closingMessage(date, review?.blocks, missedSteps(day));
  const told = review?.remarkKind;
  const post = await beginMessage(attempt, reply, told === undefined ? {} : { told });
  await showDayIsOver({ mayRetry: false });
  const posted = await poster.post({ ...post, thread });
  await archive();
  return { end: 'sent', posted };
}

/**
 * The months to review when a day is closed, each by one of its dates: the day's own month if it is over and had no later
 * thread, and the month before if its last thread surely got no last message, such as after the daily thread was switched
 * off. It depends only on rows that no longer change, so each month is reviewed once, whichever attempt posts it.
 */
async function monthsToReview(
  { tools, deliveries, channel: { channel }, date }: DayAttempt,
  now: number,
): Promise<readonly PuzzleDate[]> {
  const months: PuzzleDate[] = [];
  const monthStart = firstOfMonth(date);
  const [before] = await deliveries.datesOpened(channel, date, 1);
  if (before !== undefined && firstOfMonth(before) === firstOfMonth(addDays(monthStart, -1))) {
    const row = await deliveries.day(channel, before);
    const closing = row && recordOf(row, tools.log).ends?.closing;
    // Of a day that was never opened, the opening is in doubt.
    const hasPostInDoubt = row?.openedAt !== null && row?.begun;
    if (!hasPostInDoubt && (closing === undefined || (closing.state !== 'sent' && !closing.unknown)))
      months.push(before);
  }
  const nextMonth = firstOfMonth(addDays(monthStart, 31));
  const [last] = await deliveries.datesOpened(channel, nextMonth, 1);
  return last === date && dateAt(now) >= nextMonth ? [...months, date] : months;
}

/** Best effort: a missing message must not keep the thread from being closed. */
async function quietly(
  { tools, channel, date }: DayAttempt,
  act: () => Promise<void>,
  failed: string,
  { mayRetry = false } = {},
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (mayRetry && error instanceof PostFailure && error.mayPass) throw error;
    tools.log.info({ ...channel, date, error: String(error) }, failed);
  }
}

/** Posts the steps in the day's thread that are due: after a downtime they make one message. */
async function postSteps(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, claimed, day, subscription } = attempt;
  const now = tools.now();
  const { puzzle: recorded, ...record } = claimed.record;
  if (recorded === undefined) throw new Error('a thread was opened without its puzzle in its record');
  const thread = postedOf(record) ?? {};
  const steps = attempt.steps as readonly ThreadStep[];
  const puzzle = await readRecordedPuzzle(tools, recorded);
  const after = afterPost(day, steps, { state: 'sent', at: now });
  const { coming } = planSteps({ day: after, subscription, now });
  const { zone } = subscription.settings;
  const reply = withNextStep(await tools.answerSteps(puzzle, steps), puzzle, { zone, coming }, now);
  const post = await beginMessage(attempt, reply);
  return { end: 'sent', posted: await poster.post({ ...post, thread }) };
}
