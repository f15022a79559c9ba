import type { PuzzleDate } from '../puzzle/types.ts';
import { counted, grouped } from './markup.ts';
import { decimal } from './standings.ts';
import { longDate } from './subject.ts';
import type { Fact, Line, Reply } from './types.ts';

/** Of the longest bar. */
const BAR = 12;

export interface StatsRequest {
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
  readonly solved: number;
  readonly late: number;
  readonly words: number | undefined;
  readonly letters: number | undefined;
  readonly hints: number | undefined;
  readonly withoutHints: number;
  readonly best?: { readonly date: string; readonly words: number; readonly letters: number };
  readonly byWords: readonly { readonly words: number; readonly times: number }[];
  /** Among those on this place's board this week. */
  readonly rank?: { readonly rank: number; readonly of: number };
}

/** What somebody has done so far, for them alone. */
export function statsReply(stats: StatsRequest): Reply {
  const { solved, byWords } = stats;
  const most = Math.max(...byWords.map(({ times }) => times));
  return {
    title: 'Your Letter Boxed',
    blocks: [
      ...(solved === 0
        ? [
            {
              kind: 'text' as const,
              lines: [
                [
                  'Nothing yet. When you have solved a board, enter your words with ',
                  { command: 'play' },
                  ': only you see them.',
                ] as Line,
              ],
            },
          ]
        : [
            { kind: 'facts' as const, facts: statsFacts(stats) },
            {
              kind: 'text' as const,
              lines: byWords.map(
                ({ words, times }) =>
                  `${'▇'.repeat(Math.max(1, Math.round((BAR * times) / most)))} ${counted(words, 'word')}: ${grouped(times)}`,
              ),
            },
          ]),
      {
        kind: 'buttons',
        buttons: [
          { label: 'Leaderboard', action: { command: 'leaderboard', options: {} } },
          { label: 'What is stored', action: { command: 'privacy', options: {} } },
        ],
      },
    ],
    audience: 'asker',
  };
}

function statsFacts(stats: StatsRequest): Fact[] {
  const { current, longest, isTodaySolved, solved, late, words, letters, hints, withoutHints, best, rank } =
    stats;
  const open = current > 0 && !isTodaySolved ? ', today’s board still to come' : '';
  return [
    { label: 'Streak', value: `${counted(current, 'day')}${open}` },
    { label: 'Longest streak', value: counted(longest, 'day') },
    {
      label: 'Solved',
      value: `${counted(solved, 'board')}${late === 0 ? '' : `, ${grouped(late)} of them after the day`}`,
    },
    { label: 'On average', value: `${decimal(words ?? 0)} words, ${decimal(letters ?? 0)} letters` },
    ...(best === undefined
      ? []
      : [
          {
            label: 'Best',
            value: `${counted(best.words, 'word')} of ${counted(best.letters, 'letter')} on ${longDate(best.date as PuzzleDate)}`,
          },
        ]),
    {
      label: 'Hints',
      value: `${decimal(hints ?? 0)} on average, none on ${counted(withoutHints, 'board')}`,
    },
    ...(rank === undefined ? [] : [{ label: 'Here this week', value: `place ${rank.rank} of ${rank.of}` }]),
  ];
}
