import { type App, type Command, flagOf, type Request } from '../src/dispatch/contract.ts';
import { toldTo } from '../src/dispatch/told.ts';
import { DATE, jobAskerOf, SIDES, type Topic, topicOf } from '../src/dispatch/topic.ts';
import { endOf, madeBoardOn } from '../src/players/made-boards/made-board.ts';
import { ownResult } from '../src/players/results/own-result.ts';
import { sourceLabel } from '../src/reply/replies/board.ts';
import { ALL_HINT_POINTS, hintPoints } from '../src/reply/replies/hint.ts';
import { priceReply } from '../src/reply/replies/solutions.ts';
import { NAMES } from './names.ts';

export const reveal: Command = {
  name: 'reveal',
  ...NAMES.reveal,
  options: [
    DATE,
    SIDES,
    {
      name: 'open',
      description: 'Show it at once',
      kind: 'flag',
    },
  ],
  access: 'anyone',
  private: true,
  more: `On a daily board it counts as all hints: ${ALL_HINT_POINTS} hint points.`,
  examples: ['reveal', 'reveal yesterday', 'reveal sides:"ozu nri lfa mbt"'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { subject, source, puzzle } = topic;
    if (!flagOf(request, 'open') && (await hasPrice(request, app, topic))) return priceReply(subject);
    const input = {
      subject,
      source,
      ...(puzzle?.official !== undefined && { official: { words: puzzle.official, source: puzzle.source } }),
      ...(flagOf(request, 'open') && { open: true }),
      ...(puzzle !== undefined && { note: sourceLabel(puzzle) }),
    };
    return app.work.run('reveal', input, jobAskerOf(request));
  },
};

/** Whether the asker may still have a better result of this board without the solution. */
async function hasPrice(request: Request, app: App, topic: Topic): Promise<boolean> {
  const { who, where, recordsHints = true } = request;
  const { charged } = await toldTo(request, app, topic.subject);
  if (!recordsHints || hintPoints(charged) >= ALL_HINT_POINTS) return false;
  const { board } = topic;
  const date = topic.puzzle?.date ?? (await app.puzzles.dayOf(board, where));
  if (date !== undefined && (await ownResult(request, app, { date, board })) === undefined) return true;
  const madeBoard = topic.puzzle === undefined ? await madeBoardOn(app, where, topic.board) : undefined;
  if (madeBoard === undefined || app.clock.now() >= endOf(madeBoard)) return false;
  const { madeBoards } = app.store.tenant(where.tenant);
  return (await madeBoards.resultOf(where.channel, madeBoard.key, who.id)) === undefined;
}
