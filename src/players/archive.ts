import { peopleScope } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import type { Asker, ReadingApp } from '../dispatch/contract.ts';
import { pageOf } from '../reply/model/subject.ts';
import type { ArchiveDay, ArchiveRequest } from '../reply/replies/stats.ts';
import type { DayScore } from '../store/tables/results.ts';
import { isOnTime } from './results/score.ts';
import { streakIn } from './results/stats.ts';
import { dayGameKey } from './solo/results-elsewhere.ts';

/** A week, and a button for each day of it beside those that turn the page. */
const PAGE = 7;

/**
 * A page of the past days of the asker's channel, newest first. They are the days that the channel had or, if its
 * source is the house, could have had, and those that the asker has solved here.
 */
export async function archiveOf(asker: Asker, app: ReadingApp, page?: number): Promise<ArchiveRequest> {
  const { who, where } = asker;
  const { store, puzzles, clock } = app;
  const today = puzzles.dateAt(clock.now());
  const here = await store.tenant(where.tenant).results.scoresIn(who.id, where.channel);
  const solved = here.map(({ date }) => date).filter((date) => date < today);
  const dates = new Set([...(await puzzles.daysOf(where)), ...solved]);
  const shown = pageOf([...dates].sort().reverse(), page ?? 1, PAGE);
  const anywhere = await store.allPeople.scoresOf(peopleScope(where.tenant), who.id);
  const daysOff = await store.allPeople.holidaysOf(peopleScope(where.tenant), who.id);
  return {
    days: { ...shown, items: await daysOf(asker, app, shown.items, { here, anywhere }) },
    streak: (await streakIn(anywhere, daysOff, app)).current,
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
      // A game of that day may be of the board of another channel.
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
