import { type Command, flagOf, type ReadingApp, type Request } from '../src/dispatch/contract.ts';
import { readHintRecord } from '../src/dispatch/hint-record.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { jobAskerOf, type Target, targetOf } from '../src/dispatch/target.ts';
import { endOf, madeBoardOn } from '../src/players/made-boards/made-board.ts';
import { ownResult } from '../src/players/results/own-result.ts';
import { sourceLabel } from '../src/reply/replies/board.ts';
import { ALL_HINT_POINTS, hintPoints } from '../src/reply/replies/hint-steps.ts';
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
    const { namedBoard, source, puzzle } = target;
    if (!flagOf(request, 'open') && (await hasPrice(request, app, target))) return priceReply(namedBoard);
    const input = {
      namedBoard,
      source,
      ...(puzzle?.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
      ...(flagOf(request, 'open') && { open: true }),
      ...(puzzle !== undefined && { note: sourceLabel(puzzle) }),
    };
    return app.work.run('reveal', input, jobAskerOf(request));
  },
};

/** Whether seeing the solution would cost the asker more hint points, in a result of this board that they may still get. */
async function hasPrice(request: Request, app: ReadingApp, target: Target): Promise<boolean> {
  const { who, where, hintRecording } = request;
  const { countedSteps } = await readHintRecord(request, app, target.namedBoard);
  if (hintRecording === 'off' || hintPoints(countedSteps) >= ALL_HINT_POINTS) return false;
  const { board } = target;
  const date = target.puzzle?.date ?? (await app.puzzles.dayOf(board, where));
  if (date !== undefined && (await ownResult(request, app, { date, board })) === undefined) return true;
  const madeBoard = target.puzzle === undefined ? await madeBoardOn(app, where, target.board) : undefined;
  if (madeBoard === undefined || app.clock.now() >= endOf(madeBoard)) return false;
  const { madeBoards } = app.store.tenant(where.tenant);
  return (await madeBoards.resultOf(where.channel, madeBoard.key, who.id)) === undefined;
}
