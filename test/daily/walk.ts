/** A channel that lives through time by the functions that plan and post, without a store. */

import { DAY, type PuzzleDate } from '../../src/core/clock.ts';
import type { Day } from '../../src/daily/day-thread.ts';
import { foreseeMoment } from '../../src/daily/plan/forecast.ts';
import type { DayStep } from '../../src/daily/plan/schedule.ts';
import type { PlannedSubscription } from '../../src/daily/plan/todo.ts';
import type { ClockTime } from '../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { THREAD_STEPS } from '../../src/reply/replies/thread-steps.ts';
import type { Reason } from '../../src/store/schema.ts';

interface Posted {
  readonly at: number;
  readonly skip?: Reason | undefined;
}

/** Ticks from moment to moment; posts succeed at once. Throws at a step that is posted twice. */
export class Walk {
  subscription: PlannedSubscription;
  readonly days = new Map<PuzzleDate, Day>();
  /** What was posted or left out, by date and step. */
  readonly rows = new Map<string, Posted>();

  constructor(subscription: PlannedSubscription) {
    this.subscription = subscription;
  }

  /** Returns when to tick again. */
  tick(now: number): number {
    const { posts, nextAt } = foreseeMoment(this.days, this.subscription, now);
    for (const { date, steps, skip } of posts)
      for (const step of steps) this.#note(date, step, { at: now, skip });
    return nextAt;
  }

  #note(date: PuzzleDate, step: DayStep, posted: Posted): void {
    if (step === 'closing') return;
    const key = `${date} ${step}`;
    // What a clock that was ahead has left out may come after all.
    const before = this.rows.get(key);
    if (before !== undefined && (before.skip === undefined || before.at <= posted.at))
      throw new Error(`twice: ${key} ${JSON.stringify(this.subscription)}`);
    this.rows.set(key, posted);
  }
}

export function placeWith(change: Partial<DailySettings>, since: number): PlannedSubscription {
  return { settings: { ...DEFAULT_SETTINGS, ...change }, setAt: since, since, state: 'active', until: null };
}

export function randomSettings(next: () => number): Partial<DailySettings> {
  const clock = () =>
    `${String(Math.floor(next() * 24)).padStart(2, '0')}:${String(Math.floor(next() * 4) * 15).padStart(2, '0')}` as ClockTime;
  return {
    zone: ZONES[Math.floor(next() * ZONES.length)]!,
    opening: next() < 0.5 ? '08:00' : clock(),
    steps: THREAD_STEPS.filter(() => next() < 0.5).map((step) => ({ step, at: clock() })),
    weekends: next() < 0.7,
  };
}

export function changed(
  subscription: PlannedSubscription,
  now: number,
  next: () => number,
): PlannedSubscription {
  const chance = next();
  const isOff = subscription.state === 'off';
  if (isOff || chance < 0.2) {
    const since = isOff ? now : subscription.since;
    return { ...subscription, state: 'active', until: null, setAt: now, since };
  }
  if (chance < 0.3) return { ...subscription, state: 'off', until: null };
  if (chance < 0.45) return { ...subscription, state: 'paused', until: now + Math.floor(next() * 5 * DAY) };
  if (chance < 0.55) return { ...subscription, state: 'suspended', until: null };
  const settings = { ...DEFAULT_SETTINGS, ...randomSettings(next) };
  return { ...subscription, settings, setAt: now };
}

/** Zones of every kind: half and quarter hours, both hemispheres, far east and west, with and without daylight saving. */
export const ZONES: readonly string[] = [
  'America/New_York America/Los_Angeles America/Chicago America/St_Johns America/Sao_Paulo',
  'America/Santiago America/Havana Europe/London Europe/Dublin Europe/Berlin Europe/Athens',
  'Europe/Moscow Africa/Cairo Africa/Casablanca Africa/Nairobi Asia/Beirut Asia/Tehran Asia/Dubai',
  'Asia/Kabul Asia/Karachi Asia/Kolkata Asia/Kathmandu Asia/Yangon Asia/Shanghai Asia/Tokyo',
  'Australia/Adelaide Australia/Eucla Australia/Lord_Howe Australia/Sydney Pacific/Auckland',
  'Pacific/Chatham Pacific/Kiritimati Pacific/Honolulu Pacific/Pago_Pago',
].flatMap((names) => names.split(' '));
