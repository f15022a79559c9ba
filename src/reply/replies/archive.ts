import type { PuzzleDate } from '../../core/clock.ts';
import { counted, longDate, shortDate } from '../../core/text.ts';
import { type Page, pageButtons, pageNote } from '../model/page.ts';
import { bold, buttonsBlock, notes, textBlock, toAsker } from '../model/text.ts';
import type { Action, Button, Line, Reply } from '../model/types.ts';
import { type ScoreShown, scoreText } from './result-line.ts';

/** A past day, and the asker's result on its board. */
export interface ArchiveDay {
  readonly date: PuzzleDate;
  readonly isBegun?: boolean;
  readonly solved?: ScoreShown & {
    /** Whether it was solved after its day. */
    readonly isLate: boolean;
    /** Whether it counts in this channel rather than another one. */
    readonly isHere: boolean;
  };
}

export interface ArchiveRequest {
  /** Newest first. */
  readonly days: Page<ArchiveDay>;
  readonly streak: number;
  /** Whether a page was turned, rather than the list opened. */
  readonly isTurned: boolean;
}

/** Past days of a channel, for one person: what they solved, and a button to play each. */
export function archiveReply({ days, streak, isTurned }: ArchiveRequest): Reply {
  const { items, number } = days;
  const none: Line = ['No past boards here yet. Today’s board: ', { command: 'today' }];
  const now = `Your streak is ${counted(streak, 'day')}. A past board that you solve now counts in your stats only.`;
  const blocks = [
    textBlock(items.length === 0 ? [none] : items.map(dayLine)),
    pageNote('Day', days),
    notes(now),
    buttonsBlock([...items.map(playButton), ...pageButtons(archiveAction(), days)]),
  ];
  return toAsker('Past boards', blocks, { rerun: archiveAction(number), replaces: isTurned || undefined });
}

function archiveAction(page?: number): Action {
  return { command: 'archive', options: page === undefined ? {} : { page } };
}

function dayLine({ date, isBegun, solved }: ArchiveDay): Line {
  if (solved === undefined) return [bold(longDate(date)), isBegun ? ' · started' : ' · not played yet'];
  const late = solved.isLate ? ' · after its day' : '';
  const elsewhere = solved.isHere ? '' : ' · in another channel';
  return [bold(longDate(date)), ` · ${scoreText(solved, ' · ')}${late}${elsewhere}`];
}

function playButton({ date }: ArchiveDay): Button {
  return { label: `Play ${shortDate(date)}`, action: { command: 'play', options: { date } } };
}
