import type { Log } from '../../core/log.ts';

/** Hosts kill a process ten seconds after they asked it to stop. */
export const PATIENCE = 9_500;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

export interface StopOptions {
  /** Ends everything, in whatever order it takes. */
  readonly stop: () => Promise<void>;
  readonly log: Log;
  readonly exit: (status: number) => void;
  readonly patience?: number;
  /**
   * Milliseconds after the first signal in which others count as the same one: npm hands on what the
   * terminal, or the host, has sent to the whole group of processes already.
   */
  readonly echo?: number;
  /** The process, unless it is a test. */
  readonly signals?: NodeJS.EventEmitter;
}

/**
 * Stops the process in good order at the first SIGTERM or SIGINT, and at once at the second. What has not
 * ended in time is left: deliveries are taken up again by the next process, after their leases.
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
      log.error({ patience }, 'not everything ended in time; the next process takes it up');
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
        log.warn({ signal }, 'a second signal: ending at once');
        exit(signal === 'SIGINT' ? 130 : 143);
        return;
      }
      isStopping = true;
      since = performance.now();
      log.info({ signal }, 'stopping: nothing new is taken on, what was begun is finished');
      void end(0);
    });
  }
  return (status) => {
    if (isStopping) return;
    isStopping = true;
    void end(status);
  };
}
