import { longDate } from '../../puzzle/date-text.ts';
import type { PuzzleDate } from '../../puzzle/types.ts';
import type { Inline, Line, Reply } from '../model/types.ts';

export interface MissingRequest {
  readonly date: PuzzleDate;
  /** By the platform's ids. */
  readonly people: readonly string[];
  readonly hasMore: boolean;
  /** A regular solved on so many of so many days. */
  readonly solved: number;
  readonly days: number;
}

/** Who of a channel's regulars has not solved the day's board; names as the platform shows them, without a ping. */
export function missingReply({ date, people, hasMore, solved, days }: MissingRequest): Reply {
  const names = people.flatMap((person, index): Inline[] => [...(index === 0 ? [] : [', ']), { person }]);
  const lines: Line[] =
    people.length === 0
      ? ['Nobody on the list still has to solve it.']
      : [['Still to solve it: ', ...names, ...(hasMore ? [', and more'] : []), '.']];
  return {
    title: `Who is missing: ${longDate(date)}`,
    blocks: [
      { kind: 'text', lines },
      {
        kind: 'note',
        line: [
          `People who solved on ${solved} of the last ${days} days and asked to be listed. To be listed too: `,
          { command: 'missing join' },
        ],
      },
      {
        kind: 'buttons',
        buttons: [
          { label: 'Play', action: { command: 'play', options: { date } }, look: 'primary' },
          { label: 'List me', action: { command: 'missing', options: { do: 'join' } } },
        ],
      },
    ],
    audience: 'everyone',
    again: { command: 'missing', options: {} },
  };
}

/** After somebody agreed to be listed, or took that back. */
export function listedReply(isListed: boolean, isHidden: boolean): Reply {
  const lines: Line[] = isListed
    ? [
        'When you play often and haven’t solved the day’s board, people of your channels can see that here.',
        ...(isHidden
          ? [
              [
                'But you hide from leaderboards, so you’re not named as long as you do. To change that: ',
                { command: 'privacy unhide' },
              ],
            ]
          : []),
        ['To take it back: ', { command: 'missing leave' }],
      ]
    : [['To be named again: ', { command: 'missing join' }]];
  return {
    title: isListed ? 'You’re on the list now' : 'You’re not on the list',
    blocks: [{ kind: 'text', lines }],
    audience: 'asker',
  };
}
