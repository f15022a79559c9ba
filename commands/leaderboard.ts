import { DATE, PAGE } from '../src/dispatch/board/topic.ts';
import { type Command, choiceOf, textOf, wholeOf } from '../src/dispatch/contract.ts';
import { PERIODS, periodBefore, periodOf } from '../src/players/results/period.ts';
import { standingsOf } from '../src/players/results/standings.ts';
import { ORDER_OF_STANDINGS, standingsReply } from '../src/reply/replies/standings.ts';

export const leaderboard: Command = {
  name: 'leaderboard',
  description: 'Who solved the most boards in this channel',
  options: [
    {
      name: 'period',
      description: 'Which period; left out, this week',
      kind: 'choice',
      choices: PERIODS,
      about: { day: 'Today', week: 'This week', month: 'This month', all: 'All time' },
      positional: true,
      example: 'month',
    },
    { ...DATE, positional: true, description: 'A date in the week or month to show' },
    PAGE,
  ],
  access: 'anyone',
  private: false,
  more: `${ORDER_OF_STANDINGS} A board counts if you solve it on its day. To stay off the leaderboard: privacy hide`,
  examples: ['leaderboard', 'leaderboard month', 'leaderboard week date:2026-11-15'],
  async run(request, { store, puzzles, clock }) {
    const now = clock.now();
    const asked = textOf(request, 'date');
    const name = choiceOf(request, 'period', PERIODS) ?? 'week';
    const period = periodOf(name, asked === undefined ? puzzles.dateAt(now) : puzzles.readDate(asked, now));
    const { results } = store.tenant(request.where.tenant);
    const before = periodBefore(period);
    const page = wholeOf(request, 'page');
    return standingsReply({
      period,
      ...(before !== undefined && { before }),
      asker: request.who.id,
      standings: standingsOf(await results.sums(request.where.channel, period.from, period.to)),
      ...(page !== undefined && { page }),
    });
  },
};
