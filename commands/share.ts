import { UserError } from '../src/core/errors.ts';
import { dayThread } from '../src/daily/day-thread.ts';
import { type App, type Command, choiceOf, type Request, textOf } from '../src/dispatch/contract.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { puzzleOf, refuseSidesWithDate } from '../src/dispatch/target.ts';
import { bringFind } from '../src/players/hunt.ts';
import { type MadeBoard, madeBoardOfThread, madeBoardOn } from '../src/players/made-boards/made-board.ts';
import { shareMadeBoard } from '../src/players/made-boards/manage.ts';
import { postShared } from '../src/players/public-messages.ts';
import { publicTitles, resultOfReplaced, wordsOfResult } from '../src/players/results/own-result.ts';
import { resultToShare, resultToShow } from '../src/players/results/results.ts';
import { isCalm } from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { dayGameKey } from '../src/puzzle/types.ts';
import { namedBoardOfDay } from '../src/reply/model/named-board.ts';
import { unsharedReply } from '../src/reply/replies/result.ts';
import { SHARE_DESCRIPTIONS, SHARE_FORMATS } from '../src/reply/replies/result-line.ts';
import { parseBoard } from '../src/solver/board.ts';
import { named } from './names.ts';

export const share: Command = {
  ...named('share'),
  options: [
    DATE_OPTION,
    { ...SIDES_OPTION, description: 'A board that someone made here; left out, today’s' },
    {
      name: 'as',
      description: 'What to show; left out, squares',
      kind: 'choice',
      choices: SHARE_FORMATS,
      about: SHARE_DESCRIPTIONS,
      positional: true,
      example: 'squares',
    },
  ],
  access: 'anyone-writes',
  private: false,
  more: 'It is posted in the day’s thread, if there is one. A board that you solved somewhere else counts on this channel’s leaderboard from then on. Once the day is over, a picture shows the path on a shuffled board. The notation, such as S - H(9), H - T(5), reveals letters: it stays hidden until someone opens it.',
  examples: ['share', 'share squares', 'share yesterday'],
  async run(request, app) {
    const format = choiceOf(request, 'as', SHARE_FORMATS);
    const madeBoard = await madeBoardMeant(request, app);
    if (madeBoard !== undefined) return shareMadeBoard(request, app, madeBoard, format);
    const puzzle = await puzzleOf(request, app);
    const own = await resultToShare(request, app, puzzle);
    const namedBoard = namedBoardOfDay(puzzle);
    // The asker may have solved the day's earlier board, before this one was typed or fetched: the answer says so.
    if (own === undefined) return unsharedReply(namedBoard, await resultOfReplaced(request, app, puzzle));
    const { result, isBrought, isAfterSolutionHere, listedNow } = own;
    // The key of the person's game, and of their finds: either may have the words of the result.
    const key = dayGameKey(puzzle);
    const words = await wordsOfResult(request, app, { result, game: key, finds: key });
    // A solution that is brought here from elsewhere counts in this channel's hunt, too.
    if (isBrought && words !== undefined) {
      const { afterSolution } = result;
      const source = await app.puzzles.wordSource(puzzle);
      await bringFind(
        request,
        app,
        { namedBoard, puzzle, board: puzzle.board, source },
        { words, afterSolution },
      );
    }
    const shown = await resultToShow(request, app, result);
    const now = app.clock.now();
    const isToday = puzzle.date === dateAt(now);
    const titles = await publicTitles(app, { ...request.where, now, asker: request }, puzzle, [result]);
    return postShared(request, app, {
      namedBoard,
      board: puzzle.date,
      result: { ...shown, par: puzzle.par },
      as: {
        format,
        words,
        title: (await isCalm(request, app)) ? undefined : titles.get(result.person),
        isOver: !isToday,
      },
      thread: await dayThread(app, request.where, puzzle.date),
      note: { thread: isToday ? 'today’s thread' : 'that day’s thread', isAfterSolutionHere, listedNow },
    });
  },
};

/** The made board of the channel whose sides were given, or whose thread this is. */
async function madeBoardMeant(request: Request, app: App): Promise<MadeBoard | undefined> {
  const sides = textOf(request, 'sides');
  if (sides === undefined) return madeBoardOfThread(request, app);
  refuseSidesWithDate(request);
  const madeBoard = await madeBoardOn(app, request.where, parseBoard(sides));
  if (madeBoard !== undefined) return madeBoard;
  throw new UserError(
    'share.board',
    'You can share daily boards, and boards that someone made in this channel. This is neither.',
  );
}
