import type { Command } from '../src/dispatch/contract.ts';
import { DATE_OPTION } from '../src/dispatch/options.ts';
import { puzzleOf } from '../src/dispatch/target.ts';
import { dateAt, spanOf } from '../src/puzzle/calendar.ts';
import { dayBoardReply } from '../src/reply/replies/board.ts';
import { named } from './names.ts';

export const today: Command = {
  ...named('today'),
  options: [DATE_OPTION],
  access: 'anyone-reads',
  private: false,
  more: 'A new board comes at 3:00 AM New York time. Past boards are there if I’ve seen them or can still get them.',
  examples: ['today', 'today yesterday', 'today date:yesterday'],
  async run(request, app) {
    // Without a date it is today's board, also in the thread of a day that is over, where other commands mean that day.
    const options = { date: 'today', ...request.options };
    const puzzle = await puzzleOf({ ...request, options }, app);
    const isOn = puzzle.date === dateAt(app.clock.now());
    const until = isOn ? spanOf(puzzle.date).to : undefined;
    return dayBoardReply(puzzle, until);
  },
};
