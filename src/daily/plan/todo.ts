import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { Reason } from '../../store/schema.ts';
import { type Day, isClosed, type StepEnd } from '../day-thread.ts';
import type { ReadSubscription } from '../settings/settings.ts';
import { type DaySchedule, type DayStep, scheduleOf } from './schedule.ts';

/**
 * What a plan needs to know of a subscription. A pause with an end, `until`, is over by itself then, even while `state` still
 * says `paused`; what was due before `since` is not posted.
 */
export type PlannedSubscription = Pick<ReadSubscription, 'settings' | 'setAt' | 'since' | 'state' | 'until'>;

export interface DayQuestion {
  readonly day: Day;
  readonly subscription: PlannedSubscription;
  readonly now: number;
  /** The opening of the next thread that was opened in the channel, or may have been: later than now if a clock was ahead. */
  readonly nextThreadAt?: number | undefined;
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
  const schedule = scheduleOf(subscription.settings, day.date, day.openedAt);
  if (subscription.state === 'off') {
    if (!isOpen) return leaveOutOpening({ code: 'switched-off' });
    if (day.ends.closing !== undefined) return NOTHING;
    // At the time when the next thread would have opened.
    const { closesAt } = schedule;
    return closesAt <= now ? { ...NOTHING, post: ['closing'] } : { ...NOTHING, lookAt: closesAt };
  }
  if (day.posting !== undefined) return repeat(question, schedule, day.posting);
  return isOpen ? goOn(question, schedule) : open(question, schedule);
}

function leaveOutOpening(reason: Reason, state: LeftOut['state'] = 'skipped'): Todo {
  return { ...NOTHING, leaveOut: [{ step: 'opening', state, reason }] };
}

/** Only the current puzzle is opened, however late. */
function open(question: DayQuestion, schedule: DaySchedule): Todo {
  const { day, subscription, now } = question;
  const { span } = schedule;
  // One that a clock that was ahead has begun waits for its time.
  const opensAt = Math.max(span.from, day.opensAt ?? 0);
  if (now < opensAt) return { ...NOTHING, lookAt: opensAt };
  if (now < span.to) return postUnlessHeld(['opening'], subscription, now, span.to);
  const code = whyNoThread(subscription, schedule, now);
  const reason = code === undefined ? whyTooLate(question, schedule.opensAt) : { code };
  return leaveOutOpening(reason, day.reason === null ? 'skipped' : 'given-up');
}

function postUnlessHeld(
  post: readonly DayStep[],
  subscription: PlannedSubscription,
  now: number,
  endsAt: number,
): Todo {
  const at = goesOnAt(subscription, now);
  return at <= now ? { ...NOTHING, post } : { ...NOTHING, lookAt: Math.min(at, endsAt) };
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
  if (now < endsAt) return postUnlessHeld(posting, subscription, now, endsAt);
  const reason = { code: 'puzzle-over', last: day.reason ?? { code: 'outcome-unknown' } } as const;
  return { ...NOTHING, leaveOut: posting.map((step) => ({ step, state: 'given-up', reason })) };
}

/** In an open thread. */
function goOn(question: DayQuestion, schedule: DaySchedule): Todo {
  const { day, subscription, now, nextThreadAt = Number.POSITIVE_INFINITY } = question;
  const held = holdReason(subscription, now);
  const planned = planSteps(question, schedule);
  const due = planned.flatMap(({ step, at }) => (at <= now ? [step] : []));
  // A suspended channel would refuse the closing, too: what ends the suspension wakes its days.
  const isClosing = nextThreadAt <= now && held !== 'suspended' && due.length === 0;
  const leaveOut = planned.flatMap(({ step, dueAt, missed }): LeftOut[] => {
    if (!isClosing && dueAt > now) return [];
    // The next thread was opened before its time, as after a change of the settings.
    const reason = missed ?? (isClosing ? { code: held ?? 'settings-changed' } : undefined);
    return reason === undefined ? [] : [{ step, state: 'skipped', reason }];
  });
  if (due.length > 0)
    return { post: THREAD_STEPS.filter((step) => due.includes(step)), leaveOut, lookAt: null };
  const hasLastMessage = day.ends.closing !== undefined;
  if (isClosing) return { post: hasLastMessage ? [] : ['closing'], leaveOut, lookAt: null };
  const nextAt = nextThreadAt > now ? nextThreadAt : Number.POSITIVE_INFINITY;
  const lookAt = Math.min(nextAt, ...planned.map(({ at }) => at));
  return { post: [], leaveOut, lookAt: lookAt === Number.POSITIVE_INFINITY ? null : lookAt };
}

/** What becomes of a step if nobody changes anything. */
interface PlannedStep extends ComingStep {
  readonly dueAt: number;
  /** Infinity if it is not posted. */
  readonly at: number;
  /** Why it is not posted any more; undefined also while it is held back. */
  readonly missed?: Reason;
}

/** What becomes of each step of an open thread that has no end, in the order of their times. */
function planSteps(question: DayQuestion, schedule: DaySchedule): PlannedStep[] {
  const { day, subscription, now } = question;
  const from = goesOnAt(subscription, now);
  const noThread = whyNoThread(subscription, schedule, from);
  const solution = schedule.steps.find(({ step }) => step === 'solution');
  const isTold = day.ends.solution?.state === 'sent';
  const planned: PlannedStep[] = [];
  for (const { step, dueAt, endsAt } of schedule.steps) {
    if (day.ends[step] !== undefined) continue;
    const at = Math.max(dueAt, from);
    const never = { step, dueAt, at: Number.POSITIVE_INFINITY };
    // Such a step is announced nowhere, so it is not posted instead of a solution that fails.
    if (isTold || (solution !== undefined && solution.dueAt < dueAt))
      planned.push({ ...never, missed: { code: 'solution-told' } });
    else if (noThread === undefined && at < endsAt) planned.push({ step, dueAt, at });
    else if (from > now && now < endsAt) planned.push(never);
    else
      planned.push({
        ...never,
        missed: noThread === undefined ? whyTooLate(question, dueAt) : { code: noThread },
      });
  }
  return planned;
}

/** Why a step whose time is over was not posted. */
function whyTooLate({ day, subscription, now }: DayQuestion, dueAt: number): Reason {
  const held = holdReason(subscription, now);
  if (held !== undefined) return { code: held };
  if (day.reason !== null) return { code: 'puzzle-over', last: day.reason };
  return { code: dueAt < subscription.setAt ? 'settings-changed' : 'puzzle-over' };
}

/** The steps still to come in a day's thread if nobody changes anything, the earliest first. */
export function stillToCome(question: DayQuestion): ComingStep[] {
  const { day, subscription } = question;
  const planned = planSteps(question, scheduleOf(subscription.settings, day.date, day.openedAt));
  return planned.filter(({ at }) => at < Number.POSITIVE_INFINITY);
}

/**
 * Why a day's puzzle gets no thread in a channel any more. One that is switched on, or whose pause ends by itself, after the
 * day's opening still gets the day if its puzzle is on and a step of it is still to come; otherwise it begins with the next day.
 */
export function whyNoThread(
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

/** From when on a channel gets posts: now, or the end of its pause; Infinity if somebody has to do something first. */
function goesOnAt({ state, until }: PlannedSubscription, now: number): number {
  if (state === 'active') return now;
  return state === 'paused' && until !== null ? Math.max(now, until) : Number.POSITIVE_INFINITY;
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
  const schedule = scheduleOf(subscription.settings, day.date, day.openedAt);
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
