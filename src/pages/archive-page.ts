import type { PuzzleDate } from '../core/clock.ts';
import type { App } from '../dispatch/contract.ts';
import { longDate } from '../puzzle/date-text.ts';
import { pageOf } from '../reply/model/paging.ts';
import type { ArchiveDocument } from './html.ts';

/** Four weeks. */
const PAGE = 28;
/** More than a year. */
const MOST_KNOWN = 400;

/** A page of the past days that had a house board, for everybody: the newspaper's days are on no page. */
export async function archivePage(
  { puzzles, clock }: Pick<App, 'puzzles' | 'clock'>,
  page: number,
): Promise<ArchiveDocument> {
  const dates = await puzzles.houseDays();
  const { items, number, from, to, hasMore, total } = pageOf(dates, page, PAGE);
  return {
    days: items.map((date) => ({ date, name: longDate(date) })),
    ...((hasMore || number > 1) && { note: `Days ${from} to ${to} of ${total}.` }),
    links: [
      ...(number > 1 ? [{ label: 'Newer', page: number - 1 }] : []),
      ...(hasMore ? [{ label: 'Older', page: number + 1 }] : []),
    ],
    known: knownDays(puzzles.dateAt(clock.now()), dates),
  };
}

/** The days by which a browser counts its streak. @param past days that had a board, newest first */
export function knownDays(today: PuzzleDate, past: readonly PuzzleDate[]): PuzzleDate[] {
  return [today, ...past.slice(0, MOST_KNOWN)];
}
