import type { Command } from '../src/dispatch/contract.ts';
import { periodOf } from '../src/players/results/period.ts';
import { rankIn } from '../src/players/results/standings.ts';
import { statsOf } from '../src/players/results/stats.ts';
import { puzzleDays } from '../src/players/results/streak.ts';
import { statsReply } from '../src/reply/replies/stats.ts';

export const stats: Command = {
  name: 'stats',
  description: 'Your streak, averages and best result, only for you',
  options: [],
  access: 'anyone',
  private: true,
  more: 'Results from everywhere on this platform count. To keep a streak, solve each day’s board on its day. A day without a board doesn’t break it.',
  examples: ['stats'],
  async run(request, app) {
    const { store, puzzles, clock } = app;
    const scores = await store.allPeople.scoresOf(request.door, request.who.id);
    const { streak, best, ...sums } = statsOf(scores, await puzzleDays(store), puzzles.dateAt(clock.now()));
    const rank = await rankIn(app, request, periodOf('week', puzzles.dateAt(clock.now())));
    return statsReply({
      ...streak,
      ...sums,
      ...(best !== undefined && { best }),
      ...(rank !== undefined && { rank }),
    });
  },
};
