import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import { errorCode } from '../core/errors.ts';
import type { LexiconParts } from '../solver/lexicon.ts';
import { packError, unpackError, WorkerLost, WorkTimeout } from './errors.ts';
import type { WorkSettings } from './settings.ts';
import type { FromWorker, Order, Report, WorkerStart } from './worker.ts';

/** The same file, whether it runs as TypeScript or compiled. */
const WORKER_FILE = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
const MEGABYTE = 2 ** 20;
/** Megabytes of objects that were just made. By default, a worker keeps several times as many that it no longer needs. */
const YOUNG = 4;
/** Milliseconds between looks at the memory outside the heap of a worker that is busy. */
const MEMORY_CHECK = 100;

export type StartWorker = (file: URL, options: WorkerOptions) => Worker;

export interface ThreadOptions {
  readonly settings: WorkSettings;
  readonly module: string;
  readonly lexicon: LexiconParts;
  readonly startWorker?: StartWorker | undefined;
  /** It can run jobs. */
  readonly onReady: () => void;
  /** It has ended before it could run any. */
  readonly onFailed: (error: Error) => void;
  /** The thread is gone. This can take a while after its end: native code runs on until it returns. */
  readonly onExit: () => void;
}

interface Running {
  readonly id: number;
  readonly settle: PromiseWithResolvers<Report>;
  timer: NodeJS.Timeout;
  memoryTimer: NodeJS.Timeout;
}

/**
 * One worker, from the side of the thread that started it. It runs one job at a time. An own class, as piscina
 * (5.3.2) cancels a job only by ending its worker, does not say when a job starts, which a deadline needs to
 * know, and sets no bound to typed arrays. It is not slower: an empty job takes it about 0.01 ms less.
 */
export class WorkerThread {
  readonly #options: ThreadOptions;
  readonly #worker: Worker;
  readonly #stopped = new Int32Array(new SharedArrayBuffer(4));
  readonly #startTimer: NodeJS.Timeout;
  #idleTimer: NodeJS.Timeout | undefined;
  #state: 'starting' | 'idle' | 'running' | 'ended' = 'starting';
  #running: Running | undefined;
  #orders = 0;

  constructor(options: ThreadOptions) {
    const { settings, module, lexicon, startWorker = newWorker } = options;
    this.#options = options;
    // Node.js answers with its own folder inside of the one that was given.
    const compiled = getCompileCacheDir();
    const start: WorkerStart = {
      module,
      lexicon,
      stopped: this.#stopped,
      niceness: settings.niceness,
      quiet: settings.quiet,
      compiled: compiled && dirname(compiled),
    };
    this.#worker = startWorker(WORKER_FILE, {
      name: 'work',
      workerData: start,
      resourceLimits: { maxOldGenerationSizeMb: settings.memory.heap, maxYoungGenerationSizeMb: YOUNG },
      // Jobs need no settings, and tokens stay where they are used.
      env: {},
    });
    this.#worker.on('message', (message: FromWorker) => this.#receive(message));
    this.#worker.on('error', (error: Error) => {
      const outOfMemory = errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY';
      this.#end(outOfMemory ? new WorkerLost('memory') : unpackError(packError(error)));
    });
    this.#worker.on('exit', () => {
      this.#end(new WorkerLost('ended'));
      options.onExit();
    });
    this.#startTimer = setTimeout(() => this.#end(new WorkerLost('ended')), settings.start);
  }

  get state() {
    return this.#state;
  }

  /**
   * Runs a job, which is asked to stop at its deadline. What the job threw is part of the report; rejects with
   * `WorkTimeout`, `WorkerLost` or `WorkFault` when this worker ended.
   */
  run(job: string, input: unknown, deadline: number): Promise<Report> {
    const order: Order = { id: ++this.#orders, job, input, deadline };
    // Throws when the input is no plain data.
    this.#worker.postMessage(order);
    this.#worker.ref();
    clearTimeout(this.#idleTimer);
    this.#state = 'running';
    this.#running = {
      id: order.id,
      settle: Promise.withResolvers(),
      timer: setTimeout(() => this.#askToStop(), deadline),
      memoryTimer: setTimeout(() => this.#checkMemory(order.id), MEMORY_CHECK),
    };
    return this.#running.settle.promise;
  }

  /** Ends the worker; a job that still runs rejects. Resolves when the thread is gone. */
  async close(): Promise<void> {
    this.#end(new WorkerLost('ended'));
    await this.#worker.terminate();
  }

  #askToStop(): void {
    const running = this.#running!;
    Atomics.store(this.#stopped, 0, running.id);
    running.timer = setTimeout(() => {
      // A report may have come in while this thread was busy: timers are due before messages are read.
      setImmediate(() => this.#running === running && this.#end(new WorkTimeout()));
    }, this.#options.settings.grace);
  }

  /** Answered even while the worker is in a loop; not within native code, so it is asked one at a time. */
  async #checkMemory(id: number): Promise<void> {
    const { external_memory } = await this.#worker.getHeapStatistics().catch(() => ({ external_memory: 0 }));
    if (this.#running?.id !== id) return;
    if (external_memory > this.#options.settings.memory.arrays * MEGABYTE)
      this.#end(new WorkerLost('memory'));
    else this.#running.memoryTimer = setTimeout(() => this.#checkMemory(id), MEMORY_CHECK);
  }

  #receive(message: FromWorker): void {
    if (this.#state === 'ended') return;
    if (message === 'ready') {
      clearTimeout(this.#startTimer);
      this.#becomeIdle();
      this.#options.onReady();
      return;
    }
    const running = this.#takeRunning();
    if (message.memory > this.#options.settings.memory.kept * MEGABYTE) this.#end(new WorkerLost('ended'));
    else this.#becomeIdle();
    running?.settle.resolve(message);
  }

  #becomeIdle(): void {
    this.#state = 'idle';
    // An idle worker keeps no process from ending.
    this.#worker.unref();
    const { idle } = this.#options.settings;
    if (idle === undefined) return;
    this.#idleTimer = setTimeout(() => this.#end(new WorkerLost('ended')), idle).unref();
  }

  #takeRunning(): Running | undefined {
    const running = this.#running;
    this.#running = undefined;
    clearTimeout(running?.timer);
    clearTimeout(running?.memoryTimer);
    return running;
  }

  #end(reason: Error): void {
    const before = this.#state;
    if (before === 'ended') return;
    this.#state = 'ended';
    clearTimeout(this.#startTimer);
    clearTimeout(this.#idleTimer);
    void this.#worker.terminate();
    if (before === 'starting') this.#options.onFailed(reason);
    this.#takeRunning()?.settle.reject(reason);
  }
}

function newWorker(file: URL, options: WorkerOptions): Worker {
  // Loaded with the first worker: the terminal starts none.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  return new Worker(file, options);
}
