/**
 * A person's mistake, as opposed to a fault of ours: its message is shown to them as it is, so it says
 * what was wrong, where, and what to type instead. Anything else that is thrown is a fault.
 *
 * @example throw new Mistake('board.letters', '"oz1" has a 1 in it. A side is letters only, like: ozu nri lfa mbt');
 */
export class Mistake extends Error {
  /** Stable, for tests and metrics: room, dot, what. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Mistake';
    this.code = code;
  }
}
