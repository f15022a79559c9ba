import type { Posted } from '../../dispatch/poster.ts';
import type { Puzzle, PuzzleDate, Source } from '../../puzzle/types.ts';
import { DAY_STEPS, type DayStep } from '../types.ts';

/** What a delivery's row remembers: the platform's ids, and what later posts of the day need. */
export interface DeliveryRecord extends Posted {
  /** Of an opening: the puzzle its thread stays with, whatever the sources say later in the day. */
  readonly puzzle?: PinnedPuzzle;
  /** Of a message that tells several steps: the others it tells. */
  readonly merged?: readonly DayStep[];
  /** Whoever manages the place has been told that there is no board. */
  readonly told?: true;
  /** Of an opening: since when it waits for a board. */
  readonly waitsSince?: number;
}

/** Sources keep their puzzles by date; only a board typed by hand, which may be typed anew, is kept whole. */
export interface PinnedPuzzle {
  readonly date: PuzzleDate;
  readonly source: Source;
  readonly sides: readonly string[];
  readonly whole?: Puzzle;
}

export function pinOf(puzzle: Puzzle): PinnedPuzzle {
  const { date, source, board } = puzzle;
  return { date, source, sides: board.sides, ...(source === 'hand' && { whole: withoutPerson(puzzle) }) };
}

/** Reads what a row kept; a row that was never noted on has nothing. */
export function parseRecord(stored: unknown): DeliveryRecord {
  if (typeof stored !== 'object' || stored === null) return {};
  const { message, thread, kind, puzzle, merged, told, waitsSince } = stored as DeliveryRecord;
  return {
    ...(message !== undefined && { message }),
    ...(thread !== undefined && { thread }),
    ...(kind !== undefined && { kind }),
    ...(puzzle !== undefined && { puzzle }),
    ...(Array.isArray(merged) && { merged: DAY_STEPS.filter((step) => merged.includes(step)) }),
    ...(told === true && { told }),
    ...(typeof waitsSince === 'number' && { waitsSince }),
  };
}

/** The platform's part of it, as doors know it; undefined before anything was posted. */
export function postedOf({ message, thread, kind }: DeliveryRecord): Posted | undefined {
  if (message === undefined && thread === undefined && kind === undefined) return undefined;
  return {
    ...(message !== undefined && { message }),
    ...(thread !== undefined && { thread }),
    ...(kind !== undefined && { kind }),
  };
}

/** Who typed a board stands in one place only, where they can be forgotten. */
function withoutPerson({ typedBy: _, ...puzzle }: Puzzle): Puzzle {
  return puzzle;
}
