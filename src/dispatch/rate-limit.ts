import { LRUCache } from 'lru-cache';
import type { Limits } from '../config/settings.ts';
import { atMost } from '../core/cache.ts';
import { type ChannelRef, channelKey, doorOf } from '../core/channel-ref.ts';

/** Milliseconds in which commands are counted. */
export const RATE_WINDOW = 30_000;

/** `isExplained`: an earlier refusal of this window has explained it already. */
export type Rated = { readonly ok: true } | Refused;
export interface Refused {
  readonly ok: false;
  readonly whose: 'person' | 'channel';
  readonly isExplained: boolean;
  /** Milliseconds until there is room again. */
  readonly wait: number;
}

/** How many commands a person and a channel may run within the window. */
export type RateLimits = Pick<Limits, 'commandsPerPerson' | 'commandsPerChannel'>;

/** What a command counts for: as a whole one, or as half of one. */
export type Cost = 1 | 0.5;

/** Entries of each kind: more than one process can answer in a window, so nobody is forgotten within it. */
const MAX_REMEMBERED = 10_000;

interface Usage {
  /** When half commands of the last window were accepted, oldest first; a whole command is there twice. */
  times: number[];
  explainedAt: number;
}

/**
 * A sliding window over accepted commands. Refused ones don't count, so that waiting always helps, and a
 * person who floods a channel uses no more of its share than their own limit. A person has one limit for all
 * servers or workspaces of a platform.
 *
 * @example rateLimiter.take('5', { tenant: 'discord:1', channel: '10' }, clock.now(), 1).ok
 */
export class RateLimiter {
  readonly #people = new LRUCache<string, Usage>(atMost(MAX_REMEMBERED));
  readonly #channels = new LRUCache<string, Usage>(atMost(MAX_REMEMBERED));
  readonly #limits: RateLimits;

  constructor(limits: RateLimits) {
    this.#limits = limits;
  }

  take(person: string, { tenant, channel }: ChannelRef, now: number, cost: Cost): Rated {
    const { commandsPerPerson, commandsPerChannel } = this.#limits;
    const one = usageOf(this.#people, `${doorOf(tenant)}:${person}`, now);
    const all = usageOf(this.#channels, channelKey({ tenant, channel }), now);
    const excess = {
      person: one.times.length + 2 * (cost - commandsPerPerson),
      channel: all.times.length + 2 * (cost - commandsPerChannel),
    };
    if (excess.person <= 0 && excess.channel <= 0) {
      for (const { times } of [one, all]) for (let half = 0; half < 2 * cost; half++) times.push(now);
      return { ok: true };
    }
    const isExplained = one.explainedAt <= now && now - one.explainedAt < RATE_WINDOW;
    if (!isExplained) one.explainedAt = now;
    const whose = excess.person > 0 ? 'person' : 'channel';
    // When this one leaves the window, there is room for the command that was refused.
    const last = (whose === 'person' ? one : all).times[excess[whose] - 1] ?? now;
    return { ok: false, whose, isExplained, wait: last + RATE_WINDOW - now };
  }

  /** How many people and channels are remembered. */
  get size(): number {
    return this.#people.size + this.#channels.size;
  }
}

function usageOf(usages: LRUCache<string, Usage>, key: string, now: number): Usage {
  const usage = usages.get(key) ?? { times: [], explainedAt: Number.NEGATIVE_INFINITY };
  // A clock that was set back leaves times in the future, which would never leave the window.
  usage.times = usage.times.filter((time) => time <= now && now - time < RATE_WINDOW);
  usages.set(key, usage);
  return usage;
}
