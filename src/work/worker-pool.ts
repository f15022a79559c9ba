import { readFileSync } from 'node:fs';
import { getCompileCacheDir } from 'node:module';
import { dirname, extname } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { Worker, WorkerOptions } from 'node:worker_threads';
import type { Clock } from '../core/clock.ts';
import { FairLock } from '../core/concurrency.ts';
import type { Log } from '../core/log.ts';
import { type Lexicon, shareLexicon } from '../solver/lexicon.ts';
import {
  asJobError,
  type FinishedJob,
  type InputOf,
  type JobAsker,
  type JobOutcome,
  type JobTable,
  type OutputOf,
  outcomeOf,
  TakesLong,
  unpackError,
  WORK_SETTINGS,
  WorkRefused,
  type WorkSettings,
} from './job.ts';
import { Budget, FairQueue } from './queue.ts';
import type { Report, WorkerData } from './worker.ts';
import { WorkerHandle } from './worker-handle.ts';

/** Milliseconds that a job is expected to take before any has run. */
const EXPECTED_JOB_MS = 500;
/** The weight of the latest job in the moving mean of their times. */
const LATEST_JOB_WEIGHT = 0.1;
/** `worker.ts` or, where this is compiled, `worker.js`. */
const WORKER_FILE = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);
/** Megabytes for new objects. By default, a worker keeps several times as much garbage. */
const YOUNG_GENERATION_MB = 4;

export type MakeWorker = typeof newWorker;

export interface WorkerPoolOptions<Jobs extends JobTable> {
  readonly jobs: Jobs;
  /** The module that exports this table as `JOBS`, for the workers: `import.meta.url` of its own file. */
  readonly module: string | URL;
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings?: Partial<WorkSettings>;
  readonly onDone?: (done: FinishedJob) => void;
  /** Called repeatedly while a job keeps the calling thread busy, to show progress. */
  readonly onWait?: () => void;
  /** Replaced by tests, which want to reach the workers. */
  readonly makeWorker?: MakeWorker;
}

export interface RunOptions {
  readonly asker: JobAsker;
  /** Milliseconds from the start of the job until it is asked to return what it has. */
  readonly deadline?: number;
  /**
   * `inline` runs it on the calling thread, without queue and budget, for jobs that are mostly short: 50 hints at once on one board
   * take 14 ms at the median, and 48 ms in workers. A job that takes long begins again in a worker, if there are any.
   */
  readonly where?: 'inline' | 'worker';
}

interface Task {
  readonly job: string;
  readonly input: unknown;
  readonly deadline: number;
  readonly asker: JobAsker;
  readonly queuedAt: number;
  readonly settle: PromiseWithResolvers<unknown>;
  /** Refuses it when it has waited too long in the queue. */
  timer?: NodeJS.Timeout;
}

/** How a task ended: with its output, or with an error. */
interface Ending {
  readonly outcome: JobOutcome;
  readonly output?: unknown;
  readonly error?: unknown;
}

/**
 * Runs jobs in worker threads, each with a deadline. Channels and people take turns, and a person who asks for
 * too much is refused with a time to try again. Workers start with the first job that needs one.
 *
 * @example
 * const work = new WorkerPool({ jobs: JOBS, module: JOBS_MODULE, lexicon, clock, log });
 * const answer = await work.run('solve', { sides: board.sides }, { asker: { channel, person }, deadline: 2_000 });
 */
export class WorkerPool<Jobs extends JobTable> {
  readonly #options: WorkerPoolOptions<Jobs>;
  readonly #settings: WorkSettings;
  readonly #queue: FairQueue<Task>;
  readonly #budget: Budget;
  readonly #workers = new Set<WorkerHandle>();
  readonly #running = new Set<Task>();
  readonly #inlineTurns = new FairLock();
  #workerData: WorkerData | undefined;
  #meanRun = EXPECTED_JOB_MS;
  #closing: Promise<void> | undefined;

  constructor(options: WorkerPoolOptions<Jobs>) {
    this.#options = options;
    this.#settings = { ...WORK_SETTINGS, ...options.settings };
    this.#queue = new FairQueue(this.#settings.queue);
    this.#budget = new Budget(this.#settings.budget, options.clock);
  }

  /** Numbers for gauges. */
  get load(): { readonly queued: number; readonly running: number; readonly workers: number } {
    return { queued: this.#queue.size, running: this.#running.size, workers: this.#workers.size };
  }

  /**
   * The job's output. Rejects with the error that the job threw (a `UserError`, or else a `WorkFault`; inline the error
   * itself), or with `WorkRefused`, `WorkTimeout` or `WorkerLost`: these are `UserError`s for the asker.
   */
  async run<Name extends keyof Jobs & string>(
    name: Name,
    input: InputOf<Jobs[Name]>,
    { asker, deadline = this.#settings.deadline, where = 'worker' }: RunOptions,
  ): Promise<OutputOf<Jobs[Name]>> {
    if (where === 'inline' || this.#settings.workers === 0) {
      try {
        return await this.#runInline(name, input, deadline);
      } catch (error) {
        if (!(error instanceof TakesLong)) throw error;
        // Others are answered in between: starting a worker keeps this thread busy for some milliseconds more.
        await setImmediate();
      }
    }
    const settle = Promise.withResolvers<OutputOf<Jobs[Name]>>();
    const queuedAt = performance.now();
    const task = { job: name, input, deadline, asker, queuedAt, settle } as Task;
    const refusal = this.#refusalOf(asker) ?? this.#makeRoom(asker);
    if (refusal === undefined) {
      this.#queue.add(task);
      if (asker.person !== undefined) this.#limitWaiting(task);
      this.#assignTasks();
    } else this.#refuse(task, refusal);
    return settle.promise;
  }

  /** Refuses waiting jobs, gives running ones some time to end, then ends the workers. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (let task = this.#queue.take(); task !== undefined; task = this.#queue.take())
      this.#refuse(task, new WorkRefused('closing', this.#settings.close));
    const bound = Promise.withResolvers<void>();
    const timer = setTimeout(bound.resolve, this.#settings.close);
    const running = [...this.#running].map(({ settle }) => settle.promise);
    await Promise.race([Promise.allSettled(running), bound.promise]);
    clearTimeout(timer);
    await Promise.all(Array.from(this.#workers, (worker) => worker.close()));
  }

  /**
   * One job in each turn of the event loop. Otherwise the jobs of commands that arrive at the same moment would run one
   * after the other, with nobody answered in between.
   */
  async #runInline<Name extends keyof Jobs & string>(
    job: Name,
    input: InputOf<Jobs[Name]>,
    deadline: number,
  ): Promise<OutputOf<Jobs[Name]>> {
    const { jobs, lexicon, onWait } = this.#options;
    const { workers, maxInlineChecks } = this.#settings;
    const queuedAt = performance.now();
    await this.#inlineTurns.acquire();
    await setImmediate();
    const began = performance.now();
    let outcome: JobOutcome = 'done';
    let asked = 0;
    const takesLong = () => {
      throw new TakesLong();
    };
    const stop = () => {
      onWait?.();
      if (workers > 0 && ++asked > maxInlineChecks) takesLong();
      if (performance.now() - began >= deadline) outcome = 'stopped';
      return outcome === 'stopped';
    };
    try {
      return await jobs[job]!(input, { lexicon, stop, takesLong: workers > 0 ? takesLong : undefined });
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      const ran = performance.now() - began;
      this.#options.onDone?.({ job, where: 'inline', outcome, waited: began - queuedAt, ran });
      this.#inlineTurns.release();
    }
  }

  #refusalOf(asker: JobAsker): WorkRefused | undefined {
    if (this.#closing !== undefined) return new WorkRefused('closing', this.#settings.close);
    const share = this.#queue.exceededBy(asker);
    if (share !== undefined) return new WorkRefused(share, this.#waitFor(share, asker));
    return this.#overBudget(asker);
  }

  /** When the queue is full, refuses another job to make room for this one, or else refuses this one. */
  #makeRoom(asker: JobAsker): WorkRefused | undefined {
    if (!this.#queue.isFull) return undefined;
    const refusal = new WorkRefused('queue', this.#waitFor('total', asker));
    const displaced = this.#queue.displacedBy(asker);
    if (displaced === undefined) return refusal;
    this.#queue.remove(displaced);
    this.#refuse(displaced, refusal);
    return undefined;
  }

  #overBudget({ person }: JobAsker): WorkRefused | undefined {
    const wait = person === undefined ? 0 : this.#budget.waitOf(person);
    return wait > 0 ? new WorkRefused('budget', wait) : undefined;
  }

  /** Milliseconds until the jobs that wait now have had their turn: the person's, the channel's, or everybody's. */
  #waitFor(bound: keyof WorkSettings['queue'], { channel, person }: JobAsker): number {
    const { size, channels } = this.#queue;
    const turns = {
      total: size,
      channel: this.#queue.ofChannel(channel) * channels,
      person: this.#queue.ofPerson(person ?? '') * channels,
    };
    return (Math.min(size, turns[bound]) * this.#meanRun) / this.#settings.workers;
  }

  /**
   * Gives waiting jobs to idle workers, and starts more workers if more jobs wait than workers are starting. Called whenever a
   * job or a worker may be free for the other.
   */
  #assignTasks(): void {
    const all = [...this.#workers];
    for (const worker of all.filter(({ state }) => state === 'idle')) {
      const task = this.#takeNext();
      if (task === undefined) return;
      void this.#runOn(worker, task);
    }
    const starting = all.filter(({ state }) => state === 'starting').length;
    const isWanted = this.#queue.has(this.#mayRun) && starting < this.#queue.size;
    // Again for the other jobs: it ends when enough workers are starting, or when failed starts have used up the queue.
    if (isWanted && all.length < this.#settings.workers && this.#startWorker()) this.#assignTasks();
  }

  #takeNext(): Task | undefined {
    for (;;) {
      const task = this.#queue.take(this.#mayRun);
      const refusal = task && this.#overBudget(task.asker);
      if (task === undefined || refusal === undefined) return task;
      // The person's earlier jobs have used up the budget since this one was accepted.
      this.#refuse(task, refusal);
    }
  }

  /** One person never holds all workers, unless there is only one. */
  readonly #mayRun = ({ asker: { person } }: Task): boolean => {
    if (person === undefined) return true;
    let running = 0;
    for (const task of this.#running) if (task.asker.person === person) running++;
    return running < Math.max(1, this.#settings.workers - 1);
  };

  /** Starts a worker. False if it can't and existing workers have to take the waiting jobs. */
  #startWorker(): boolean {
    try {
      const handle = new WorkerHandle(this.#makeWorker(), this.#settings, {
        onReady: () => this.#assignTasks(),
        onFailed: (error) => this.#failOneJob(error),
        onExit: () => {
          this.#workers.delete(handle);
          this.#assignTasks();
        },
      });
      this.#workers.add(handle);
    } catch (error) {
      // The system gives this process no more threads or memory.
      if (this.#workers.size > 0) return false;
      this.#failOneJob(asJobError(error));
    }
    return true;
  }

  #makeWorker(): Worker {
    const { module, lexicon, makeWorker = newWorker } = this.#options;
    const { niceness, memory } = this.#settings;
    this.#workerData ??= { module: String(module), lexicon: shareLexicon(lexicon), niceness };
    return makeWorker(WORKER_FILE, {
      name: 'work',
      workerData: this.#workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: memory.heap,
        maxYoungGenerationSizeMb: YOUNG_GENERATION_MB,
      },
      // Jobs need no settings, and tokens stay where they are used.
      env: compileCacheOf(getCompileCacheDir()),
    });
  }

  /** Each failed start fails one job, so that a module that can't be loaded is not tried forever. */
  #failOneJob(error: Error): void {
    const task = this.#queue.take();
    if (task === undefined) return;
    this.#options.log.error({ err: error, job: task.job }, 'no worker could be started for this job');
    this.#settle(task, { outcome: outcomeOf(error), error }, performance.now());
  }

  /** Refuses a person's job that has waited too long behind others. The bot's own jobs wait longer. */
  #limitWaiting(task: Task): void {
    task.timer = setTimeout(() => {
      // No worker has started yet: the start has a limit of its own.
      if (this.#running.size === 0) this.#limitWaiting(task);
      else if (this.#queue.remove(task))
        this.#refuse(task, new WorkRefused('queue', this.#waitFor('total', task.asker)));
    }, this.#settings.queueTimeout);
  }

  async #runOn(worker: WorkerHandle, task: Task): Promise<void> {
    const { job, input, deadline, asker } = task;
    const began = performance.now();
    clearTimeout(task.timer);
    this.#running.add(task);
    const { spent, ...ending } = await endingOf(worker.run({ job, input, deadline }));
    this.#running.delete(task);
    const ran = performance.now() - began;
    this.#meanRun += LATEST_JOB_WEIGHT * (ran - this.#meanRun);
    // The processor time of an ended worker is not known, but is at most the time since the job began.
    if (asker.person !== undefined) this.#budget.charge(asker.person, spent ?? ran);
    if (worker.state === 'ended' && spent === undefined)
      this.#options.log.warn({ job, ran, outcome: ending.outcome }, 'a worker has ended during a job');
    this.#settle(task, ending, began);
    this.#assignTasks();
  }

  #refuse(task: Task, error: WorkRefused): void {
    this.#settle(task, { outcome: 'refused', error }, performance.now());
  }

  #settle({ job, queuedAt, settle, timer }: Task, { outcome, output, error }: Ending, began: number): void {
    clearTimeout(timer);
    const ran = performance.now() - began;
    this.#options.onDone?.({ job, where: 'worker', outcome, waited: began - queuedAt, ran });
    if (error === undefined) settle.resolve(output);
    else settle.reject(error);
  }
}

/** How a job ended in a worker, with its processor time in milliseconds if the worker could still report it. */
async function endingOf(running: Promise<Report>): Promise<Ending & { spent?: number }> {
  try {
    const { result, stopped, spent } = await running;
    if ('output' in result) return { outcome: stopped ? 'stopped' : 'done', output: result.output, spent };
    const error = unpackError(result.error);
    return { outcome: outcomeOf(error), error, spent };
  } catch (error) {
    return { outcome: outcomeOf(error), error };
  }
}

/**
 * The folder where this thread keeps compiled code: a worker has none by default, and would spend two thirds of its start on
 * reading TypeScript. Node.js returns a folder of its own inside the given one.
 */
function compileCacheOf(folder: string | undefined): Record<string, string> {
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

function newWorker(file: URL, options: WorkerOptions): Worker {
  // Loaded with the first worker, since the terminal starts none.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  // A thread can't see the files of the executable, for which scripts/executable.ts makes this file one that needs no other.
  const isEmbedded = process.getBuiltinModule('node:sea').isSea();
  const text = () => `data:text/javascript;base64,${readFileSync(file, 'base64')}`;
  return new Worker(isEmbedded ? new URL(text()) : file, options);
}
