import { identityScope } from '../src/core/channel-ref.ts';
import type { Command } from '../src/dispatch/contract.ts';
import { periodOf, puzzleDays, rankIn, statsOf } from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { statsReply } from '../src/reply/replies/stats.ts';
import { named } from './names.ts';

export const stats: Command = {
  ...named('stats'),
  options: [],
  access: 'anyone-reads',
  private: true,
  more: 'Results from everywhere on this platform count. To keep a streak, solve each day’s board on its day. A day without a board doesn’t break it. Every ten days solved earn a freeze, two at most, which keeps your streak on a day you miss.',
  examples: ['stats'],
  async run(request, app) {
    const { store, clock } = app;
    const scores = await store.allPeople.scoresOf(identityScope(request.where.tenant), request.who.id);
    const today = dateAt(clock.now());
    const sums = statsOf(scores, await puzzleDays(store), today);
    return statsReply(sums, await rankIn(app, request, periodOf('week', today)));
  },
};
