/** The plan over years: each puzzle's thread exactly once in every channel, whatever the clocks do. */

import { DAY, HOUR, MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import { type Day, newDay } from '../../src/daily/day-thread.ts';
import { foreseeDay } from '../../src/daily/plan/forecast.ts';
import { planOf } from '../../src/daily/plan/planner.ts';
import { asOpened, type DayStep, scheduleOf } from '../../src/daily/plan/schedule.ts';
import { dueAtOf, type PlannedSubscription } from '../../src/daily/plan/todo.ts';
import type { ClockTime } from '../../src/daily/settings/local-time.ts';
import { type DailySettings, DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { addDays, dateAt, spanOf } from '../../src/puzzle/calendar.ts';
import { THREAD_STEPS } from '../../src/reply/replies/thread-steps.ts';
import type { Reason } from '../../src/store/schema.ts';

interface Posted {
  readonly at: number;
  readonly dueAt: number;
  readonly skip?: Reason;
}

/** Walks a channel through time, minute by minute or from change to change, as the tick would, and keeps what was planned. */
export class Walk {
  subscription: PlannedSubscription;
  readonly days = new Map<PuzzleDate, Day>();
  /** What was posted or left out, by date and step. A step that is posted twice is a fault at once. */
  readonly rows = new Map<string, Posted>();
  readonly twice: string[] = [];
  readonly #openings = new Map<PuzzleDate, number>();

  constructor(subscription: PlannedSubscription) {
    this.subscription = subscription;
  }

  /** One tick; posts succeed at once. */
  tick(now: number): { readonly nextAt: number } {
    const { subscription } = this;
    const plan = planOf({ now, subscription });
    for (const { date, opensAt } of plan.days) {
      if (this.days.has(date)) continue;
      this.days.set(date, newDay(date));
      this.#openings.set(date, opensAt);
    }
    let { nextAt } = plan;
    for (const date of [...this.days.keys()].sort().slice(-16).reverse())
      nextAt = Math.min(nextAt, this.#post(date, now));
    return { nextAt };
  }

  /** Returns when to look again. */
  #post(date: PuzzleDate, now: number): number {
    const { subscription } = this;
    const posts = foreseeDay(this.days, date, subscription, now);
    for (;;) {
      const { value, done } = posts.next();
      if (done) return value;
      const day = this.days.get(date)!;
      const dueAt = (step: DayStep) =>
        step === 'opening' ? this.#openings.get(date)! : dueAtOf(step, day, subscription);
      const { steps, skip } = value;
      for (const step of steps)
        this.#note(
          date,
          step,
          skip === undefined ? { at: now, dueAt: dueAt(step) } : { at: now, dueAt: now, skip },
        );
    }
  }

  #note(date: PuzzleDate, step: DayStep, posted: Posted): void {
    if (step === 'closing') return;
    const key = `${date} ${step}`;
    // What a clock that was ahead has left out may come after all.
    const before = this.rows.get(key);
    if (before !== undefined && (before.skip === undefined || before.at <= posted.at)) this.twice.push(key);
    this.rows.set(key, posted);
  }
}

export function placeWith(change: Partial<DailySettings>, since: number): PlannedSubscription {
  return { settings: { ...DEFAULT_SETTINGS, ...change }, setAt: since, since, state: 'active', until: null };
}

export interface YearsReport {
  readonly channels: number;
  readonly days: number;
  readonly posts: number;
}

/**
 * Every minute from one date to another at which the plan may change, for channels of every zone: each puzzle one opening and
 * each step once, at the minute its schedule says, never before the puzzle is out, never after the next
 * thread opened. Throws at the first that is wrong.
 */
export function everyMinute(
  from: PuzzleDate,
  to: PuzzleDate,
  changes: readonly Partial<DailySettings>[],
): YearsReport {
  const [begin, end] = [spanOf(from).from, spanOf(to).to];
  let posts = 0;
  const channels = ZONES.flatMap((zone) => changes.map((change) => ({ ...change, zone })));
  for (const change of channels) {
    const walk = new Walk(placeWith(change, begin));
    let quietUntil = Number.NEGATIVE_INFINITY;
    for (let now = begin; now < end; now += MINUTE) {
      // Like the tick, asks nothing before the plan itself said that it would change.
      if (now < quietUntil) continue;
      quietUntil = walk.tick(now).nextAt;
    }
    posts += checkOnTime(walk, from, to, end);
  }
  return { channels: channels.length, days: Math.round((end - begin) / DAY), posts };
}

/** Throws at what is wrong in a channel whose settings stayed as they are. Returns how many posts there were. */
export function checkOnTime(walk: Walk, from: PuzzleDate, to: PuzzleDate, end: number): number {
  const { settings, since } = walk.subscription;
  const about = `${settings.zone} ${settings.opening}`;
  if (walk.twice.length > 0) throw new Error(`${about}: twice ${walk.twice[0]}`);
  let posts = 0;
  for (let date = from; date <= to; date = addDays(date, 1)) {
    const day = scheduleOf(settings, date);
    if (day.opensAt < since || day.opensAt >= end || (day.isWeekend && !settings.weekends)) continue;
    const due = [
      ['opening', day.opensAt] as const,
      ...day.steps.map(({ step, dueAt }) => [step, dueAt] as const),
    ];
    for (const [step, dueAt] of due) {
      if (dueAt >= end) continue;
      const row = walk.rows.get(`${date} ${step}`);
      const wrong =
        row === undefined
          ? 'left out'
          : row.skip !== undefined
            ? `skipped: ${row.skip.code}`
            : row.at < dueAt || row.at >= dueAt + MINUTE
              ? `at ${row.at} instead of ${dueAt}`
              : row.at < day.span.from
                ? 'too early'
                : row.at >= day.closesAt
                  ? 'after the next opening'
                  : undefined;
      if (wrong !== undefined) throw new Error(`${about}: ${date} ${step} ${wrong}`);
      posts++;
    }
  }
  // The puzzle before may have steps left on the first day.
  const before = addDays(from, -1);
  const extra = [...walk.rows.keys()].filter((key) => key.slice(0, 10) < before || key.slice(0, 10) > to);
  if (extra.length > 0) throw new Error(`${about}: ${extra[0]} was never asked for`);
  return posts;
}

export interface RoughReport {
  readonly posts: number;
  readonly skips: number;
}

/**
 * Random times: downtimes of minutes to days, restarts, changed settings, pauses, off and on, and clocks
 * that are wrong by up to four hours. Never twice; and for as long as the settings stay, nothing that was owed is
 * missing without a reason.
 */
export function roughTimes(runs: number, days: number, next: () => number): RoughReport {
  const total = { posts: 0, skips: 0 };
  for (let run = 0; run < runs; run++) {
    const begin = Date.UTC(2026, 0, 1) + Math.floor(next() * 5 * 360) * DAY;
    const walk = new Walk(placeWith(randomSettings(next), begin));
    let skew = 0;
    let latest = begin;
    for (let now = begin; now < begin + days * DAY; ) {
      const clock = now + skew;
      latest = Math.max(latest, clock);
      const { nextAt } = walk.tick(clock);
      const chance = next();
      if (chance < 0.03) {
        now += Math.floor(next() ** 3 * 4 * DAY);
      } else if (chance < 0.05) {
        walk.subscription = changed(walk.subscription, clock, next);
      } else if (chance < 0.07) {
        skew = Math.round((next() * 4 - 2) * 120) * MINUTE;
      }
      const wait = Math.min(nextAt - clock, DAY / 4);
      now += Math.max(MINUTE, Math.floor(wait * (next() < 0.5 ? 1 : next())));
    }
    if (walk.twice.length > 0)
      throw new Error(`twice: ${walk.twice[0]} ${JSON.stringify(walk.subscription)}`);
    // Whatever is owed of the last days is posted or has its reason now.
    const end = latest + 3 * HOUR;
    walk.tick(end);
    checkComplete(walk, end);
    for (const [key, { at, dueAt, skip }] of walk.rows) {
      if (skip !== undefined) {
        total.skips++;
        continue;
      }
      total.posts++;
      const [date, step] = key.split(' ') as [PuzzleDate, string];
      const span = spanOf(date);
      const isEarly = at < dueAt || at < span.from;
      const isLate = step === 'opening' && at >= span.to;
      if (isEarly || isLate) throw new Error(`${key} at the wrong time ${JSON.stringify(walk.subscription)}`);
    }
  }
  return total;
}

/** Checks that each step of all days begun under the current settings has its row. */
function checkComplete(walk: Walk, now: number): void {
  const { settings, state, setAt, since, until } = walk.subscription;
  if (state === 'off') return;
  const isHeld = state === 'suspended' || (state === 'paused' && (until === null || until > now));
  const yesterday = addDays(dateAt(now), -1);
  for (let date = addDays(yesterday, -13); date <= dateAt(now); date = addDays(date, 1)) {
    // Nobody misses a day that began and ended long before.
    if (date < yesterday && !walk.days.has(date)) continue;
    const { openedAt = null } = walk.days.get(date) ?? {};
    const isNeverOpened = openedAt === null && walk.rows.has(`${date} opening`);
    const day = asOpened(scheduleOf(settings, date), openedAt ?? 0);
    if (day.opensAt < Math.max(since, setAt) || day.opensAt > now) continue;
    if (day.isWeekend && !settings.weekends) continue;
    for (const [step, dueAt, over] of [
      ['opening', day.opensAt, day.span.to] as const,
      ...day.steps.map(({ step, dueAt, endsAt }) => [step, dueAt, endsAt] as const),
    ]) {
      const isOwed = isHeld ? now >= over : dueAt <= now;
      if (isOwed && !isNeverOpened && !walk.rows.has(`${date} ${step}`))
        throw new Error(`${settings.zone}: ${date} ${step} is left out without a reason`);
    }
  }
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
    return {
      ...subscription,
      state: 'active',
      until: null,
      setAt: now,
      since,
    };
  }
  if (chance < 0.3) return { ...subscription, state: 'off', until: null };
  if (chance < 0.45) return { ...subscription, state: 'paused', until: now + Math.floor(next() * 5 * DAY) };
  if (chance < 0.55) return { ...subscription, state: 'suspended', until: null };
  const settings = { ...DEFAULT_SETTINGS, ...randomSettings(next) };
  return { ...subscription, settings, setAt: now };
}

/** Zones of every kind: half and quarter hours, both hemispheres, far east and west, with and without daylight saving. */
const ZONES = [
  'America/New_York',
  'America/Los_Angeles',
  'America/Chicago',
  'America/St_Johns',
  'America/Sao_Paulo',
  'America/Santiago',
  'America/Havana',
  'Europe/London',
  'Europe/Dublin',
  'Europe/Berlin',
  'Europe/Athens',
  'Europe/Moscow',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Africa/Nairobi',
  'Asia/Beirut',
  'Asia/Tehran',
  'Asia/Dubai',
  'Asia/Kabul',
  'Asia/Karachi',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Asia/Yangon',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Adelaide',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Australia/Sydney',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Honolulu',
  'Pacific/Pago_Pago',
] as const;
