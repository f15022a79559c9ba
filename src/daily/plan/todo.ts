import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { Reason } from '../../store/schema.ts';
import { type Day, isClosed, type StepEnd } from '../day-thread.ts';
import type { ReadSubscription } from '../settings/settings.ts';
import { asOpened, type DaySchedule, type DayStep, scheduleOf } from './schedule.ts';

/**
 * What a plan needs to know of a subscription. A pause with an end, `until`, is over by itself then, even while `state` still
 * says `paused`; what was due before `since` is not posted.
 */
export type PlannedSubscription = Pick<ReadSubscription, 'settings' | 'setAt' | 'since' | 'state' | 'until'>;

export interface DayQuestion {
  readonly day: Day;
  readonly subscription: PlannedSubscription;
  readonly now: number;
  /** From when on the thread of a later day was opened, or may have been: later than now if a clock was ahead. */
  readonly followedAt?: number | undefined;
}

/** A step that is still to be posted in a day's thread, and when; now, if it is due. */
export interface ComingStep {
  readonly step: ThreadStep;
  readonly at: number;
}

/** A step that is not posted any more, and why. */
export interface LeftOut {
  readonly step: DayStep;
  readonly state: Exclude<StepEnd['state'], 'sent'>;
  readonly reason: Reason;
}

export interface Todo {
  /** The steps of the one message to be made now; empty if there is none. */
  readonly post: readonly DayStep[];
  readonly leaveOut: readonly LeftOut[];
  /** When to look again if nothing changes; null if only a change can make something due. */
  readonly lookAt: number | null;
}

const NOTHING: Todo = { post: [], leaveOut: [], lookAt: null };

/**
 * Which one message of a channel's day is to be made now, and when to look again. Steps that are due together are one
 * message. Posting, settings, announcements and forecasts ask this function.
 *
 * Pure, and asking twice gives the same: a step leaves it once it has its end.
 */
export function todo(question: DayQuestion): Todo {
  const { day, subscription, now } = question;
  const isOpen = day.openedAt !== null;
  if (isClosed(day, now) || (!isOpen && day.ends.opening !== undefined)) return NOTHING;
  const schedule = openSchedule(day, subscription);
  if (subscription.state === 'off') return todoWhenOff(question, schedule);
  if (day.posting !== undefined) return repeat(question, schedule, day.posting);
  return isOpen ? todoInThread(question, schedule) : open(question, schedule);
}

/** An open thread is closed at the time when the next one would have opened. */
function todoWhenOff({ day, now }: DayQuestion, { closesAt }: DaySchedule): Todo {
  if (day.openedAt === null) return leftOut('opening', { code: 'switched-off' });
  if (day.ends.closing !== undefined) return NOTHING;
  return closesAt <= now ? { ...NOTHING, post: ['closing'] } : { ...NOTHING, lookAt: closesAt };
}

function leftOut(step: DayStep, reason: Reason, state: LeftOut['state'] = 'skipped'): Todo {
  return { ...NOTHING, leaveOut: [{ step, state, reason }] };
}

/** Only the current puzzle is opened, however late. */
function open(question: DayQuestion, schedule: DaySchedule): Todo {
  const { day, subscription, now } = question;
  const { span } = schedule;
  // One that a clock that was ahead has begun waits for its time.
  const opensAt = Math.max(span.from, day.opensAt ?? 0);
  if (now < opensAt) return { ...NOTHING, lookAt: opensAt };
  const missed =
    now < span.to ? undefined : whyMissed(question, schedule, { dueAt: schedule.opensAt, endsAt: span.to });
  if (missed !== undefined) return leftOut('opening', missed, day.reason === null ? 'skipped' : 'given-up');
  if (holdReason(subscription, now) === undefined) return { ...NOTHING, post: ['opening'] };
  return { ...NOTHING, lookAt: endOfHold(subscription, now, span.to) };
}

/**
 * A message that may have been sent must not change: it is looked for, and made again as it was if it is not there. Once it is
 * too late for it, it is given up, with its last failure as the reason.
 */
function repeat(
  { day, subscription, now }: DayQuestion,
  { span, steps, closesAt }: DaySchedule,
  posting: readonly DayStep[],
): Todo {
  if (posting[0] === 'closing') return { ...NOTHING, post: posting };
  const ends = steps.flatMap(({ step, endsAt }) => (posting.includes(step) ? [endsAt] : []));
  // The settings may no longer ask for any of them.
  const endsAt = posting[0] === 'opening' ? span.to : ends.length === 0 ? closesAt : Math.max(...ends);
  if (now >= endsAt) {
    const reason = { code: 'puzzle-over', last: day.reason ?? { code: 'outcome-unknown' } } as const;
    return { ...NOTHING, leaveOut: posting.map((step) => ({ step, state: 'given-up', reason })) };
  }
  const isHeld = holdReason(subscription, now) !== undefined;
  return isHeld
    ? { ...NOTHING, lookAt: endOfHold(subscription, now, span.to) }
    : { ...NOTHING, post: posting };
}

function todoInThread(question: DayQuestion, schedule: DaySchedule): Todo {
  const { day, subscription, now, followedAt = Number.POSITIVE_INFINITY } = question;
  const held = holdReason(subscription, now);
  const coming = stillToCome(question, schedule);
  const due = coming.flatMap(({ step, at }) => (at <= now ? [step] : []));
  // A suspended channel would refuse the closing, too.
  const isClosing = followedAt <= now && held !== 'suspended' && due.length === 0;
  const leaveOut = schedule.steps.flatMap(({ step, dueAt, endsAt }): LeftOut[] => {
    if (day.ends[step] !== undefined || (!isClosing && dueAt > now)) return [];
    const missed: Reason | undefined = tellsNothingNew(day, schedule, dueAt)
      ? { code: 'solution-told' }
      : whyMissed(question, schedule, { dueAt, endsAt });
    // The next thread was opened before its time, as after a change of the settings.
    const reason = missed ?? (isClosing ? { code: held ?? 'settings-changed' } : undefined);
    return reason === undefined ? [] : [{ step, state: 'skipped', reason }];
  });
  if (due.length > 0)
    return { post: THREAD_STEPS.filter((step) => due.includes(step)), leaveOut, lookAt: null };
  const hasLastMessage = day.ends.closing !== undefined;
  if (isClosing) return { post: hasLastMessage ? [] : ['closing'], leaveOut, lookAt: null };
  const nextAt = coming[0]?.at ?? Number.POSITIVE_INFINITY;
  // A suspended channel closes no thread: what ends the suspension wakes its days.
  const next = Math.min(nextAt, followedAt > now ? followedAt : Number.POSITIVE_INFINITY);
  return { post: [], leaveOut, lookAt: next === Number.POSITIVE_INFINITY ? null : next };
}

/** Why a step whose time has come is not posted; undefined while it may still be. */
function whyMissed(
  { subscription, now, day }: DayQuestion,
  schedule: DaySchedule,
  { dueAt, endsAt }: { readonly dueAt: number; readonly endsAt: number },
): Reason | undefined {
  const missed = dayMissed(subscription, schedule, now);
  if (missed !== undefined) return { code: missed };
  if (now < endsAt) return undefined;
  const held = holdReason(subscription, now);
  if (held !== undefined) return { code: held };
  if (day.reason !== null) return { code: 'puzzle-over', last: day.reason };
  return { code: dueAt < subscription.setAt ? 'settings-changed' : 'puzzle-over' };
}

/** The schedule of a day, as it is once its thread is open. */
export function openSchedule(
  { date, openedAt }: Pick<Day, 'date' | 'openedAt'>,
  { settings }: PlannedSubscription,
) {
  const schedule = scheduleOf(settings, date);
  return openedAt === null ? schedule : asOpened(schedule, openedAt);
}

/**
 * The steps still to come in a day's thread if nobody changes anything, the earliest first. Steps leave it once they were
 * posted, or if they could only be posted too late.
 */
export function stillToCome(
  { day, subscription, now }: DayQuestion,
  schedule = openSchedule(day, subscription),
): ComingStep[] {
  const { state, until } = subscription;
  const goesOnAt = state === 'active' ? now : state === 'paused' && until !== null ? until : undefined;
  if (goesOnAt === undefined) return [];
  const from = Math.max(now, goesOnAt);
  if (dayMissed(subscription, schedule, from) !== undefined) return [];
  return schedule.steps.flatMap(({ step, dueAt, endsAt }) => {
    const at = Math.max(dueAt, from);
    const isOpen = day.ends[step] === undefined && at < endsAt;
    return isOpen && !tellsNothingNew(day, schedule, dueAt) ? [{ step, at }] : [];
  });
}

/**
 * Whether the solution is out, or is due before a step. Such a step is announced nowhere, so it is not posted instead of a
 * solution that fails.
 */
function tellsNothingNew({ ends }: Pick<Day, 'ends'>, { steps }: DaySchedule, dueAt: number): boolean {
  const solution = steps.find(({ step }) => step === 'solution');
  return ends.solution?.state === 'sent' || (solution !== undefined && solution.dueAt < dueAt);
}

/**
 * Why a channel does not get a day any more. One that is switched on, or whose pause ends by itself, after the day's opening
 * still gets the day if its puzzle is on and a step of it is still to come; otherwise it begins with the next day.
 */
export function dayMissed(
  subscription: PlannedSubscription,
  { opensAt, span, steps }: DaySchedule,
  now: number,
): 'paused' | 'settings-changed' | undefined {
  const { state, since, until } = subscription;
  const hasPaused = state === 'paused' && until !== null && until <= now && until > since;
  const begin = hasPaused ? until : since;
  const hasStepsToCome = begin < span.to && steps.some(({ dueAt }) => dueAt >= begin);
  if (begin <= opensAt || hasStepsToCome) return undefined;
  return hasPaused ? 'paused' : 'settings-changed';
}

/** Why a channel gets no posts for now. */
export function holdReason(
  { state, until }: Pick<PlannedSubscription, 'state' | 'until'>,
  now: number,
): 'paused' | 'suspended' | undefined {
  if (state === 'suspended') return 'suspended';
  return state === 'paused' && (until === null || until > now) ? 'paused' : undefined;
}

/** When to look at a day that is held back: at the end of the pause, or when it is too late. */
function endOfHold({ until }: PlannedSubscription, now: number, tooLateAt: number): number {
  // A suspension that is over ends only once the channel is tried again, which wakes the day.
  return until === null || until <= now ? tooLateAt : Math.min(until, tooLateAt);
}

/** A day after some of its steps were posted in one message. */
export function afterPost(day: Day, steps: readonly DayStep[], end: StepEnd): Day {
  const [first] = steps;
  const each = steps.length > 1 ? { ...end, with: first! } : end;
  const ends = { ...day.ends, ...Object.fromEntries(steps.map((step) => [step, each])) };
  const openedAt = first === 'opening' && end.state === 'sent' ? end.at : day.openedAt;
  return { ...day, ends, openedAt, posting: undefined, reason: null };
}

/** A day after some of its steps were left out. */
export function afterLeavingOut(day: Day, leaveOut: readonly LeftOut[], at: number): Day {
  if (leaveOut.length === 0) return day;
  const ended = leaveOut.map(({ step, state, reason }) => {
    const unknown = day.posting?.includes(step) && state === 'given-up';
    return [step, { state, at, reason, ...(unknown && { unknown }) }];
  });
  // A message that was begun stays to be looked for while one of its steps is not left out.
  const isToFind = day.posting?.some((step) => leaveOut.every((one) => one.step !== step));
  const posting = isToFind ? day.posting : undefined;
  return { ...day, ends: { ...day.ends, ...Object.fromEntries(ended) }, posting };
}

/** When a step was due first, by the settings of today. */
export function dueAtOf(step: DayStep, day: Day, subscription: PlannedSubscription): number {
  const schedule = openSchedule(day, subscription);
  if (step === 'opening') return schedule.opensAt;
  if (step === 'closing') return schedule.closesAt;
  return schedule.steps.find((one) => one.step === step)?.dueAt ?? schedule.opensAt;
}

/** Reasons for which nobody misses a step that is not in the thread. */
const UNMISSED_REASONS: readonly Reason['code'][] = ['solution-told', 'settings-changed', 'paused'];

/** The steps that never came although people waited for them. */
export function missedSteps({ ends }: Pick<Day, 'ends'>): ThreadStep[] {
  return THREAD_STEPS.filter((step) => {
    const { state, reason } = ends[step] ?? {};
    return state !== undefined && state !== 'sent' && reason && !UNMISSED_REASONS.includes(reason.code);
  });
}

/** The steps in a day's thread. */
export function postedSteps({ ends }: Pick<Day, 'ends'>): ThreadStep[] {
  return THREAD_STEPS.filter((step) => ends[step]?.state === 'sent');
}
