import type { ChannelRef } from '../core/channel-ref.ts';
import { unlessMistake } from '../core/errors.ts';
import { isSameBoard, type Puzzle } from '../puzzle/types.ts';
import { sidesOption } from '../reply/model/named-board.ts';
import type { Action } from '../reply/model/types.ts';
import { sidesOfSeen } from '../reply/replies/seen-board.ts';
import type { SeenBoard } from '../vision/board-from-pixels.ts';
import type { ReadingApp } from './contract.ts';

/** A picture shows a day's board if so many letters are on the same sides: two of the newspaper's twelve may be misread. */
const MIN_LETTERS_OF_DAY = 10;

/**
 * What the picture of a board asks for: to solve the board of a day that it shows, or else the sides that were read. If some
 * letters of these are uncertain, the answer shows them before anything is solved.
 */
export async function actionOfSeen(
  seen: SeenBoard,
  where: ChannelRef,
  puzzles: ReadingApp['puzzles'],
): Promise<Action> {
  const shown = (await puzzles.boardsOn(where)).find((puzzle) => isOfDay(seen, puzzle));
  if (shown !== undefined) {
    // It may be the board of another channel alone: here, its date means another board.
    const own = await unlessMistake(puzzles.puzzleOf(shown.date, where));
    const isOwn = own !== undefined && isSameBoard(own.board, shown.board);
    return { command: 'solve', options: isOwn ? { date: shown.date } : sidesOption(shown.board) };
  }
  const { sides, unsure } = sidesOfSeen(seen);
  return { command: 'solve', options: { sides, ...(unsure.length > 0 && { unsure: unsure.join(',') }) } };
}

/** The sides may be drawn in another order than the board has them. */
function isOfDay(
  { sides: seen }: SeenBoard,
  { board: { sides, letters: all } }: Pick<Puzzle, 'board'>,
): boolean {
  const common = seen.map((side) => {
    const letters = side.map(({ letter }) => letter);
    return Math.max(...sides.map((own) => letters.filter((letter) => own.includes(letter)).length));
  });
  const isSameForm = sides.length === seen.length && all.length === seen.flat().length;
  return isSameForm && common.reduce((sum, one) => sum + one, 0) >= MIN_LETTERS_OF_DAY;
}
