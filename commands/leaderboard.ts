import type { PuzzleDate } from '../src/core/clock.ts';
import { isCountPublic } from '../src/daily/day-thread.ts';
import { settingsOf } from '../src/daily/settings/settings.ts';
import {
  type Command,
  choiceOf,
  flagOf,
  integerOf,
  type ReadingApp,
  type Request,
  textOf,
} from '../src/dispatch/contract.ts';
import { DATE_OPTION, PAGE_OPTION } from '../src/dispatch/options.ts';
import { dateOf } from '../src/dispatch/target.ts';
import { madeBoardOfThread } from '../src/players/made-boards/made-board.ts';
import { showStandings } from '../src/players/made-boards/manage.ts';
import { showOtherGames } from '../src/players/other-games.ts';
import { hasPrivateChats, publicTitles } from '../src/players/results/own-result.ts';
import {
  inOrderOfTime,
  listedDay,
  periodBefore,
  periodOf,
  standingsIn,
} from '../src/players/results/stats.ts';
import { monthReview } from '../src/players/reviews.ts';
import { addDays, dateAt, readDate } from '../src/puzzle/calendar.ts';
import type { Reply } from '../src/reply/model/types.ts';
import { monthReviewReply } from '../src/reply/replies/channel-reviews.ts';
import {
  LEADERBOARD_ORDER,
  PERIOD_LABELS,
  PERIODS,
  type Period,
  type PeriodName,
  type StandingsRequest,
  standingsOfDay,
  standingsReply,
} from '../src/reply/replies/standings.ts';
import { named } from './names.ts';

export const leaderboard: Command = {
  ...named('leaderboard'),
  options: [
    {
      name: 'period',
      description: 'Which period; left out, this week',
      kind: 'choice',
      choices: PERIODS,
      about: PERIOD_LABELS,
      positional: true,
      example: 'month',
    },
    { ...DATE_OPTION, description: 'A date in the week or month to show' },
    {
      name: 'review',
      description: 'How the month went in this channel, with a chart',
      kind: 'flag',
    },
    { name: 'games', description: 'Other daily games', kind: 'flag' },
    PAGE_OPTION,
    {
      name: 'private',
      description: 'Set by the buttons of private answers, so that only you see it',
      kind: 'flag',
      internal: true,
    },
  ],
  access: 'anyone-reads',
  private: false,
  more: `${LEADERBOARD_ORDER} A board counts if you solve it on its day. To stay off the leaderboard: privacy hide`,
  examples: [
    'leaderboard',
    'leaderboard last month',
    'leaderboard week date:2026-11-15',
    'leaderboard review',
    'leaderboard games',
    'leaderboard review date:2026-10-31',
  ],
  async run(request, app) {
    if (flagOf(request, 'review')) return monthReviewOf(request, app);
    // Typed alone in the thread of a made board, it means that board.
    const isTypedAlone = Object.keys(request.options).length === 0;
    if (isTypedAlone && (await madeBoardOfThread(request, app)) !== undefined)
      return showStandings(request, app);
    const { store, clock } = app;
    const { door, where, who } = request;
    const { people } = store.tenant(where.tenant);
    const usual = /^(?:to|yester)day$/i.test(textOf(request, 'date') ?? '') ? 'day' : 'week';
    const period = await askedPeriod(choiceOf(request, 'period', PERIODS) ?? usual, request, app);
    const shown = { page: integerOf(request, 'page'), isPrivate: flagOf(request, 'private') };
    if (flagOf(request, 'games')) return showOtherGames(request, app, period, shown);
    const results =
      period.name === 'day'
        ? await resultsOfDay(request, app, period.from)
        : { standings: await standingsIn(store, where, period, clock.now()) };
    return standingsReply({
      ...shown,
      ...results,
      period,
      previousPeriod: periodBefore(period),
      isOver: period.to < dateAt(clock.now()),
      asker: who.id,
      mayShare: !where.direct && hasPrivateChats(door, app),
      isUnranked: !(await people.isRanked(who.id)),
    });
  },
};

async function resultsOfDay(
  request: Request,
  app: ReadingApp,
  date: PuzzleDate,
): Promise<Pick<StandingsRequest, 'standings' | 'calm' | 'hidesWords' | 'titles'>> {
  const { store, clock, puzzles } = app;
  const { where } = request;
  const results = await listedDay(app, where, date);
  const calm = await store.tenant(where.tenant).channelResults.calmSolvers(where.channel, date);
  if (results.length === 0) return { standings: [], calm };
  const now = clock.now();
  const hidesWords = !(await isCountPublic(store, where, { date, now }));
  const standings = standingsOfDay(hidesWords ? inOrderOfTime(results) : results);
  // Without titles where the day's board can't be read: the results count all the same.
  const puzzle = await puzzles.puzzleOf(date, where).catch(() => undefined);
  const reader = { tenant: where.tenant, channel: where.channel, now, asker: request };
  const titles = puzzle && (await publicTitles(app, reader, puzzle, results));
  return { standings, calm, hidesWords, titles };
}

/** The period that a date lies in. Of `last week`, `last` is left for the date. All time has no last one: that is refused. */
async function askedPeriod(name: PeriodName, request: Request, app: ReadingApp): Promise<Period> {
  const asked = textOf(request, 'date')?.toLowerCase();
  const current = periodOf(name, await dateOf(request, app));
  if (asked === undefined || asked === 'this') return current;
  const previous = asked === 'last' ? periodBefore(current) : undefined;
  return previous ?? periodOf(name, readDate(asked, app.clock.now()));
}

async function monthReviewOf(request: Request, app: ReadingApp): Promise<Reply> {
  const { clock, store } = app;
  const today = dateAt(clock.now());
  const { from, to } = await askedPeriod('month', request, app);
  const { tenant, channel } = request.where;
  const month = await monthReview(app, {
    tenant,
    channel,
    date: to < today ? to : today,
    now: clock.now(),
    settings: await settingsOf(store, request.where),
  });
  return monthReviewReply(month, periodOf('month', addDays(from, -1)).from);
}
