import type { Reply } from '../../reply/model/types.ts';
import type { Arguments } from './arguments.ts';

/** Exit statuses: scripts rely on them. `unknown`: the time ran out before anything was found. */
export const EXIT = { answered: 0, noSolution: 1, badInput: 2, fault: 3, unknown: 4 } as const;

export function exitOf(lacking: Reply['notFound']): number {
  return lacking === undefined ? EXIT.answered : lacking === 'none' ? EXIT.noSolution : EXIT.unknown;
}

/** What was found, for programs. */
export interface DataAnswer {
  readonly exit: number;
  json(): unknown;
}

/** What a subcommand found, for people or for programs. */
export interface Answer extends DataAnswer {
  lines(): Iterable<string>;
}

export interface Subcommand {
  readonly usage: string;
  readonly about: string;
  /** The options it takes beside --json, --words and --help, from `OPTIONS`. */
  readonly options: readonly string[];
  run(typed: Arguments): Answer | Promise<Answer>;
}

/** One line; counts that no number can hold become text. */
export function jsonOf(data: unknown): string {
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}
