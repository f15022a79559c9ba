import { type Config, publicAddress } from './config/config.ts';
import { LIMITS, type Limits } from './config/limits.ts';
import type { Clock } from './core/clock.ts';
import type { Log } from './core/log.ts';
import { readAbout } from './core/program.ts';
import type { PuzzleParts } from './daily/day-puzzles.ts';
import type { App } from './dispatch/contract.ts';
import type { Poster } from './dispatch/poster.ts';
import { JobRunner, type JobRunnerOptions } from './jobs/job-runner.ts';
import { dateAt, spanOf } from './puzzle/calendar.ts';
import type { PuzzleService } from './puzzle/service.ts';
import { wordSourceOf } from './puzzle/types.ts';
import type { Store } from './store/store.ts';
import { lexiconOf } from './wordlists/load.ts';

/** What kind of program the app is for. */
type Profile = PuzzleParts['profile'] & {
  /**
   * Serves nobody else meanwhile: everything runs on the calling thread. The store and the puzzles of days wait for `load`,
   * since opening and loading them takes longer than solving a typed board.
   */
  readonly isAlone: boolean;
};

/** Serves many people, for weeks. */
export const SERVICE: Profile = { isAlone: false };
/** Runs one command for a person who is waiting for it. */
export const ONE_COMMAND: Profile = {
  isAlone: true,
  // Milliseconds: for one request to the newspaper, and at most between two attempts.
  newspaperTimeout: 4_000,
  longestPause: 300,
};

interface AppParts extends PuzzleParts {
  readonly config: Config;
  readonly store: Store | (() => Promise<Store>);
  readonly clock: Clock;
  readonly log: Log;
  readonly profile: Profile;
  /** Posters of this process, added as each door is created. */
  readonly posters?: ReadonlyMap<string, Poster>;
  /** How long a solver may take over one command, in milliseconds, where nobody else is waiting. */
  readonly jobTimeout?: number;
  /** Called again and again while a job keeps the calling thread busy. */
  readonly onWait?: JobRunnerOptions['onWait'];
  readonly onJob?: JobRunnerOptions['onDone'];
  readonly replace?: PuzzleParts['replace'] &
    Partial<Pick<App, 'about' | 'lexicon' | 'posterOf' | 'randomSeed'>> &
    Pick<JobRunnerOptions, 'makeWorker'> & { readonly limits?: Partial<Limits> };
}

interface MadeApp {
  readonly app: App;
  /** Opens the store and loads everything for the puzzles of days, if the profile left that for later. */
  load(): Promise<void>;
  /** Ends the workers. The store stays open. */
  close(): Promise<void>;
}

/**
 * Everything that handlers and the daily thread use, as the settings have it. The bot, the terminal, the
 * scripts and the tests all make their app here.
 *
 * @throws UserError or LexiconError, which say what is wrong with the word list.
 * @example const { app } = await makeApp({ config, store, profile: SERVICE, clock, log });
 */
export async function makeApp(parts: AppParts): Promise<MadeApp> {
  const { config, profile, clock, log, posters, jobTimeout, replace = {} } = parts;
  const lexicon = replace.lexicon ?? lexiconOf(config.puzzle.wordsFile, (note) => log.warn({}, note));
  const work = new JobRunner({
    lexicon,
    clock,
    log,
    workers: profile.isAlone ? 0 : config.workers,
    jobTimeout,
    onDone: parts.onJob,
    onWait: parts.onWait,
    makeWorker: replace.makeWorker,
  });
  const personalLink = await personalLinks(config, clock);
  const app = {
    clock,
    lexicon,
    puzzles: UNLOADED_PUZZLES,
    /** Missing before `load`: see `storeUse` of commands. */
    store: (typeof parts.store === 'function' ? undefined : parts.store) as Store,
    log,
    get about() {
      return replace.about ?? readAbout();
    },
    posterOf: replace.posterOf ?? ((door) => posters?.get(door)),
    work,
    limits: { ...LIMITS, ...replace.limits },
    personalLink,
    publicPage: ({ sides }) => config.site && publicAddress(config.site, `/?board=${sides}`).href,
    randomSeed: replace.randomSeed ?? (() => crypto.randomUUID()),
  } satisfies App;
  const load = async () => {
    const { makeDayPuzzles } = await import('./daily/day-puzzles.ts');
    app.store ??= await (parts.store as () => Promise<Store>)();
    app.puzzles = makeDayPuzzles(parts, app);
  };
  if (!profile.isAlone) await load();
  return { app, load, close: () => work.close() };
}

/** Links for people of platforms; the local chat plays its boards in place. */
async function personalLinks({ pages }: Config, clock: Clock): Promise<App['personalLink']> {
  if (pages?.linkSecrets === undefined) return () => undefined;
  const { PersonalLinks } = await import('./web/pages/personal-links.ts');
  const links = new PersonalLinks({ publicUrl: pages.publicUrl, linkSecrets: pages.linkSecrets });
  return (asker, board) => {
    const now = clock.now();
    if (!links.areFor(asker.door)) return undefined;
    return links.linkTo(asker, board, { madeAt: now, until: spanOf(dateAt(now)).to });
  };
}

/** Used before `load`: the lexicon alone judges words of typed boards. Any other call is a fault. */
const UNLOADED_PUZZLES = {
  wordSource: async (puzzle) => wordSourceOf(puzzle),
} as PuzzleService;
