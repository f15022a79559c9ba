import { askerOf, DATE, topicOf } from '../src/dispatch/board/topic.ts';
import { type Command, wordsOf } from '../src/dispatch/contract.ts';
import { periodOf } from '../src/players/results/period.ts';
import { recordSolution } from '../src/players/results/record-solution.ts';
import { rankIn } from '../src/players/results/standings.ts';
import { isCertain } from '../src/puzzle/judge.ts';
import type { PuzzleDate } from '../src/puzzle/types.ts';
import { solvedPlayReply, unsolvedPlayReply } from '../src/reply/replies/result.ts';

export const play: Command = {
  name: 'play',
  description: 'Enter your solution of the day: only you see the answer, until you share it',
  options: [
    {
      name: 'words',
      description: 'Your words in the order you play them, with commas between',
      kind: 'words',
      required: true,
      positional: true,
      example: 'forum,mozart',
    },
    DATE,
  ],
  access: 'anyone',
  private: true,
  more: 'Your best result of a day is kept: fewest words, then fewest letters, then fewest hints, then the earliest. Boards of past days count in your stats, but not for streak and leaderboard. The words themselves are not kept.',
  examples: ['play forum,mozart', 'play forum mozart date:yesterday'],
  async run(request, app) {
    const topic = await topicOf(request, app);
    const { board, subject, source, puzzle } = topic;
    const words = wordsOf(request, 'words');
    const checked = await app.work.run('check', { board, source, words }, askerOf(request));
    if (!checked.solved) return unsolvedPlayReply(subject, checked, isCertain(source));
    const { result, better, beaten } = await recordSolution(request, app, topic, words);
    const rank = await rankIn(app, request, periodOf('day', result.date as PuzzleDate));
    return solvedPlayReply({
      subject,
      words,
      result,
      ...(better !== undefined && { better }),
      ...(beaten !== undefined && { beaten }),
      ...(rank !== undefined && { rank }),
      ...(puzzle?.par !== undefined && { par: puzzle.par }),
      certain: isCertain(source),
    });
  },
};
