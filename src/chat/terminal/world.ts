import type { Config } from '../../config/config.ts';
import type { App, Command, Dispatcher, FinishedCommand } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { Store } from '../../store/store.ts';
import type { Screen } from './screen.ts';

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
  /** Loads what the puzzles of days need; a command about a typed board starts sooner without. */
  loadPuzzles(): Promise<void>;
  /** Closes the store if it was opened. */
  close(): Promise<void>;
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
  /** The store of the bot that runs in this folder; it is never made here. */
  openBotStore(): Promise<Store>;
  /** How messages look at every door. */
  renderers(): Promise<ReadonlyMap<string, Renderer>>;
}
