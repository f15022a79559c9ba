import type { PuzzleDate } from '../../core/clock.ts';
import { longDate } from '../../puzzle/date-text.ts';
import type { Inline, Line, Reply } from '../model/types.ts';

export interface MissingRequest {
  readonly date: PuzzleDate;
  /** By the platform's ids. */
  readonly people: readonly string[];
  /** Whether anybody is on the list, missing or not. */
  readonly hasRegulars: boolean;
  readonly hasMore: boolean;
  /** A regular solved on so many of so many days. */
  readonly solved: number;
  readonly days: number;
}

/** Who of a channel's regulars has not solved the day's board; names as the platform shows them, without a ping. */
export function missingReply({ date, people, hasRegulars, hasMore, solved, days }: MissingRequest): Reply {
  const names = people.flatMap((person, index): Inline[] => [...(index === 0 ? [] : [', ']), { person }]);
  const lines: Line[] =
    people.length === 0
      ? [hasRegulars ? 'Nobody on the list is missing.' : 'Nobody is on the list right now.']
      : [['Still to solve it: ', ...names, ...(hasMore ? [', and more'] : []), '.']];
  return {
    title: `Who is missing: ${longDate(date)}`,
    blocks: [
      { kind: 'text', lines },
      {
        kind: 'note',
        line: [
          `On the list: people who asked for it and solved on at least ${solved} of the last ${days} days. To join: `,
          { command: 'missing join' },
        ],
      },
      {
        kind: 'buttons',
        buttons: [
          { label: 'Play', action: { command: 'play', options: { date } }, look: 'primary' },
          { label: 'Join the list', action: { command: 'missing', options: { do: 'join' } } },
        ],
      },
    ],
    audience: 'everyone',
    again: { command: 'missing', options: {} },
  };
}

interface Listed {
  readonly isListed: boolean;
  /** From leaderboards, and so from the list as well. */
  readonly isHidden: boolean;
}

/** After somebody joined the list, or left it. */
export function listedReply({ isListed, isHidden }: Listed): Reply {
  const lines: Line[] = isListed
    ? [
        [
          'When you play often and haven’t solved the day’s board yet, people in your channels can see that with ',
          { command: 'missing' },
          '.',
        ],
        ...(isHidden
          ? [
              [
                'But you hide from leaderboards, and as long as you do, the list leaves you out. To change that: ',
                { command: 'privacy unhide' },
              ],
            ]
          : []),
        ['To leave it again: ', { command: 'missing leave' }],
      ]
    : [['To join it: ', { command: 'missing join' }]];
  return {
    title: isListed ? 'You’re on the list now' : 'You’re not on the list',
    blocks: [{ kind: 'text', lines }],
    audience: 'asker',
  };
}
