import * as v from 'valibot';
import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { makeBoard } from '../solver/board.ts';
import { type Board, GRADES } from '../solver/types.ts';
import type { Store } from '../store/store.ts';
import type { HandBoard } from '../store/tables/puzzles.ts';
import { TROUBLES } from './newspaper.ts';
import { type KeptSource, type Puzzle, SOURCES } from './types.ts';

/**
 * What a limit of requests is about. A date: that day's puzzle. `site`: the whole newspaper, after it asked us to wait.
 * `past:` and today's date: past days that were requested today; with a digest of a tenant, those requested by that tenant.
 */
export type FetchKey = PuzzleDate | 'site' | `past:${PuzzleDate}` | `past:${PuzzleDate}:${string}`;

const OUTCOMES = ['asking', 'good', ...TROUBLES] as const;

export interface FetchLog {
  readonly key: FetchKey;
  /** Rounds of requests begun so far. */
  readonly tries: number;
  readonly lastAttempt: number;
  readonly outcome: (typeof OUTCOMES)[number];
  readonly nextAllowed: number;
}

/** The part of a log that this file uses. */
export type WarningLog = Pick<Log, 'warn'>;

export const dateSchema = v.custom<PuzzleDate>(
  (value) => typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value),
);
const daySchema = v.object({ date: dateSchema, at: v.number() });
export const sourceSchema = v.picklist(SOURCES);

/** Reads only the sides of a board: the rest follows from them. */
export const puzzleSchema = v.object({
  date: dateSchema,
  source: sourceSchema,
  board: v.pipe(
    v.object({ sides: v.array(v.string()) }),
    v.rawTransform(({ dataset, addIssue, NEVER }): Board => {
      const board = boardOfSides(dataset.value.sides);
      if (board !== undefined) return board;
      addIssue({ message: 'these sides make no board' });
      return NEVER;
    }),
  ),
  par: v.optional(v.number()),
  dictionary: v.optional(v.array(v.object({ word: v.string(), obscure: v.boolean() }))),
  official: v.optional(v.array(v.string())),
  difficulty: v.optional(v.picklist(GRADES)),
  editor: v.optional(v.string()),
  typedBy: v.optional(v.string()),
  typedAt: v.optional(v.number()),
});

/** The board of stored sides; undefined if they make none. */
export function boardOfSides(sides: readonly string[]): Board | undefined {
  try {
    return makeBoard(sides);
  } catch {
    return undefined;
  }
}

/**
 * The puzzles of objects that the store has returned: it returns the same object for a minute, and checking a dictionary takes
 * a third of a millisecond.
 */
const parsedPuzzles = new WeakMap<object, Puzzle>();

/**
 * Reads what the store kept. An invalid row counts as missing, with a warning: it must not fail everything that asks for its
 * day.
 */
export function parsePuzzle(stored: unknown, log: WarningLog, where: object): Puzzle | undefined {
  if (stored === undefined) return undefined;
  const known = parsedPuzzles.get(stored as object);
  if (known !== undefined) return known;
  const { success, output, issues } = v.safeParse(puzzleSchema, stored);
  if (success) {
    parsedPuzzles.set(stored as object, output);
    return output;
  }
  log.warn({ ...where, issues: v.summarize(issues) }, 'a stored puzzle cannot be read: it is ignored');
  return undefined;
}

/** A board that somebody typed, with the typist: who typed it is stored beside the puzzle, where it can be erased. */
export function typedPuzzle(
  { channel, date, puzzle: stored, typedBy, typedAt }: HandBoard,
  log: WarningLog,
  tenant: string,
): Puzzle | undefined {
  const puzzle = parsePuzzle(stored, log, { tenant, channel, date, source: 'hand' });
  return puzzle && { ...puzzle, typedAt, typedBy: typedBy ?? undefined };
}

const fetchLogSchema = v.object({
  key: v.custom<FetchKey>((value) => typeof value === 'string'),
  tries: v.number(),
  lastAttempt: v.number(),
  /** An outcome of another version of the program is still a failure. */
  outcome: v.fallback(v.picklist(OUTCOMES), 'failing'),
  nextAllowed: v.number(),
});

function parseFetchLog(stored: unknown): FetchLog | undefined {
  return stored === undefined ? undefined : v.parse(fetchLogSchema, stored);
}

export type PuzzleRepository = ReturnType<typeof makePuzzleRepository>;

/** What src/puzzle keeps in the store. Only boards typed by hand belong to a tenant, everything else to the installation. */
export function makePuzzleRepository(store: Store, now: () => number, log: WarningLog) {
  const { puzzles, fetches, verdicts } = store;
  return {
    puzzle: async (date: PuzzleDate, source: KeptSource) =>
      parsePuzzle(await puzzles.get(date, source), log, { date, source }),

    /** The first copy of a date and source stays: a puzzle that was shown never changes. */
    async keepPuzzle(puzzle: Puzzle): Promise<void> {
      const { date, source } = puzzle;
      const kept = { date, source, puzzle, at: now() };
      // An unreadable copy does not count: otherwise the day would be fetched again and again.
      const copy = await puzzles.get(date, source);
      const isUnreadable = copy !== undefined && !v.is(puzzleSchema, copy);
      await (isUnreadable ? puzzles.replace(kept) : puzzles.keep(kept));
    },

    /** The dates of a source's puzzles, each with the moment its puzzle was kept. */
    days: async (source: KeptSource) => v.parse(v.array(daySchema), await puzzles.kept(source)),

    /** The boards that people typed for some dates in any channel of a tenant. */
    async handBoards(tenant: string, dates: readonly PuzzleDate[]): Promise<Puzzle[]> {
      const boards = await store.tenant(tenant).boards.ofDates(dates);
      return boards.flatMap((board) => typedPuzzle(board, log, tenant) ?? []);
    },
    /** Replaces the channel's board of that date, whoever typed it; a disagreement with the new one may be reported again. */
    keepHandBoard({ tenant, channel }: ChannelRef, { typedBy, typedAt = now(), ...puzzle }: Puzzle) {
      const board = { channel, date: puzzle.date, puzzle, typedBy: typedBy ?? null, typedAt };
      return store.tenant(tenant).boards.put(board);
    },
    /** True for one caller only: the one to report that a fetched board disagrees with this typed one. */
    claimReport: ({ tenant, channel }: ChannelRef, date: PuzzleDate) =>
      store.tenant(tenant).boards.claimReport(channel, date),

    fetchLog: async (key: FetchKey) => parseFetchLog(await fetches.get(key)),
    /** Returns the new entry if this caller may send requests for this key; undefined otherwise. */
    claimFetch: async (key: FetchKey, at: number, until: number, maxTries: number) =>
      parseFetchLog(await fetches.claim(key, at, until, maxTries)),
    noteFetch: fetches.note,

    /** What dictionaries taught about words, whether our lists have them or not. */
    verdicts,
  };
}
