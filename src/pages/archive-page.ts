import type { PuzzleDate } from '../core/clock.ts';
import type { App } from '../dispatch/contract.ts';
import { longDate } from '../puzzle/date-text.ts';
import { pageLine, pageOf } from '../reply/model/subject.ts';
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
  const shown = pageOf(dates, page, PAGE);
  const { items, number, hasMore } = shown;
  const note = pageLine('Day', shown);
  return {
    days: items.map((date) => ({ date, name: longDate(date) })),
    ...(note !== undefined && { note }),
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
