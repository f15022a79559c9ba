import { DAY, MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import { briefDate } from '../../core/text.ts';
import { type MissingRequirement, type Posted, PostFailure } from '../../dispatch/poster.ts';
import { addDays, dateAt, firstOfMonth } from '../../puzzle/calendar.ts';
import { REMARK_REPEAT_DAYS, type Remark, remarkOn, remarkText } from '../../puzzle/remark.ts';
import { NoPuzzle } from '../../puzzle/service.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { present } from '../../reply/model/text.ts';
import { dayBoardReply } from '../../reply/replies/board.ts';
import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { Reason } from '../../store/schema.ts';
import type { Delivery } from '../../store/tables/deliveries.ts';
import {
  postedOf,
  postKey,
  type RecordedPuzzle,
  readRecordedPuzzle,
  recordedPuzzle,
  recordOf,
} from '../day-thread.ts';
import { asOpened, type DaySchedule, type DayStep, scheduleOf } from '../plan/schedule.ts';
import { readSubscription } from '../settings/settings.ts';
import { noBoardNotice, notifyQuietly, retryClosing, suspend } from '../suspension.ts';
import {
  type DayAttempt,
  type DayTools,
  endIfHeldBack,
  type FoundPosts,
  findUnrecordedPosts,
  tooLateEnding,
} from './day-attempt.ts';
import { type Attempt, beginPost, type Ending, endIfRefused } from './deliver.ts';
import {
  announcedThread,
  closingMessage,
  isThreadBefore,
  missedSteps,
  openingMessage,
  withNextStep,
} from './messages.ts';

/** One attempt at a step of a channel's day. */
export async function deliverDay(attempt: Attempt<DayTools>): Promise<Ending> {
  const { tools, claimed } = attempt;
  const { tenant, channel, date, step } = claimed.lease;
  const { subscriptions } = tools.store.tenant(tenant);
  const stored = await subscriptions.get(channel);
  // An open thread is closed even after the daily thread was switched off.
  if (stored === undefined || (stored.state === 'off' && step !== 'closing')) {
    return { end: 'skipped', reason: { code: 'switched-off' } };
  }
  const subscription = readSubscription(stored);
  const dayAttempt: DayAttempt = {
    ...attempt,
    channel: { tenant, channel },
    date,
    step: step as DayStep,
    subscription,
    day: scheduleOf(subscription.settings, date),
    gaps: await tools.gaps(),
  };
  const posting =
    dayAttempt.step === 'opening'
      ? openDay(dayAttempt)
      : dayAttempt.step === 'closing'
        ? closeDay(dayAttempt)
        : postSteps(dayAttempt, dayAttempt.step);
  const ending = await endIfRefused(posting, (failure) => endRefused(dayAttempt, failure));
  // A channel that is active again keeps the reason of its suspension until something is posted there.
  const wasSuspended = subscription.state === 'active' && subscription.reason !== null;
  if (wasSuspended && ending.end === 'sent') await subscriptions.posted(channel);
  return ending;
}

async function endRefused(attempt: DayAttempt, failure: PostFailure): Promise<Ending> {
  // A thread that refuses its last message again, after the channel was reactivated, says nothing about the channel.
  if (attempt.step === 'closing' && attempt.claimed.lease.attempt > 1)
    return { end: 'given-up', reason: { code: 'refused', message: failure.message } };
  const known = failure.missingRequirements;
  const missing = known.length > 0 ? known : await askMissing(attempt);
  return { end: 'given-up', reason: await suspend(attempt, missing, failure.message) };
}

/** The missing requirements; empty if the platform does not say, since posting will show them. */
async function askMissing({ tools, poster, channel }: DayAttempt): Promise<readonly MissingRequirement[]> {
  return poster.missingRequirements(channel).catch((error: unknown) => {
    const fields = { ...channel, error: String(error) };
    tools.log.warn(fields, 'the missing requirements of a channel could not be read');
    return [];
  });
}

/** Milliseconds that an opening waits for the newspaper before it does what the settings say instead. */
const NEWSPAPER_TIMEOUT_MS = 30 * MINUTE;
/** Milliseconds between attempts to get a board; the fetcher asks the newspaper at its own pace. */
const BOARD_RETRY_MS = 2 * MINUTE;
/** A last message in a thread that people have forgotten would only bring it up again: it is closed without one. */
const STALE_THREAD_MS = 9 * DAY;

/** Posts the day's opening and the thread under it. */
async function openDay(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, claimed, channel, date, deliveries, day, subscription } = attempt;
  const { settings } = subscription;
  const now = tools.now();
  if (now < day.span.from) return { end: 'later', at: day.span.from, reason: { code: 'puzzle-not-out' } };
  if (now >= day.span.to) return tooLateEnding(attempt);
  const held = endIfHeldBack(attempt, now);
  if (held !== undefined) return held;
  const puzzle = await findPuzzle(attempt);
  if ('end' in puzzle) return puzzle;
  const sent = await deliveries.lastSent(channel.channel, 'opening', date, REMARK_REPEAT_DAYS);
  const [last] = sent;
  const recent = isThreadBefore(last, date) ? last : undefined;
  // Requirements that the last thread met are not asked about again, since thousands of channels wait at the most popular
  // times; a refusal shows what has been taken away since.
  const missing = recent === undefined ? await askMissing(attempt) : [];
  if (missing.length > 0) return { end: 'given-up', reason: await suspend(attempt, missing) };
  const { delivery } = claimed;
  // A post that is found is saved in the claimed record, where `beginPost` takes it from.
  const found = await findUnrecordedPosts(attempt, [delivery], { since: delivery.dueAt });
  const remark = remarkFor(attempt, puzzle, sent);
  await claimed.save({ puzzle: recordedPuzzle(puzzle), ...(remark && { remark: remark.kind }) });
  // A thread may exist from here on, so the one before it must be closed.
  if (last !== undefined) await planClosing(attempt, last.date);
  const extras = await tools.reviews?.opening({
    ...channel,
    puzzle,
    settings,
    now,
    previousDate: recent?.date,
  });
  const rows = await deliveries.ofDay(channel.channel, date);
  const thread = announcedThread({ subscription, date, rows, now });
  const reply = openingMessage(puzzle, thread, now, { ...extras, remark: remark?.text });
  const outcomeUnknown = found.unknown.has('opening');
  const post = await beginPost(attempt, { channel, reply, quiet: settings.quiet, outcomeUnknown });
  // The date comes first, since lists of threads cut names.
  const threadName = `${briefDate(date)} · Letter Boxed`;
  // With it, the door need not check the requirements again, either.
  const before = recent && postedOf(recordOf(recent, tools.log));
  const posted = await poster.open({ ...post, threadName, ping: settings.ping, before });
  return { end: 'sent', posted };
}

/** The remark that the opening makes about its board: the same at every attempt, and none that the channel heard lately. */
function remarkFor(
  { tools, date, claimed, subscription: { settings } }: DayAttempt,
  { board }: Puzzle,
  before: readonly Delivery[],
): Remark | undefined {
  if (!settings.lines.includes('board')) return undefined;
  const kind = claimed.record.remark;
  // The board may have changed since the last attempt.
  const text = remarkText(board, kind);
  if (kind !== undefined && text !== undefined) return { kind, text };
  const from = addDays(date, -REMARK_REPEAT_DAYS);
  const heard = before.filter((row) => row.date >= from).map((row) => recordOf(row, tools.log).remark);
  return remarkOn(board, present(heard));
}

/** The puzzle to open with; without one, how the attempt ends. */
async function findPuzzle(attempt: DayAttempt): Promise<Puzzle | Ending> {
  const { tools, claimed, channel, date } = attempt;
  const { puzzle: recorded, message } = claimed.record;
  if (recorded !== undefined && (claimed.delivery.outcomeUnknown || message !== undefined)) {
    return readRecordedPuzzle(tools, recorded);
  }
  try {
    const puzzle = await tools.puzzles.puzzleOf(date, channel);
    if (!puzzle.isFallback) return puzzle;
    if (!(await hasWaitedTooLong(attempt))) return retryForBoard(attempt, { code: 'newspaper-late' });
    // The fetcher may be in a long pause after a failure, so the newspaper is asked once more before its board is given up.
    await tools.puzzles.askAgain(date);
    return await tools.puzzles.puzzleOf(date, channel);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (await hasWaitedTooLong(attempt))
      await notifyOnce(attempt, error instanceof NoPuzzle ? error.why : error.message);
    return retryForBoard(attempt, { code: 'no-puzzle', message: error.message });
  }
}

/** The wait begins with the first attempt, so a channel that opens late after a downtime waits too. */
async function hasWaitedTooLong({ tools, claimed }: DayAttempt): Promise<boolean> {
  const { waitsSince } = claimed.record;
  if (waitsSince !== undefined) return tools.now() >= waitsSince + NEWSPAPER_TIMEOUT_MS;
  await claimed.save({ waitsSince: tools.now() });
  return false;
}

async function notifyOnce(
  { tools, poster, channel, date, subscription, claimed }: DayAttempt,
  message: string,
): Promise<void> {
  if (claimed.record.notified || subscription.setBy === null) return;
  await claimed.save({ notified: true });
  const notice = noBoardNotice(channel, date, message);
  await notifyQuietly(tools.log, { poster, channel, person: subscription.setBy, notice });
}

function retryForBoard({ tools }: DayAttempt, reason: Reason): Ending {
  return { end: 'later', at: Math.ceil(tools.now() + BOARD_RETRY_MS * (1 + tools.random() / 4)), reason };
}

/**
 * Plans the last message of the thread before this one. Repeated at each attempt, written once: it is planned again only if the
 * channel has refused it beside an earlier attempt.
 */
async function planClosing(
  { tools, channel, claimed, deliveries, gaps }: DayAttempt,
  date: PuzzleDate,
): Promise<void> {
  // What was due in a gap of the records is looked for before it is posted: if the opening was, the closing must be, too.
  const isInGap = claimed.delivery.dueAt < gaps.gapUntil;
  const dueAt = isInGap ? claimed.delivery.dueAt : tools.now();
  const added = await tools.store.allDeliveries.plan([{ ...channel, date, step: 'closing', dueAt }]);
  if (added.length === 0) await retryClosing(deliveries, { channel: channel.channel, date }, tools.now());
}

/**
 * Ends a day's thread once the next one is open: the message in the channel stops inviting people to the day, a last
 * message in the thread says how it went, and the thread is archived.
 */
async function closeDay(attempt: DayAttempt): Promise<Ending> {
  const { tools, poster, channel, date, deliveries, subscription } = attempt;
  const { settings, state } = subscription;
  const now = tools.now();
  const rows = await deliveries.ofDay(channel.channel, date);
  const opening = rows.find(({ step }) => step === 'opening');
  const { puzzle: recorded, ...sent } = opening?.state === 'sent' ? recordOf(opening, tools.log) : {};
  const thread = postedOf(sent);
  if (thread === undefined) return { end: 'skipped', reason: { code: 'no-thread' } };
  const readPuzzle = async () => recorded && readRecordedPuzzle(tools, recorded);
  const puzzle = await quietly(attempt, readPuzzle, "a past day's puzzle could not be read");
  const key = postKey({ ...channel, date, step: 'opening' });
  // The last message must not wait for this edit. If the thread was switched off and gets none, the edit alone is tried again.
  async function showDayIsOver(mayRetry: boolean): Promise<void> {
    if (puzzle === undefined) return;
    const edit = () => poster.edit(channel, thread!, dayBoardReply(puzzle), [key]);
    await quietly(attempt, edit, "a past day's message could not be changed", mayRetry);
  }
  const archive = () =>
    quietly(attempt, () => poster.archive(channel, thread), 'a thread could not be archived');
  const isStale = now >= attempt.day.closesAt + STALE_THREAD_MS;
  const isOff = state === 'off';
  if (isStale || isOff) {
    await attempt.claimed.check();
    await showDayIsOver(!isStale);
    await archive();
    return { end: 'skipped', reason: { code: isOff ? 'switched-off' : 'thread-too-old' } };
  }
  const { delivery } = attempt.claimed;
  const found = await findUnrecordedPosts(attempt, [delivery], { thread, since: delivery.dueAt });
  const review = await tools.reviews?.closing({
    ...channel,
    date,
    puzzle,
    settings,
    now,
    months: await monthsToReview(attempt, now),
  });
  const post = await beginPost(attempt, {
    channel,
    reply: closingMessage(date, review, missedSteps(rows)),
    quiet: settings.quiet,
    outcomeUnknown: found.unknown.has('closing'),
  });
  await showDayIsOver(false);
  const posted = await poster.post({ ...post, thread });
  await archive();
  return { end: 'sent', posted };
}

/**
 * The months to review when a day is closed, each by one of its dates: the day's own month if it is over and had no later
 * thread, and the month before if its last thread was never closed, such as after the daily thread was switched off. It
 * depends only on rows that no longer change, so each month is reviewed once, whichever attempt posts it.
 */
async function monthsToReview(
  { deliveries, channel: { channel }, date }: DayAttempt,
  now: number,
): Promise<readonly PuzzleDate[]> {
  const months: PuzzleDate[] = [];
  const monthStart = firstOfMonth(date);
  const [before] = await deliveries.datesOf(channel, 'opening', date, 1);
  if (before !== undefined && firstOfMonth(before) === firstOfMonth(addDays(monthStart, -1))) {
    const closing = await deliveries.get(channel, before, 'closing');
    const wasLeftOut = closing?.state === 'skipped' || closing?.state === 'given-up';
    if (closing === undefined || (wasLeftOut && !closing.outcomeUnknown)) months.push(before);
  }
  const nextMonth = firstOfMonth(addDays(monthStart, 31));
  const [last] = await deliveries.datesOf(channel, 'opening', nextMonth, 1);
  return last === date && dateAt(now) >= nextMonth ? [...months, date] : months;
}

/** Best effort: a missing puzzle or message must not keep the thread from being closed. */
async function quietly<Result>(
  { tools, channel, date }: DayAttempt,
  act: () => Promise<Result>,
  failed: string,
  mayRetry = false,
): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    const mayPass = error instanceof PostFailure && (error.kind === 'later' || error.kind === 'unknown');
    if (mayPass && mayRetry) throw error;
    tools.log.info({ ...channel, date, error: String(error) }, failed);
    return undefined;
  }
}

/** Milliseconds between the next attempt at the opening and the next at a step that waits for its thread. */
const STEP_AFTER_OPENING_MS = 3_000;

/**
 * Posts a step in the day's thread, together with all others of the day that are due: after a downtime they make one
 * message. Before it is sent, the row records the other steps it contains and their rows are ended, so that no step is posted
 * twice, even if the process ends in between.
 */
async function postSteps(attempt: DayAttempt, step: ThreadStep): Promise<Ending> {
  await splitUnsentMessage(attempt, step);
  const rows = await attempt.deliveries.ofDay(attempt.channel.channel, attempt.date);
  const thread = findThread(attempt, step, rows);
  return 'end' in thread ? thread : postInThread({ ...attempt, ...thread }, step, rows);
}

/**
 * If a message of several steps was surely not sent, and the settings no longer ask for one of them, the steps that were
 * merged into it become due again: those still wanted are posted, each other one ends at its own attempt.
 */
async function splitUnsentMessage(attempt: DayAttempt, step: ThreadStep): Promise<void> {
  const { tools, claimed, deliveries, channel, date, day } = attempt;
  const { merged = [], message } = claimed.record;
  const mayBeSent = message !== undefined || claimed.delivery.outcomeUnknown;
  const isWanted = (name: DayStep) => day.steps.some((known) => known.step === name);
  if (!mayBeSent && merged.length > 0 && ![step, ...merged].every(isWanted))
    await claimed.save({ merged: [] });
  // Found by their reasons, so that none is lost if an earlier attempt ended here.
  if (claimed.record.merged?.length !== 0) return;
  for (const { step: other, reason } of await deliveries.ofDay(channel.channel, date)) {
    if (reason?.code === 'merged' && reason.step === step)
      await deliveries.makeDueAgain(channel.channel, date, other, tools.now());
  }
}

/** A day's thread that is open, and its schedule since it was opened. */
interface OpenThread {
  readonly recorded: RecordedPuzzle;
  readonly thread: Posted;
  readonly day: DaySchedule;
}

/** The thread in which a step is to be posted now; otherwise, how the attempt ends. */
function findThread(attempt: DayAttempt, step: ThreadStep, rows: readonly Delivery[]): OpenThread | Ending {
  const { tools } = attempt;
  const now = tools.now();
  const merging = rows.find((row) => row.step !== step && recordOf(row, tools.log).merged?.includes(step));
  if (merging !== undefined) return { end: 'skipped', reason: { code: 'merged', step: merging.step } };
  const opening = rows.find((row) => row.step === 'opening');
  const day = asOpened(attempt.day, opening?.doneAt ?? 0);
  // A message that may have been sent keeps its steps, though the settings no longer ask for all of them.
  const steps: readonly DayStep[] = [step, ...(attempt.claimed.record.merged ?? [])];
  const times = day.steps.filter((known) => steps.includes(known.step));
  if (times.length === 0) return { end: 'skipped', reason: { code: 'step-not-wanted' } };
  if (times.every(({ endsAt }) => now >= endsAt)) return tooLateEnding(attempt);
  if (opening === undefined || opening.state === 'given-up' || opening.state === 'skipped') {
    const reason: Reason = { code: 'thread-not-opened', opening: opening?.reason ?? undefined };
    return { end: 'skipped', reason };
  }
  if (opening.state !== 'sent') {
    const at = Math.max(now, opening.nextAt) + STEP_AFTER_OPENING_MS;
    return { end: 'later', at, reason: { code: 'thread-opening' } };
  }
  const held = endIfHeldBack(attempt, now);
  if (held !== undefined) return held;
  const { puzzle: recorded, ...record } = recordOf(opening, tools.log);
  if (recorded === undefined) throw new Error('an opening was sent without its puzzle in its record');
  return { recorded, thread: postedOf(record) ?? {}, day };
}

async function postInThread(
  attempt: DayAttempt & OpenThread,
  step: ThreadStep,
  rows: readonly Delivery[],
): Promise<Ending> {
  const { tools, poster, channel, date, deliveries, claimed, subscription, recorded, thread, day } = attempt;
  const now = tools.now();
  const found = await findUnrecordedPosts(attempt, rows, { thread, since: day.opensAt });
  for (const [name, message] of found.posted) {
    const other = claimed.others.get(name);
    if (other === undefined) continue;
    await deliveries.markSent(other.lease, message, now);
    claimed.others.delete(name);
  }
  const posted = found.posted.get(step);
  if (posted !== undefined) return { end: 'sent', posted };
  const outcomeUnknown = claimed.delivery.outcomeUnknown || found.unknown.has(step);
  const merged = await mergeDueSteps(attempt, rows, found, outcomeUnknown);
  const puzzle = await readRecordedPuzzle(tools, recorded);
  const steps = [step, ...merged];
  const { zone, coming } = announcedThread({ subscription, date, rows, now });
  const later = coming.filter((other) => !steps.includes(other.step));
  const reply = withNextStep(await tools.answerSteps(puzzle, steps), puzzle, { zone, coming: later }, now);
  const post = await beginPost(attempt, {
    channel,
    reply,
    quiet: subscription.settings.quiet,
    outcomeUnknown,
  });
  const mergedKeys = merged.map((other) => postKey({ ...claimed.lease, step: other }));
  return { end: 'sent', posted: await poster.post({ ...post, mergedKeys, thread }) };
}

/** The other steps of this message. Claims those that are due, and ends the rows of all that go into it. */
async function mergeDueSteps(
  { tools, claimed, deliveries, channel, date, day, step }: DayAttempt,
  rows: readonly Delivery[],
  found: FoundPosts,
  outcomeUnknown: boolean,
): Promise<readonly ThreadStep[]> {
  const { others } = claimed;
  const { merged: before = [], message } = claimed.record;
  // A message that may have been sent already must not change.
  if (before.length > 0 || message !== undefined || outcomeUnknown)
    return THREAD_STEPS.filter((other) => before.includes(other));
  const now = tools.now();
  const isDue = (name: ThreadStep) => rows.some((row) => row.step === name && row.state === 'due');
  const due = THREAD_STEPS.filter((name) => name !== step && isDue(name) && !found.posted.has(name));
  const claim = { owner: tools.owner, now, until: now + tools.lease };
  for (const other of await deliveries.claimSteps(channel.channel, date, due, claim))
    others.set(other.lease.step, other);
  // Settings may have changed since a step was planned.
  const timely = day.steps.filter(({ endsAt }) => now < endsAt).map((known) => known.step);
  const merged = THREAD_STEPS.filter((name) => {
    const delivery = others.get(name)?.delivery;
    if (delivery === undefined || delivery.outcomeUnknown || found.unknown.has(name)) return false;
    const hasOthers = (recordOf(delivery, tools.log).merged ?? []).length > 0;
    return timely.includes(name) && !hasOthers;
  });
  if (merged.length > 0) await claimed.save({ merged });
  for (const name of merged) {
    await deliveries.skip(others.get(name)!.lease, { code: 'merged', step }, now);
    others.delete(name);
  }
  return merged;
}
