import type { Log } from '../../core/log.ts';

/** Milliseconds. Hosts kill a process ten seconds after they asked it to stop. */
export const PATIENCE = 9_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopOptions {
  /** Stops everything in the right order. */
  readonly stop: () => Promise<void>;
  readonly log: Log;
  readonly exit: (status: number) => void;
  readonly patience?: number;
  /**
   * Milliseconds after the first signal in which another counts as the same one: npm forwards a signal that
   * the terminal or the host has already sent to the whole process group.
   */
  readonly echo?: number;
  /** Where signals come from: the process, except in tests. */
  readonly signals?: NodeJS.EventEmitter;
}

/**
 * Stops the process gracefully at the first SIGTERM or SIGINT, and at once at the second. Deliveries that do
 * not end in time are continued by the next process, after their leases expire.
 */
export function stopOnSignals({
  stop,
  log,
  exit,
  patience = PATIENCE,
  echo = 0,
  signals = process,
}: StopOptions): (status: number) => void {
  let isStopping = false;
  let since = 0;

  async function end(status: number): Promise<void> {
    setTimeout(() => {
      log.error({ patience }, 'not everything ended in time; the next process continues the rest');
      exit(1);
    }, patience);
    try {
      await stop();
      log.info({}, 'stopped');
      exit(status);
    } catch (error) {
      log.error({ err: error }, 'stopping failed');
      exit(1);
    }
  }

  for (const signal of SIGNALS) {
    signals.on(signal, () => {
      if (isStopping && performance.now() - since < echo) return;
      if (isStopping) {
        log.warn({ signal }, 'a second signal: exiting at once');
        exit(signal === 'SIGINT' ? 130 : 143);
        return;
      }
      isStopping = true;
      since = performance.now();
      log.info({ signal }, 'stopping: refusing new work and finishing what has begun');
      void end(0);
    });
  }
  return (status) => {
    if (isStopping) return;
    isStopping = true;
    void end(status);
  };
}

export type End = () => unknown;

/** What ends the parts that were opened, in the reverse order. */
export class Ends {
  readonly #ends: End[] = [];

  add(...ends: readonly End[]): void {
    this.#ends.push(...ends);
  }

  /** Ends every part, although another one fails to; then rejects with the first failure. */
  async all(): Promise<void> {
    const failures: unknown[] = [];
    for (let end = this.#ends.pop(); end !== undefined; end = this.#ends.pop()) {
      try {
        await end();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
