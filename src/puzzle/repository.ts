import type { ChannelRef } from '../core/channel-ref.ts';
import type { Trouble } from './newspaper/errors.ts';
import type { Puzzle, PuzzleDate, Source } from './types.ts';

/**
 * What this room needs kept over a restart, and no more. The store implements it; `test/fakes/shelf.ts`
 * does in memory. Only boards typed by hand belong to a tenant: everything else is the installation's.
 */
export interface PuzzleRepository {
  puzzle(date: PuzzleDate, source: KeptSource): Promise<Puzzle | undefined>;
  /** The first copy of a date and source stays: a puzzle that was shown never changes. */
  keepPuzzle(puzzle: Puzzle): Promise<void>;

  handBoard(asker: ChannelRef, date: PuzzleDate): Promise<Puzzle | undefined>;
  /** Replaces an earlier one of the same asker and date, and makes a disagreement with it news again. */
  keepHandBoard(asker: ChannelRef, puzzle: Puzzle): Promise<void>;
  /** True for one caller only: the one to report that a fetched board disagrees with this typed one. */
  claimReport(asker: ChannelRef, date: PuzzleDate): Promise<boolean>;

  fetchLog(key: FetchKey): Promise<FetchLog | undefined>;
  /**
   * Takes the right to send requests under this key, in one step for all processes: if there is no entry,
   * or its `nextAllowed` is not after `now` and its `tries` are below `most`, the entry becomes one try more,
   * `asking`, last attempt `now`, next allowed `until`, and is returned. Otherwise nothing.
   */
  claimFetch(key: FetchKey, now: number, until: number, most: number): Promise<FetchLog | undefined>;
  /** Writes the entry as it is. */
  noteFetch(log: FetchLog): Promise<void>;

  /** What dictionaries taught about words made of these letters and no others, our lists' words or not. */
  verdicts(letters: string): Promise<ReadonlyMap<string, boolean>>;
  /** Keeps what one day's dictionary taught; of two days that differ, the later one stands. */
  keepVerdicts(date: PuzzleDate, verdicts: ReadonlyMap<string, boolean>): Promise<void>;
  eraseVerdicts(): Promise<void>;
}

/** Whose boards are kept for everyone; those typed by hand are their tenant's. Streaks go by these. */
export const KEPT_SOURCES = ['newspaper', 'house'] as const satisfies Source[];
export type KeptSource = (typeof KEPT_SOURCES)[number];

/**
 * A date: asking for that day's puzzle. `site`: the newspaper as a whole, when it asked us to wait.
 * `past:` and today's date: how many past days were asked for today.
 */
export type FetchKey = PuzzleDate | 'site' | `past:${PuzzleDate}`;

export interface FetchLog {
  readonly key: FetchKey;
  /** Rounds begun so far. */
  readonly tries: number;
  readonly lastAttempt: number;
  readonly outcome: 'asking' | 'good' | Trouble;
  /** No round before this moment. */
  readonly nextAllowed: number;
}
