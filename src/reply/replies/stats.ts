import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped } from '../../core/text.ts';
import { longDate, shortDate } from '../../puzzle/date-text.ts';
import { type Page, pageButtons, pageNote } from '../model/subject.ts';
import { bold, buttonsBlock, factsBlock, notes, textBlock, toAsker } from '../model/text.ts';
import type { Action, Block, Button, Fact, Line, Reply } from '../model/types.ts';
import { type DaysOff, daysOffText } from './own-settings.ts';
import { hintsUsed, type Place, placeText } from './result-line.ts';
import { decimal, OWN_LEADERBOARD_BUTTON } from './standings.ts';

/** Characters of the longest bar. */
const BAR = 12;
/** From this number of words on, results share one bar. */
const MANY = 7;

/** A person's results so far, added up. */
export interface StatsNumbers {
  readonly solved: number;
  /** Of those, how many after their day was over. */
  readonly late: number;
  /** Of those, how many that were only reported. */
  readonly reported: number;
  /** On average; undefined before the first. */
  readonly words: number | undefined;
  readonly letters: number | undefined;
  readonly hints: number | undefined;
  readonly withoutHints: number;
  /** How often with how many words, fewest first. */
  readonly byWords: readonly { readonly words: number; readonly times: number }[];
}

export interface StatsRequest extends StatsNumbers {
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
  readonly best?: { readonly date: PuzzleDate; readonly words: number; readonly letters: number };
  /** On this channel's leaderboard of the week. */
  readonly rank?: Place;
  /** Of this year, announced in advance. */
  readonly daysOff?: { readonly stretches: readonly DaysOff[]; readonly used: number; readonly most: number };
}

/** A person's results so far, for them alone. */
export function statsReply(stats: StatsRequest): Reply {
  const nothing: Line = [
    'Nothing yet. Solve a board and enter your words: ',
    { command: 'play' },
    '. Only you see them.',
  ];
  const blocks: Block[] =
    stats.solved === 0
      ? textBlock([nothing])
      : [...factsBlock(statsFacts(stats)), ...textBlock(bars(stats.byWords))];
  return toAsker('Your stats', [
    ...blocks,
    ...buttonsBlock([
      OWN_LEADERBOARD_BUTTON,
      { label: 'My data', action: { command: 'privacy', options: {} } },
    ]),
  ]);
}

/** A bar for each number of words; results of many words share the last. */
function bars(byWords: StatsRequest['byWords']): string[] {
  const few = byWords.filter(({ words }) => words < MANY);
  const many = byWords.filter(({ words }) => words >= MANY).reduce((sum, { times }) => sum + times, 0);
  const rows = [
    ...few.map(({ words, times }) => ({ label: counted(words, 'word'), times })),
    ...(many === 0 ? [] : [{ label: `${MANY} words or more`, times: many }]),
  ];
  const most = Math.max(...rows.map(({ times }) => times));
  return rows.map(({ label, times }) => {
    const length = Math.max(1, Math.round((BAR * times) / most));
    return `${'▇'.repeat(length)} ${label}: ${grouped(times)}`;
  });
}

function statsFacts(stats: StatsRequest): Fact[] {
  const {
    current,
    longest,
    isTodaySolved,
    solved,
    late,
    reported,
    words,
    letters,
    hints,
    withoutHints,
    best,
    rank,
    daysOff,
  } = stats;
  const open = current > 0 && !isTodaySolved ? ', today’s board still open' : '';
  return [
    { label: 'Streak', value: `${counted(current, 'day')}${open}` },
    { label: 'Longest streak', value: counted(longest, 'day') },
    ...(daysOff === undefined
      ? []
      : [
          {
            label: 'Days off this year',
            value: `${daysOff.used} of ${daysOff.most} (${daysOffText(daysOff.stretches)})`,
          },
        ]),
    {
      label: 'Solved',
      value: `${counted(solved, 'board')}${late === 0 ? '' : `, ${grouped(late)} after their day`}${reported === 0 ? '' : `, ${grouped(reported)} self-reported`}`,
    },
    {
      label: 'On average',
      value: `${decimal(words ?? 0)} words${letters === undefined ? '' : `, ${decimal(letters)} letters`}`,
    },
    ...(best === undefined
      ? []
      : [
          {
            label: 'Best',
            value: `${counted(best.words, 'word')}${best.letters === 0 ? '' : `, ${counted(best.letters, 'letter')}`}, on ${longDate(best.date)}`,
          },
        ]),
    {
      label: 'Hint points',
      value: `${decimal(hints ?? 0)} on average${withoutHints === 0 ? '' : `, none on ${counted(withoutHints, 'board')}`}`,
    },
    ...(rank === undefined ? [] : [{ label: 'In this channel this week', value: placeText(rank) }]),
  ];
}

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
      ...textBlock(
        items.length === 0
          ? [['No past boards here yet. Today’s board: ', { command: 'today' }]]
          : items.map(dayLine),
      ),
      ...pageNote('Day', days),
      ...notes(
        `Your streak is ${counted(streak, 'day')}. A past board that you solve now counts in your stats only.`,
      ),
      ...buttonsBlock([...items.map(playButton), ...pageButtons(archiveAction(), days)]),
    ],
    audience: 'asker',
    again: archiveAction(number),
    replaces: isTurned || undefined,
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
