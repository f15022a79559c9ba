import { identityScope } from '../src/core/channel-ref.ts';
import type { PuzzleDate } from '../src/core/clock.ts';
import { unlessMistake } from '../src/core/errors.ts';
import { type Asker, type Command, integerOf, type ReadingApp } from '../src/dispatch/contract.ts';
import { PAGE_OPTION } from '../src/dispatch/options.ts';
import { dayGameKey, ownResult } from '../src/players/results/own-result.ts';
import { streakNow } from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { pageOf } from '../src/reply/model/page.ts';
import { type ArchiveDay, type ArchiveRequest, archiveReply } from '../src/reply/replies/stats.ts';
import { named } from './names.ts';

export const archive: Command = {
  ...named('archive'),
  options: [{ ...PAGE_OPTION, positional: true }],
  access: 'anyone-reads',
  private: true,
  more: 'Boards of past days count in your stats, but not for your streak or the leaderboard. The newspaper’s boards are listed only for days on which this channel had them.',
  examples: ['archive', 'archive 2'],
  async run(request, app) {
    return archiveReply(await archiveOf(request, app, integerOf(request, 'page')));
  },
};

/** A week, so that a button for each day fits beside the buttons that turn the page. */
const DAYS_PER_PAGE = 7;

/**
 * A page of the past days of the asker's channel, newest first. They are days that the channel had or, if its source is the
 * house, could have had, and days that the asker has solved here.
 */
async function archiveOf(asker: Asker, app: ReadingApp, page?: number): Promise<ArchiveRequest> {
  const { who, where } = asker;
  const { store, puzzles, clock } = app;
  const today = dateAt(clock.now());
  const solved = await store.tenant(where.tenant).results.datesIn(who.id, where.channel);
  const past = [...(await puzzles.daysOf(where)), ...solved].filter((date) => date < today);
  const shown = pageOf([...new Set(past)].sort().reverse(), page ?? 1, DAYS_PER_PAGE);
  const games = await store.allPeople.soloGameBoards(identityScope(where.tenant), who.id, clock.now());
  return {
    days: { ...shown, items: await Promise.all(shown.items.map((date) => dayOf(asker, app, date, games))) },
    streak: (await streakNow(asker, app)).current,
    isTurned: page !== undefined,
  };
}

/** @param games the boards that the asker has begun */
async function dayOf(
  asker: Asker,
  app: ReadingApp,
  date: PuzzleDate,
  games: readonly string[],
): Promise<ArchiveDay> {
  const puzzle = await unlessMistake(app.puzzles.puzzleOf(date, asker.where));
  if (puzzle === undefined) return { date };
  const own = await ownResult(asker, app, puzzle);
  if (own === undefined) return { date, isBegun: games.includes(dayGameKey(puzzle)) };
  return { date, solved: { ...own.result, isHere: own.isHere } };
}
