import type { Lexicon } from '../solver/lexicon.ts';

/** What a job may use besides its input. */
export interface JobContext {
  readonly lexicon: Lexicon;
  /**
   * True once the deadline has passed: return what there is. Cheap enough to ask every few thousand steps. It may throw
   * `TakesLong`, as `takesLong` does.
   */
  readonly stop: () => boolean;
  /**
   * Called when a job finds that it will take long. On the thread that answers people, where there are workers, it
   * throws `TakesLong`, and the job begins again in a worker. There it is left out.
   */
  readonly takesLong?: () => never;
}

/**
 * A pure function that can run on any thread. Input and output are plain data, since they are copied from one
 * thread to the other; copying takes time on the main thread too, so a long list is cut before it is returned.
 */
// biome-ignore lint/suspicious/noExplicitAny: a table holds jobs of all inputs; `Work.run` checks each by its name.
export type Job<Input = any, Output = any> = (input: Input, context: JobContext) => Output | Promise<Output>;

/** The jobs by name. The module that a worker loads exports its table as `JOBS`. */
export type JobTable = Readonly<Record<string, Job>>;

export type InputOf<Each extends Job> = Parameters<Each>[0];
export type OutputOf<Each extends Job> = Awaited<ReturnType<Each>>;

/** Who a job is for. */
export interface JobAsker {
  /** One key for each channel, as `channelKey` makes it. */
  readonly channel: string;
  /** One key for each person across all channels. Jobs of the bot's own have none: no budget, no share. */
  readonly person?: string;
  /** For what everybody waits for: it goes before all other jobs, and takes a worker of its own if none is idle. */
  readonly first?: true;
}

/**
 * How a job ended: `stopped` returned what it had when its deadline passed, `mistake` threw a `UserError`, `fault`
 * threw anything else, `timeout` did not return in time, `lost` was on a worker that ended, `moved` began again in one.
 */
export type JobOutcome = 'done' | 'stopped' | 'mistake' | 'fault' | 'timeout' | 'lost' | 'refused' | 'moved';

/** What is measured of each job. Holds nothing of its input or output. */
export interface FinishedJob {
  readonly job: string;
  readonly where: 'inline' | 'worker';
  readonly outcome: JobOutcome;
  /** Milliseconds in the queue, the start of a worker included. */
  readonly waited: number;
  /** Milliseconds from its start to its end. */
  readonly ran: number;
}
