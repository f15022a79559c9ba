import { DATE, puzzleOf } from '../src/dispatch/board/topic.ts';
import type { Command } from '../src/dispatch/contract.ts';
import { openingReply } from '../src/reply/replies/board.ts';

export const today: Command = {
  name: 'today',
  description: "The day's board, with every hint at a button's reach",
  options: [{ ...DATE, positional: true }],
  access: 'anyone',
  private: false,
  more: 'The puzzle changes at 03:00 in New York. Boards of past days are there as far back as this bot has seen them, or can still get them.',
  examples: ['today', 'today yesterday', 'today date:yesterday'],
  async run(request, app) {
    const puzzle = await puzzleOf(request, app);
    const isOn = puzzle.date === app.puzzles.dateAt(app.clock.now());
    return openingReply({
      puzzle,
      ...(isOn && { until: app.puzzles.spanOf(puzzle.date).to }),
      audience: 'everyone',
    });
  },
};
