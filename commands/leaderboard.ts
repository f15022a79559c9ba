import { DATE, PAGE } from '../src/dispatch/board/topic.ts';
import { type Command, choiceOf, textOf, wholeOf } from '../src/dispatch/contract.ts';
import { PERIODS, periodBefore, periodOf } from '../src/players/results/period.ts';
import { standingsOf } from '../src/players/results/standings.ts';
import { ORDER_OF_STANDINGS, standingsReply } from '../src/reply/replies/standings.ts';

export const leaderboard: Command = {
  name: 'leaderboard',
  description: 'Who solved most boards here this week, this month, or ever',
  options: [
    {
      name: 'period',
      description: 'day, week, month or all; a week unless you say',
      kind: 'choice',
      choices: PERIODS,
      positional: true,
      example: 'month',
    },
    { ...DATE, positional: true, description: 'A day of the week or month you want to see' },
    PAGE,
  ],
  access: 'anyone',
  private: false,
  more: `${ORDER_OF_STANDINGS} Only boards solved while they were on count. People who wish to stay off the board are not on it: privacy hide.`,
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
      standings: standingsOf(await results.sums(request.where.channel, period.from, period.to)),
      ...(page !== undefined && { page }),
    });
  },
};
