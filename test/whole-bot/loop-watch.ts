import { createHistogram } from 'node:perf_hooks';

/** Milliseconds between looks: a callback that takes longer makes the next look late. */
const LOOK = 5;

export interface LoopDelay {
  /** Milliseconds by which looks were late: that long, nobody was answered. Includes what other programs took. */
  readonly p99: number;
  readonly worst: number;
  /**
   * Milliseconds of processor time that this thread used at most between two looks. Unlike the delay, it does not
   * grow when the machine has other work to do. The clock behind it may tick only every 4 ms.
   */
  readonly busiest: number;
}

/** Measures for how long callbacks keep the event loop of this thread from everything else. */
export class LoopWatch {
  /** In microseconds. */
  readonly #late = createHistogram();
  #busiest = 0;
  #at = performance.now();
  #spent = process.threadCpuUsage();

  constructor() {
    setInterval(() => this.#look(), LOOK).unref();
  }

  /** Since the last time it was asked. */
  take(): LoopDelay {
    this.#look();
    const inMilliseconds = (microseconds: number) => microseconds / 1000;
    const taken: LoopDelay = {
      p99: inMilliseconds(this.#late.percentile(99)),
      worst: inMilliseconds(this.#late.max),
      busiest: this.#busiest,
    };
    this.#late.reset();
    this.#busiest = 0;
    return taken;
  }

  #look(): void {
    const { user, system } = process.threadCpuUsage(this.#spent);
    const now = performance.now();
    this.#busiest = Math.max(this.#busiest, (user + system) / 1000);
    // A histogram takes whole numbers from 1 on.
    this.#late.record(Math.max(1, Math.round(1000 * (now - this.#at - LOOK))));
    this.#at = now;
    this.#spent = process.threadCpuUsage();
  }
}
