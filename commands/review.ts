import { UserError } from '../src/core/errors.ts';
import { lettersIn } from '../src/core/text.ts';
import { type App, type Command, type Request, wordsOf } from '../src/dispatch/contract.ts';
import { DATE, jobAskerOf, SIDES, type Topic, topicOf } from '../src/dispatch/topic.ts';
import { findsOf } from '../src/players/hunt.ts';
import { countHints, dayGameKey } from '../src/players/results/results.ts';
import { SoloGames } from '../src/players/solo-games.ts';
import { spanOf } from '../src/puzzle/calendar.ts';
import { hasResult } from '../src/reply/replies/game.ts';
import { ALL_HINT_POINTS } from '../src/reply/replies/hint.ts';
import { nothingToReviewReply } from '../src/reply/replies/played.ts';

export const review: Command = {
  name: 'review',
  alias: ['how'],
  description: 'How your solution compares with all others',
  options: [
    {
      name: 'words',
      description: 'A solution, separated by commas; left out, the one you played',
      kind: 'words',
      positional: true,
      example: 'forum,mozart',
    },
    SIDES,
    DATE,
  ],
  access: 'anyone',
  searches: true,
  private: true,
  more: 'It names no solution but yours, until you’ve seen the solution or the day is over. Of 100 points, each word more than the fewest takes 15, each letter more than the shortest solution of as many words takes 1 (at most 10), and each hint point takes 1. What it tells of better solutions counts as hints, in case you find one.',
  examples: ['review', 'review yesterday', 'review unform,mobilization ozu nri lfa mbt'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { subject, board, source, puzzle } = topic;
    const { words: _, ...options } = request.options;
    const typed = wordsOf(request, 'words');
    const { state, solved } = await new SoloGames(app).open(request, options);
    const allHints = await countHints(request, app, topic);
    const isOver = puzzle !== undefined && app.clock.now() >= spanOf(puzzle.date).to;
    // On a board that counts, people who have neither solved it nor seen the solution would learn what hints cost.
    const isOpen = isOver || allHints === ALL_HINT_POINTS;
    if (solved === undefined && !isOpen && (subject.date !== undefined || typed.length === 0))
      return nothingToReviewReply(subject);
    const words = typed.length === 0 ? await bestPlayed(request, app, topic, state.words) : typed;
    if (typed.length > 0) {
      const { solved: isRight } = await app.work.run('check', { board, source, words }, jobAskerOf(request));
      if (!isRight)
        throw new UserError(
          'review.words',
          'These words don’t solve the board. Type check and the words to see why.',
        );
    }
    const best = solved?.day?.best;
    const isBest = best?.words === words.length && best.letters === lettersIn(words);
    const hints = isBest ? best.hints : allHints;
    const counts = solved !== undefined && hasResult(solved);
    return app.work.run('review', { subject, source, words, hints, counts, isOpen }, jobAskerOf(request));
  },
};

/** The best solution that the asker found in a hunt, or otherwise their game as it is. */
async function bestPlayed(
  request: Request,
  app: App,
  { puzzle }: Topic,
  played: readonly string[],
): Promise<readonly string[]> {
  const finds = puzzle === undefined ? [] : await findsOf(request, app, { board: dayGameKey(puzzle) });
  const [best] = finds
    .map((solution) => solution.split(' '))
    .sort((a, b) => a.length - b.length || lettersIn(a) - lettersIn(b));
  return best ?? played;
}
