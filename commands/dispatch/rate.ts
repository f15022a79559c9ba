/** How many commands are answered in a window, per person and per place. */
export const RATE = { window: 30_000, person: 10, place: 60 } as const;
/** Enough for a busy day; beyond it, those who have been quiet are forgotten first. */
const MOST_KEPT = 20_000;

export type Verdict =
  | { readonly ok: true }
  /** `wait`: milliseconds until the next one is answered. */
  | { readonly ok: false; readonly whose: 'person' | 'place'; readonly wait: number };

/** Remembers in memory who asked when; each process counts for itself. */
export class RateLimiter {
  readonly #asked = new Map<string, number[]>();

  /** Counts a command, unless it is one too many. */
  take(person: string, place: string, now: number): Verdict {
    const own = this.#recent(`person ${person}`, now);
    const all = this.#recent(`place ${place}`, now);
    if (own.length >= RATE.person) return { ok: false, whose: 'person', wait: own[0]! + RATE.window - now };
    if (all.length >= RATE.place) return { ok: false, whose: 'place', wait: all[0]! + RATE.window - now };
    own.push(now);
    all.push(now);
    this.#forget(now);
    return { ok: true };
  }

  #recent(key: string, now: number): number[] {
    // A clock that was set back counts as a new window: nobody is locked out by it.
    const recent = (this.#asked.get(key) ?? []).filter((at) => at > now - RATE.window && at <= now);
    this.#asked.delete(key);
    this.#asked.set(key, recent);
    return recent;
  }

  #forget(now: number): void {
    for (const [key, asked] of this.#asked) {
      const isQuiet = (asked.at(-1) ?? 0) <= now - RATE.window;
      if (!isQuiet && this.#asked.size <= MOST_KEPT) return;
      this.#asked.delete(key);
    }
  }
}
