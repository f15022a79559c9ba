import type { Arguments } from './arguments.ts';

/** Exit statuses: scripts rely on them. */
export const EXIT = { answered: 0, noSolution: 1, badInput: 2 } as const;

/** What a subcommand found, for people or for programs. */
export interface Answer {
  readonly exit: number;
  lines(): Iterable<string>;
  json(): unknown;
}

export interface Subcommand {
  readonly usage: string;
  readonly about: string;
  /** The options it takes beside --json, --words and --help, from `OPTIONS`. */
  readonly options: readonly string[];
  run(typed: Arguments): Answer | Promise<Answer>;
}
