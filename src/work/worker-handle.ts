import { setTimeout as sleep } from 'node:timers/promises';
import type { Worker } from 'node:worker_threads';
import { errorCode } from '../core/errors.ts';
import { packError, unpackError, WorkerLost, type WorkSettings, WorkTimeout } from './job.ts';
import type { FromWorker, Order, Report } from './worker.ts';

const MEGABYTE = 2 ** 20;
/** Milliseconds between looks at the memory outside the heap of a worker that is busy. */
const MEMORY_CHECK_MS = 100;

interface Events {
  /** It can run jobs. */
  readonly onReady: () => void;
  /** It has ended before it could run any. */
  readonly onFailed: (error: Error) => void;
  /** The thread is gone. This can take a while after its end: native code runs on until it returns. */
  readonly onExit: () => void;
}

/**
 * One worker, from the side of the thread that started it. It runs one job at a time. It is our own because piscina (5.3.2)
 * does not say when a job starts, which the deadline needs, bounds neither the start of a worker nor its typed arrays, and
 * has no extra worker for a job that everybody waits for. An empty job takes both 0.025 ms, and piscina 8 MB.
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
      this.#end(outOfMemory ? new WorkerLost('memory') : unpackError(packError(error)));
    });
    worker.on('exit', () => {
      this.#end(new WorkerLost('ended'));
      events.onExit();
    });
    this.#endAfter(settings.start, new WorkerLost('ended'));
  }

  get state() {
    return this.#state;
  }

  /** What the job threw is part of the report. Rejects with why this worker ended, if it did. */
  run(order: Order): Promise<Report> {
    // Throws when the input is no plain data.
    this.#worker.postMessage(order);
    this.#worker.ref();
    this.#state = 'running';
    this.#endAfter(order.deadline + this.#settings.grace, new WorkTimeout());
    this.#running = Promise.withResolvers();
    void this.#watchMemory(this.#running);
    return this.#running.promise;
  }

  /** Ends the worker; a job that still runs rejects. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#end(new WorkerLost('ended'));
    await this.#worker.terminate();
  }

  #receive(message: FromWorker): void {
    if (this.#state === 'ended') return;
    if (message !== 'ready' && message.memory > this.#settings.memory.kept * MEGABYTE) {
      this.#settle()?.resolve(message);
      this.#end(new WorkerLost('ended'));
      return;
    }
    this.#state = 'idle';
    // An idle worker keeps no process from ending.
    this.#worker.unref();
    this.#endAfter(this.#settings.idle, new WorkerLost('ended'))?.unref();
    if (message === 'ready') this.#events.onReady();
    else this.#settle()?.resolve(message);
  }

  #endAfter(milliseconds: number | undefined, reason: Error): NodeJS.Timeout | undefined {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (milliseconds === undefined) return undefined;
    const timer = setTimeout(() => {
      // A report may have come in while this thread was busy: timers are due before messages are read.
      setImmediate(() => this.#timer === timer && this.#end(reason));
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

  #settle(): PromiseWithResolvers<Report> | undefined {
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
    this.#settle()?.reject(reason);
  }
}
