import type { Config } from '../../config/config.ts';
import { UserError } from '../../core/errors.ts';
import type { App, Command, Dispatcher, FinishedCommand } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { Store } from '../../store/store.ts';
import { StoreError } from '../../store/store-error.ts';
import type { Arguments } from './arguments.ts';
import type { Screen } from './screen.ts';

/**
 * Exit statuses: scripts rely on them. `noSolution`: nothing was found, or a word is not right; `unknown`: the time ran
 * out before anything was found.
 */
export const EXIT = { answered: 0, noSolution: 1, badInput: 2, fault: 3, unknown: 4 } as const;

/** A command of the terminal alone. */
export interface Subcommand {
  readonly usage: string;
  readonly about: string;
  /** The flags it takes beside --json, --words and --help, from `FLAGS`. */
  readonly flags: readonly string[];
  /** Bare words that may follow its name, to complete them. */
  readonly words?: readonly string[];
  run(typed: Arguments, world: TerminalWorld): Output | Promise<Output>;
}

/** What a subcommand found, for people or for programs. */
export interface Output {
  readonly exit: number;
  lines(): Iterable<string>;
  json(): unknown;
}

/** One line; counts that no number can hold become text. */
export function jsonOf(data: unknown): string {
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** How a message looks at a door, as the content of a file. */
export interface Renderer {
  /** The file's ending. */
  readonly type: string;
  render(reply: Reply): string | Promise<string>;
}

export interface OpenOptions {
  readonly commands: readonly Command[];
  /** `--words`: a word list to use instead of that of the settings. */
  readonly words?: string;
  /** How long a solver may take, in milliseconds. */
  readonly patience: number;
  /** Called again and again while a search keeps the calling thread busy. */
  readonly onWait: () => void;
  readonly onDone: (done: FinishedCommand) => void;
}

/** The app and its dispatcher, for one command. */
export interface OpenedApp {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Opens the store and loads what the puzzles of days need; a command about a typed board starts sooner without. */
  load(): Promise<void>;
  /** Closes the store if it was opened. */
  close(): Promise<void>;
}

export const SETUP_PLATFORMS = ['discord', 'slack'] as const;
export type SetupPlatform = (typeof SETUP_PLATFORMS)[number];

/** A person at the terminal, who may leave at every question. */
export interface Talk {
  say(text: string): void;
  /** Text to copy: its lines stay as they are. */
  print(text: string): void;
  /** What is typed is not shown. */
  askSecret(question: string): Promise<string>;
}

/** What the terminal gets from the program's start (`src/terminal.ts`); each part is made when it is asked for. */
export interface TerminalWorld {
  /** Where answers are shown. */
  readonly screen: Screen;
  /** Whether the cursor can be moved on it, which a `dumb` terminal can't. */
  readonly hasCursor: boolean;
  /** Where mistakes, questions and progress are shown: standard error. */
  readonly errorScreen: Screen;
  /** @throws ConfigError */
  settings(): Config;
  lexicon(words: string | undefined): Lexicon;
  open(options: OpenOptions): Promise<OpenedApp>;
  /** The data folder of the bot that runs in this folder. */
  botFolder(): string;
  /** The store of the bot that runs in this folder; it is never made here. */
  openBotStore(): Promise<Store>;
  /** Connects the bot of this folder with a platform, and runs it. @returns its exit status */
  setUp(platform: SetupPlatform, talk: Talk): Promise<number>;
  /** How messages look at every door. */
  renderers(): Promise<ReadonlyMap<string, Renderer>>;
}

/** The operator sits here, so what is wrong with a store is shown as a sentence instead of a fault. */
export async function explainStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new UserError('terminal.store', error.message);
    throw error;
  }
}
