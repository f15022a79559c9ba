import { LRUCache } from 'lru-cache';
import type { Limits } from '../config/limits.ts';
import { type ChannelRef, channelKey, doorOf } from '../core/channel-ref.ts';
import { atMost } from '../core/concurrency.ts';

/** Milliseconds in which commands are counted. */
export const RATE_WINDOW_MS = 30_000;

/** Why a command is not accepted now. */
export interface Limited {
  readonly whose: 'person' | 'channel';
  /** Whether an earlier refusal in this window explained the limit. */
  readonly wasExplained: boolean;
  /** Milliseconds until whose limit it is has room again. */
  readonly wait: number;
}

/** Entries of each kind. A process answers fewer commands in a window, so no entry is evicted while it counts. */
const MAX_REMEMBERED = 10_000;

interface Usage {
  /** The moments at which commands of the last window were accepted, oldest first: one for each half of a command. */
  times: number[];
  explainedAt: number;
}

/**
 * A sliding window over accepted commands. Refused ones don't count, so that waiting always helps, and a
 * person who floods a channel uses no more of its share than their own limit. A person has one limit for all
 * servers or workspaces of a platform.
 *
 * @example rateLimiter.take('5', { tenant: 'discord:1', channel: '10' }, clock.now(), 1) // undefined
 */
export class RateLimiter {
  readonly #people = new LRUCache<string, Usage>(atMost(MAX_REMEMBERED));
  readonly #channels = new LRUCache<string, Usage>(atMost(MAX_REMEMBERED));
  readonly #limits: Pick<Limits, 'commandsPerPerson' | 'commandsPerChannel'>;

  constructor(limits: Pick<Limits, 'commandsPerPerson' | 'commandsPerChannel'>) {
    this.#limits = limits;
  }

  /** @param cost 0.5 for a command that counts as half of one */
  take(person: string, { tenant, channel }: ChannelRef, now: number, cost: 1 | 0.5): Limited | undefined {
    const { commandsPerPerson, commandsPerChannel } = this.#limits;
    const usage = {
      person: usageOf(this.#people, `${doorOf(tenant)}:${person}`, now),
      channel: usageOf(this.#channels, channelKey({ tenant, channel }), now),
    };
    const excess = {
      person: usage.person.times.length + 2 * (cost - commandsPerPerson),
      channel: usage.channel.times.length + 2 * (cost - commandsPerChannel),
    };
    if (excess.person <= 0 && excess.channel <= 0) {
      for (const { times } of Object.values(usage))
        for (let half = 0; half < 2 * cost; half++) times.push(now);
      return undefined;
    }
    const { explainedAt } = usage.person;
    const wasExplained = explainedAt <= now && now - explainedAt < RATE_WINDOW_MS;
    if (!wasExplained) usage.person.explainedAt = now;
    const whose = excess.person > 0 ? 'person' : 'channel';
    // When the command of this time leaves the window, there is room for the refused one.
    const time = usage[whose].times[excess[whose] - 1]!;
    return { whose, wasExplained, wait: time + RATE_WINDOW_MS - now };
  }
}

function usageOf(usages: LRUCache<string, Usage>, key: string, now: number): Usage {
  const usage = usages.get(key) ?? { times: [], explainedAt: Number.NEGATIVE_INFINITY };
  // A clock that was set back leaves times in the future, which would never leave the window.
  usage.times = usage.times.filter((time) => time <= now && now - time < RATE_WINDOW_MS);
  usages.set(key, usage);
  return usage;
}
