import { sql } from 'kysely';
import * as v from 'valibot';
import type { PuzzleDate } from '../../core/clock.ts';
import type { Database } from '../schema.ts';
import { parseJson } from './rows.ts';

export interface Result {
  readonly person: string;
  readonly channel: string;
  readonly date: PuzzleDate;
  readonly words: number;
  /** 0 where a reported result does not say how many. */
  readonly letters: number;
  readonly hints: number;
  readonly solvedAt: number;
  /** Milliseconds. Null if the board was solved after its day: such a result counts for no streak and no leaderboard. */
  readonly sinceOpening: number | null;
  /** The number of letters of each word; the words themselves are not stored. */
  readonly lengths: readonly number[];
  readonly path?: AnonymizedPath;
  /** Set where the person only said how many words they took: nobody has checked it. */
  readonly reported?: true;
  /** The platform's id of the message that the result was read from. */
  readonly message?: string;
  /** A checksum of the words, to tell different solutions of a day's board apart. */
  readonly solution?: string;
}

/**
 * The path of a solution over its board, for the picture of a shared result. The sides and the letters of each side
 * are shuffled, so that no word can be read from it.
 */
export interface AnonymizedPath {
  /** The number of letters of each side. */
  readonly sides: readonly number[];
  /** The spots of each word. */
  readonly words: readonly (readonly number[])[];
}

/** What a person's result of a day is counted by. */
export type DayScore = Pick<
  Result,
  'date' | 'words' | 'letters' | 'hints' | 'solvedAt' | 'sinceOpening' | 'reported'
>;

/** More letters than any result has: one that does not say how many comes after those that do. */
const UNKNOWN_LETTERS = 1_000_000;

/** What makes one result better than another, best first; the same order as `compareScores` has. */
export function rankOf(table: 'result' | 'excluded') {
  const row = sql.raw(table);
  return sql`${row}.reported, ${row}.words,
    case ${row}.letters when 0 then ${sql.lit(UNKNOWN_LETTERS)} else ${row}.letters end,
    ${row}.hints, ${row}.solved_at`;
}

export const lengthsSchema = v.array(v.number());
export const pathSchema = v.object({ sides: v.array(v.number()), words: v.array(v.array(v.number())) });

export function resultOf({
  tenant: _,
  path,
  reported,
  message,
  solution,
  ...row
}: Database['result']): Result {
  return {
    ...row,
    lengths: v.parse(lengthsSchema, parseJson(row.lengths)),
    ...(path !== null && { path: v.parse(pathSchema, parseJson(path)) }),
    ...(reported === 1 && { reported: true }),
    ...(message !== null && { message }),
    ...(solution !== null && { solution }),
  };
}
