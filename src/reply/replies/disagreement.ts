import type { Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import { longDate } from '../model/subject.ts';
import type { Reply } from '../model/types.ts';

/** To whoever typed a board, when the newspaper turns out to have another one on that day. */
export function disagreementReply(typed: Puzzle, fetched: Puzzle): Reply {
  const sides = formatBoard(fetched.board);
  return {
    title: `The newspaper has another board for ${longDate(typed.date)}`,
    blocks: [
      {
        kind: 'text',
        lines: [
          `You typed ${formatBoard(typed.board).toUpperCase()}; the newspaper has ${sides.toUpperCase()}.`,
          ['Yours stays in use in that channel. If it was a slip, type ', { command: `set ${sides}` }, '.'],
        ],
      },
    ],
    audience: 'asker',
  };
}
