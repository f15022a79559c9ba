import { peopleScope } from '../src/core/channel-ref.ts';
import type { PuzzleDate } from '../src/core/clock.ts';
import { UserError } from '../src/core/errors.ts';
import { type Asker, type Command, type ReadingApp, wholeOf } from '../src/dispatch/contract.ts';
import { PAGE } from '../src/dispatch/topic.ts';
import { dayGameKey } from '../src/players/results/results.ts';
import { isOnTime, streakIn } from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { pageOf } from '../src/reply/model/action.ts';
import { type ArchiveDay, type ArchiveRequest, archiveReply } from '../src/reply/replies/own-settings.ts';
import type { DayScore } from '../src/store/tables/results.ts';

export const archive: Command = {
  name: 'archive',
  description: 'Past boards of this channel, and how you did',
  options: [{ ...PAGE, positional: true }],
  access: 'read',
  private: true,
  more: 'Boards of past days count in your stats, but not for your streak or the leaderboard. The newspaper’s boards are listed only for days on which this channel had them.',
  examples: ['archive', 'archive 2'],
  async run(request, app) {
    return archiveReply(await archiveOf(request, app, wholeOf(request, 'page')));
  },
};

/** A week, so that a button for each day fits beside the buttons that turn the page. */
const DAYS_OF_PAGE = 7;

/**
 * A page of the past days of the asker's channel, newest first. They are days that the channel had or, if its source is the
 * house, could have had, and days that the asker has solved here.
 */
async function archiveOf(asker: Asker, app: ReadingApp, page?: number): Promise<ArchiveRequest> {
  const { who, where } = asker;
  const { store, puzzles, clock } = app;
  const today = dateAt(clock.now());
  const here = await store.tenant(where.tenant).results.scoresIn(who.id, where.channel);
  const solved = here.map(({ date }) => date).filter((date) => date < today);
  const dates = new Set([...(await puzzles.daysOf(where)), ...solved]);
  const shown = pageOf([...dates].sort().reverse(), page ?? 1, DAYS_OF_PAGE);
  const anywhere = await store.allPeople.scoresOf(peopleScope(where.tenant), who.id);
  return {
    days: { ...shown, items: await daysOf(asker, app, shown.items, { here, anywhere }) },
    streak: (await streakIn(anywhere, app)).current,
    isTurned: page !== undefined,
  };
}

interface Scores {
  readonly here: readonly DayScore[];
  readonly anywhere: readonly DayScore[];
}

async function daysOf(
  asker: Asker,
  app: ReadingApp,
  dates: readonly PuzzleDate[],
  { here, anywhere }: Scores,
): Promise<ArchiveDay[]> {
  const { store, clock } = app;
  const games = await store.tenant(asker.where.tenant).soloGames.boards(asker.who.id, clock.now());
  return Promise.all(
    dates.map(async (date): Promise<ArchiveDay> => {
      const own = here.find((score) => score.date === date);
      const best = own ?? anywhere.find((score) => score.date === date);
      if (best !== undefined)
        return { date, solved: { ...best, isLate: !isOnTime(best), isHere: own !== undefined } };
      // A game of that day may be on the board of another channel.
      const mayBeBegun = games.some((board) => board.startsWith(`${date} `));
      return { date, isBegun: mayBeBegun && games.includes(await gameOf(asker, app, date)) };
    }),
  );
}

async function gameOf({ where }: Asker, { puzzles }: ReadingApp, date: PuzzleDate): Promise<string> {
  try {
    return dayGameKey(await puzzles.puzzleOf(date, where));
  } catch (error) {
    if (error instanceof UserError) return '';
    throw error;
  }
}
