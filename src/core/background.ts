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

export function isInBackground(): boolean {
  return background.getStore() === true;
}
