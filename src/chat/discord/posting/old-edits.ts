import { type RateLimitData, type REST, RESTEvents } from 'discord.js';
import { CODE } from './errors.ts';

/** An edit that has to wait longer comes too late, whatever it waits for. */
const LONGEST_WAIT = 5_000;

/**
 * Edits of messages older than an hour are rationed by the hour (30046), and Discord's advice how long to wait
 * for the next is short: whoever takes it asks over and over, and each time counts as an invalid request.
 */
export class OldEdits {
  readonly #refused = new Map<string, Promise<number | undefined>>();

  /** Told of every answer to a client's requests. */
  watch(rest: REST): void {
    rest.on(RESTEvents.Response, ({ method, path }, response) => {
      if (method !== 'PATCH' || response.status !== 429) return;
      const code = response.json().then(
        (body) => (body as { code?: number }).code,
        () => undefined,
      );
      this.#refused.set(path, code);
    });
  }

  /** Whether to give up rather than wait, as the library asks it before it waits. */
  async giveUp({ method, url, retryAfter }: Pick<RateLimitData, 'method' | 'url' | 'retryAfter'>) {
    if (method !== 'PATCH') return false;
    const [path] = /\/channels\/.*$/.exec(url) ?? [''];
    const code = await this.#refused.get(path);
    this.#refused.delete(path);
    return code === CODE.editCap || retryAfter > LONGEST_WAIT;
  }
}
