import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { Reply } from '../../reply/model/types.ts';
import { THREAD_STEPS, type ThreadStep } from '../../reply/replies/board.ts';
import type { ReadingStore, Store } from '../../store/store.ts';
import type { StepState } from '../../store/tables/deliveries.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { type AnswerSteps, openingMessage } from '../delivery/messages.ts';
import { parseStored, settingsOf } from '../settings/settings.ts';
import { aheadOf, LOOK_BACK, type NextPost, nextPost, type PlannedStep, planOf, StepStates } from './plan.ts';
import { DAY_STEPS, type DayStep, Schedules } from './schedule.ts';

export interface Forecast extends PlannedStep {
  readonly tenant: string;
  readonly channel: string;
  /** When the tick would plan it. */
  readonly at: number;
}

/** What would be posted or skipped in all channels between two moments, if everything is delivered in time. */
export async function forecast(store: Store, from: number, to: number): Promise<Forecast[]> {
  const known = await knownStates(store, from);
  const schedules = new Schedules();
  const subscriptions = await store.allTenants.subscriptions();
  return subscriptions
    .flatMap((subscription) => forecastOf(subscription, { schedules, known, from, to }))
    .sort((a, b) => a.at - b.at || (a.tenant < b.tenant ? -1 : 1));
}

function forecastOf(
  subscription: Subscription,
  { schedules, known, from, to }: { schedules: Schedules; known: StepStates; from: number; to: number },
): Forecast[] {
  const settings = parseStored(subscription.settings);
  const states = new StepStates();
  const [expected, before] = [states.in(subscription), known.in(subscription)];
  const stateOf = (date: PuzzleDate, step: DayStep) => {
    const state = expected.stateOf(date, step) ?? before.stateOf(date, step);
    return state === 'due' || state === 'sending' ? 'sent' : state;
  };
  const found: Forecast[] = [];
  for (let now = from; now <= to; ) {
    const { steps, nextAt, isWaiting } = planOf({
      now,
      schedules,
      subscription: { ...subscription, settings },
      stateOf,
      openedAt: (date) => expected.openedAt(date) ?? before.openedAt(date),
      from: addDays(dateAt(now), now === from ? -LOOK_BACK : -1),
    });
    for (const step of steps) {
      const { tenant, channel } = subscription;
      const { date, skip } = step;
      const state = skip === undefined ? 'sent' : 'skipped';
      states.set({ tenant, channel, date, step: step.step, state, doneAt: now });
      found.push({ ...step, tenant, channel, at: now });
    }
    // Steps follow an opening within the same minute.
    if (!(isWaiting && steps.length > 0)) now = nextAt;
  }
  return found;
}

async function knownStates(store: Store, now: number): Promise<StepStates> {
  const states = new StepStates();
  const today = dateAt(now);
  for (let date = addDays(today, -LOOK_BACK); date <= addDays(today, 1); date = addDays(date, 1)) {
    for (const row of await store.allDeliveries.steps(date, DAY_STEPS)) states.set(row);
  }
  return states;
}

/** A message as it would be posted. */
interface Rehearsed {
  readonly channel: ChannelRef;
  readonly date: PuzzleDate;
  /** The steps that it contains. */
  readonly steps: readonly string[];
  readonly reply: Reply;
}

/** Every message that would be posted at a moment, without posting or storing anything. */
export async function rehearse(
  store: Store,
  answer: AnswerSteps,
  puzzleFor: (date: PuzzleDate, asker: ChannelRef) => Promise<Puzzle>,
  at: number,
): Promise<Rehearsed[]> {
  const due = (await forecast(store, at, at)).filter(({ skip }) => skip === undefined);
  const days = Map.groupBy(due, ({ tenant, channel, date }) => JSON.stringify([tenant, channel, date]));
  const schedules = new Schedules();
  const rehearsed: Rehearsed[] = [];
  for (const [{ tenant, channel, date }, steps] of Array.from(
    days.values(),
    (all) => [all[0]!, all] as const,
  )) {
    const ref = { tenant, channel };
    const puzzle = await puzzleFor(date, ref);
    const add = (included: readonly string[], reply: Reply) =>
      rehearsed.push({ channel: ref, date, steps: included, reply });
    if (steps.some(({ step }) => step === 'opening')) {
      const day = schedules.of(await settingsOf(store, ref), date);
      add(['opening'], openingMessage(puzzle, day, day.opensAt));
    }
    const inThread: ThreadStep[] = THREAD_STEPS.filter((step) => steps.some((one) => one.step === step));
    if (inThread.length > 0) add(inThread, await answer(puzzle, inThread));
  }
  return rehearsed;
}

/** What will be posted next in a channel, and when; undefined where nothing will. */
export function nextPostOf(
  store: ReadingStore,
  subscription: Subscription,
  now: number,
  spread = 0,
): Promise<(NextPost & ChannelRef) | undefined> {
  const { deliveries } = store.tenant(subscription.tenant);
  return nextPostIn([subscription], now, (date) => deliveries.ofDay(subscription.channel, date), spread);
}

/**
 * The next post in some channels, found with only the rows that it depends on: the rows of yesterday and today and, if it
 * is of a later day, of that day too. A later day has rows already where the clock went back: people can move the local
 * chat's clock forward, and a restart resets it.
 *
 * @param read the rows of a date
 */
export async function nextPostIn(
  subscriptions: readonly Subscription[],
  now: number,
  read: (date: PuzzleDate) => Promise<readonly StepState[]>,
  spread = 0,
): Promise<(NextPost & ChannelRef) | undefined> {
  const states = new StepStates();
  const schedules = new Schedules();
  const load = async (date: PuzzleDate) => {
    const rows = await read(date);
    for (const row of rows) states.set(row);
    return rows.length > 0;
  };
  const today = dateAt(now);
  const loaded = [addDays(today, -1), today];
  await Promise.all(loaded.map(load));
  for (;;) {
    const post = firstPost(subscriptions, { now, schedules, states, spread });
    if (post === undefined || loaded.includes(post.date)) return post;
    loaded.push(post.date);
    if (!(await load(post.date))) return post;
  }
}

function firstPost(
  subscriptions: readonly Subscription[],
  {
    now,
    schedules,
    states,
    spread,
  }: { now: number; schedules: Schedules; states: StepStates; spread: number },
): (NextPost & ChannelRef) | undefined {
  let first: (NextPost & ChannelRef) | undefined;
  for (const subscription of subscriptions) {
    const { tenant, channel } = subscription;
    const planned = { ...subscription, settings: parseStored(subscription.settings) };
    const ahead = aheadOf(subscription, spread);
    const post = nextPost({ now, schedules, subscription: planned, ahead, ...states.in(subscription) });
    if (post !== undefined && post.at < (first?.at ?? Number.POSITIVE_INFINITY))
      first = { ...post, tenant, channel };
  }
  return first;
}
