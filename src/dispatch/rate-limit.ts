/** How many commands one person, and one channel, may run in a window (milliseconds) before they have to wait. */
export const LIMITS = { window: 30_000, person: 10, channel: 60 } as const;

/** `isExplained`: an earlier refusal of this window has explained it already. */
export type Rated = { readonly ok: true } | Refused;
export interface Refused {
  readonly ok: false;
  readonly whose: 'person' | 'channel';
  readonly isExplained: boolean;
  /** Milliseconds until there is room again. */
  readonly wait: number;
}

interface Usage {
  /** When the commands of the last window were accepted, oldest first. */
  times: number[];
  explainedAt: number;
}

/**
 * A sliding window over accepted commands. Refused ones don't count, so that waiting always helps, and a
 * person who floods a channel uses no more of its share than their own limit.
 *
 * @example rate.take('discord:1 5', 'discord:1 10', clock.now()).ok
 */
export class Rate {
  /** Least recently active first, so that those whose window is over are found at the front. */
  readonly #askers = new Map<string, Usage>();

  take(person: string, channel: string, now: number): Rated {
    this.#forget(now);
    const [one, all] = [this.#of(`person ${person}`, now), this.#of(`channel ${channel}`, now)];
    const full = one.times.length >= LIMITS.person ? 'person' : 'channel';
    if (one.times.length < LIMITS.person && all.times.length < LIMITS.channel) {
      one.times.push(now);
      all.times.push(now);
      return { ok: true };
    }
    const isExplained = one.explainedAt <= now && now - one.explainedAt < LIMITS.window;
    if (!isExplained) one.explainedAt = now;
    const [oldest = now] = (full === 'person' ? one : all).times;
    return { ok: false, whose: full, isExplained, wait: oldest + LIMITS.window - now };
  }

  /** How many people and channels are remembered. */
  get size(): number {
    return this.#askers.size;
  }

  #of(key: string, now: number): Usage {
    const asker = this.#askers.get(key) ?? { times: [], explainedAt: Number.NEGATIVE_INFINITY };
    // A clock that was set back leaves times in the future, which would never leave the window.
    asker.times = asker.times.filter((time) => time <= now && now - time < LIMITS.window);
    this.#askers.delete(key);
    this.#askers.set(key, asker);
    return asker;
  }

  #forget(now: number): void {
    for (const [key, { times, explainedAt }] of this.#askers) {
      const last = Math.max(times.at(-1) ?? Number.NEGATIVE_INFINITY, explainedAt);
      if (last <= now && now - last < LIMITS.window) return;
      this.#askers.delete(key);
    }
  }
}
