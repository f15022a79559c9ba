import type { PuzzleDate } from '../../core/clock.ts';
import { longDate } from '../../core/text.ts';
import { buttonsBlock, listedLine, notes, replyTo, sentenceReply, textBlock } from '../model/text.ts';
import type { Inline, Line, Reply } from '../model/types.ts';

export interface MissingRequest {
  readonly date: PuzzleDate;
  /** People, by the platform's ids. */
  readonly people: readonly string[];
  /** Whether the channel has any regulars, missing or not. */
  readonly hasRegulars: boolean;
  readonly hasMore: boolean;
  /** The days on which a regular must have solved the board, and the number of days examined. */
  readonly solved: number;
  readonly days: number;
}

/** The regulars of a channel who have not solved the day's board: mentioned without a notification. */
export function missingReply({ date, people, hasRegulars, hasMore, solved, days }: MissingRequest): Reply {
  const names = people.map((person): Inline => ({ person }));
  const nobody = hasRegulars ? 'Nobody on the list is missing.' : 'Nobody is on the list right now.';
  const missing: Line = [
    'Not solved yet by ',
    ...listedLine([...names, ...(hasMore ? ['others'] : [])]),
    '.',
  ];
  const blocks = [
    textBlock([people.length === 0 ? nobody : missing]),
    notes([
      `On the list: people who asked for it and solved on at least ${solved} of the last ${days} days. To join: `,
      { command: 'missing join' },
    ]),
    buttonsBlock([
      { label: 'Play', action: { command: 'play', options: { date } }, look: 'primary' },
      { label: 'Join the list', action: { command: 'missing', options: { do: 'join' } } },
    ]),
  ];
  return replyTo(people.length === 0 ? 'asker' : 'everyone', `Who is missing: ${longDate(date)}`, blocks, {
    rerun: { command: 'missing', options: {} },
  });
}

interface Listed {
  readonly isListed: boolean;
  /** Hidden from leaderboards, and therefore from the list as well. */
  readonly isHidden: boolean;
}

export function listedReply({ isListed, isHidden }: Listed): Reply {
  if (!isListed)
    return sentenceReply('You’re not on the list', [
      'To join it: ',
      { command: 'missing join', label: 'Join' },
    ]);
  return sentenceReply(
    'You’re on the list now',
    [
      'When you play often and haven’t solved the day’s board yet, people in your channels can see that with ',
      { command: 'missing', label: 'Who is missing' },
      '.',
    ],
    isHidden && [
      'But you hide from leaderboards, and as long as you do, the list leaves you out. To change that: ',
      { command: 'privacy unhide', label: 'Show me again' },
    ],
    ['To leave it again: ', { command: 'missing leave', label: 'Leave' }],
  );
}
