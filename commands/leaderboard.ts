import { DATE, PAGE } from '../src/dispatch/board/topic.ts';
import {
  type App,
  type Command,
  choiceOf,
  flagOf,
  type Request,
  textOf,
  wholeOf,
} from '../src/dispatch/contract.ts';
import { PERIODS, periodBefore, periodOf, standingsOf } from '../src/players/results/standings.ts';
import { monthReview, reviewSettings } from '../src/players/reviews/review-month.ts';
import { addDays } from '../src/puzzle/calendar.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { monthReviewReply } from '../src/reply/replies/month-review.ts';
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
    {
      name: 'review',
      description: 'How the month went in this channel, with a chart of its days',
      kind: 'flag',
    },
    PAGE,
  ],
  access: 'anyone',
  private: false,
  more: `${ORDER_OF_STANDINGS} A board counts if you solve it on its day. To stay off the leaderboard: privacy hide`,
  examples: [
    'leaderboard',
    'leaderboard month',
    'leaderboard week date:2026-11-15',
    'leaderboard review',
    'leaderboard review date:2026-10-31',
  ],
  async run(request, app) {
    if (flagOf(request, 'review')) return reviewOfMonth(request, app);
    const { store, puzzles, clock } = app;
    const now = clock.now();
    const asked = textOf(request, 'date');
    const name = choiceOf(request, 'period', PERIODS) ?? 'week';
    const today = puzzles.dateAt(now);
    const period = periodOf(name, asked === undefined ? today : puzzles.readDate(asked, now));
    const { channelResults } = store.tenant(request.where.tenant);
    const before = periodBefore(period);
    const page = wholeOf(request, 'page');
    return standingsReply({
      period,
      ...(before !== undefined && { before }),
      isOver: period.to < today,
      asker: request.who.id,
      standings: standingsOf(await channelResults.sums(request.where.channel, period.from, period.to)),
      ...(page !== undefined && { page }),
    });
  },
};

async function reviewOfMonth(request: Request, app: App): Promise<Reply> {
  const { puzzles, clock, store } = app;
  const now = clock.now();
  const asked = textOf(request, 'date');
  const today = puzzles.dateAt(now);
  const month = periodOf('month', asked === undefined ? today : puzzles.readDate(asked, now));
  const { tenant, channel } = request.where;
  const blocks = await monthReview(app, {
    tenant,
    channel,
    date: month.to < today ? month.to : today,
    ...(await reviewSettings(store, request.where)),
  });
  return monthReviewReply(blocks, {
    from: month.from,
    before: periodOf('month', addDays(month.from, -1)).from,
  });
}
