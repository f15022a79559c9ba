import type { PuzzleDate } from '../../core/clock.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';
import type { Subscription } from '../../store/tables/subscriptions.ts';
import { parseStored } from '../settings/settings.ts';
import type { DayStep } from '../types.ts';
import { LOOK_BACK, type PlannedStep, planOf } from './plan.ts';
import { Schedules } from './schedule.ts';
import { StepStates } from './step-states.ts';

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
    .flatMap((subscription) => forecastOf(subscription, schedules, known, from, to))
    .sort((a, b) => a.at - b.at || (a.tenant < b.tenant ? -1 : 1));
}

function forecastOf(
  subscription: Subscription,
  schedules: Schedules,
  known: StepStates,
  from: number,
  to: number,
): Forecast[] {
  const settings = parseStored(subscription.settings);
  const expected = new StepStates();
  const stateOf = (date: PuzzleDate, step: DayStep) => {
    const state = expected.stateOf(subscription, date, step) ?? known.stateOf(subscription, date, step);
    return state === 'due' || state === 'sending' ? 'sent' : state;
  };
  const found: Forecast[] = [];
  for (let now = from; now <= to; ) {
    const { steps, nextAt, isWaiting } = planOf({
      now,
      schedules,
      subscription: { ...subscription, settings },
      stateOf,
      openedAt: (date) => expected.openedAt(subscription, date) ?? known.openedAt(subscription, date),
      from: addDays(dateAt(now), now === from ? -LOOK_BACK : -1),
    });
    for (const step of steps) {
      const { tenant, channel } = subscription;
      const { date, skip } = step;
      const state = skip === undefined ? 'sent' : 'skipped';
      expected.set({ tenant, channel, date, step: step.step, state, doneAt: now });
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
    for (const row of await store.allDeliveries.steps(date)) states.set(row);
  }
  return states;
}
