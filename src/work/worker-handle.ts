import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { errorCode } from '../core/errors.ts';
import { asJobError, WorkerLost, type WorkSettings, WorkTimeout } from './job.ts';
import type { FromWorker, Order, Report } from './worker.ts';

const MEGABYTE = 2 ** 20;
/** Milliseconds between checks of a busy worker's memory outside the heap. */
const MEMORY_CHECK_MS = 100;

interface Events {
  readonly onReady: () => void;
  /** Called if the worker ends before it was ready for a job. */
  readonly onFailed: (error: Error) => void;
  /** Called when the thread is gone, which may be a while after its end: native code runs until it returns. */
  readonly onExit: () => void;
}

/**
 * One worker, from the side of the thread that started it. It runs one job at a time. Why not piscina (5.3.2): it doesn't say
 * when a job starts, from which the deadline counts, and limits neither the start of a worker nor its typed arrays. An empty
 * job takes 0.025 ms with either, and piscina 8 MB.
 */
export class WorkerHandle {
  readonly #worker: Worker;
  readonly #settings: WorkSettings;
  readonly #events: Events;
  #state: 'starting' | 'idle' | 'running' | 'ended' = 'starting';
  /** Ends the worker if it stays in its state for too long. */
  #timer: NodeJS.Timeout | undefined;
  #running: PromiseWithResolvers<Report> | undefined;

  constructor(worker: Worker, settings: WorkSettings, events: Events) {
    this.#worker = worker;
    this.#settings = settings;
    this.#events = events;
    worker.on('message', (message: FromWorker) => this.#receive(message));
    worker.on('error', (error: Error) => {
      const outOfMemory = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end(outOfMemory ? new WorkerLost('memory') : asJobError(error));
    });
    worker.on('exit', () => {
      this.#end(new WorkerLost('ended'));
      events.onExit();
    });
    this.#endAfter(settings.start, () => new WorkerLost('ended'));
  }

  get state() {
    return this.#state;
  }

  /** An error that the job threw is part of the report. Rejects with the reason why this worker ended, if it did. */
  async run(order: Order): Promise<Report> {
    // Throws if the input is no plain data.
    this.#worker.postMessage(order);
    this.#worker.ref();
    this.#state = 'running';
    this.#endAfter(order.deadline + this.#settings.grace, () => new WorkTimeout());
    this.#running = Promise.withResolvers();
    void this.#watchMemory(this.#running);
    return this.#running.promise;
  }

  /** Ends the worker; a running job rejects. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#end(new WorkerLost('ended'));
    await this.#worker.terminate();
  }

  #receive(message: FromWorker): void {
    if (this.#state === 'ended') return;
    const isTooLarge = message !== 'ready' && message.memory > this.#settings.memory.kept * MEGABYTE;
    // Only a worker that ends gives its memory back.
    if (isTooLarge) {
      this.#takeRunning()?.resolve(message);
      this.#end(new WorkerLost('ended'));
      return;
    }
    this.#state = 'idle';
    // An idle worker does not keep the process alive.
    this.#worker.unref();
    this.#endAfter(this.#settings.idle, () => new WorkerLost('ended'))?.unref();
    if (message === 'ready') this.#events.onReady();
    else this.#takeRunning()?.resolve(message);
  }

  /** @param makeReason called at the end only: an error takes a stack trace when it is made */
  #endAfter(milliseconds: number | undefined, makeReason: () => Error): NodeJS.Timeout | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (milliseconds === undefined) return undefined;
    const timer = setTimeout(() => {
      // A report may have arrived while this thread was busy: timers run before messages are read.
      setImmediate(() => this.#timer === timer && this.#end(makeReason()));
    }, milliseconds);
    this.#timer = timer;
    return timer;
  }

  /** A worker answers even while it is in a loop, but not within native code, so it is asked one question at a time. */
  async #watchMemory(running: PromiseWithResolvers<Report>): Promise<void> {
    for (;;) {
      await sleep(MEMORY_CHECK_MS, undefined, { ref: false });
      if (this.#running !== running) return;
      const statistics = await this.#worker.getHeapStatistics().catch(() => undefined);
      const arrays = statistics?.external_memory ?? 0;
      if (this.#running === running && arrays > this.#settings.memory.arrays * MEGABYTE)
        this.#end(new WorkerLost('memory'));
    }
  }

  #takeRunning(): PromiseWithResolvers<Report> | undefined {
    const running = this.#running;
    this.#running = undefined;
    return running;
  }

  #end(reason: Error): void {
    const before = this.#state;
    if (before === 'ended') return;
    this.#state = 'ended';
    clearTimeout(this.#timer);
    void this.#worker.terminate();
    if (before === 'starting') this.#events.onFailed(reason);
    this.#takeRunning()?.reject(reason);
  }
}
