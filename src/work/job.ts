import { availableParallelism } from 'node:os';
import { MINUTE } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { counted } from '../core/text.ts';
import type { Lexicon } from '../solver/lexicon.ts';

export interface JobContext {
  readonly lexicon: Lexicon;
  /**
   * True once the deadline has passed: return what there is. Cheap enough to ask every few thousand steps. It may throw
   * `TakesLong`, as `takesLong` does.
   */
  readonly stop: () => boolean;
  /**
   * Called when a job finds that it will take long. On the thread that answers people, if there are workers, it throws
   * `TakesLong`, and the job begins again in a worker, where this is missing.
   */
  readonly takesLong?: () => never;
}

/**
 * A pure function that can run on any thread. Input and output are plain data, since they are copied from one thread to the
 * other; copying takes time on the main thread too, so a long list is cut before it is returned.
 */
// biome-ignore lint/suspicious/noExplicitAny: a table holds jobs of all inputs; `WorkerPool.run` checks each by its name.
type Job<Input = any, Output = any> = (input: Input, context: JobContext) => Output | Promise<Output>;

/** The jobs by name. The module that a worker loads exports its table as `JOBS`. */
export type JobTable = Readonly<Record<string, Job>>;

export type InputOf<Each extends Job> = Parameters<Each>[0];
export type OutputOf<Each extends Job> = Awaited<ReturnType<Each>>;

export type WorkSettings = typeof WORK_SETTINGS;

export const WORK_SETTINGS = {
  /** Most workers; 0 runs every job on the calling thread. */
  workers: Math.min(4, Math.max(2, availableParallelism() - 1)),
  /** Milliseconds within which a worker has to be ready: at a load of 15 on two cores it took more than 10,000. */
  start: 30_000,
  /**
   * How often a job may call `stop` on the calling thread before it is moved to a worker, if there are workers. The solver
   * calls it every 4,096 steps: about ten times for a board like the newspaper's, thousands of times for some lists. Boards
   * without short solutions take up to 24 ms until then as the first job of a process.
   */
  maxInlineChecks: 25,
  /**
   * Milliseconds for a job whose caller names no deadline. In two seconds, solutions of three words are counted on boards of
   * up to 24 letters.
   */
  deadline: 2_000,
  /** Milliseconds after its deadline in which a job may still return: on a busy machine it may wait for a processor. */
  grace: 3_000,
  /** Milliseconds that a person's job waits behind others, after which it is refused; the bot's own jobs wait longer. */
  queueTimeout: 10_000,
  /**
   * Milliseconds without a job after which a worker is ended, to give its memory back; undefined keeps it. The
   * next job starts another one, which takes about 50 ms of processor time.
   */
  idle: 15_000 as number | undefined,
  /**
   * Megabytes of a worker. A worker that needs more for its objects (`heap`), or has more in typed arrays, which V8 does not
   * count as heap, is ended. So is a worker that holds more of both after a job (`kept`), to give its memory back: with the
   * lexicon loaded it holds 25, after a few searches of usual size 65.
   */
  memory: { heap: 256, arrays: 256, kept: 96 },
  /** Added to the niceness of the program, on Linux, so that the thread that answers people goes first. */
  niceness: 5,
  /** How many jobs may wait, and how many of them for one channel and for one person across all channels. */
  queue: { total: 64, channel: 16, person: 4 },
  /**
   * Milliseconds of processor time that one person may use across all channels, and the time in which an empty budget is
   * refilled. This many people are remembered; the least recently active is dropped first.
   */
  budget: { milliseconds: 20_000, window: 5 * MINUTE, people: 10_000 },
  /** Milliseconds in which running jobs may end when the pool closes. */
  close: 5_000,
};

export interface JobAsker {
  /** Identifies the channel, as `channelKey` does. */
  readonly channel: string;
  /** Identifies the person across all channels. The bot's own jobs have none: no budget, no share. */
  readonly person?: string;
}

/**
 * How a job ended: `stopped` returned what it had when its deadline passed, `mistake` threw a `UserError`, `fault`
 * threw anything else, `timeout` did not return in time, `lost` was on a worker that ended, `moved` began again in one.
 */
export type JobOutcome = 'done' | 'stopped' | 'mistake' | 'fault' | 'timeout' | 'lost' | 'refused' | 'moved';

/** Measurements of a job. Contains nothing of its input or output. */
export interface FinishedJob {
  readonly job: string;
  readonly where: 'inline' | 'worker';
  readonly outcome: JobOutcome;
  /** Milliseconds in the queue, including the start of a worker. */
  readonly waited: number;
  /** Milliseconds from its start to its end. */
  readonly ran: number;
}

export function outcomeOf(error: unknown): JobOutcome {
  if (error instanceof TakesLong) return 'moved';
  if (error instanceof WorkTimeout) return 'timeout';
  if (error instanceof WorkerLost) return 'lost';
  return error instanceof UserError ? 'mistake' : 'fault';
}

const TOO_MUCH_MESSAGE =
  'That took more than this bot may spend on one answer. Try a smaller board, or one with fewer repeated letters.';
const INTERRUPTED_MESSAGE = 'Something interrupted this answer before it was done. Try again in a moment.';

/** The job did not return within its deadline and the grace time after it, and was ended. */
export class WorkTimeout extends UserError {
  override readonly name = 'WorkTimeout';

  constructor() {
    super('work.timeout', TOO_MUCH_MESSAGE);
  }
}

/** The worker ended during the job: it ran out of memory, or was terminated from outside. */
export class WorkerLost extends UserError {
  override readonly name = 'WorkerLost';

  constructor(reason: 'memory' | 'ended') {
    super(`work.${reason}`, reason === 'memory' ? TOO_MUCH_MESSAGE : INTERRUPTED_MESSAGE);
  }
}

/** Thrown on the calling thread by a job that takes too long for it; the job then begins again in a worker. */
export class TakesLong extends Error {
  override readonly name = 'TakesLong';
}

/** Why a job was not accepted, in words for people. */
const REFUSALS = {
  queue: 'I’m busy right now.',
  channel: 'This channel has asked for a lot just now.',
  person: 'I’m still working on what you asked for before.',
  budget: 'You’ve asked for many long searches in the last few minutes.',
  closing: 'I’m restarting.',
} as const;

export class WorkRefused extends UserError {
  override readonly name = 'WorkRefused';

  constructor(reason: keyof typeof REFUSALS, milliseconds: number) {
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    const spoken = seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
    super(`work.${reason}`, `${REFUSALS[reason]} Try again in about ${spoken}.`);
  }
}

/** An error that a job threw in a worker and that is not a `UserError`. The stack is the worker's. */
export class WorkFault extends Error {
  override readonly name = 'WorkFault';

  constructor({ message, stack }: PackedError) {
    super(message);
    if (stack !== undefined) this.stack = stack;
  }
}

/** An error as plain data: classes get lost on the way between threads. */
export interface PackedError {
  readonly message: string;
  readonly stack?: string;
  /** The code of a `UserError`. */
  readonly code?: string;
}

export function packError(error: unknown): PackedError {
  if (!(error instanceof Error)) return { message: String(error) };
  const { message, stack } = error;
  return error instanceof UserError ? { message, code: error.code } : { message, stack };
}

/** An error from outside any job, such as that no worker could be started, in the form of errors that a job throws. */
export function asJobError(error: unknown): UserError | WorkFault {
  return unpackError(packError(error));
}

export function unpackError(packed: PackedError): UserError | WorkFault {
  return packed.code === undefined ? new WorkFault(packed) : new UserError(packed.code, packed.message);
}
