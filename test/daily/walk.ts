/** Walks a channel through time, minute by minute or from change to change, as the tick would, and keeps what was planned. */
import type { PuzzleDate } from '../../src/core/clock.ts';
import { type Plan, type PlannedSubscription, planOf } from '../../src/daily/plan/plan.ts';
import type { Schedules } from '../../src/daily/plan/schedule.ts';
import type { DayStep } from '../../src/daily/types.ts';
import { addDays, dateAt } from '../../src/puzzle/calendar.ts';
import type { Reason } from '../../src/store/reasons.ts';
import type { DeliveryState } from '../../src/store/schema.ts';

export interface Posted {
  readonly at: number;
  readonly dueAt: number;
  readonly skip?: Reason;
}

export class Walk {
  subscription: PlannedSubscription;
  /** By date and step. A key that is planned twice is a fault at once. */
  readonly rows = new Map<string, Posted>();
  readonly twice: string[] = [];
  readonly #schedules: Schedules;
  #from: PuzzleDate | undefined;

  constructor(subscription: PlannedSubscription, schedules: Schedules) {
    this.subscription = subscription;
    this.#schedules = schedules;
  }

  /** As after a restart, nothing is remembered but the rows. */
  forget(): void {
    this.#from = undefined;
  }

  /** One tick; openings succeed at once, so steps follow in the same minute. */
  tick(now: number): Plan {
    const today = dateAt(now);
    const from = this.#from ?? addDays(today, -14);
    let plan = this.#plan(now, from);
    if (plan.isWaiting) plan = this.#plan(now, from);
    this.#from = addDays(today, -2) < from ? addDays(today, -2) : addDays(today, -1);
    return plan;
  }

  #plan(now: number, from: PuzzleDate): Plan {
    const plan = planOf({
      now,
      schedules: this.#schedules,
      subscription: this.subscription,
      from,
      stateOf: (date, step) => this.stateOf(date, step),
      openedAt: (date) => this.openedAt(date),
    });
    for (const { date, step, dueAt, skip } of plan.steps) {
      const key = `${date} ${step}`;
      if (this.rows.has(key)) this.twice.push(key);
      this.rows.set(key, { at: now, dueAt, ...(skip !== undefined && { skip }) });
    }
    return plan;
  }

  stateOf(date: PuzzleDate, step: DayStep): DeliveryState | undefined {
    const row = this.rows.get(`${date} ${step}`);
    if (row === undefined) return undefined;
    return row.skip === undefined ? 'sent' : 'skipped';
  }

  openedAt(date: PuzzleDate): number | undefined {
    const opening = this.rows.get(`${date} opening`);
    return opening?.skip === undefined ? opening?.at : undefined;
  }
}
