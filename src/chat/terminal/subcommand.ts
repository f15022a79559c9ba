import { UserError } from '../../core/errors.ts';
import { type Request, wholeOf } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Arguments } from './arguments.ts';
import type { TerminalWorld } from './world.ts';

type Answered = { readonly [Field in 'notFound' | 'isWrong']?: Reply[Field] | undefined };

/**
 * Exit statuses: scripts rely on them. `noSolution`: nothing was found, or a word is not right; `unknown`: the time ran
 * out before anything was found.
 */
export const EXIT = { answered: 0, noSolution: 1, badInput: 2, fault: 3, unknown: 4 } as const;

export function exitOf({ notFound, isWrong }: Answered): number {
  if (isWrong) return EXIT.noSolution;
  return notFound === undefined ? EXIT.answered : notFound === 'none' ? EXIT.noSolution : EXIT.unknown;
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

/** What was found as a message, for people. */
export interface ReplyAnswer {
  readonly reply: Reply;
}

export interface Subcommand {
  readonly usage: string;
  readonly about: string;
  /** The options it takes beside --json, --words and --help, from `OPTIONS`. */
  readonly options: readonly string[];
  /** Bare words that may follow its name, to complete them. */
  readonly words?: readonly string[];
  run(typed: Arguments, world: TerminalWorld): Answer | Promise<Answer>;
}

/** One line; counts that no number can hold become text. */
export function jsonOf(data: unknown): string {
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** How many items of a list are on the pages before the requested one. */
export function skipped(request: Request, limit: number): number {
  const page = wholeOf(request, 'page') ?? 1;
  if (page === 1) return 0;
  if (limit < Number.POSITIVE_INFINITY) return (page - 1) * limit;
  throw new UserError('terminal.page', 'All of them are one page. Say how many a page has, like: --limit 50');
}
