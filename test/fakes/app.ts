/** An app for tests: the real word list, puzzles and store, with a clock that a test moves and random numbers that repeat. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp, SERVICE } from '../../src/app.ts';
import { readConfig } from '../../src/config/config.ts';
import type { Limits } from '../../src/config/limits.ts';
import { MINUTE, type PuzzleDate } from '../../src/core/clock.ts';
import type { App, Request } from '../../src/dispatch/contract.ts';
import type { Poster } from '../../src/dispatch/poster.ts';
import { dateAt } from '../../src/puzzle/calendar.ts';
import type { Newspaper } from '../../src/puzzle/newspaper.ts';
import type { DailySource, Puzzle } from '../../src/puzzle/types.ts';
import { compileLexicon, type Lexicon, type LexiconEntry, loadLexicon } from '../../src/solver/lexicon.ts';
import type { Store } from '../../src/store/store.ts';
import type { SeenBoard } from '../../src/vision/board-from-pixels.ts';
import { readLexicon } from '../../src/wordlists/load.ts';
import type { MakeWorker } from '../../src/work/worker-pool.ts';
import { houseOf, spoilersIn } from './log-spoilers.ts';
import { openNewStore } from './new-store.ts';

/** Noon in New York, on a Friday. */
export const NOON = Date.parse('2026-11-20T17:00:00Z');
export const TODAY: PuzzleDate = '2026-11-20';

export interface Logged {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly fields: Record<string, unknown>;
  readonly message: string;
}

export interface TestApp {
  readonly app: App;
  readonly store: Store;
  /** Set `clock.time` to move it. */
  readonly clock: { time: number; now(): number };
  readonly logged: Logged[];
  /** Says that this test causes errors in the log with these messages; each must have been logged by `close`. */
  expectErrors(...messages: readonly string[]): void;
  /** The same for errors that may be logged, but need not be, such as those of random input. */
  allowErrors(...messages: readonly string[]): void;
  /** Throws when an unexpected error was logged, or when the log gives the day's puzzle away. */
  close(): Promise<void>;
}

export interface TestAppOptions {
  /** Words of a small list of one's own instead of the real one. */
  readonly words?: readonly LexiconEntry[];
  readonly lexicon?: Lexicon;
  /** The day's board, instead of one generated from the date. */
  readonly house?: (date: PuzzleDate) => Puzzle;
  readonly source?: DailySource;
  /** Further settings of the environment. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly limits?: Partial<Limits>;
  readonly newspaper?: Newspaper;
  readonly posterOf?: (door: string) => Poster | undefined;
  /** Worker threads at most, none unless a test is about them: the answers are the same. */
  readonly workers?: number;
  readonly makeWorker?: MakeWorker;
  /**
   * Milliseconds that an answer may take: a minute, for a machine that pauses would have the bot's own limits cut an
   * answer short. Tests of workers, and of answers that are cut in any case, have the bot's.
   */
  readonly jobTimeout?: number | 'of the bot';
  readonly store?: Store;
  readonly clock?: TestApp['clock'];
}

/** @example const { app, clock, close } = await makeTestApp(); */
export async function makeTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const folder = options.store === undefined ? mkdtempSync(join(tmpdir(), 'letterboxed-app-')) : undefined;
  const store = options.store ?? (await openNewStore(folder!));
  const lexicon =
    options.lexicon ?? (options.words ? loadLexicon(compileLexicon(options.words)) : realLexicon());
  const clock = options.clock ?? {
    time: NOON,
    now() {
      return this.time;
    },
  };
  const logged: Logged[] = [];
  const write = (level: Logged['level']) => (fields: object, message: string) => {
    logged.push({ level, fields: { ...fields }, message });
  };
  const log = { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
  let seeds = 0;
  const { workers = 0, jobTimeout = workers > 0 ? 'of the bot' : MINUTE } = options;
  const { app, close: closeWork } = await makeApp({
    config: readConfig({
      PUZZLE_SOURCE: options.source ?? 'house',
      WORKERS: String(workers),
      ...options.settings,
    }),
    profile: SERVICE,
    ...(jobTimeout !== 'of the bot' && { jobTimeout }),
    store,
    clock,
    log,
    replace: {
      lexicon,
      newspaper: options.newspaper ?? NO_NEWSPAPER,
      house: options.house ?? ((date) => houseOf(lexicon, date)),
      random: () => 0.5,
      sleep: async () => {},
      about: { version: '0.0.0-test', homepage: 'https://example.org/letterboxed' },
      ...(options.posterOf !== undefined && { posterOf: options.posterOf }),
      ...(options.makeWorker !== undefined && { makeWorker: options.makeWorker }),
      ...(options.limits !== undefined && { limits: options.limits }),
      randomSeed: () => `seed ${++seeds}`,
    },
  });
  const expected = new Set<string>();
  const allowed = new Set<string>();
  return {
    app,
    store,
    clock,
    logged,
    expectErrors(...messages) {
      for (const message of messages) expected.add(message);
    },
    allowErrors(...messages) {
      for (const message of messages) allowed.add(message);
    },
    async close() {
      await closeWork();
      const date = dateAt(clock.now());
      // No board can be made of a handful of words.
      const made = () => (options.words === undefined ? houseOf(lexicon, date) : undefined);
      const spoilers =
        logged.length === 0 ? [] : spoilersIn(logged, lexicon, options.house?.(date) ?? made());
      if (folder !== undefined) {
        await store.close();
        rmSync(folder, { recursive: true, force: true });
      }
      const errors = logged.filter(({ level }) => level === 'error');
      assertOnlyExpectedErrors(errors, expected, allowed);
      if (spoilers.length > 0) throw new Error(`the log tells ${spoilers.join(', ')}`);
    },
  };
}

function assertOnlyExpectedErrors(
  errors: readonly Logged[],
  expected: ReadonlySet<string>,
  allowed: ReadonlySet<string>,
): void {
  const unexpected = errors.find(({ message }) => !expected.has(message) && !allowed.has(message));
  if (unexpected !== undefined) {
    throw new Error(`the app logged an unexpected error: ${unexpected.message}`, {
      cause: unexpected.fields.err,
    });
  }
  const missing = [...expected].filter((message) => !errors.some((error) => error.message === message));
  if (missing.length > 0) throw new Error(`the app never logged the expected error: ${missing.join(', ')}`);
}

/** Once for all apps: what is made of it, such as where to begin a board, is remembered for the object. */
export function realLexicon(): Lexicon {
  real ??= readLexicon();
  return real;
}
let real: Lexicon | undefined;

/** Reads each picture with a board once: a worker for it takes a quarter of a second of processor time. */
export function readPicturesOnce({ work }: App): void {
  const read = new Map<string, SeenBoard>();
  const see = work.see.bind(work);
  work.see = async (bytes, asker) => {
    const file = Buffer.from(bytes).toString('latin1');
    const seen = read.get(file) ?? (await see(bytes, asker));
    read.set(file, seen);
    return seen;
  };
}

const NO_NEWSPAPER: Newspaper = {
  ask: () => Promise.reject(new Error('this test asks no newspaper')),
};

/** Somebody in a channel, without what they ask. */
export function someone(who: Partial<Request['who']> = {}, where: Partial<Request['where']> = {}) {
  return {
    door: 'web' as const,
    who: { id: '5', mayManage: false, ...who },
    where: { tenant: 'web:local', channel: 'general', direct: false, ...where },
  };
}
