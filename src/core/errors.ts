/**
 * A person's mistake, as opposed to a fault of the bot. They see its message unchanged, so it says what was
 * wrong, where, and what to type instead. Anything else that is thrown is a fault.
 *
 * @example throw new UserError('board.letters', '"oz1" has a 1 in it. A side is letters only, like: ozu nri lfa mbt');
 */
export class UserError extends Error {
  /** Stable, for tests and metrics, such as `board.letters`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'UserError';
    this.code = code;
  }
}

/** A problem that keeps the bot from starting and that its operator can correct. The message says how. */
export class StartError extends Error {
  override readonly name = 'StartError';
}
