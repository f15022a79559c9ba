import { LRUCache } from 'lru-cache';
import { atMost } from '../core/cache.ts';
import type { Clock } from '../core/clock.ts';
import type { BudgetSettings } from './settings.ts';

interface Bucket {
  /** Milliseconds left at that time; negative after a job that took more than there was. */
  readonly left: number;
  readonly at: number;
}

/**
 * A token bucket for each person. What a job takes is known only afterwards, so the last job may overdraw
 * the budget, and the debt is paid off by waiting.
 */
export class Budget {
  readonly #settings: BudgetSettings;
  readonly #clock: Clock;
  readonly #buckets: LRUCache<string, Bucket>;

  constructor(settings: BudgetSettings, clock: Clock) {
    this.#settings = settings;
    this.#clock = clock;
    this.#buckets = new LRUCache(atMost(settings.people));
  }

  /** Milliseconds until this person may have another job started; 0 for now. */
  waitOf(person: string): number {
    const { milliseconds, window } = this.#settings;
    const left = this.#left(person);
    // With nothing left at all, a job may start as soon as there is anything.
    return left > 0 ? 0 : Math.max(1, Math.round((-left * window) / milliseconds));
  }

  charge(person: string, milliseconds: number): void {
    this.#buckets.set(person, { left: this.#left(person) - milliseconds, at: this.#clock.now() });
  }

  #left(person: string): number {
    const { milliseconds, window } = this.#settings;
    const bucket = this.#buckets.get(person);
    if (bucket === undefined) return milliseconds;
    // A clock that was set back refills nothing.
    const elapsed = Math.max(0, this.#clock.now() - bucket.at);
    return Math.min(milliseconds, bucket.left + (elapsed * milliseconds) / window);
  }
}
