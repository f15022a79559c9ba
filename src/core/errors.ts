/**
 * A person's mistake, as opposed to a fault of ours: its message is shown to them as it is, so it says
 * what was wrong, where, and what to type instead. Anything else that is thrown is a fault.
 *
 * @example throw new UserError('board.letters', '"oz1" has a 1 in it. A side is letters only, like: ozu nri lfa mbt');
 */
export class UserError extends Error {
  /** Stable, for tests and metrics: room, dot, what. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'UserError';
    this.code = code;
  }
}

/** Something that keeps the bot from starting and that its operator can put right: the message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
