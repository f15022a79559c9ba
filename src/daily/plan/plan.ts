import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { DeliveryState, SubscriptionState } from '../../store/types.ts';
import type { StoredSettings } from '../settings/settings.ts';
import type { DayStep } from '../types.ts';
import { type DaySchedule, scheduleOf } from './schedule.ts';

/** Days looked back at, after a downtime, to write down what was missed. */
export const LOOK_BACK = 14;
/** Moments looked at for the next post: more than a long weekend has. */
const MOST_LOOKS = 60;

/** What the plan needs to know of a place. */
export interface PlannedSubscription {
  readonly settings: StoredSettings;
  /** When the settings were saved last. */
  readonly setAt: number;
  readonly state: SubscriptionState;
  /** `off`, for a place that was switched off. */
  readonly reason: string | null;
  /** When a pause ends by itself; then it is over, whatever `state` says. */
  readonly until: number | null;
}

export interface PlanQuestion {
  readonly now: number;
  readonly subscription: PlannedSubscription;
  /** How far a step is that has its row already. */
  readonly stateOf: (date: PuzzleDate, step: DayStep) => DeliveryState | undefined;
  /** The first puzzle date looked at. */
  readonly from: PuzzleDate;
}

export interface PlannedStep {
  readonly date: PuzzleDate;
  readonly step: DayStep;
  readonly dueAt: number;
  /** Written down as skipped, and why. */
  readonly skip?: string;
}

export interface Plan {
  /** What is due or to be skipped now and has no row yet, in order. */
  readonly steps: readonly PlannedStep[];
  /** Until then the answer is the same, as long as the place and its rows stay as they are. */
  readonly nextAt: number;
  /** Steps are due whose thread is still being opened: they come as soon as it is. */
  readonly isWaiting: boolean;
}

/** Why a step was left out: shown to operators and to whoever manages the place. */
export const SKIPPED = {
  over: 'its puzzle was over before it could be posted',
  unthreaded: "this day's thread was not opened",
  paused: 'the place was paused',
  resting: 'the place could not be posted to',
  unasked: 'the settings were changed after its time',
} as const;

/**
 * What a place is owed at a moment, from its settings, the puzzles' dates and what has been written down
 * already. Pure, and asking twice gives the same: a step leaves the plan once it has its row.
 *
 * Only the puzzle that is on is opened, however late; steps of a day whose puzzle is over are written down
 * as skipped. A paused or resting place is owed nothing new, but what it missed is kept open until the
 * puzzle is over: when it comes back on the same day it gets that day's thread.
 *
 * @example planOf({ now, place, stateOf: () => undefined, from: addDays(dateAt(now), -1) }).steps
 */
export function planOf(question: PlanQuestion): Plan {
  const { now, subscription, from } = question;
  if (isOff(subscription)) return { steps: [], nextAt: Number.POSITIVE_INFINITY, isWaiting: false };
  const steps: PlannedStep[] = [];
  let isWaiting = false;
  let nextAt =
    subscription.until !== null && subscription.until > now ? subscription.until : Number.POSITIVE_INFINITY;
  const later = (moment: number) => {
    if (moment > now && moment < nextAt) nextAt = moment;
  };
  for (const date of datesFrom(from, dateAt(now))) {
    const day = scheduleOf(subscription.settings, date);
    later(day.opensAt);
    if (day.opensAt > now) continue;
    if (day.closesAt > now) {
      later(day.span.to);
      for (const { dueAt, endsAt } of day.steps) {
        later(dueAt);
        later(endsAt);
      }
    }
    const planned = planDay(question, day);
    steps.push(...planned.steps);
    isWaiting ||= planned.isWaiting;
  }
  return { steps, nextAt, isWaiting };
}

let dates: readonly PuzzleDate[] = [];

/** The dates of all puzzles from one to the day after another: the same for every place of a tick. */
function datesFrom(from: PuzzleDate, today: PuzzleDate): readonly PuzzleDate[] {
  if (dates[0] === from && dates.at(-2) === today) return dates;
  const found: PuzzleDate[] = [];
  for (let date = from; date <= today; date = addDays(date, 1)) found.push(date);
  dates = [...found, addDays(found.at(-1) ?? today, 1)];
  return dates;
}

function planDay({ now, subscription, stateOf }: PlanQuestion, day: DaySchedule): Omit<Plan, 'nextAt'> {
  const { date, span, opensAt } = day;
  const steps: PlannedStep[] = [];
  let isWaiting = false;
  if (day.isWeekend && !subscription.settings.weekends) return { steps, isWaiting };
  if (isMissedBy(day, subscription.settings.since)) return { steps, isWaiting };
  const add = (step: DayStep, dueAt: number, skip?: string) => {
    if (stateOf(date, step) === undefined)
      steps.push({ date, step, dueAt, ...(skip !== undefined && { skip }) });
  };
  const held = heldBack(subscription, now);
  const slept =
    held === undefined && subscription.state === 'paused' && isMissedBy(day, subscription.until ?? 0);
  const missed = (dueAt: number) => {
    if (slept) return SKIPPED.paused;
    if (held !== undefined) return SKIPPED[held];
    return dueAt < subscription.setAt ? SKIPPED.unasked : SKIPPED.over;
  };
  if (slept || now >= span.to) add('opening', opensAt, missed(opensAt));
  else if (held === undefined) add('opening', opensAt);
  const thread = threadOf(stateOf(date, 'opening'), slept || now >= span.to);
  for (const { step, dueAt, endsAt } of day.steps) {
    if (dueAt > now || stateOf(date, step) !== undefined) continue;
    if (slept || now >= endsAt) add(step, dueAt, missed(dueAt));
    else if (held !== undefined) continue;
    else if (thread === 'open') add(step, dueAt);
    else if (thread === 'none') add(step, dueAt, SKIPPED.unthreaded);
    else isWaiting = true;
  }
  return { steps, isWaiting };
}

function threadOf(opening: DeliveryState | undefined, isTooLate: boolean): 'open' | 'coming' | 'none' {
  if (opening === 'sent') return 'open';
  if (opening === undefined) return isTooLate ? 'none' : 'coming';
  return opening === 'due' || opening === 'sending' ? 'coming' : 'none';
}

/**
 * A place that is switched on, or comes back from a pause, after the day's opening gets the day all the
 * same if its puzzle is on and a step of it is still to come; otherwise it begins with the next one.
 */
function isMissedBy({ opensAt, span, steps }: DaySchedule, since: number): boolean {
  return opensAt < since && (span.to <= since || !steps.some(({ dueAt }) => dueAt >= since));
}

/** Why nothing is posted in a place for now. */
export function heldBack(
  { state, until }: Pick<PlannedSubscription, 'state' | 'until'>,
  now: number,
): 'paused' | 'resting' | undefined {
  if (state === 'resting') return 'resting';
  return state === 'paused' && (until === null || until > now) ? 'paused' : undefined;
}

export function isOff({ state, reason }: Pick<PlannedSubscription, 'state' | 'reason'>): boolean {
  return state === 'paused' && reason === 'off';
}

export interface NextPost {
  readonly at: number;
  readonly date: PuzzleDate;
  readonly step: DayStep;
}

/** What comes next in a place: at once where something is owed already; undefined where nothing will come. */
export function nextPost(question: Omit<PlanQuestion, 'from'>): NextPost | undefined {
  const { subscription, stateOf } = question;
  if (
    isOff(subscription) ||
    subscription.state === 'resting' ||
    (subscription.state === 'paused' && subscription.until === null)
  )
    return undefined;
  // A thread that is still being opened will be open by the time its steps come.
  const hopeful = (date: PuzzleDate, step: DayStep) => {
    const state = stateOf(date, step);
    return step === 'opening' && (state === 'due' || state === 'sending') ? 'sent' : state;
  };
  let { now } = question;
  for (let looked = 0; looked < MOST_LOOKS; looked++) {
    const { steps, nextAt } = planOf({ now, subscription, stateOf: hopeful, from: addDays(dateAt(now), -1) });
    const first = steps.find(({ skip }) => skip === undefined);
    if (first !== undefined) return { at: now, date: first.date, step: first.step };
    if (nextAt === Number.POSITIVE_INFINITY) return undefined;
    now = nextAt;
  }
  return undefined;
}
