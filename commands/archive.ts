import type { PuzzleDate } from '../src/core/clock.ts';
import { unlessMistake } from '../src/core/errors.ts';
import { type Asker, type Command, integerOf, type ReadingApp } from '../src/dispatch/contract.ts';
import { PAGE_OPTION } from '../src/dispatch/options.ts';
import { ownResult, resultOfReplaced } from '../src/players/results/own-result.ts';
import { isCalm, streakNow } from '../src/players/results/stats.ts';
import { dateAt } from '../src/puzzle/calendar.ts';
import { dayGameKey } from '../src/puzzle/types.ts';
import { pageOf } from '../src/reply/model/page.ts';
import { type ArchiveDay, archiveReply } from '../src/reply/replies/stats.ts';
import { named } from './names.ts';

export const archive: Command = {
  ...named('archive'),
  options: [{ ...PAGE_OPTION, positional: true }],
  access: 'anyone-reads',
  private: true,
  more: 'Boards of past days count in your stats, but not for your streak or the leaderboard. The newspaper’s boards are listed only for days on which this channel had them.',
  examples: ['archive', 'archive 2'],
  async run(request, app) {
    const { who, where } = request;
    const { store, puzzles, clock } = app;
    const page = integerOf(request, 'page');
    const now = clock.now();
    const today = dateAt(now);
    const { results, channelResults } = store.tenant(where.tenant);
    // The asker may have solved a day's board here without a thread of that day, and threads are forgotten after some weeks.
    const solved = await results.datesIn(who.id, where.channel);
    const played = await channelResults.datesIn(where.channel, today);
    const past = [...(await puzzles.daysOf(where)), ...solved, ...played].filter((date) => date < today);
    const shown = pageOf([...new Set(past)].sort().reverse(), page ?? 1, DAYS_PER_PAGE);
    const games = await store.allPeople.soloGameBoards(where.tenant, who.id, now);
    const items = await Promise.all(shown.items.map((date) => dayOf(request, app, date, games)));
    const streak = (await isCalm(request, app)) ? 0 : (await streakNow(request, app)).current;
    return archiveReply({ days: { ...shown, items }, streak, isTurned: page !== undefined });
  },
};

/** A week, so that a button for each day fits beside the buttons that turn the page. */
const DAYS_PER_PAGE = 7;

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
  const replaced = await resultOfReplaced(asker, app, puzzle);
  if (own === undefined) return { date, isBegun: games.includes(dayGameKey(puzzle)), replaced };
  const { result, isHere, isAfterSolutionHere } = own;
  return { date, replaced, solved: { ...result, isHere, isAfterSolutionHere } };
}
