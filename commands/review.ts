import { UserError } from '../src/core/errors.ts';
import { type Command, wordsOf } from '../src/dispatch/contract.ts';
import { readHintRecord } from '../src/dispatch/hint-record.ts';
import { DATE_OPTION, SIDES_OPTION } from '../src/dispatch/options.ts';
import { targetOf } from '../src/dispatch/target.ts';
import { ownResultOf, resultOfReplaced, wordsOfResult } from '../src/players/results/own-result.ts';
import { mayImprove } from '../src/players/results/paid-hints.ts';
import { isCalm } from '../src/players/results/stats.ts';
import { openSoloGame } from '../src/players/solo-games.ts';
import { spanOf } from '../src/puzzle/calendar.ts';
import { HINT_STEPS } from '../src/reply/model/facts.ts';
import { hintPoints } from '../src/reply/replies/hint-steps.ts';
import { noWordsReply } from '../src/reply/replies/result.ts';
import { nothingToReviewReply } from '../src/reply/replies/review.ts';
import { named } from './names.ts';

export const review: Command = {
  ...named('review'),
  options: [
    {
      name: 'words',
      description: 'A solution; left out, the one you played',
      kind: 'words',
      positional: true,
      example: 'forum,mozart',
    },
    SIDES_OPTION,
    DATE_OPTION,
  ],
  access: 'anyone-writes',
  searches: true,
  private: true,
  more: 'It names no solution but yours, until you’ve seen the solution or the day is over. Of 100 points, each word more than the fewest takes 15, each letter more than the shortest solution of as many words takes 1 (at most 10), and each hint point takes 1. What it tells of better solutions counts as hints, in case you find one.',
  examples: ['review', 'review yesterday', 'review unform,mobilization ozu nri lfa mbt'],
  async run(request, app) {
    const target = await targetOf(request, app);
    const { namedBoard, board, source, puzzle } = target;
    const { words: _, ...options } = request.options;
    const typed = wordsOf(request, 'words');
    const { state, solved } = await openSoloGame(request, app, options);
    const { countedSteps: paid } = await readHintRecord(request, app, namedBoard);
    const isOver = puzzle !== undefined && app.clock.now() >= spanOf(puzzle.date).to;
    // A solution that was seen counts as all hints.
    const maySeeBest = isOver || paid.length === HINT_STEPS.length;
    const own = await ownResultOf(request, app, target);
    const isTyped = typed.length > 0;
    const hasSolved = own !== undefined || solved !== undefined;
    // To somebody who has neither solved the board nor seen its solution, a review would give away what hints charge for. Typed
    // sides have no such result in most cases, and what a review tells of them is charged if they have.
    const isAllowed = hasSolved || maySeeBest || (isTyped && namedBoard.date === undefined);
    if (!isAllowed)
      return nothingToReviewReply(namedBoard, puzzle && (await resultOfReplaced(request, app, puzzle)));
    const ownWords = own && (await wordsOfResult(request, app, own));
    if (!isTyped && own !== undefined && ownWords === undefined) return noWordsReply(namedBoard, own.result);
    const words = isTyped ? typed : (ownWords ?? state.words);
    if (isTyped && !(await app.work.run('check', { board, source, words }, request)).solved)
      throw new UserError(
        'review.words',
        'These words don’t solve the board. Type check and the words to see why.',
      );
    const ownHints = ownWords?.join() === words.join() ? own?.result.hints : undefined;
    // Most commands of the terminal record no hints on typed sides, so a review there takes no points for any.
    const isUncounted = request.door === 'terminal' && namedBoard.date === undefined;
    const hints = ownHints ?? (isUncounted ? 0 : hintPoints(paid));
    const hasResult = own !== undefined;
    const improves = hasResult && (await mayImprove(request, app, target));
    return app.work.run(
      'review',
      {
        namedBoard,
        source,
        words,
        hints,
        paid,
        hasResult,
        mayImprove: improves,
        maySeeBest,
        isCalm: await isCalm(request, app),
      },
      request,
    );
  },
};
