import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped, listed, longDate, ordinal, shortDate } from '../../core/text.ts';
import { type Page, pageButtons, pageNote } from '../model/action.ts';
import { bold, buttonsBlock, factsBlock, type Maybe, notes, textBlock, toAsker } from '../model/text.ts';
import type { Action, Block, Button, Line, Reply } from '../model/types.ts';
import { OWN_LEADERBOARD_BUTTON, type Place, placeText, type ScoreShown, scoreText } from './result-line.ts';
import { decimal } from './standings.ts';

const EXPORT_FILE_NAME = 'letterboxed-data.json';

/** How much is stored about somebody, at one door. */
export interface StoredShown {
  readonly results: number;
  readonly hints: number;
  readonly boards: number;
  readonly settings: number;
  readonly games: number;
  readonly soloGames: number;
  readonly finds: number;
  readonly reminders: number;
  /** Servers or workspaces that hold any of it. */
  readonly tenants: number;
  readonly isHidden: boolean;
  /** Agreed to be named by `missing` somewhere. */
  readonly isListed: boolean;
}

/** README says the same; test/documents.test.ts checks both. */
export const STORED_IN_SHORT =
  'I store your id on this platform, your results in numbers (with a checksum of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder, the words of boards you play and the solutions you found for 60 days, and the words of relays for a day or two. No names, no messages.';

/** The same in full. */
const STORED_IN_FULL: Line =
  'I store your id on this platform, your results in numbers (with a checksum of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder, the words of boards you play (for 60 days after your last move), the solutions you found (for 60 days) and the words of relays (for a day or two). Never your name or your messages. Some buttons keep the words you asked about for up to 60 days, under a checksum of your id.';

export function storedReply(stored: StoredShown): Reply {
  const { results, hints, boards, settings, games, soloGames, finds, reminders } = stored;
  const { tenants, isHidden, isListed } = stored;
  const some = (count: number) => count > 0 && String(count);
  const facts = {
    Results: some(results),
    'Hints seen': some(hints),
    'Boards you typed or made': some(boards),
    'Daily settings you saved': some(settings),
    Relays: some(games),
    'Boards you play': some(soloGames),
    'Solutions you found': some(finds),
    Reminders: some(reminders),
    'The list of missing': isListed ? 'you’re on it' : 'you’re not on it',
    Leaderboards: isHidden ? 'you’re hidden' : 'you’re shown',
  };
  const isAny = tenants > 0;
  return toAsker('What is stored about you', [
    isAny ? factsBlock(facts) : textBlock(['Nothing is stored about you.']),
    notes(STORED_IN_FULL),
    buttonsBlock([
      isAny && privacyButton('Get it as a file', 'export'),
      isHidden
        ? privacyButton('Show me on leaderboards', 'unhide')
        : privacyButton('Hide me from leaderboards', 'hide'),
      isAny && privacyButton('Erase', 'delete', 'danger'),
    ]),
  ]);
}

/** What is stored about a person, as a file for them alone: all of it, or one of several files. */
export function exportReply(
  content: string,
  { part, hasMore }: { readonly part: number; readonly hasMore: boolean },
): Reply {
  const isWhole = part === 1 && !hasMore;
  const next: Action = { command: 'privacy', options: { do: 'export', page: part + 1 } };
  return toAsker(isWhole ? 'Everything stored about you' : `Everything stored about you, file ${part}`, [
    { kind: 'file', name: EXPORT_FILE_NAME, type: 'application/json', content },
    buttonsBlock([hasMore && { label: 'Next file', action: next }]),
    notes(STORED_IN_FULL),
  ]);
}

/** Asks for confirmation, since erasing can't be undone. */
export function eraseQuestion(stored: StoredShown): Reply {
  const { results, hints, games, soloGames, finds, reminders } = stored;
  const main = [
    ...(results === 0 ? [] : [counted(results, 'result'), 'your streak']),
    ...(hints === 0 ? [] : [`${counted(hints, 'hint')} you’ve seen`]),
  ];
  const what = main.length === 0 ? 'everything' : listed(main);
  return toAsker('Erase everything stored about you?', [
    textBlock([
      `This erases ${what}, in all servers at once, or in this workspace or organization on Slack. You can’t undo it.`,
      soloGames > 0 && `It erases your words on ${counted(soloGames, 'board')}.`,
      finds > 0 && `It erases ${counted(finds, 'solution')} you found.`,
      reminders > 0 && 'It ends your reminder.',
      games > 0 && `${counted(games, 'relay')} ${games === 1 ? 'goes' : 'go'} on without you.`,
      stored.isHidden && 'It also forgets that you hide from leaderboards.',
    ]),
    buttonsBlock([
      {
        label: 'Erase for good',
        action: { command: 'privacy', options: { do: 'delete', sure: true } },
        look: 'danger',
      },
      privacyButton('Get the file first', 'export'),
    ]),
  ]);
}

export function erasedReply(): Reply {
  return answer('Everything about you is erased', [
    [
      'Messages you shared stay in the chat until you delete them. Your next result is stored again. To hide it from leaderboards: ',
      { command: 'privacy hide' },
    ],
  ]);
}

export function hiddenReply(isHidden: boolean): Reply {
  const line: Line = isHidden
    ? [
        'In all servers at once, or in this workspace or organization on Slack. Your own stats go on. To undo it: ',
        { command: 'privacy unhide' },
      ]
    : ['With all your results. To hide again: ', { command: 'privacy hide' }];
  return answer(isHidden ? 'You’re hidden from all leaderboards' : 'You’re back on the leaderboards', [line]);
}

function privacyButton(label: string, todo: string, look?: Button['look']): Button {
  return { label, action: { command: 'privacy', options: { do: todo } }, look };
}

export interface ReminderRequest {
  readonly date: PuzzleDate;
  /** When the next board replaces it. */
  readonly until: number;
  /** The time of day that it was set for. */
  readonly at: string;
  /** The number of this reminder among reminders in a row without a game, from 1, and the number after which they end. */
  readonly number: number;
  readonly maxIgnored: number;
  /** Where the board is, if it can't be played from here. */
  readonly channel?: string;
}

const STOP_BUTTON = {
  label: 'Stop reminding me',
  action: { command: 'remind', options: { off: true } },
} as const;

/** The private message to somebody who has not solved the day's board. */
export function reminderReply({ date, until, at, number, maxIgnored, channel }: ReminderRequest): Reply {
  const play = { label: 'Play', action: { command: 'play', options: { date } }, look: 'primary' } as const;
  const board: Line = [
    `The board of ${longDate(date)} is on `,
    ...(channel === undefined ? [] : ['in ', { channel }, ' ']),
    'until ',
    { moment: until, style: 'time' },
    '.',
  ];
  const last: Line = [
    `This is the ${ordinal(number)} reminder in a row without a game. It’s the last, unless you play today. To start again later: `,
    { command: `remind at ${at}` },
  ];
  return toAsker('You haven’t solved today’s Letter Boxed yet', [
    textBlock([board, number >= maxIgnored && last]),
    buttonsBlock([channel === undefined && play, STOP_BUTTON]),
  ]);
}

export interface ReminderShown {
  /** The time as spoken: `7:00 PM Berlin time`. */
  readonly when: string;
  readonly nextAt: number;
  readonly state: 'on' | 'ignored' | 'undeliverable';
  readonly maxIgnored: number;
}

/** The reminder that is set, if there is one. */
export function reminderSettingReply(shown: ReminderShown | undefined): Reply {
  const how: Line = ['To be reminded: ', { command: 'remind at 19:00' }];
  if (shown === undefined)
    return answer('You get no reminders', [
      'A reminder is one private message a day, only on days when you haven’t solved the board.',
      how,
    ]);
  const { when, nextAt, state, maxIgnored } = shown;
  if (state === 'on') {
    const next: Line = [
      'The next one, if you haven’t solved the board by then: ',
      { moment: nextAt, style: 'full' },
      '.',
    ];
    const zone = when.includes('Berlin') ? 'London' : 'Berlin';
    const lines: Line[] = [
      next,
      `It’s a private message, only on days when you haven’t solved the board. It ends after ${maxIgnored} in a row without a game.`,
      ['If that isn’t your time zone: ', { command: `remind zone:${zone}` }],
    ];
    return answer(`You’re reminded at ${when}`, lines, [STOP_BUTTON]);
  }
  const why =
    state === 'ignored'
      ? `You didn’t play after ${maxIgnored} reminders in a row.`
      : 'I couldn’t send you a private message. Your settings on this platform may not allow it.';
  return answer('Your reminder has ended', [why, how]);
}

export function reminderOffReply(wasOn: boolean): Reply {
  return answer(wasOn ? 'Your reminder is off' : 'You get no reminders', [
    ['To be reminded again: ', { command: 'remind at 19:00' }],
  ]);
}

function answer(title: string, lines: readonly Line[], buttons: readonly Button[] = []): Reply {
  return toAsker(title, [textBlock(lines), buttonsBlock(buttons)]);
}

/** Characters of the longest bar. */
const BAR_LENGTH = 12;
/** Results with this many words or more share one bar. */
const MANY_WORDS = 7;

/** A person's results so far, added up. */
export interface StatsNumbers {
  readonly solved: number;
  /** How many of these were solved after their day was over. */
  readonly late: number;
  /** How many of these were only reported. */
  readonly reported: number;
  /** The average; undefined before the first. */
  readonly words: number | undefined;
  readonly letters: number | undefined;
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

export interface StatsRequest extends StatsNumbers, Streak {
  readonly best?: { readonly date: PuzzleDate; readonly words: number; readonly letters: number };
  /** The place on this channel's leaderboard of the week. */
  readonly rank?: Place;
}

/** A person's results so far, for them alone. */
export function statsReply(stats: StatsRequest): Reply {
  const nothing: Line = [
    'Nothing yet. Solve a board and enter your words: ',
    { command: 'play' },
    '. Only you see them.',
  ];
  return toAsker('Your stats', [
    ...(stats.solved === 0
      ? textBlock([nothing])
      : [...statsFacts(stats), ...textBlock(bars(stats.byWords))]),
    buttonsBlock([OWN_LEADERBOARD_BUTTON, { label: 'My data', action: { command: 'privacy', options: {} } }]),
  ]);
}

/** A bar for each number of words; results of many words share the last. */
function bars(byWords: StatsRequest['byWords']): string[] {
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

function statsFacts(stats: StatsRequest): Block[] {
  const { current, longest, isTodaySolved, solved, late, reported } = stats;
  const { words, letters, hints, withoutHints, best, rank } = stats;
  const commas = (...parts: readonly Maybe<string>[]) => parts.filter(Boolean).join(', ');
  return factsBlock({
    Streak: commas(counted(current, 'day'), current > 0 && !isTodaySolved && 'today’s board still open'),
    'Longest streak': counted(longest, 'day'),
    'Streak freezes': freezesText(stats),
    Solved: commas(
      counted(solved, 'board'),
      late > 0 && (solved === 1 ? 'after its day' : `${grouped(late)} after their day`),
      reported > 0 && (solved === 1 ? 'self-reported' : `${grouped(reported)} self-reported`),
    ),
    'On average': commas(
      `${decimal(words ?? 0)} words`,
      letters !== undefined && `${decimal(letters)} letters`,
    ),
    Best:
      best &&
      commas(
        counted(best.words, 'word'),
        best.letters > 0 && counted(best.letters, 'letter'),
        `on ${longDate(best.date)}`,
      ),
    'Hint points': commas(
      `${decimal(hints ?? 0)} on average`,
      withoutHints > 0 && `none on ${counted(withoutHints, 'board')}`,
    ),
    'In this channel this week': rank && placeText(rank),
  });
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
