import { peopleScope } from '../src/core/channel-ref.ts';
import type { Command } from '../src/dispatch/contract.ts';
import { MOST_DAYS_OFF, stretchesOf } from '../src/players/results/holidays.ts';
import { periodOf, puzzleDays, rankIn, statsOf } from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { statsReply } from '../src/reply/replies/own-settings.ts';

export const stats: Command = {
  name: 'stats',
  alias: ['streak', 'streaks'],
  description: 'Your streak, averages and best result, only for you',
  options: [],
  access: 'read',
  private: true,
  more: 'Results from everywhere on this platform count. To keep a streak, solve each day’s board on its day. A day without a board doesn’t break it, and neither does a day off that you announced with holiday. Every ten days solved earn a freeze, two at most, which keeps your streak on a day you miss.',
  examples: ['stats'],
  async run(request, app) {
    const { store, clock } = app;
    const scores = await store.allPeople.scoresOf(peopleScope(request.where.tenant), request.who.id);
    const today = dateAt(clock.now());
    const daysOff = await store.allPeople.holidaysOf(peopleScope(request.where.tenant), request.who.id);
    const { streak, best, ...sums } = statsOf(scores, await puzzleDays(store), today, daysOff);
    const rank = await rankIn(app, request, periodOf('week', today));
    const ofYear = daysOff.filter((date) => date.startsWith(today.slice(0, 4)));
    return statsReply({
      ...streak,
      ...sums,
      best,
      rank,
      ...(ofYear.length > 0 && {
        daysOff: { stretches: stretchesOf(ofYear), used: ofYear.length, most: MOST_DAYS_OFF },
      }),
    });
  },
};
