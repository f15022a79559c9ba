import { type RateLimitData, type REST, RESTEvents } from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { CODE } from './errors.ts';

/** Milliseconds. A later edit is of no use, whatever it waits for. */
const LONGEST_WAIT = 5_000;
/** The library asks whether to wait right after a refusal, so only those of this moment matter. */
const MOST_REFUSALS = 1_000;

const REFUSAL = v.object({ code: v.optional(v.number()) });

/**
 * Gives up edits that Discord rations: of messages older than an hour it takes only some each hour (30046),
 * and the pause that it advises is far too short. Who follows that advice retries over and over, and each
 * retry counts as an invalid request.
 */
export class OldEdits {
  /** The code of the last refusal by path, from the response to the question of the library. */
  readonly #refusals = new LRUCache<string, Promise<number | undefined>>({ max: MOST_REFUSALS });

  /** Notes the code of each refused edit. */
  watch(rest: REST): void {
    rest.on(RESTEvents.Response, ({ method, path }, response) => {
      if (method !== 'PATCH' || response.status !== 429) return;
      const code = response.json().then(
        (body) => (v.is(REFUSAL, body) ? body.code : undefined),
        () => undefined,
      );
      this.#refusals.set(path, code);
    });
  }

  /** Whether to give up rather than wait: the answer to the library's `rejectOnRateLimit`. */
  async giveUp({ method, url, retryAfter }: Pick<RateLimitData, 'method' | 'url' | 'retryAfter'>) {
    if (method !== 'PATCH') return false;
    const [path] = /\/channels\/.*$/.exec(url) ?? [''];
    const code = await this.#refusals.get(path);
    this.#refusals.delete(path);
    return code === CODE.editCap || retryAfter > LONGEST_WAIT;
  }
}
