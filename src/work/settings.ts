import { availableParallelism } from 'node:os';
import { MINUTE } from '../core/clock.ts';

/** How many jobs may wait, and how many of them for one channel and for one person across all channels. */
export interface QueueBounds {
  readonly total: number;
  readonly channel: number;
  readonly person: number;
}

/** The processor time that one person may use across all channels. */
export interface BudgetSettings {
  /** Milliseconds of processor time within the window. */
  readonly milliseconds: number;
  /** Milliseconds in which a used-up budget is full again. */
  readonly window: number;
  /** How many people are remembered; the one who was active least recently is forgotten first. */
  readonly people: number;
}

/** Megabytes of one worker. */
export interface MemoryLimits {
  /** Objects. A worker that needs more is ended. */
  readonly heap: number;
  /** Typed arrays, which V8 does not count as heap. A worker that is found with more is ended. */
  readonly arrays: number;
  /**
   * Both, after a job: a worker that holds more is ended to give its memory back. One that has loaded the
   * lexicon holds 25, after a few searches of usual size 65.
   */
  readonly kept: number;
}

export interface WorkSettings {
  /** Worker threads at most; 0 runs every job on the calling thread. */
  readonly workers: number;
  /** Milliseconds within which a worker has to be ready: at a load of 15 on two cores it took more than 10,000. */
  readonly start: number;
  /**
   * How often a job may ask on the calling thread whether to stop, where there are workers: then it begins again in one.
   * The solver asks every 4,096 steps: about ten times for a board like the newspaper's, thousands of times for some lists.
   */
  readonly looks: number;
  /** Milliseconds that a job has when its caller names no deadline. */
  readonly deadline: number;
  /** Milliseconds after its deadline in which a job may still return: on a busy machine it waits for a processor. */
  readonly grace: number;
  /** Milliseconds that a person's job waits behind others, after which it is refused; the bot's own jobs wait longer. */
  readonly patience: number;
  /**
   * Milliseconds without a job after which a worker is ended, to give its memory back; undefined keeps it. The
   * next job starts another one, which takes about 50 of processor time.
   */
  readonly idle: number | undefined;
  /** Milliseconds without a job after which a worker collects its garbage, which takes about 20 of processor time. */
  readonly quiet: number;
  readonly memory: MemoryLimits;
  /** Added to that of the program, on Linux: where processors are few, the thread that answers people goes first. */
  readonly niceness: number;
  readonly queue: QueueBounds;
  readonly budget: BudgetSettings;
  /** Milliseconds that `close` waits for jobs that run. */
  readonly close: number;
}

export const WORK_SETTINGS: WorkSettings = {
  workers: Math.min(4, Math.max(2, availableParallelism() - 1)),
  start: 30_000,
  // Boards without short solutions take up to 24 ms until then as the first job of a process.
  looks: 25,
  // In two seconds, solutions of three words are counted on boards of up to 24 letters.
  deadline: 2_000,
  grace: 3_000,
  patience: 10_000,
  idle: 15_000,
  quiet: 2_000,
  memory: { heap: 256, arrays: 256, kept: 96 },
  niceness: 5,
  queue: { total: 64, channel: 16, person: 4 },
  budget: { milliseconds: 20_000, window: 5 * MINUTE, people: 10_000 },
  close: 5_000,
};
