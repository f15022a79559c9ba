import type { PuzzleDate } from '../src/core/clock.ts';
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
import { madeBoardOfThread } from '../src/players/made-boards/made-board.ts';
import { showStandings } from '../src/players/made-boards/manage.ts';
import { showOtherGames } from '../src/players/other-games.ts';
import { hasPrivateChats, publicTitles } from '../src/players/results/own-result.ts';
import {
  isCountPublic,
  listedDay,
  periodBefore,
  periodOf,
  standingsOf,
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
  standingsOfDay,
  standingsReply,
} from '../src/reply/replies/standings.ts';
import type { Result } from '../src/store/tables/results.ts';
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
    const isPlain = Object.keys(request.options).length === 0;
    if (isPlain && (await madeBoardOfThread(request, app)) !== undefined) return showStandings(request, app);
    const { store, clock } = app;
    const today = dateAt(clock.now());
    const period = askedPeriod(choiceOf(request, 'period', PERIODS) ?? 'week', request, app);
    const { channelResults } = store.tenant(request.where.tenant);
    const page = integerOf(request, 'page');
    if (flagOf(request, 'games'))
      return showOtherGames(request, app, period, { page, isPrivate: flagOf(request, 'private') });
    const before = periodBefore(period);
    const { door, where } = request;
    const results = period.name === 'day' ? await listedDay(app, where, period.from) : [];
    const standings =
      period.name === 'day'
        ? standingsOfDay(results)
        : standingsOf(await channelResults.sums(where.channel, period.from, period.to));
    const calm = period.name === 'day' ? await channelResults.calmSolvers(where.channel, period.from) : [];
    const isOfDay = results.length > 0;
    const day = { date: period.from, now: clock.now() };
    const hidesWords = isOfDay && !(await isCountPublic(store, where, day));
    return standingsReply({
      period,
      hidesWords,
      before,
      isOver: period.to < today,
      asker: request.who.id,
      standings,
      calm,
      titles: isOfDay ? await titlesOf(request, app, period.from, results) : undefined,
      page,
      isPrivate: flagOf(request, 'private'),
      mayBring:
        !where.direct &&
        hasPrivateChats(door, app) &&
        (await store.tenant(where.tenant).people.isRanked(request.who.id)),
    });
  },
};

/** The period that a date lies in; of `last week`, only `last` is left for the date. */
function askedPeriod(name: PeriodName, request: Request, { clock }: ReadingApp): Period {
  const now = clock.now();
  const asked = textOf(request, 'date')?.toLowerCase();
  const current = periodOf(name, dateAt(now));
  if (asked === undefined || asked === 'this') return current;
  const before = asked === 'last' ? periodBefore(current) : undefined;
  return before ?? periodOf(name, readDate(asked, now));
}

/** None where the day's board can't be read: the results count all the same. */
async function titlesOf(
  request: Request,
  app: ReadingApp,
  date: PuzzleDate,
  results: readonly Result[],
): Promise<ReadonlyMap<string, string> | undefined> {
  const { tenant, channel } = request.where;
  const puzzle = await app.puzzles.puzzleOf(date, request.where).catch(() => undefined);
  if (puzzle === undefined) return undefined;
  const reader = { tenant, channel, now: app.clock.now(), asker: request };
  return publicTitles(app, reader, puzzle, results);
}

async function monthReviewOf(request: Request, app: ReadingApp): Promise<Reply> {
  const { clock, store } = app;
  const today = dateAt(clock.now());
  const { from, to } = askedPeriod('month', request, app);
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
