import { LRUCache } from 'lru-cache';
import { channelKey } from '../../core/channel-ref.ts';
import { DAY } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
import type { App } from '../../dispatch/contract.ts';
import { tenantOf } from './events.ts';

const MAX_REMEMBERED = 5000;
/** Events of a conversation mark it again; buttons in it work for a month. */
const KEPT_MS = 400 * DAY;

/**
 * The bot's own conversations, for all processes of a store. A press does not say that it comes from one: an id that starts with
 * `D` may also be that of two people.
 */
export class DirectChannels {
  readonly #app: Pick<App, 'store' | 'clock' | 'log'>;
  readonly #remembered = new LRUCache<string, true>(atMost(MAX_REMEMBERED));

  constructor(app: Pick<App, 'store' | 'clock' | 'log'>) {
    this.#app = app;
  }

  async add(team: string, channel: string): Promise<void> {
    const { store, clock, log } = this.#app;
    const key = keyOf(team, channel);
    if (this.#remembered.has(key)) return;
    this.#remembered.set(key, true);
    try {
      await store.events.extend(key, clock.now() + KEPT_MS);
    } catch (err) {
      this.#remembered.delete(key);
      log.warn({ door: 'slack', err }, 'a private conversation could not be stored: its next event will be');
    }
  }

  async has(team: string, channel: string): Promise<boolean> {
    const key = keyOf(team, channel);
    if (!channel.startsWith('D')) return false;
    if (this.#remembered.has(key)) return true;
    const { store, clock, log } = this.#app;
    try {
      if ((await store.events.markedUntil(key, clock.now())) === undefined) return false;
    } catch (err) {
      // Taken for one in a channel, a hint would cost more; but without the store, none is recorded.
      log.warn(
        { door: 'slack', err },
        'a conversation could not be looked up: it is taken for one of others',
      );
      return false;
    }
    this.#remembered.set(key, true);
    return true;
  }
}

function keyOf(team: string, channel: string): string {
  return `slack-direct:${channelKey({ tenant: tenantOf(team), channel })}`;
}
