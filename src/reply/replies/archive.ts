import type { PuzzleDate } from '../../core/clock.ts';
import { counted } from '../../core/text.ts';
import { longDate, shortDate } from '../../puzzle/date-text.ts';
import { type Page, pageButtons, pageNote } from '../model/paging.ts';
import { buttonsBlock } from '../model/subject.ts';
import { bold } from '../model/text.ts';
import type { Action, Button, Line, Reply } from '../model/types.ts';
import { hintsUsed } from './result-line.ts';

/** A past day, and what the asker made of its board. */
export interface ArchiveDay {
  readonly date: PuzzleDate;
  readonly isBegun?: boolean;
  readonly solved?: {
    readonly words: number;
    readonly letters: number;
    readonly hints: number;
    /** Told in a message of theirs rather than played. */
    readonly reported?: true;
    /** After its day. */
    readonly isLate: boolean;
    /** In this channel rather than another one. */
    readonly isHere: boolean;
  };
}

export interface ArchiveRequest {
  /** Newest first. */
  readonly days: Page<ArchiveDay>;
  readonly streak: number;
  /** A page was turned, rather than the list opened. */
  readonly isTurned: boolean;
}

/** Past days of a channel, for one person: what they solved, and a button to play each. */
export function archiveReply({ days, streak, isTurned }: ArchiveRequest): Reply {
  const { items, number } = days;
  return {
    title: 'Past boards',
    blocks: [
      {
        kind: 'text',
        lines:
          items.length === 0
            ? [['No past boards here yet. Today’s board: ', { command: 'today' }]]
            : items.map(dayLine),
      },
      ...pageNote('Day', days),
      {
        kind: 'note',
        line: `Your streak is ${counted(streak, 'day')}. A past board that you solve now counts in your stats only.`,
      },
      ...buttonsBlock([...items.map(playButton), ...pageButtons(archiveAction(), days)]),
    ],
    audience: 'asker',
    again: archiveAction(number),
    ...(isTurned && { replaces: true }),
  };
}

function archiveAction(page?: number): Action {
  return { command: 'archive', options: page === undefined ? {} : { page } };
}

function dayLine({ date, isBegun, solved }: ArchiveDay): Line {
  if (solved === undefined) return [bold(longDate(date)), isBegun ? ' · started' : ' · not played yet'];
  const { words, letters, hints, reported, isLate, isHere } = solved;
  const facts = [
    counted(words, 'word'),
    ...(letters === 0 ? [] : [counted(letters, 'letter')]),
    hintsUsed(hints),
    ...(reported ? ['self-reported'] : []),
    ...(isLate ? ['after its day'] : []),
    ...(isHere ? [] : ['in another channel']),
  ];
  return [bold(longDate(date)), ` · ${facts.join(' · ')}`];
}

function playButton({ date }: ArchiveDay): Button {
  return { label: `Play ${shortDate(date)}`, action: { command: 'play', options: { date } } };
}
