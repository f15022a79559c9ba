import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Milliseconds between looks: a callback that takes longer makes the next look late. */
const LOOK = 5;

export interface LoopDelay {
  /** Milliseconds by which the event loop was late, as the histogram of `monitorEventLoopDelay` has them. */
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
  readonly #histogram = monitorEventLoopDelay({ resolution: LOOK });
  #busiest = 0;

  constructor() {
    this.#histogram.enable();
    let before = process.threadCpuUsage();
    setInterval(() => {
      const used = process.threadCpuUsage(before);
      before = process.threadCpuUsage();
      this.#busiest = Math.max(this.#busiest, (used.user + used.system) / 1000);
    }, LOOK).unref();
  }

  /** Since the last time it was asked. */
  take(): LoopDelay {
    const { max, exceeds } = this.#histogram;
    const late = (nanoseconds: number) => Math.max(0, nanoseconds / 1e6 - LOOK);
    const taken = { p99: late(this.#histogram.percentile(99)), worst: late(max), busiest: this.#busiest };
    this.#histogram.reset();
    this.#busiest = 0;
    return exceeds > 0 ? { ...taken, worst: Number.POSITIVE_INFINITY } : taken;
  }
}
