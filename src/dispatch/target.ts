import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { addDays, dateAt, readDate } from '../puzzle/calendar.ts';
import type { Puzzle, WordSource } from '../puzzle/types.ts';
import { type NamedBoard, namedBoardOf, namedBoardOfDay } from '../reply/model/named-board.ts';
import { parseBoard } from '../solver/board.ts';
import type { SearchOptions } from '../solver/search.ts';
import type { Board } from '../solver/types.ts';
import type { StoredMadeBoard } from '../store/tables/made-boards.ts';
import { flagOf, type ReadingApp, type Request, textOf, wordsOf } from './contract.ts';

/** The board that a request is about, and the source that judges its words. */
export interface Target {
  readonly board: Board;
  readonly namedBoard: NamedBoard;
  /** The puzzle of a day; none for sides that were typed. */
  readonly puzzle?: Puzzle;
  readonly source: WordSource;
}

/** The sides that were typed, else the board of this thread, else the day's puzzle of the asker's channel. */
export async function targetOf(request: Request, app: ReadingApp): Promise<Target> {
  const sides = textOf(request, 'sides') ?? (await storedBoardOfThread(request, app))?.sides;
  if (sides === undefined) {
    const puzzle = await puzzleOf(request, app);
    const source = await app.puzzles.wordSource(puzzle);
    return { board: puzzle.board, namedBoard: namedBoardOfDay(puzzle), puzzle, source };
  }
  refuseSidesWithDate(request);
  const board = parseBoard(sides);
  const namedBoard = namedBoardOf(board);
  const source = await app.puzzles.wordSource({ board });
  return { board, namedBoard, source };
}

export function refuseSidesWithDate({ options }: Request): void {
  if (options.sides !== undefined && options.date !== undefined)
    throw new UserError('target.both', 'Give sides or a date, not both.');
}

/** The made board to which the thread of a request belongs, unless the request names a day. */
export async function storedBoardOfThread(
  { where, options }: Pick<Request, 'where' | 'options'>,
  { store, clock }: Pick<ReadingApp, 'store' | 'clock'>,
): Promise<StoredMadeBoard | undefined> {
  const { tenant, channel, thread } = where;
  if (thread === undefined || options.date !== undefined) return undefined;
  return store.tenant(tenant).madeBoards.ofThread(channel, thread, clock.now());
}

/** The puzzle of the day that a request names, see `dateOf`. */
export async function puzzleOf(request: Request, app: ReadingApp): Promise<Puzzle> {
  return app.puzzles.puzzleOf(await dateOf(request, app, textOf(request, 'date')), request.where);
}

/**
 * The date that was asked for, else that of the day whose thread a request comes from, else that of `moment`. A day's thread
 * stays open until the next thread, even if its puzzle is over.
 *
 * @param moment of the request: if it names an earlier message, when that was written
 */
export async function dateOf(
  { where: { tenant, channel, thread } }: Pick<Request, 'where'>,
  { store, clock }: Pick<ReadingApp, 'store' | 'clock'>,
  asked?: string,
  moment = clock.now(),
): Promise<PuzzleDate> {
  if (asked !== undefined) return readDate(asked, moment);
  if (thread === undefined) return dateAt(moment);
  const tomorrow = addDays(dateAt(clock.now()), 1);
  const [last] = await store.tenant(tenant).deliveries.lastOpened(channel, tomorrow, 1);
  // Imported only here, so that the terminal solves typed boards without loading valibot.
  const { threadIdIn } = await import('./poster.ts');
  return last !== undefined && threadIdIn(last.record) === thread ? last.date : dateAt(moment);
}

/** The words that a hint or the next word continues from, and the words that it may use. */
export function continuationOf(request: Request, played = wordsOf(request, 'words')): SearchOptions {
  const tier = flagOf(request, 'everyday') ? 'everyday' : undefined;
  return { played: played.length > 0 ? played : undefined, tier };
}
