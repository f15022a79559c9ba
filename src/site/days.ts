import type { PuzzleDate } from '../core/clock.ts';
import type { Puzzle } from '../puzzle/types.ts';
import { formatBoard, parseBoard } from '../solver/board.ts';

/** House boards that were made before, as a file: a line for each day, such as `2026-11-24 ozu nri lfa mbt 4`. */
export function packDays(puzzles: readonly Puzzle[]): string {
  return puzzles.map(({ date, board, par }) => `${date} ${formatBoard(board)} ${par}`).join('\n');
}

/** @returns the house's puzzle of a day, if the file has it */
export function readDays(text: string): (date: PuzzleDate) => Puzzle | undefined {
  const lines = new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line]));
  return (date) => {
    const [, ...sides] = lines.get(date)?.split(' ') ?? [];
    const par = Number(sides.pop());
    return sides.length === 0
      ? undefined
      : { date, source: 'house', board: parseBoard(sides.join(' ')), par };
  };
}
