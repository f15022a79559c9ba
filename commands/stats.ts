import { type Command, textOf } from '../src/dispatch/contract.ts';
import { compareWith } from '../src/players/results/comparison.ts';
import {
  isCalm,
  periodOf,
  placeAmong,
  puzzleDays,
  standingsIn,
  statsOf,
} from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { statsReply } from '../src/reply/replies/stats.ts';
import { named } from './names.ts';

export const stats: Command = {
  ...named('stats'),
  options: [
    {
      name: 'with',
      description: 'You and one person, if both agree',
      kind: 'text',
      isPerson: true,
      example: '@ann',
    },
    { name: 'agree', description: 'Set by the buttons of the question', kind: 'flag', internal: true },
  ],
  access: 'anyone-writes',
  private: true,
  more: 'Results from everywhere on this platform count. To keep a streak, solve each day’s board on its day. A day without a board doesn’t break it. Every ten days solved earn a freeze, two at most, which keeps your streak on a day you miss. With another person, it compares the two of you once both have agreed: I ask them in private.',
  examples: ['stats', 'stats with:@ann'],
  async run(request, app) {
    const { who, where } = request;
    const other = textOf(request, 'with');
    if (other !== undefined) {
      const { agree } = request.options;
      return compareWith(request, app, other, typeof agree === 'boolean' ? agree : undefined);
    }
    const { store, clock } = app;
    const { tenant } = where;
    const scores = await store.allPeople.scoresOf(tenant, who.id);
    const today = dateAt(clock.now());
    const week = await standingsIn(store, where, periodOf('week', today), clock.now());
    const known = await puzzleDays(store, store.allPeople.typedDays(tenant, who.id));
    const { streak, ...others } = statsOf(scores, known, today);
    return (await isCalm(request, app))
      ? statsReply(others)
      : statsReply({ ...others, streak }, placeAmong(week, who.id));
  },
};
