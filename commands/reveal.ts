import { type Command, flagOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { targetOf } from '../src/dispatch/target.ts';
import { nextHintFor, paidHints } from '../src/players/results/paid-hints.ts';
import { sourceLabel } from '../src/reply/replies/board.ts';
import { ALL_HINT_POINTS, priceOf } from '../src/reply/replies/hint-steps.ts';
import { priceReply } from '../src/reply/replies/reveal.ts';
import { named } from './names.ts';

export const reveal: Command = {
  ...named('reveal'),
  options: [DATE_OPTION, SIDES_OPTION, { name: 'open', description: 'Show it at once', kind: 'flag' }],
  access: 'anyone-reads',
  private: true,
  more: `On a daily board it counts as all hints: ${ALL_HINT_POINTS} hint points.`,
  examples: ['reveal', 'reveal yesterday', 'reveal sides:"ozu nri lfa mbt"'],
  async run(request, app) {
    const target = await targetOf(request, app);
    const { namedBoard, board, source, puzzle } = target;
    const date = puzzle?.date ?? (await app.puzzles.dayOf(board, request.where));
    const points = priceOf(['solution'], await paidHints(request, app, { board, date }));
    if (!flagOf(request, 'open') && points > 0)
      return priceReply(namedBoard, points, await nextHintFor(request, app, namedBoard));
    const input = {
      namedBoard,
      source,
      ...(puzzle?.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
      ...(flagOf(request, 'open') && { open: true }),
      ...(puzzle !== undefined && { note: sourceLabel(puzzle) }),
    };
    return app.work.run('reveal', input, request);
  },
};
