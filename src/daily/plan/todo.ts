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
  /** The opening time of the next thread that was opened, or may have been; in the future only if a clock was ahead. */
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
 * Pure: a step that it names is named again until its end is noted in the day.
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
  if (isOpen && day.posting === undefined) return goOn(question, schedule);
  // A day that was added by a clock that was ahead waits for its time.
  const opensAt = Math.max(schedule.span.from, day.opensAt ?? 0);
  if (day.posting === undefined && now < opensAt) return { ...NOTHING, lookAt: opensAt };
  return postInTime(question, schedule, day.posting ?? ['opening']);
}

/**
 * The opening, however late while its puzzle is on; or the message that may have been sent, which must not change: it is looked
 * for, and made again as it was if it is not there.
 */
function postInTime(question: DayQuestion, schedule: DaySchedule, post: readonly DayStep[]): Todo {
  const { day, subscription, now } = question;
  if (post[0] === 'closing') return { ...NOTHING, post };
  const endsAt = post[0] === 'opening' ? schedule.span.to : endOf(post, schedule);
  if (now < endsAt) {
    const at = goesOnAt(subscription, now);
    return at <= now ? { ...NOTHING, post } : { ...NOTHING, lookAt: Math.min(at, endsAt) };
  }
  if (day.posting === undefined) {
    const code = whyNoThread(subscription, schedule, now);
    const reason = code === undefined ? whyTooLate(question, schedule.opensAt) : { code };
    return leaveOutOpening(reason, day.reason === null ? 'skipped' : 'given-up');
  }
  const reason = { code: 'puzzle-over', last: day.reason ?? { code: 'outcome-unknown' } } as const;
  return { ...NOTHING, leaveOut: post.map((step) => ({ step, state: 'given-up', reason })) };
}

function leaveOutOpening(reason: Reason, state: LeftOut['state'] = 'skipped'): Todo {
  return { ...NOTHING, leaveOut: [{ step: 'opening', state, reason }] };
}

/** When it is too late for a message of steps. The settings may no longer ask for any of them. */
function endOf(post: readonly DayStep[], { steps, closesAt }: DaySchedule): number {
  const ends = steps.flatMap(({ step, endsAt }) => (post.includes(step) ? [endsAt] : []));
  return ends.length === 0 ? closesAt : Math.max(...ends);
}

/** In an open thread. */
function goOn(question: DayQuestion, schedule: DaySchedule): Todo {
  const { day, subscription, now, nextThreadAt = Number.POSITIVE_INFINITY } = question;
  const held = holdReason(subscription, now);
  const { coming, others } = planSteps(question, schedule);
  const due = coming.flatMap(({ step, at }) => (at <= now ? [step] : []));
  // A suspended channel would refuse the closing, too: what ends the suspension wakes its days.
  const isClosing = nextThreadAt <= now && held !== 'suspended' && due.length === 0;
  const left: readonly OtherStep[] = isClosing
    ? [...coming.map(({ step, at }) => ({ step, dueAt: at })), ...others]
    : others.filter(({ dueAt }) => dueAt <= now);
  // Only a thread that closes leaves out a step without a reason. The next one may open early, as after a change of settings.
  const ifClosing = isClosing ? ({ code: held ?? 'settings-changed' } as const) : undefined;
  const leaveOut = left.flatMap(({ step, reason = ifClosing }): LeftOut[] =>
    reason === undefined ? [] : [{ step, state: 'skipped', reason }],
  );
  if (due.length > 0)
    return { post: THREAD_STEPS.filter((step) => due.includes(step)), leaveOut, lookAt: null };
  const hasLastMessage = day.ends.closing !== undefined;
  if (isClosing) return { post: hasLastMessage ? [] : ['closing'], leaveOut, lookAt: null };
  const nextAt = nextThreadAt > now ? nextThreadAt : Number.POSITIVE_INFINITY;
  const lookAt = Math.min(nextAt, coming[0]?.at ?? Number.POSITIVE_INFINITY);
  return { post: [], leaveOut, lookAt: lookAt === Number.POSITIVE_INFINITY ? null : lookAt };
}

/** A step that is not to be posted as things stand. */
interface OtherStep {
  readonly step: ThreadStep;
  readonly dueAt: number;
  /** Undefined while the channel is held back, since somebody may end that in time. */
  readonly reason?: Reason;
}

/**
 * The steps of an open thread that have no end, in the order of their times: those still to come if nobody changes anything, and
 * the others.
 */
export function planSteps(
  question: DayQuestion,
  schedule = scheduleOf(question.subscription.settings, question.day.date, question.day.openedAt),
): { readonly coming: readonly ComingStep[]; readonly others: readonly OtherStep[] } {
  const { day, subscription, now } = question;
  const { ends } = day;
  const from = goesOnAt(subscription, now);
  const noThread = whyNoThread(subscription, schedule, from);
  const coming: ComingStep[] = [];
  const others: OtherStep[] = [];
  for (const { step, dueAt, endsAt } of schedule.steps) {
    if (ends[step] !== undefined) continue;
    const at = Math.max(dueAt, from);
    // A step after the solution is left out even if the solution fails: no message announces it.
    if (ends.solution?.state === 'sent' || schedule.solutionAt < dueAt)
      others.push({ step, dueAt, reason: { code: 'solution-told' } });
    else if (noThread === undefined && at < endsAt) coming.push({ step, at });
    else if (from > now && now < endsAt) others.push({ step, dueAt });
    else others.push({ step, dueAt, reason: noThread ? { code: noThread } : whyTooLate(question, dueAt) });
  }
  return { coming, others };
}

/** Why a step whose time is over was not posted. */
function whyTooLate({ day, subscription, now }: DayQuestion, dueAt: number): Reason {
  const held = holdReason(subscription, now);
  if (held !== undefined) return { code: held };
  if (day.reason !== null) return { code: 'puzzle-over', last: day.reason };
  return { code: dueAt < subscription.setAt ? 'settings-changed' : 'puzzle-over' };
}

/**
 * Why a day's puzzle gets no thread in a channel any more. A channel that is switched on, or whose pause ends by itself, after
 * the opening still gets the thread if the puzzle is on and a step is still to come; otherwise it begins with the next day.
 */
export function whyNoThread(
  subscription: PlannedSubscription,
  { opensAt, span, steps }: DaySchedule,
  now: number,
): 'paused' | 'settings-changed' | undefined {
  const { state, since, until } = subscription;
  const isPauseOver = state === 'paused' && until !== null && until <= now && until > since;
  const begin = isPauseOver ? until : since;
  const hasStepsToCome = begin < span.to && begin <= (steps.at(-1)?.dueAt ?? 0);
  if (begin <= opensAt || hasStepsToCome) return undefined;
  return isPauseOver ? 'paused' : 'settings-changed';
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
export function goesOnAt(
  { state, until }: Pick<PlannedSubscription, 'state' | 'until'>,
  now: number,
): number {
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
