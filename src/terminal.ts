import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  FILE_SEPARATOR,
  type OpenedApp,
  type OpenOptions,
  type TerminalServices,
  typedFile,
} from './chat/terminal/contract.ts';
import { runCommandLine } from './chat/terminal/main.ts';
import { screenOf } from './chat/terminal/screen.ts';
import { type Config, readSettings } from './config/config.ts';
import type { Environment } from './config/read.ts';
import { UserError } from './core/errors.ts';
import type { Log } from './core/log.ts';
import type { Lexicon } from './solver/lexicon.ts';
import type { Store } from './store/store.ts';
import { lexiconOf, lexiconOfBoth } from './wordlists/load.ts';

/**
 * Runs the command line on the same app and settings as the bot. A command loads only what it needs, so that solving a typed
 * board takes little longer than the solver itself.
 *
 * @returns the exit status
 */
export function runTerminal(typed: readonly string[], environment: Environment): Promise<number> {
  return runCommandLine(typed, makeServices(environment));
}

function makeServices(environment: Environment): TerminalServices {
  let config: Config | undefined;
  const settings = () => {
    config ??= readSettings(environment, { opensDoors: false });
    return config;
  };
  const lexicon = (words: string | undefined) => {
    if (words !== undefined && /^\d+$/.test(words) && !existsSync(words))
      throw new UserError(
        'terminal.words',
        `Do you mean solutions of ${words} words, or a word list? For solutions, type words:${words}. A list is a file, such as --words ./words.txt.`,
      );
    const typed = words?.split(FILE_SEPARATOR).map(typedList);
    const files = typed ?? [settings().puzzle.wordsFile];
    if (files.length > 2) throw new UserError('terminal.words', 'Give --words once or twice.');
    const [first, second] = files.map((file) => lexiconOf(file || undefined, console.error));
    return second === undefined ? first! : lexiconOfBoth(first!, second);
  };
  return {
    screen: screenOf(process.stdout, environment),
    hasCursor: environment.TERM !== 'dumb',
    errorScreen: screenOf(process.stderr, environment),
    settings,
    lexicon,
    open: (options) => openApp(settings(), lexicon(options.words), options, environment),
    botFolder: () => botFolder(settings()),
    openBotStore: () => openStoreIn(settings(), () => botFolder(settings())),
    setUp: async (platforms, talk) =>
      (await import('./operations/setup.ts')).setUp(platforms, talk, environment),
    renderers: async () => (await import('./chat/renderers.ts')).RENDERERS,
  };
}

/** A file after `--words`: empty for our own list, `-` for the standard input, with a plus in front to extend our list. */
function typedList(name: string): string {
  if (['', '-', '+-'].includes(name)) return name;
  return name.startsWith('+') ? `+${typedFile(name.slice(1))}` : typedFile(name);
}

async function openApp(
  config: Config,
  lexicon: Lexicon,
  { commands, jobTimeout, onWait, onDone }: OpenOptions,
  environment: Environment,
): Promise<OpenedApp> {
  const { makeApp, ONE_COMMAND } = await import('./app.ts');
  const { makeDispatcher } = await import('./dispatch/dispatcher.ts');
  const { app, load, close } = await makeApp({
    config,
    replace: { lexicon },
    async store() {
      const { store: chosen } = config;
      const isChosen = chosen.kind === 'folder' && chosen.isChosen;
      return openStoreIn(config, () => (isChosen ? chosen.dataDir : usualFolder(environment)));
    },
    profile: ONE_COMMAND,
    clock: { now: Date.now },
    log: FAULT_LOG,
    jobTimeout,
    onWait,
  });
  const dispatcher = makeDispatcher(app, { commands, onDone });
  const closeAll = async () => {
    await close();
    // Missing if `load` was never called.
    await (app.store as Store | undefined)?.close();
  };
  return { app, dispatcher, load, close: closeAll };
}

/** Repeated from `src/store/store.ts`, which takes longer to load than most commands take to run. */
const SQLITE_FILE = 'letterboxed.db';
const DATA_DIR = 'data';

/** The data folder of the bot that runs in this folder. It is never created here, since it would be empty. */
function botFolder({ store }: Config): string {
  const folder = store.kind === 'folder' ? store.dataDir : DATA_DIR;
  const file = join(folder, SQLITE_FILE);
  if (existsSync(file)) return folder;
  throw new UserError(
    'terminal.store',
    `There is no ${file}. Run this as the bot's user, in its folder once the bot has run, or set DATA_DIR as the bot has it.`,
  );
}

/** Shows only faults: everything else is in the answer. */
const FAULT_LOG: Log = {
  debug() {},
  info() {},
  warn() {},
  error: ({ err }: { err?: unknown }, message) => console.error(err ?? message),
};

async function openStoreIn({ store }: Config, folder: () => string): Promise<Store> {
  const { openStore } = await import('./store/store.ts');
  return openStore(store.kind === 'postgres' ? { databaseUrl: store.databaseUrl } : { dataDir: folder() });
}

/**
 * The bot's own folder if it has run here, otherwise one of the person's. It is kept between runs, so that the day's puzzle
 * is fetched once and hints seen are remembered.
 */
function usualFolder({ XDG_CACHE_HOME: caches }: Environment): string {
  if (existsSync(join(DATA_DIR, SQLITE_FILE))) return DATA_DIR;
  try {
    return join(caches || join(homedir(), '.cache'), 'letterboxed');
  } catch {
    throw new UserError(
      'terminal.store',
      'This user has no home folder. Set DATA_DIR to a folder for what is kept.',
    );
  }
}
