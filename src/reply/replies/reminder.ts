import type { PuzzleDate } from '../../core/clock.ts';
import { ordinal } from '../../core/text.ts';
import { longDate } from '../../puzzle/date-text.ts';
import type { Line, Reply } from '../model/types.ts';

export interface ReminderRequest {
  readonly date: PuzzleDate;
  /** When the board is replaced. */
  readonly until: number;
  /** The time of day at which it was wanted. */
  readonly at: string;
  /** Which of the reminders in a row without a game this is, from 1, and after how many they end. */
  readonly number: number;
  readonly most: number;
  /** Where the board is, if it can't be played from here. */
  readonly channel?: string;
}

const STOP = { label: 'Stop reminding me', action: { command: 'remind', options: { off: true } } } as const;

/** The private message to somebody who has not solved the day's board. */
export function reminderReply({ date, until, at, number, most, channel }: ReminderRequest): Reply {
  const play = { label: 'Play', action: { command: 'play', options: { date } }, look: 'primary' } as const;
  const last: Line[] =
    number < most
      ? []
      : [
          [
            `This is the ${ordinal(number)} reminder in a row without a game. It’s the last, unless you play today. To start again later: `,
            { command: `remind at ${at}` },
          ],
        ];
  return {
    title: 'You haven’t solved today’s Letter Boxed yet',
    blocks: [
      {
        kind: 'text',
        lines: [
          [
            `The board of ${longDate(date)} is on `,
            ...(channel === undefined ? [] : ['in ', { channel }, ' ']),
            'until ',
            { moment: until, style: 'time' },
            '.',
          ],
          ...last,
        ],
      },
      { kind: 'buttons', buttons: channel === undefined ? [play, STOP] : [STOP] },
    ],
    audience: 'asker',
  };
}

export interface ReminderShown {
  /** As spoken: `7:00 PM Berlin time`. */
  readonly when: string;
  readonly nextAt: number;
  readonly state: 'on' | 'ignored' | 'undeliverable';
  readonly most: number;
}

/** What is set; undefined if nothing is. */
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
    const set = answer(`You’re reminded at ${when}`, [
      next,
      `It’s a private message, only on days when you haven’t solved the board and have no day off. It ends after ${most} in a row without a game.`,
      [
        'If that isn’t your time zone: ',
        { command: `remind zone:${when.includes('Berlin') ? 'London' : 'Berlin'}` },
      ],
    ]);
    return { ...set, blocks: [...set.blocks, { kind: 'buttons', buttons: [STOP] }] };
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

function answer(title: string, lines: readonly Line[]): Reply {
  return { title, blocks: [{ kind: 'text', lines }], audience: 'asker' };
}
