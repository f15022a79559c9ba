import { createHash } from 'node:crypto';
import { type ChannelRef, channelKey } from '../../core/channel-ref.ts';
import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { addDays, dateAt, spanOf } from '../../puzzle/calendar.ts';
import type { ThreadStep } from '../../reply/replies/thread-steps.ts';
import type { DeliveryState, Reason, SubscriptionState } from '../../store/schema.ts';
import type { StepState } from '../../store/tables/deliveries.ts';
import type { DailySettings } from '../settings/settings.ts';
import { asOpened, type DaySchedule, type DayStep, datesFrom, scheduleOf } from './schedule.ts';

/** Days to look back after a downtime, to record what was missed. */
export const LOOK_BACK_DAYS = 14;
/** Moments looked at for the next post: more than a long weekend has. */
const MAX_MOMENTS = 60;

/** What the plan needs to know of a subscription. */
export interface PlannedSubscription {
  readonly settings: Pick<DailySettings, 'zone' | 'opening' | 'steps' | 'weekends'>;
  /** When the settings were saved last. */
  readonly setAt: number;
  /** When it was switched on last: what was due before that is not posted. */
  readonly since: number;
  readonly state: SubscriptionState;
  /** When a pause ends by itself; the pause is then over even while `state` still says `paused`. */
  readonly until: number | null;
}

export interface PlanQuestion {
  readonly now: number;
  readonly subscription: PlannedSubscription;
  /** The row of a step, if it has one already. */
  readonly rowOf: (date: PuzzleDate, step: DayStep) => Pick<StepState, 'state' | 'doneAt'> | undefined;
  /** The first puzzle date looked at. */
  readonly from: PuzzleDate;
  /** See `aheadOf`. */
  readonly ahead?: number;
}

export interface PlannedStep {
  readonly date: PuzzleDate;
  readonly step: DayStep;
  readonly dueAt: number;
  /** Why it is recorded as skipped instead of posted. */
  readonly skip?: Reason;
}

export interface Plan {
  /** Steps that are due or to be skipped now and have no row yet, in order. */
  readonly steps: readonly PlannedStep[];
  /** When the plan may change next, if the subscription and its rows stay as they are. */
  readonly nextAt: number;
  /** Whether steps are due while their thread is still being opened. */
  readonly isWaiting: boolean;
}

/**
 * What is due in a channel at a moment, from its settings, the puzzles' dates and the rows there are already.
 * Pure, and asking twice gives the same: a step leaves the plan once it has its row.
 *
 * Only the current puzzle is opened, however late; steps of a day whose puzzle is over are recorded as
 * skipped. Nothing new is due in a paused or suspended channel, but what it missed stays open until the puzzle
 * is over: when it is active again on the same day, it gets that day's thread.
 *
 * The closing of a thread is planned here only for a channel that is off; otherwise the opening of the next thread plans it.
 *
 * @example planOf({ now, subscription, rowOf, from: addDays(dateAt(now), -1) }).steps
 */
export function planOf(question: PlanQuestion): Plan {
  const { now, subscription, rowOf, from, ahead = 0 } = question;
  if (subscription.state === 'off') return planWhenOff(question);
  const steps: PlannedStep[] = [];
  let isWaiting = false;
  let nextAt =
    subscription.until !== null && subscription.until > now ? subscription.until : Number.POSITIVE_INFINITY;
  const later = (moment: number) => {
    if (moment > now && moment < nextAt) nextAt = moment;
  };
  for (const date of datesFrom(from, dateAt(now))) {
    const onTime = scheduleOf(subscription.settings, date);
    const scheduled = { ...onTime, opensAt: Math.max(onTime.span.from, onTime.opensAt - ahead) };
    const opening = rowOf(date, 'opening');
    const day = opening?.state === 'sent' ? asOpened(scheduled, opening.doneAt ?? 0) : scheduled;
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

/**
 * Plans the closing of a thread that was open when the channel was switched off, at the time when the next thread would have
 * opened.
 */
function planWhenOff({ now, subscription, from, rowOf }: PlanQuestion): Plan {
  const open = datesFrom(from, dateAt(now))
    .filter((date) => rowOf(date, 'opening')?.state === 'sent' && rowOf(date, 'closing') === undefined)
    .map((date) => ({ date, dueAt: scheduleOf(subscription.settings, date).closesAt }));
  const steps = open.flatMap(({ date, dueAt }) =>
    dueAt <= now ? [{ date, step: 'closing' as const, dueAt }] : [],
  );
  const later = open.filter(({ dueAt }) => dueAt > now).map(({ dueAt }) => dueAt);
  return { steps, nextAt: Math.min(Number.POSITIVE_INFINITY, ...later), isWaiting: false };
}

/**
 * Milliseconds by which a channel opens early, if the puzzle is out by then: the same every day, and evenly distributed over
 * `spread` minutes.
 */
export function aheadOf({ tenant, channel }: ChannelRef, spread: number): number {
  if (spread === 0) return 0;
  const place = createHash('sha256').update(channelKey({ tenant, channel })).digest().readUInt32BE();
  return place % ((spread + 1) * MINUTE);
}

/** A step that is still to be posted in a day's thread, and when; now, if it is due. */
export interface ComingStep {
  readonly step: ThreadStep;
  readonly at: number;
}

/** What is known of a channel's day; see `PlanQuestion`. */
export type ThreadQuestion = Pick<PlanQuestion, 'now' | 'subscription' | 'rowOf'>;

/**
 * The steps still to come in a day's thread if nobody changes anything. Planning, messages and settings all use this rule.
 * Steps leave it once they were posted, or if they could only be posted too late.
 *
 * @param day as it was opened, see `asOpened`
 */
export function stillToCome({ now, subscription, rowOf }: ThreadQuestion, day: DaySchedule): ComingStep[] {
  const { state, until } = subscription;
  const goesOnAt = state === 'active' ? now : state === 'paused' && until !== null ? until : undefined;
  if (goesOnAt === undefined || isLeftOut({ subscription, rowOf }, day)) return [];
  if (state === 'paused' && isMissedBy(day, goesOnAt)) return [];
  const from = Math.max(now, goesOnAt);
  return day.steps.flatMap(({ step, dueAt, endsAt }) => {
    const known = rowOf(day.date, step)?.state;
    const isOpen = known === undefined || known === 'due' || known === 'sending';
    const at = Math.max(dueAt, from);
    return isOpen && at < endsAt ? [{ step, at }] : [];
  });
}

/** Whether a channel has no thread on that day. A thread that is open is finished even if weekends were switched off since. */
function isLeftOut({ subscription, rowOf }: Omit<ThreadQuestion, 'now'>, day: DaySchedule): boolean {
  const opening = rowOf(day.date, 'opening')?.state;
  const isBegun = opening === 'sent' || opening === 'sending' || opening === 'due';
  if (day.isWeekend && !subscription.settings.weekends && !isBegun) return true;
  return isMissedBy(day, subscription.since);
}

/**
 * The steps of one day that are due now and have no row yet. One that was missed, by a pause or because its puzzle is over,
 * gets a row with the reason, and is never posted.
 */
function planDay(question: PlanQuestion, day: DaySchedule): Omit<Plan, 'nextAt'> {
  const { now, subscription, rowOf } = question;
  const { date, span, opensAt } = day;
  const steps: PlannedStep[] = [];
  let isWaiting = false;
  if (isLeftOut(question, day)) return { steps, isWaiting };
  const add = (step: DayStep, dueAt: number, skip?: Reason) => {
    if (rowOf(date, step) === undefined) steps.push({ date, step, dueAt, skip });
  };
  const held = holdReason(subscription, now);
  /** Whether the day was missed in a pause that has ended by itself. */
  const wasPaused =
    held === undefined && subscription.state === 'paused' && isMissedBy(day, subscription.until ?? 0);
  const missed = (dueAt: number): Reason => {
    if (wasPaused) return { code: 'paused' };
    if (held !== undefined) return { code: held };
    return { code: dueAt < subscription.setAt ? 'settings-changed' : 'puzzle-over' };
  };
  if (wasPaused || now >= span.to) add('opening', opensAt, missed(opensAt));
  else if (held === undefined) add('opening', opensAt);
  const thread = threadOf(rowOf(date, 'opening')?.state, wasPaused || now >= span.to);
  const coming = new Map(stillToCome(question, day).map(({ step, at }) => [step, at]));
  for (const { step, dueAt, endsAt } of day.steps) {
    if (dueAt > now || rowOf(date, step) !== undefined) continue;
    const at = coming.get(step);
    if (at === undefined) {
      if (wasPaused || now >= endsAt) add(step, dueAt, missed(dueAt));
    } else if (at > now) continue;
    else if (thread === 'open') add(step, dueAt);
    else if (thread === 'none') add(step, dueAt, { code: 'thread-not-opened' });
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
 * A channel that is switched on, or whose pause ends, after the day's opening still gets the day if its puzzle
 * is on and a step of it is still to come; otherwise it begins with the next day.
 */
function isMissedBy({ opensAt, span, steps }: DaySchedule, since: number): boolean {
  return opensAt < since && (span.to <= since || !steps.some(({ dueAt }) => dueAt >= since));
}

/** Why a channel gets no posts for now. */
export function holdReason(
  { state, until }: Pick<PlannedSubscription, 'state' | 'until'>,
  now: number,
): 'paused' | 'suspended' | undefined {
  if (state === 'suspended') return 'suspended';
  return state === 'paused' && (until === null || until > now) ? 'paused' : undefined;
}

export interface NextPost {
  readonly at: number;
  readonly date: PuzzleDate;
  readonly step: DayStep;
}

/** The next post of a channel: now if something is due already, undefined if nothing will be posted. */
export function nextPost(question: Omit<PlanQuestion, 'from'>): NextPost | undefined {
  const { subscription, rowOf } = question;
  const { state, until } = subscription;
  if (state === 'off' || state === 'suspended' || (state === 'paused' && until === null)) return undefined;
  // An opening under way comes first: its steps wait for it, while it may wait for its board, or for the end of a pause.
  const at = holdReason(subscription, question.now) === undefined ? question.now : until!;
  for (const date of [addDays(dateAt(question.now), -1), dateAt(question.now)]) {
    const opening = rowOf(date, 'opening')?.state;
    const isOpening = opening === 'due' || opening === 'sending';
    if (isOpening && at < spanOf(date).to) return { at, date, step: 'opening' };
  }
  // The puzzle of any other opening under way will be over by then, so its thread gets no steps.
  const endOpenings: PlanQuestion['rowOf'] = (date, step) => {
    const row = rowOf(date, step);
    const isOpening = step === 'opening' && (row?.state === 'due' || row?.state === 'sending');
    return isOpening ? { ...row, state: 'given-up' } : row;
  };
  let { now } = question;
  for (let looked = 0; looked < MAX_MOMENTS; looked++) {
    const from = addDays(dateAt(now), -1);
    const { steps, nextAt } = planOf({ ...question, now, rowOf: endOpenings, from });
    const first = steps.find(({ skip }) => skip === undefined);
    if (first !== undefined) return { at: now, date: first.date, step: first.step };
    if (nextAt === Number.POSITIVE_INFINITY) return undefined;
    now = nextAt;
  }
  return undefined;
}

/** The states of steps in channels, in the form that plans need. */
export class StepStates {
  readonly #channels = new Map<string, Map<string, StepState>>();

  constructor(rows: readonly StepState[] = []) {
    for (const row of rows) this.set(row);
  }

  set(state: StepState): void {
    this.#of(state).set(state.date + state.step, state);
  }

  /** Those of one channel. */
  in(channel: ChannelRef): PlanQuestion['rowOf'] {
    const steps = this.#of(channel);
    return (date, step) => steps.get(date + step);
  }

  #of(channel: ChannelRef): Map<string, StepState> {
    const key = channelKey(channel);
    const steps = this.#channels.get(key) ?? new Map<string, StepState>();
    this.#channels.set(key, steps);
    return steps;
  }
}
