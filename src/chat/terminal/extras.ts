import type { App, Command, Request } from '../../dispatch/contract.ts';
import type { Arguments, OptionName } from './arguments.ts';
import type { GameTools } from './play/play-game.ts';
import type { Progress } from './progress.ts';
import type { Answer, DataAnswer, ReplyAnswer } from './subcommand.ts';

/**
 * What the terminal adds to a command: short and long flags for its options, flags of the
 * terminal's own, and the answer as data.
 */
export interface Extra {
  /** The command alone: the others need not be loaded for it. */
  readonly command: () => Promise<Command>;
  /** The option of the command that a flag of another name sets. */
  readonly flags: Readonly<Partial<Record<OptionName, string>>>;
  readonly own: readonly OptionName[];
  /** Those of `own`, and options of the command, that ask for a list of their length. */
  readonly listing: readonly string[];
  readonly data?: () => Promise<
    (
      request: Request,
      app: App,
      typed: Arguments,
      progress: Progress,
    ) => Promise<Answer | DataAnswer | ReplyAnswer>
  >;
  readonly session?: Session;
}

/** What takes the whole terminal instead of printing an answer. */
export interface Session {
  /** Whether these options ask for it. */
  readonly isAsked: (options: Request['options']) => boolean;
  /** Commands that it uses besides its own. */
  readonly uses: () => Promise<readonly Command[]>;
  readonly open: () => Promise<(request: Request, tools: GameTools) => Promise<number>>;
}

export const EXTRAS: Readonly<Record<string, Extra>> = {
  solve: {
    command: async () => (await import('../../../commands/solve.ts')).solve,
    flags: { 'words-exactly': 'words', 'one-each': 'each', board: 'sides' },
    own: ['max-words', 'played', 'limit', 'batch', 'time'],
    listing: ['all', 'each', 'max-words', 'played', 'limit', 'batch'],
    data: async () => (await import('./data/solve.ts')).solve,
  },
  hint: {
    command: async () => (await import('../../../commands/hint.ts')).hint,
    flags: { played: 'words', board: 'sides' },
    own: ['time', 'solution'],
    listing: [],
    data: async () => (await import('./data/hint.ts')).hint,
  },
  check: {
    command: async () => (await import('../../../commands/check.ts')).check,
    flags: { board: 'sides' },
    own: ['time'],
    listing: [],
    data: async () => (await import('./data/played.ts')).check,
  },
  next: {
    command: async () => (await import('../../../commands/next.ts')).next,
    flags: { board: 'sides' },
    own: ['limit', 'time'],
    listing: ['limit'],
    data: async () => (await import('./data/played.ts')).next,
  },
  words: {
    command: async () => (await import('../../../commands/words.ts')).words,
    flags: { board: 'sides' },
    own: ['limit', 'all'],
    listing: ['limit', 'all'],
    data: async () => (await import('./data/words.ts')).words,
  },
  play: {
    command: async () => (await import('../../../commands/play.ts')).play,
    flags: { board: 'sides' },
    own: [],
    listing: [],
    session: {
      isAsked: ({ words }) => words === undefined,
      uses: async () => [(await import('../../../commands/hint.ts')).hint],
      open: async () => (await import('./play/play-game.ts')).playGame,
    },
  },
  generate: {
    command: async () => (await import('../../../commands/generate.ts')).generate,
    flags: {},
    own: ['solution'],
    listing: [],
    data: async () => (await import('./data/generate.ts')).generate,
  },
};

export const NOTHING_EXTRA: Omit<Extra, 'command'> = { flags: {}, own: [], listing: [] };
