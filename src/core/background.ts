import { AsyncLocalStorage } from 'node:async_hooks';

const background = new AsyncLocalStorage<true>();

/**
 * Runs what nobody waits for, such as the daily threads. It holds for everything that is begun in it, timers included:
 * where there are queues, people's requests take turns with it.
 *
 * @example inBackground(() => daily.start())
 */
export function inBackground<Result>(act: () => Result): Result {
  return background.run(true, act);
}

function isInBackground(): boolean {
  return background.getStore() === true;
}

/** One caller at a time. What people wait for and what the bot does by itself take turns. */
export class FairTurns {
  readonly #people: (() => void)[] = [];
  readonly #background: (() => void)[] = [];
  #isTaken = false;
  #wasInBackground = false;

  take(): Promise<void> {
    if (this.#isTaken) {
      const waiting = isInBackground() ? this.#background : this.#people;
      return new Promise((resolve) => waiting.push(resolve));
    }
    this.#isTaken = true;
    this.#wasInBackground = isInBackground();
    return Promise.resolve();
  }

  give(): void {
    const [first, second] = this.#wasInBackground
      ? [this.#people, this.#background]
      : [this.#background, this.#people];
    const next = first.length > 0 ? first : second;
    this.#wasInBackground = next === this.#background;
    const begin = next.shift();
    this.#isTaken = begin !== undefined;
    begin?.();
  }
}
