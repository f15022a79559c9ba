import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { readAbout } from '../../core/about.ts';
import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import type { App, Options } from '../../dispatch/contract.ts';
import type { Store } from '../../store/types.ts';
import type { Arguments } from './arguments.ts';
import { settingOf } from './environment.ts';
import { lexiconFor } from './word-list.ts';

export interface OpenApp {
  readonly app: App;
  close(): Promise<void>;
}

const SECONDS = 10;
/** In milliseconds; the house's board comes at once. */
const NEWSPAPER_TIMEOUT = 4000;
const LONGEST_PAUSE = 300;
/** Commands about a board that is typed with them, and nothing else. */
const BOARD_ONLY = ['solve', 'check', 'next', 'words'];
const NOTHING_KEPT = ['generate', 'help', 'about'];

/** What the command needs, and no more: most need neither a store nor the day's puzzle, which take time to open. */
export async function openApp(command: string, options: Options, typed: Arguments): Promise<OpenApp> {
  const lexicon = lexiconFor(typed);
  const patience = 1000 * (typed.whole('time', 1, 3600) ?? SECONDS);
  const hasBoard = options.sides !== undefined || typed.flag('batch');
  const isSimple = NOTHING_KEPT.includes(command) || (BOARD_ONLY.includes(command) && hasBoard);
  const base = { ...around(), lexicon, patience };
  return isSimple ? boardApp(base) : wholeApp(base, typed.json || typed.flag('reveal'));
}

type Base = Omit<App, 'store' | 'puzzles'>;

/** For boards that are typed: nothing is read or kept, and no day has a puzzle. */
async function boardApp(base: Base): Promise<OpenApp> {
  const { judgeBoard } = await import('../../puzzle/judge.ts');
  const absent = () => {
    throw new Error('this command was taken for one that needs no store');
  };
  const puzzles: App['puzzles'] = {
    judge: (puzzle) => judgeBoard(puzzle, base.lexicon, async () => new Map()),
    allowed: absent,
    dateAt: absent,
    spanOf: absent,
    readDate: absent,
    puzzleOf: absent,
    setByHand: absent,
  };
  // Hints seen count for results, and nobody enters one for a board they type here.
  const hints = { see: async () => {} };
  const store = Object.defineProperty({ tenant: () => ({ hints }) }, 'allTenants', { get: absent });
  const app = { ...base, puzzles, store } as unknown as App;
  return { app, close: async () => {} };
}

/**
 * For the day's puzzle and for what is remembered from one call to the next. A hint that stays hidden is not
 * seen: the same call again, with `--reveal`, shows that one.
 */
async function wholeApp(base: Base, isShown: boolean): Promise<OpenApp> {
  const [
    { explainStoreErrors: told },
    { openStore },
    { makePuzzleRepository: shelfOf },
    { makePuzzleService: makePuzzleBook },
    { DAILY_SOURCES },
    { makeNewspaper },
    { userAgent },
    { housePuzzle },
    { generate },
  ] = await Promise.all([
    import('./database.ts'),
    import('../../store/open.ts'),
    import('../../puzzle/stored-repository.ts'),
    import('../../puzzle/service.ts'),
    import('../../puzzle/types.ts'),
    import('../../puzzle/newspaper/client.ts'),
    import('../../puzzle/newspaper/user-agent.ts'),
    import('../../puzzle/house.ts'),
    import('../../solver/generate.ts'),
  ]);
  const { clock, log, lexicon, about } = base;
  const wanted = settingOf('PUZZLE_SOURCE') ?? (isForPlatform() ? 'newspaper' : 'house');
  const source = DAILY_SOURCES.find((one) => one === wanted);
  if (source === undefined) {
    throw new UserError(
      'terminal.source',
      `PUZZLE_SOURCE "${clip(wanted)}" should be one of: ${DAILY_SOURCES.join(', ')}.`,
    );
  }
  const [contact, newspaperUrl] = [settingOf('CONTACT'), settingOf('NEWSPAPER_URL')];
  const store = await told(() => openStore({ dataDir: settingOf('DATA_DIR') ?? usualFolder() }));
  const world = { now: clock.now, random: Math.random, sleep };
  const puzzles = makePuzzleBook({
    ...world,
    source,
    sourceFor: async () => ({ source: 'newspaper', otherwise: 'house' }),
    newspaper: makeNewspaper({
      ...world,
      fetch,
      userAgent: userAgent({ ...about, ...(contact && { contact }) }),
      limits: { timeout: NEWSPAPER_TIMEOUT },
      ...(newspaperUrl && { base: newspaperUrl }),
    }),
    shelf: shelfOf(store, clock.now),
    lexicon,
    log,
    learn: settingOf('LEARN_WORDS') !== 'off',
    house: (date) => housePuzzle(date, (options) => generate(lexicon, options)),
  });
  const app = { ...base, store: isShown ? store : withoutSeeing(store), puzzles };
  return { app, close: () => store.close() };
}

function withoutSeeing(store: Store): Store {
  const tenant = (name: string) => {
    const own = store.tenant(name);
    return { ...own, hints: { ...own.hints, see: async () => {} } };
  };
  return { ...store, tenant };
}

/** As the bot has it: who only tries things out sends no request to anyone. */
function isForPlatform(): boolean {
  return ['DISCORD_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_CLIENT_ID'].some(
    (name) => settingOf(name) !== undefined,
  );
}

function around(): Omit<Base, 'lexicon' | 'patience'> {
  const quiet = () => {};
  return {
    clock: { now: Date.now },
    about: readAbout(),
    log: {
      debug: quiet,
      info: quiet,
      warn: quiet,
      error: ({ err }: { err?: unknown }) => console.error(err),
    },
    posterOf: () => undefined,
    randomSeed: () => crypto.randomUUID(),
  };
}

/**
 * The bot's own folder where it has run from here, else one of the person's: kept between calls, so that the
 * day's puzzle is fetched once and hints seen are remembered.
 */
function usualFolder(): string {
  if (existsSync(join('data', 'letterboxed.db'))) return 'data';
  return join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'letterboxed');
}

/** Somebody is waiting at the terminal. */
function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, LONGEST_PAUSE)));
}
