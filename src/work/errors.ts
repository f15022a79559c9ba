import { UserError } from '../core/errors.ts';
import { counted } from '../core/text.ts';

const TOO_MUCH =
  'That took more than this bot may spend on one answer. Try a smaller board, or one with fewer repeated letters.';
const INTERRUPTED = 'Something interrupted this answer before it was done. Try again in a moment.';

/** The job did not return within its deadline and the grace time after it, and was ended. */
export class WorkTimeout extends UserError {
  constructor() {
    super('work.timeout', TOO_MUCH);
    this.name = 'WorkTimeout';
  }
}

/** The worker ended during the job: it ran out of memory, or was terminated from outside. */
export class WorkerLost extends UserError {
  readonly reason: 'memory' | 'ended';

  constructor(reason: 'memory' | 'ended') {
    super(`work.${reason}`, reason === 'memory' ? TOO_MUCH : INTERRUPTED);
    this.name = 'WorkerLost';
    this.reason = reason;
  }
}

/** Thrown on the calling thread by a job that takes too long for it; the job then begins again in a worker. */
export class TakesLong extends Error {
  override readonly name = 'TakesLong';
}

/**
 * What kept a job from being accepted: the queue is full, this channel or person has too many jobs in it, the
 * person's processor time is used up, or the bot is closing.
 */
export type RefusalReason = 'queue' | 'channel' | 'person' | 'budget' | 'closing';

/** The job was not started. */
export class WorkRefused extends UserError {
  readonly reason: RefusalReason;
  /** After how many seconds it is worth trying again. */
  readonly seconds: number;

  constructor(reason: RefusalReason, milliseconds: number) {
    const seconds = Math.max(1, Math.ceil(milliseconds / 1000));
    super(`work.${reason}`, `${REFUSALS[reason]} Try again in about ${spoken(seconds)}.`);
    this.name = 'WorkRefused';
    this.reason = reason;
    this.seconds = seconds;
  }
}

const REFUSALS: Readonly<Record<RefusalReason, string>> = {
  queue: 'I’m busy right now.',
  channel: 'This channel has asked for a lot just now.',
  person: 'I’m still working on what you asked for before.',
  budget: 'You’ve asked for many long searches in the last few minutes.',
  closing: 'I’m restarting.',
};

function spoken(seconds: number): string {
  return seconds < 90 ? counted(seconds, 'second') : counted(Math.ceil(seconds / 60), 'minute');
}

/** An error that a job threw in a worker and that is no `UserError`. The stack is the worker's. */
export class WorkFault extends Error {
  override readonly name = 'WorkFault';
  /** The class of the error that was thrown, such as `TypeError`. */
  readonly thrown: string;

  constructor({ thrown, message, stack }: Omit<PackedFault, 'kind'>) {
    super(message);
    this.thrown = thrown;
    if (stack !== undefined) this.stack = stack;
  }
}

interface PackedMistake {
  readonly kind: 'mistake';
  readonly code: string;
  readonly message: string;
}
interface PackedFault {
  readonly kind: 'fault';
  readonly thrown: string;
  readonly message: string;
  readonly stack?: string;
}

/** An error as plain data: classes do not survive the way from one thread to another. */
export type PackedError = PackedMistake | PackedFault;

export function packError(error: unknown): PackedError {
  if (error instanceof UserError) return { kind: 'mistake', code: error.code, message: error.message };
  if (!(error instanceof Error)) return { kind: 'fault', thrown: typeof error, message: String(error) };
  const { name, message, stack } = error;
  return { kind: 'fault', thrown: name, message, ...(stack !== undefined && { stack }) };
}

export function unpackError(packed: PackedError): UserError | WorkFault {
  return packed.kind === 'mistake' ? new UserError(packed.code, packed.message) : new WorkFault(packed);
}
