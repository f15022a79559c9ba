import type { PuzzleDate } from '../../core/clock.ts';
import { counted, listed, longDate, ordinal, shortDate } from '../../core/text.ts';
import { buttonsBlock, factsBlock, notes, textBlock, toAsker } from '../model/text.ts';
import type { Action, Button, Line, Reply } from '../model/types.ts';

const SAVED = 'letterboxed-data.json';

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
  readonly holidays: number;
  /** Servers or workspaces that hold any of it. */
  readonly tenants: number;
  readonly isHidden: boolean;
  /** Agreed to be named by `missing` somewhere. */
  readonly isListed: boolean;
}

/** README says the same; test/documents.test.ts checks both. */
export const STORED_IN_SHORT =
  'I store your id on this platform, your results in numbers (with a checksum of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder and days off, the words of boards you play and the solutions you found for 60 days, and the words of relays for a day or two. No names, no messages.';

/** The same in full. */
const WHAT: Line =
  'I store your id on this platform, your results in numbers (with a checksum of the words, and the id of a message that you add), the hints you’ve seen, boards and settings you made, your reminder and days off, the words of boards you play (for 60 days after your last move), the solutions you found (for 60 days) and the words of relays (for a day or two). Never your name or your messages. Some buttons keep the words you asked about for up to 60 days, under a checksum of your id.';

export function storedReply(stored: StoredShown): Reply {
  const { results, hints, boards, settings, games, soloGames, finds, reminders, holidays } = stored;
  const { tenants, isHidden, isListed } = stored;
  const facts = {
    Results: String(results),
    'Hints seen': String(hints),
    'Boards you typed or made': String(boards),
    'Daily settings you saved': String(settings),
    Relays: String(games),
    'Boards you play': String(soloGames),
    'Solutions you found': String(finds),
    Reminders: String(reminders),
    'Days off': String(holidays),
    'The list of missing': isListed ? 'you’re on it' : 'you’re not on it',
    Leaderboards: isHidden ? 'you’re hidden' : 'you’re shown',
  };
  const isAny = tenants > 0;
  return toAsker('What is stored about you', [
    isAny ? factsBlock(facts) : textBlock(['Nothing is stored about you.']),
    notes(WHAT),
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
    { kind: 'file', name: SAVED, type: 'application/json', content },
    buttonsBlock([hasMore && { label: 'Next file', action: next }]),
    notes(WHAT),
  ]);
}

/** Asks for confirmation, since erasing can't be undone. */
export function eraseQuestion(stored: StoredShown): Reply {
  const { results, hints, games, soloGames, finds, reminders, holidays } = stored;
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
      holidays > 0 && `It takes back ${counted(holidays, 'day')} off.`,
      games > 0 && `It ends ${counted(games, 'relay')} you play in.`,
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
  /** The time of day at which it was wanted. */
  readonly at: string;
  /** The number of this reminder among reminders in a row without a game, from 1, and the number after which they end. */
  readonly number: number;
  readonly most: number;
  /** Where the board is, if it can't be played from here. */
  readonly channel?: string;
}

const STOP = { label: 'Stop reminding me', action: { command: 'remind', options: { off: true } } } as const;

/** The private message to somebody who has not solved the day's board. */
export function reminderReply({ date, until, at, number, most, channel }: ReminderRequest): Reply {
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
    textBlock([board, number >= most && last]),
    buttonsBlock([channel === undefined && play, STOP]),
  ]);
}

export interface ReminderShown {
  /** As spoken: `7:00 PM Berlin time`. */
  readonly when: string;
  readonly nextAt: number;
  readonly state: 'on' | 'ignored' | 'undeliverable';
  readonly most: number;
}

/** The reminder that is set, if there is one. */
export function reminderSettingReply(shown: ReminderShown | undefined): Reply {
  const how: Line = ['To be reminded: ', { command: 'remind at 19:00' }];
  if (shown === undefined)
    return answer('You get no reminders', [
      'A reminder is one private message a day, only on days when you haven’t solved the board.',
      how,
    ]);
  const { when, nextAt, state, most } = shown;
  if (state === 'on') {
    const next: Line = [
      'The next one, if you haven’t solved the board by then: ',
      { moment: nextAt, style: 'full' },
      '.',
    ];
    const zone = when.includes('Berlin') ? 'London' : 'Berlin';
    const lines: Line[] = [
      next,
      `It’s a private message, only on days when you haven’t solved the board and have no day off. It ends after ${most} in a row without a game.`,
      ['If that isn’t your time zone: ', { command: `remind zone:${zone}` }],
    ];
    return answer(`You’re reminded at ${when}`, lines, [STOP]);
  }
  const why =
    state === 'ignored'
      ? `You didn’t play after ${most} reminders in a row.`
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

/** Both dates are off. */
export interface DaysOff {
  readonly from: PuzzleDate;
  readonly to: PuzzleDate;
}

export interface HolidayRequest {
  readonly change: 'none' | 'added' | 'ended';
  /** From today on, in order. */
  readonly coming: readonly DaysOff[];
  /** Days off of this year, past and to come. */
  readonly used: number;
  readonly most: number;
  readonly year: string;
}

const TITLES = { added: 'Your streak waits for you', ended: 'No days off planned' } as const;

/** The days off that a person has announced, for them alone. */
export function holidayReply({ change, coming, used, most, year }: HolidayRequest): Reply {
  const isAny = coming.length > 0;
  const lines: Line[] = [
    isAny
      ? `Days off: ${daysOffText(coming)}. They don’t break your streak, and you get no reminders.`
      : [
          'Announce days off before you’re away, and they don’t break your streak: ',
          { command: 'holiday 5 days' },
        ],
    `You’ve announced ${used} of the ${most} days off you can have in ${year}.`,
  ];
  const back: Button = { label: 'Take them back', action: { command: 'holiday', options: { off: true } } };
  const title = change === 'none' ? (isAny ? 'Your days off' : TITLES.ended) : TITLES[change];
  return answer(title, lines, isAny ? [back] : []);
}

/** Stretches that are named; beyond them, only their number is given. */
const MOST_NAMED = 6;

/** @example daysOffText([{ from: '2026-12-24', to: '2026-12-28' }]) // 'December 24 to December 28' */
export function daysOffText(daysOff: readonly DaysOff[]): string {
  const named = daysOff
    .slice(0, MOST_NAMED)
    .map(({ from, to }) => (from === to ? shortDate(from) : `${shortDate(from)} to ${shortDate(to)}`));
  const more = daysOff.length - named.length;
  return listed(more === 0 ? named : [...named, `${more} more`]);
}
