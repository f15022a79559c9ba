import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped, longDate, shortDate } from '../../core/text.ts';
import type { Result } from '../../store/tables/results.ts';
import { aboutPage, type Page, pageButtons, pageNote } from '../model/page.ts';
import { cellText } from '../model/table.ts';
import { bold, buttonsBlock, factsBlock, type Maybe, notes, textBlock, toAsker } from '../model/text.ts';
import type { Action, Block, Button, Line, Reply } from '../model/types.ts';
import {
  daysMarksText,
  marksText,
  OWN_LEADERBOARD_BUTTON,
  type Place,
  placeText,
  type ResultShown,
  replacedText,
  type ScoreShown,
  SOLVED_REPLACED,
  scoreText,
} from './result-line.ts';

/** Characters of the longest bar. */
const BAR_LENGTH = 12;
/** Results with this many words or more share one bar. */
const MANY_WORDS = 7;

export interface Stats {
  /** Left out for a calm person. */
  readonly streak?: Streak;
  /** Its `letters` is 0 if the person reported the result without the number of letters. */
  readonly best: Pick<Result, 'date' | 'words' | 'letters'> | undefined;
  readonly solved: number;
  /** How many of these were solved after their day was over. */
  readonly afterDay: number;
  /** How many of these were only reported, and how many others came after the solution. */
  readonly reported: number;
  readonly afterSolution: number;
  /** The averages of the results that have the number; undefined if none has. */
  readonly words: number | undefined;
  readonly letters: number | undefined;
  /** The average hint points of the boards solved before the solution was shown; undefined if there is no such board. */
  readonly hints: number | undefined;
  readonly withoutHints: number;
  /** The number of results for each number of words, fewest words first. */
  readonly byWords: readonly { readonly words: number; readonly times: number }[];
}

export interface Streak {
  /** Puzzles in a row up to now. Today's puzzle breaks no streak while it is on. */
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
  /** Freezes that are left. */
  readonly freezes: number;
  /** Missed days on which a freeze saved the streak, in order. */
  readonly frozen: readonly string[];
}

/**
 * A person's results so far, for them alone.
 *
 * @param rank their place on this channel's leaderboard of the week
 */
export function statsReply(stats: Stats, rank?: Place): Reply {
  const nothing: Line = [
    'Nothing yet. Solve a board and enter your words: ',
    { command: 'play' },
    '. Only you see them.',
  ];
  return toAsker('Your stats', [
    ...(stats.solved === 0
      ? textBlock([nothing])
      : [...statsFacts(stats, rank), ...textBlock(bars(stats.byWords))]),
    buttonsBlock([
      stats.streak && OWN_LEADERBOARD_BUTTON,
      { label: 'My data', action: { command: 'privacy', options: {} } },
    ]),
  ]);
}

function bars(byWords: Stats['byWords']): string[] {
  const few = byWords.filter(({ words }) => words < MANY_WORDS);
  const many = byWords.filter(({ words }) => words >= MANY_WORDS).reduce((sum, { times }) => sum + times, 0);
  const rows = [
    ...few.map(({ words, times }) => ({ label: counted(words, 'word'), times })),
    ...(many === 0 ? [] : [{ label: `${MANY_WORDS} words or more`, times: many }]),
  ];
  const most = Math.max(...rows.map(({ times }) => times));
  return rows.map(({ label, times }) => {
    const length = Math.max(1, Math.round((BAR_LENGTH * times) / most));
    return `${'▇'.repeat(length)} ${label}: ${grouped(times)}`;
  });
}

function statsFacts(stats: Stats, rank: Place | undefined): Block[] {
  const { streak, best, solved, reported, afterSolution, words, letters, hints, withoutHints } = stats;
  const commas = (...parts: readonly Maybe<string>[]) => parts.filter(Boolean).join(', ');
  return factsBlock({
    ...(streak && streakFacts(streak)),
    Solved: commas(
      counted(solved, 'board'),
      afterDayText(stats),
      solved === 1
        ? marksText({ reported: reported > 0 || undefined, afterSolution: afterSolution > 0 || undefined })
        : daysMarksText(stats),
    ),
    'On average': commas(
      words !== undefined && averageText(words, 'word'),
      letters !== undefined && averageText(letters, 'letter'),
    ),
    Best:
      best &&
      commas(
        counted(best.words, 'word'),
        best.letters > 0 && counted(best.letters, 'letter'),
        `on ${longDate(best.date)}`,
      ),
    'Hint points': hints === undefined ? undefined : hintsText(hints, withoutHints),
    'In this channel this week': rank && placeText(rank),
  });
}

function afterDayText({ solved, afterDay }: Stats): Maybe<string> {
  if (solved === 1) return afterDay > 0 && 'after its day';
  return afterDay > 0 && `${grouped(afterDay)} after ${afterDay === 1 ? 'its' : 'their'} day`;
}

function hintsText(average: number, withoutHints: number): string {
  if (average === 0) return 'none';
  const without = withoutHints > 0 ? `, none on ${counted(withoutHints, 'board')}` : '';
  return `${cellText(average)} on average${without}`;
}

function streakFacts(streak: Streak) {
  const { current, longest, isTodaySolved } = streak;
  const mayGoOn = current > 0 && !isTodaySolved;
  return {
    Streak: `${counted(current, 'day')}${mayGoOn ? ', today’s board still open' : ''}`,
    'Longest streak': counted(longest, 'day'),
    'Streak freezes': freezesText(streak),
  };
}

/** @example averageText(1.04, 'word') // '1 word' */
function averageText(average: number, noun: string): string {
  const shown = cellText(average);
  return `${shown} ${noun}${shown === '1' ? '' : 's'}`;
}

/** @example freezesText({ freezes: 1, frozen: ['2026-11-12'] }) // '1, last used on November 12' */
function freezesText({ freezes, frozen }: Pick<Streak, 'freezes' | 'frozen'>): string | undefined {
  const last = frozen.at(-1) as PuzzleDate | undefined;
  if (last === undefined) return freezes === 0 ? undefined : `${freezes}`;
  return `${freezes === 0 ? 'none left' : freezes}, last used on ${shortDate(last)}`;
}

/** A past day, and the asker's result on its board. */
export interface ArchiveDay {
  readonly date: PuzzleDate;
  readonly isBegun?: boolean;
  /** The asker's result of the board that this day's board replaced, if it is their best of the day. */
  readonly replaced?: Pick<ScoreShown, 'words'> | undefined;
  /** `isHere`: whether it counts in this channel rather than another one. */
  readonly solved?: ResultShown & { readonly isHere: boolean };
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
  const { items } = days;
  const none: Line = [
    'No past boards here yet. Today’s board: ',
    { command: 'today', label: 'Today’s board' },
  ];
  const now = `${streak === 0 ? '' : `Your streak is ${counted(streak, 'day')}. `}A past board that you solve now counts in your stats only.`;
  const blocks = [
    textBlock(items.length === 0 ? [none] : items.map(dayLine)),
    pageNote('Day', days),
    notes(now),
    buttonsBlock([...items.map(playButton), ...pageButtons(ARCHIVE, days)]),
  ];
  return toAsker('Past boards', blocks, aboutPage(ARCHIVE, days, isTurned));
}

const ARCHIVE: Action = { command: 'archive', options: {} };

function dayLine({ date, isBegun, replaced, solved }: ArchiveDay): Line {
  if (solved === undefined) {
    const played = isBegun ? 'started' : 'not played yet';
    return [bold(longDate(date)), ` · ${replaced ? SOLVED_REPLACED : played}`];
  }
  const when = solved.sinceOpening === null ? ' · after its day' : '';
  const elsewhere = solved.isHere ? '' : ' · elsewhere';
  const better = replaced ? ` · ${replacedText(replaced)}` : '';
  return [bold(longDate(date)), ` · ${scoreText(solved, ' · ')}${when}${elsewhere}${better}`];
}

function playButton({ date }: ArchiveDay): Button {
  return { label: `Play ${shortDate(date)}`, action: { command: 'play', options: { date } } };
}

/** How two people did on the same boards. */
export interface Compared {
  readonly days: number;
  /** Days on which the asker was better, and on which the other one was. */
  readonly better: number;
  readonly worse: number;
  /** Words that both found. */
  readonly words: number;
}

function comparisonButton(person: string, agree: boolean, label: string): Button {
  return { label, action: { command: 'stats', options: { with: person, agree } } };
}

/** For both people, who agreed. */
export function comparedReply(person: string, { days, better, worse, words }: Compared): Reply {
  return toAsker('You and me', [
    textBlock([
      ['You and ', { person }, ': ', bold(counted(days, 'day')), ' on which both of you solved the board.'],
      days > 0 &&
        `You were better on ${better}, they were on ${worse}, and you were equal on ${days - better - worse}.`,
      words > 0 && `You both found ${counted(words, 'word')}.`,
    ]),
    notes('Days that are over count, with words played on time. Words are kept for 60 days.'),
    buttonsBlock([comparisonButton(person, false, 'Stop comparing')]),
  ]);
}

/** The same answer whatever the reason is. */
export function uncomparedReply(person: string): Reply {
  return toAsker(
    'No comparison',
    textBlock([
      ['There is none of you and ', { person }, '.'],
      'It needs both of you to agree. I ask each person once in private, if they play here; whoever hides or is calm is not asked.',
    ]),
  );
}

/** Asks the other one, in private. @param person who wants to be compared */
export function comparisonQuestion(person: string): Reply {
  return toAsker('Compare your results?', [
    textBlock([
      [
        { person },
        ' would like to see how you both do: on how many days you solved the same board, who was better, and how many words you both found.',
      ],
      'They see nothing unless you agree, and are not told if you don’t. You can stop it at any time.',
    ]),
    buttonsBlock([
      { ...comparisonButton(person, true, 'Agree'), look: 'primary' },
      comparisonButton(person, false, 'No'),
    ]),
  ]);
}

export function notComparedReply(): Reply {
  const line = 'Nobody sees a comparison of the two of you, and I don’t ask you again.';
  return toAsker('Not compared', textBlock([line]));
}
