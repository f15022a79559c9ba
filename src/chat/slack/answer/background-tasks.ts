import { setImmediate, setTimeout } from 'node:timers/promises';

/** Milliseconds. Requests that are sent together with the first arrive within it. */
const FIRST_PAUSE = 15;

/**
 * What goes on after Slack has its acknowledgement. One task starts in each round of the event loop, and the
 * first after a short pause. Otherwise, of fifty commands at once, the first would keep the process busy while
 * the last still wait for their acknowledgement.
 */
export class BackgroundTasks {
  readonly #running = new Set<Promise<void>>();
  readonly #receiving = new Set<Promise<void>>();
  readonly #onError: (error: unknown) => void;
  #start: Promise<unknown> = Promise.resolve();

  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  add(task: () => Promise<void>): void {
    this.#start = this.#running.size === 0 ? setTimeout(FIRST_PAUSE) : this.#start.then(() => setImmediate());
    const running = this.#start
      .then(task)
      .catch(this.#onError)
      .finally(() => this.#running.delete(running));
    this.#running.add(running);
  }

  /** Receives a request. Slack may have its acknowledgement before it is known which task it adds. */
  async receive(request: () => Promise<void>): Promise<void> {
    const receiving = request();
    this.#receiving.add(receiving);
    await receiving.finally(() => this.#receiving.delete(receiving));
  }

  /** Resolves when no task is left, and no request is received that may add one. */
  async done(): Promise<void> {
    while (this.#running.size + this.#receiving.size > 0)
      await Promise.allSettled([...this.#running, ...this.#receiving]);
  }
}
