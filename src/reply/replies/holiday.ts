import type { PuzzleDate } from '../../core/clock.ts';
import { listed } from '../../core/text.ts';
import { shortDate } from '../../puzzle/date-text.ts';
import type { Line, Reply } from '../model/types.ts';

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

const TITLES = { added: 'Your streak waits for you', ended: 'You have no days off to come' } as const;

/** What a person has announced, for them alone. */
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
  return {
    title: change === 'none' ? (isAny ? 'Your days off' : TITLES.ended) : TITLES[change],
    blocks: [
      { kind: 'text', lines },
      ...(isAny
        ? [
            {
              kind: 'buttons' as const,
              buttons: [{ label: 'Take them back', action: { command: 'holiday', options: { off: true } } }],
            },
          ]
        : []),
    ],
    audience: 'asker',
  };
}

/** Stretches that are named; of more, how many there are. */
const MOST_NAMED = 6;

/** @example daysOffText([{ from: '2026-12-24', to: '2026-12-28' }]) // 'December 24 to December 28' */
export function daysOffText(daysOff: readonly DaysOff[]): string {
  const named = daysOff
    .slice(0, MOST_NAMED)
    .map(({ from, to }) => (from === to ? shortDate(from) : `${shortDate(from)} to ${shortDate(to)}`));
  const more = daysOff.length - named.length;
  return listed(more === 0 ? named : [...named, `${more} more`]);
}
