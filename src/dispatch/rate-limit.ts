/** How much one person, and one place, may ask for before they have to wait. */
export const LIMITS = { window: 30_000, person: 10, place: 60 } as const;

/** `told` is set on the first refusal within a window: that one is explained, those after it only repeated. */
export type Rated = { readonly ok: true } | Refused;
export interface Refused {
  readonly ok: false;
  readonly whose: 'person' | 'place';
  readonly told: boolean;
  /** Milliseconds until there is room again. */
  readonly wait: number;
}

interface Asker {
  /** When the commands of the last window were taken on, oldest first. */
  times: number[];
  toldAt: number;
}

/**
 * A sliding window over what was taken on. Refused commands don't count, so that waiting always helps, and
 * one person's flood takes no more of their place's share than they were allowed themselves.
 *
 * @example rate.take('discord:1 5', 'discord:1 10', clock.now()).ok
 */
export class Rate {
  /** Least recently active first, so that those long silent are found and forgotten at the front. */
  readonly #askers = new Map<string, Asker>();

  take(person: string, channel: string, now: number): Rated {
    this.#forget(now);
    const [one, all] = [this.#of(`person ${person}`, now), this.#of(`place ${channel}`, now)];
    const full = one.times.length >= LIMITS.person ? 'person' : 'place';
    if (one.times.length < LIMITS.person && all.times.length < LIMITS.place) {
      one.times.push(now);
      all.times.push(now);
      return { ok: true };
    }
    const told = one.toldAt <= now && now - one.toldAt < LIMITS.window;
    if (!told) one.toldAt = now;
    const [oldest = now] = (full === 'person' ? one : all).times;
    return { ok: false, whose: full, told, wait: oldest + LIMITS.window - now };
  }

  /** How many people and places are remembered. */
  get size(): number {
    return this.#askers.size;
  }

  #of(key: string, now: number): Asker {
    const asker = this.#askers.get(key) ?? { times: [], toldAt: Number.NEGATIVE_INFINITY };
    // A clock that was set back leaves moments to come, which would never leave the window.
    asker.times = asker.times.filter((time) => time <= now && now - time < LIMITS.window);
    this.#askers.delete(key);
    this.#askers.set(key, asker);
    return asker;
  }

  #forget(now: number): void {
    for (const [key, { times, toldAt }] of this.#askers) {
      const last = Math.max(times.at(-1) ?? Number.NEGATIVE_INFINITY, toldAt);
      if (last <= now && now - last < LIMITS.window) return;
      this.#askers.delete(key);
    }
  }
}
