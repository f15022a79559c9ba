import { setImmediate } from 'node:timers/promises';
import { FairTurns } from '../core/background.ts';
import type { Clock } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { Log } from '../core/log.ts';
import { type Lexicon, type LexiconParts, shareLexicon } from '../solver/lexicon.ts';
import { Budget } from './budget.ts';
import { packError, TakesLong, unpackError, WorkerLost, WorkRefused, WorkTimeout } from './errors.ts';
import type { FinishedJob, InputOf, JobAsker, JobOutcome, JobTable, OutputOf } from './job.ts';
import { FairQueue } from './queue.ts';
import { type QueueBounds, WORK_SETTINGS, type WorkSettings } from './settings.ts';
import { type StartWorker, WorkerThread } from './thread.ts';

/** Before any job has run, one is expected to take so many milliseconds. */
const EXPECTED = 500;
/** How much the latest job counts in the mean. */
const WEIGHT = 0.1;

export interface WorkOptions<Jobs extends JobTable> {
  readonly jobs: Jobs;
  /** The module that exports this table as `JOBS`, for the workers: `import.meta.url` in its own file. */
  readonly module: string | URL;
  readonly lexicon: Lexicon;
  readonly clock: Clock;
  readonly log: Log;
  readonly settings?: Partial<WorkSettings>;
  readonly onDone?: (done: FinishedJob) => void;
  /** Called again and again while a job keeps the calling thread busy, to show that it goes on. */
  readonly onWait?: () => void;
  /** For tests, which want to reach the workers. */
  readonly startWorker?: StartWorker;
}

export interface RunOptions {
  readonly asker: JobAsker;
  /** Milliseconds from the start of the job until it is asked to return what it has. */
  readonly deadline?: number;
  /**
   * On the calling thread, for jobs that are mostly short: no queue, no budget. One that takes long begins again in a
   * worker, if there are any.
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
  /** Ends its waiting. */
  timer?: NodeJS.Timeout;
}

/**
 * Runs jobs in worker threads, each with a deadline. Channels and people take turns, and a person who asks for
 * too much is refused with a time to try again. Workers start with the first job that needs one.
 *
 * @example
 * const work = new Work({ jobs: JOBS, module: new URL('./jobs.ts', import.meta.url), lexicon, clock, log });
 * const answer = await work.run('solve', { sides: board.sides }, { asker: { channel, person }, deadline: 2_000 });
 */
export class Work<Jobs extends JobTable> {
  readonly #options: WorkOptions<Jobs>;
  readonly #settings: WorkSettings;
  readonly #queue: FairQueue<Task>;
  readonly #budget: Budget;
  readonly #threads = new Set<WorkerThread>();
  readonly #running = new Set<Task>();
  readonly #inlineTurns = new FairTurns();
  #shared: LexiconParts | undefined;
  #meanRun = EXPECTED;
  #closing: Promise<void> | undefined;

  constructor(options: WorkOptions<Jobs>) {
    this.#options = options;
    this.#settings = { ...WORK_SETTINGS, ...options.settings };
    this.#queue = new FairQueue(this.#settings.queue);
    this.#budget = new Budget(this.#settings.budget, options.clock);
  }

  /** For gauges. */
  get load(): { readonly queued: number; readonly running: number; readonly workers: number } {
    return { queued: this.#queue.size, running: this.#running.size, workers: this.#threads.size };
  }

  /**
   * The job's output. Rejects with what the job threw (a `UserError`, or else a `WorkFault`; inline the error
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
        // Starting a worker takes some milliseconds too.
        await setImmediate();
      }
    }
    const refusal = this.#refusalOf(asker) ?? this.#makeRoom(asker);
    if (refusal !== undefined) {
      this.#report({ job: name, where: 'worker', outcome: 'refused', waited: 0, ran: 0 });
      throw refusal;
    }
    const settle = Promise.withResolvers<unknown>();
    const task: Task = { job: name, input, deadline, asker, queuedAt: performance.now(), settle };
    this.#queue.add(task);
    if (asker.person !== undefined) this.#limitWaiting(task);
    this.#startWaiting();
    return settle.promise as Promise<OutputOf<Jobs[Name]>>;
  }

  /** Refuses what waits, gives what runs some time to end, then ends the workers. */
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
    await Promise.all([...this.#threads].map((thread) => thread.close()));
  }

  /**
   * One job in each turn of the event loop. Of commands that arrive at the same moment, the jobs would otherwise run
   * one after the other, with nobody answered in between.
   */
  async #runInline<Name extends keyof Jobs & string>(
    name: Name,
    input: InputOf<Jobs[Name]>,
    deadline: number,
  ): Promise<OutputOf<Jobs[Name]>> {
    const { jobs, lexicon, onWait } = this.#options;
    const { workers, looks } = this.#settings;
    const queuedAt = performance.now();
    await this.#inlineTurns.take();
    await setImmediate();
    const began = performance.now();
    let stopped = false;
    let asked = 0;
    const takesLong = () => {
      throw new TakesLong();
    };
    const stop = () => {
      onWait?.();
      if (workers > 0 && ++asked > looks) takesLong();
      stopped ||= performance.now() - began >= deadline;
      return stopped;
    };
    const report = (outcome: JobOutcome) => {
      const waited = began - queuedAt;
      this.#report({ job: name, where: 'inline', outcome, waited, ran: performance.now() - began });
    };
    try {
      const output = await jobs[name]!(input, { lexicon, stop, ...(workers > 0 && { takesLong }) });
      report(stopped ? 'stopped' : 'done');
      return output;
    } catch (error) {
      report(outcomeOf(error));
      throw error;
    } finally {
      this.#inlineTurns.give();
    }
  }

  #refusalOf(asker: JobAsker): WorkRefused | undefined {
    if (this.#closing !== undefined) return new WorkRefused('closing', this.#settings.close);
    const share = this.#queue.exceededBy(asker);
    if (share !== undefined) return new WorkRefused(share, this.#waitFor(share, asker));
    return this.#overBudget(asker);
  }

  /** When all places are taken, refuses another job for this one, or else this one. */
  #makeRoom(asker: JobAsker): WorkRefused | undefined {
    if (asker.first || !this.#queue.isFull) return undefined;
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

  /** Milliseconds until those that wait now have had their turn: their own, or everybody's. */
  #waitFor(bound: keyof QueueBounds, { channel, person }: JobAsker): number {
    const { size, channels } = this.#queue;
    const turns = {
      total: size,
      channel: this.#queue.ofChannel(channel) * channels,
      person: this.#queue.ofPerson(person ?? '') * channels,
    };
    return (Math.min(size, turns[bound]) * this.#meanRun) / this.#settings.workers;
  }

  /**
   * Gives waiting jobs to idle workers, and starts another worker if there are more. A job that everybody waits for gets
   * one besides those that may be busy with other jobs.
   */
  #startWaiting(): void {
    const { workers } = this.#settings;
    const threads = [...this.#threads];
    for (const thread of threads.filter(({ state }) => state === 'idle')) {
      if (this.#running.size >= workers && !this.#queue.hasFirst) return;
      const task = this.#takeNext();
      if (task === undefined) return;
      void this.#runOn(thread, task);
    }
    const starting = threads.filter(({ state }) => state === 'starting').length;
    const wanted = this.#queue.has((task) => this.#mayRun(task)) && starting < this.#queue.size;
    const most = this.#queue.hasFirst ? workers + 1 : workers;
    if (wanted && threads.length < most) this.#startThread();
  }

  #takeNext(): Task | undefined {
    for (;;) {
      const task = this.#queue.take((waiting) => this.#mayRun(waiting));
      const refusal = task && this.#overBudget(task.asker);
      if (task === undefined || refusal === undefined) return task;
      // The person's earlier jobs have used up the budget since this one was accepted.
      this.#refuse(task, refusal);
    }
  }

  /** One person never holds all workers, unless there is only one. */
  #mayRun({ asker: { person } }: Task): boolean {
    if (person === undefined) return true;
    let running = 0;
    for (const task of this.#running) if (task.asker.person === person) running++;
    return running < Math.max(1, this.#settings.workers - 1);
  }

  #startThread(): void {
    try {
      this.#threads.add(this.#makeThread());
    } catch (error) {
      // The system gives this process no more threads or memory. Those that it has take what waits, if there are any.
      if (this.#threads.size > 0) return;
      this.#failedToStart(unpackError(packError(error)));
    }
    // More than one job may be waiting.
    this.#startWaiting();
  }

  #makeThread(): WorkerThread {
    const { module, lexicon, startWorker } = this.#options;
    this.#shared ??= shareLexicon(lexicon);
    const thread = new WorkerThread({
      settings: this.#settings,
      module: String(module),
      lexicon: this.#shared,
      startWorker,
      onReady: () => this.#startWaiting(),
      onFailed: (error) => this.#failedToStart(error),
      onExit: () => {
        this.#threads.delete(thread);
        this.#startWaiting();
      },
    });
    return thread;
  }

  /** Each failed start fails one job, so that a module that can't be loaded is not tried without end. */
  #failedToStart(error: Error): void {
    const task = this.#queue.take();
    if (task === undefined) return;
    this.#options.log.error({ err: error, job: task.job }, 'no worker could be started for this job');
    this.#settle(task, { outcome: outcomeOf(error), error }, performance.now());
  }

  /** Refuses what has waited too long behind other jobs. The start of a worker has a bound of its own. */
  #limitWaiting(task: Task): void {
    task.timer = setTimeout(() => {
      if (this.#running.size === 0) this.#limitWaiting(task);
      else if (this.#queue.remove(task))
        this.#refuse(task, new WorkRefused('queue', this.#waitFor('total', task.asker)));
    }, this.#settings.patience);
  }

  async #runOn(thread: WorkerThread, task: Task): Promise<void> {
    const began = performance.now();
    clearTimeout(task.timer);
    this.#running.add(task);
    const ending = await endingOn(thread, task);
    this.#running.delete(task);
    const ran = performance.now() - began;
    this.#meanRun += WEIGHT * (ran - this.#meanRun);
    // The processor time of a worker that ended is not known, but is at most the time since the job began.
    if (task.asker.person !== undefined) this.#budget.charge(task.asker.person, ending.spent ?? ran);
    if (thread.state === 'ended' && ending.spent === undefined) {
      const { job } = task;
      this.#options.log.warn({ job, ran, outcome: ending.outcome }, 'a worker has ended during a job');
    }
    this.#settle(task, ending, began);
    this.#endSurplus(thread);
    this.#startWaiting();
  }

  /** Ends this worker if it is one more than there should be. */
  #endSurplus(thread: WorkerThread): void {
    const alive = [...this.#threads].filter(({ state }) => state !== 'ended').length;
    if (alive > this.#settings.workers && !this.#queue.hasFirst) void thread.close();
  }

  #refuse(task: Task, error: WorkRefused): void {
    this.#settle(task, { outcome: 'refused', error }, performance.now());
  }

  #settle({ job, queuedAt, settle, timer }: Task, { outcome, output, error }: Ending, began: number): void {
    clearTimeout(timer);
    const ran = performance.now() - began;
    this.#report({ job, where: 'worker', outcome, waited: began - queuedAt, ran });
    if (error === undefined) settle.resolve(output);
    else settle.reject(error);
  }

  #report(done: FinishedJob): void {
    this.#options.onDone?.(done);
  }
}

interface Ending {
  readonly outcome: JobOutcome;
  readonly output?: unknown;
  readonly error?: unknown;
  /** Milliseconds of processor time, where the worker could still tell. */
  readonly spent?: number;
}

async function endingOn(thread: WorkerThread, { job, input, deadline }: Task): Promise<Ending> {
  try {
    const { result, stopped, spent } = await thread.run(job, input, deadline);
    if ('output' in result) return { outcome: stopped ? 'stopped' : 'done', output: result.output, spent };
    const error = unpackError(result.error);
    return { outcome: outcomeOf(error), error, spent };
  } catch (error) {
    return { outcome: outcomeOf(error), error };
  }
}

function outcomeOf(error: unknown): JobOutcome {
  if (error instanceof TakesLong) return 'moved';
  if (error instanceof WorkTimeout) return 'timeout';
  if (error instanceof WorkerLost) return 'lost';
  return error instanceof UserError ? 'mistake' : 'fault';
}
