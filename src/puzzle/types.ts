/** The vocabulary of the day's puzzle. */

import type { PuzzleDate } from '../core/clock.ts';
import type { Board, Grade, PlayableWord } from '../solver/types.ts';

/**
 * Sources whose boards are kept for everyone and count for streaks. `newspaper`: the New York Times' board; `house`: generated
 * from the date.
 */
export const KEPT_SOURCES = ['newspaper', 'house'] as const;
export type KeptSource = (typeof KEPT_SOURCES)[number];

/** Boards typed by a person, by `hand`, belong to their tenant. */
export const SOURCES = [...KEPT_SOURCES, 'hand'] as const;
export type Source = (typeof SOURCES)[number];

export interface Puzzle {
  readonly date: PuzzleDate;
  readonly source: Source;
  readonly board: Board;
  /** The newspaper's own count of words to aim for. */
  readonly par?: number;
  /** Every word the game accepts on this board, when known; it then decides. */
  readonly dictionary?: readonly DayWord[];
  /** The source's own solution. */
  readonly official?: readonly string[];
  /** How hard it is; left out for typed boards that are not like the newspaper's. */
  readonly difficulty?: Grade | undefined;
  readonly editor?: string;
  /** The platform's id of who typed the board, and when; only with the source `hand`. */
  readonly typedBy?: string;
  readonly typedAt?: number;
  /** Whether the house's board replaces the newspaper's, which couldn't be reached. The day's record has it, the puzzle's own row does not. */
  readonly isFallback?: true;
}

/** `obscure`: only in the last of the lists that make the newspaper's dictionary, so accepted, but offered last. */
export interface DayWord {
  readonly word: string;
  readonly obscure: boolean;
}

/** The words to solve a board with: the day's own dictionary, or the lexicon corrected by verdicts. */
export interface Judge {
  readonly words: readonly PlayableWord[];
  readonly isWord: (word: string) => boolean;
  /** Whether the list that decides is known rather than estimated: the game's own, or ours on a house board. */
  readonly isListExact: boolean;
  /** The source's own solution, if it is known: hints are about this one. */
  readonly official?: readonly string[];
}

/** Whether the game accepted a word, according to the dictionaries of past days. */
export type Verdicts = ReadonlyMap<string, boolean>;

/**
 * What judging words needs besides the lexicon: the day's own dictionary, or what earlier ones taught. Plain data, so that a
 * board can be judged on any thread.
 */
export type WordSource = (
  | { readonly dictionary: readonly DayWord[] }
  | {
      readonly verdicts: Verdicts;
      /** See `LIST_DECIDES`. */
      readonly decides?: boolean;
    }
) & { readonly official?: readonly string[] };

/** Its source is left out for a board that somebody typed. */
export type BoardToJudge = Pick<Puzzle, 'board' | 'dictionary' | 'official'> &
  Partial<Pick<Puzzle, 'source'>>;

const NO_VERDICTS: Verdicts = new Map();

/** The sources on whose boards our word list decides, with what it was taught. */
const LIST_DECIDES: Readonly<Record<Source, boolean>> = { newspaper: false, house: true, hand: false };

export function wordSourceOf(
  { dictionary, official, source }: Omit<BoardToJudge, 'board'>,
  verdicts = NO_VERDICTS,
): WordSource {
  const own = official && { official };
  if (dictionary !== undefined) return { dictionary, ...own };
  return { verdicts, decides: source !== undefined && LIST_DECIDES[source], ...own };
}

/** Whether the list that decides is known, rather than estimated. */
export function hasExactList(source: WordSource): boolean {
  return 'dictionary' in source || source.decides === true;
}

/** A channel's choice of source, and what it gets when the newspaper can't be reached. */
export interface ChannelSource {
  readonly source: DailySource;
  readonly otherwise: 'house' | 'nothing';
}

/** Each allows the ones after it: a channel may do without the newspaper, but not turn on what the operator turned off. */
export const DAILY_SOURCES = ['newspaper', 'house', 'off'] as const;

export type DailySource = (typeof DAILY_SOURCES)[number];

/** Whether two boards play the same: the order of the sides, and of letters along a side, doesn't matter. */
export function isSameBoard(a: Pick<Board, 'sides'>, b: Pick<Board, 'sides'>): boolean {
  return boardKey(a.sides) === boardKey(b.sides);
}

/** The day of that puzzle, if any, whose board it is. */
export function dayAmong(puzzles: readonly Puzzle[], board: Pick<Board, 'sides'>): PuzzleDate | undefined {
  return puzzles.find((puzzle) => isSameBoard(puzzle.board, board))?.date;
}

/** Equal for all boards that play the same. */
export function boardKey(sides: readonly string[]): string {
  return sides
    .map((side) => Array.from(side).sort().join(''))
    .sort()
    .join(' ');
}

/**
 * The board of a day. The date alone does not select it: two channels may have different boards on one day, and a channel has
 * two if its board was replaced.
 */
export type DayBoard = Pick<Puzzle, 'date' | 'board'>;

/**
 * The key of a person's game of a day's board, and of the solutions that they find on it.
 *
 * @example dayGameKey({ date: '2026-03-01', board }) // '2026-03-01 ozu-nri-lfa-mbt'
 */
export function dayGameKey({
  date,
  board,
}: Pick<DayBoard, 'date'> & { readonly board: Pick<Board, 'sides'> }): string {
  return `${date} ${board.sides.join('-')}`;
}

export function parseDayGameKey(key: string): { readonly date: PuzzleDate; readonly sides: string[] } {
  const [date, sides] = key.split(' ');
  return { date: date as PuzzleDate, sides: sides!.split('-') };
}
