import type { Log } from '../../core/log.ts';
import type { DeliveryKey } from '../../store/tables/delivery-row.ts';
import type { Processes } from '../../store/tables/processes.ts';
import { logFault } from '../log-fault.ts';

const WATCH_EVERY = 5_000;

export interface ProcessWatchOptions {
  readonly processes: Processes;
  readonly log: Log;
  readonly now: () => number;
  readonly owner: string;
  /** Called with what a process that has ended was posting. */
  readonly onFreed: (freed: readonly DeliveryKey[]) => void;
}

/** Shows the others that this process is there, and takes over from those that have ended. */
export class ProcessWatch {
  readonly #options: ProcessWatchOptions;
  #timer: ReturnType<typeof setInterval> | undefined;
  #watching: Promise<void> | undefined;

  constructor(options: ProcessWatchOptions) {
    this.#options = options;
  }

  /** Looks once before it resolves, so that what was left behind is there for the first claims. */
  async start(): Promise<void> {
    await this.#watch();
    this.#timer = setInterval(() => {
      this.#watching ??= this.#watch().finally(() => {
        this.#watching = undefined;
      });
    }, WATCH_EVERY);
  }

  /** To be called when this process holds no lease any more. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#watching;
    const { processes, log, owner } = this.#options;
    try {
      await processes.leave(owner);
    } catch (error) {
      logFault(log, error, {}, 'the other processes could not be told that this one stops');
    }
  }

  async #watch(): Promise<void> {
    const { processes, log, now, owner, onFreed } = this.#options;
    try {
      const freed = await processes.watch(owner, now());
      if (freed.length === 0) return;
      log.warn(
        { deliveries: freed.length },
        'a process ended while it was posting: its posts are taken over',
      );
      onFreed(freed);
    } catch (error) {
      logFault(log, error, {}, 'looking for processes that have ended failed; leases run out all the same');
    }
  }
}
