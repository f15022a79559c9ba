import type { PuzzleDate } from '../../core/clock.ts';
import { longDate, ordinal, spokenTime } from '../../core/text.ts';
import { buttonsBlock, textBlock, toAsker } from '../model/text.ts';
import type { Button, Line, Reply } from '../model/types.ts';

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
    buttonsBlock([
      channel === undefined && play,
      number >= maxIgnored
        ? { label: `Remind me at ${spokenTime(at)}`, action: { command: 'remind', options: { at } } }
        : STOP_BUTTON,
    ]),
  ]);
}

export interface ReminderShown {
  /** The time as spoken: `7:00 PM Berlin time`. */
  readonly when: string;
  readonly nextAt: number;
  readonly state: 'on' | 'ignored' | 'undeliverable';
  readonly maxIgnored: number;
}

export function reminderSettingReply(shown: ReminderShown | undefined): Reply {
  const how: Line = ['To be reminded: ', { command: 'remind at 19:00', label: 'Remind me at 7:00 PM' }];
  if (shown === undefined)
    return answer('You have no reminder', [
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
      `It’s a private message, only on days when you haven’t solved the board. I stop after ${maxIgnored} in a row without a game.`,
      ['If that isn’t your time zone: ', { command: `remind zone:${zone}`, label: false }],
    ];
    return answer(`I’ll remind you at ${when}`, lines, [STOP_BUTTON]);
  }
  const why =
    state === 'ignored'
      ? `You didn’t play after ${maxIgnored} reminders in a row.`
      : 'I couldn’t send you a private message. Your settings on this platform may not allow it.';
  return answer('Your reminder has ended', [why, how]);
}

export function reminderOffReply(wasOn: boolean): Reply {
  return answer(wasOn ? 'Your reminder is off' : 'You have no reminder', [
    ['To be reminded again: ', { command: 'remind at 19:00', label: 'Remind me at 7:00 PM' }],
  ]);
}

function answer(title: string, lines: readonly Line[], buttons: readonly Button[] = []): Reply {
  return toAsker(title, [textBlock(lines), buttonsBlock(buttons)]);
}
