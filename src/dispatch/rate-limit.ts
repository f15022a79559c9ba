import { LRUCache } from 'lru-cache';
import { type ChannelRef, channelKey } from '../core/channel-ref.ts';

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

/** Entries of each kind. More than one process answers in a window, so nobody is forgotten within theirs. */
const MAX_REMEMBERED = 10_000;
/** By size: with `max`, the cache would allocate room for all entries at once, which takes milliseconds. */
const BOUNDS = { maxSize: MAX_REMEMBERED, sizeCalculation: () => 1 };

interface Usage {
  /** When the commands of the last window were accepted, oldest first. */
  times: number[];
  explainedAt: number;
}

/**
 * A sliding window over accepted commands. Refused ones don't count, so that waiting always helps, and a
 * person who floods a channel uses no more of its share than their own limit.
 *
 * @example rateLimiter.take('5', { tenant: 'discord:1', channel: '10' }, clock.now()).ok
 */
export class RateLimiter {
  readonly #people = new LRUCache<string, Usage>(BOUNDS);
  readonly #channels = new LRUCache<string, Usage>(BOUNDS);

  take(person: string, { tenant, channel }: ChannelRef, now: number): Rated {
    const one = usageOf(this.#people, channelKey({ tenant, channel: person }), now);
    const all = usageOf(this.#channels, channelKey({ tenant, channel }), now);
    if (one.times.length < LIMITS.person && all.times.length < LIMITS.channel) {
      one.times.push(now);
      all.times.push(now);
      return { ok: true };
    }
    const isExplained = one.explainedAt <= now && now - one.explainedAt < LIMITS.window;
    if (!isExplained) one.explainedAt = now;
    const whose = one.times.length >= LIMITS.person ? 'person' : 'channel';
    const [oldest = now] = (whose === 'person' ? one : all).times;
    return { ok: false, whose, isExplained, wait: oldest + LIMITS.window - now };
  }

  /** How many people and channels are remembered. */
  get size(): number {
    return this.#people.size + this.#channels.size;
  }
}

function usageOf(usages: LRUCache<string, Usage>, key: string, now: number): Usage {
  const usage = usages.get(key) ?? { times: [], explainedAt: Number.NEGATIVE_INFINITY };
  // A clock that was set back leaves times in the future, which would never leave the window.
  usage.times = usage.times.filter((time) => time <= now && now - time < LIMITS.window);
  usages.set(key, usage);
  return usage;
}
