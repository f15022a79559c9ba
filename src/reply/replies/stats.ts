import type { PuzzleDate } from '../../core/clock.ts';
import { counted, grouped } from '../../core/text.ts';
import { longDate } from '../../puzzle/date-text.ts';
import type { Block, Fact, Line, Reply } from '../model/types.ts';
import { type DaysOff, daysOffText } from './holiday.ts';
import { type Place, placeText } from './result-line.ts';
import { decimal, OWN_LEADERBOARD_BUTTON } from './standings.ts';

/** Characters of the longest bar. */
const BAR = 12;
/** From this number of words on, results share one bar. */
const MANY = 7;

/** A person's results so far, added up. */
export interface StatsNumbers {
  readonly solved: number;
  /** Of those, how many after their day was over. */
  readonly late: number;
  /** Of those, how many that were only reported. */
  readonly reported: number;
  /** On average; undefined before the first. */
  readonly words: number | undefined;
  readonly letters: number | undefined;
  readonly hints: number | undefined;
  readonly withoutHints: number;
  /** How often with how many words, fewest first. */
  readonly byWords: readonly { readonly words: number; readonly times: number }[];
}

export interface StatsRequest extends StatsNumbers {
  readonly current: number;
  readonly longest: number;
  readonly isTodaySolved: boolean;
  readonly best?: { readonly date: PuzzleDate; readonly words: number; readonly letters: number };
  /** On this channel's leaderboard of the week. */
  readonly rank?: Place;
  /** Of this year, announced in advance. */
  readonly daysOff?: { readonly stretches: readonly DaysOff[]; readonly used: number; readonly most: number };
}

/** A person's results so far, for them alone. */
export function statsReply(stats: StatsRequest): Reply {
  const nothing: Line = [
    'Nothing yet. Solve a board and enter your words: ',
    { command: 'play' },
    '. Only you see them.',
  ];
  const blocks: Block[] =
    stats.solved === 0
      ? [{ kind: 'text', lines: [nothing] }]
      : [
          { kind: 'facts', facts: statsFacts(stats) },
          { kind: 'text', lines: bars(stats.byWords) },
        ];
  return {
    title: 'Your stats',
    blocks: [
      ...blocks,
      {
        kind: 'buttons',
        buttons: [OWN_LEADERBOARD_BUTTON, { label: 'My data', action: { command: 'privacy', options: {} } }],
      },
    ],
    audience: 'asker',
  };
}

/** A bar for each number of words; results of many words share the last. */
function bars(byWords: StatsRequest['byWords']): string[] {
  const few = byWords.filter(({ words }) => words < MANY);
  const many = byWords.filter(({ words }) => words >= MANY).reduce((sum, { times }) => sum + times, 0);
  const rows = [
    ...few.map(({ words, times }) => ({ label: counted(words, 'word'), times })),
    ...(many === 0 ? [] : [{ label: `${MANY} words or more`, times: many }]),
  ];
  const most = Math.max(...rows.map(({ times }) => times));
  return rows.map(({ label, times }) => {
    const length = Math.max(1, Math.round((BAR * times) / most));
    return `${'▇'.repeat(length)} ${label}: ${grouped(times)}`;
  });
}

function statsFacts(stats: StatsRequest): Fact[] {
  const {
    current,
    longest,
    isTodaySolved,
    solved,
    late,
    reported,
    words,
    letters,
    hints,
    withoutHints,
    best,
    rank,
    daysOff,
  } = stats;
  const open = current > 0 && !isTodaySolved ? ', today’s board still open' : '';
  return [
    { label: 'Streak', value: `${counted(current, 'day')}${open}` },
    { label: 'Longest streak', value: counted(longest, 'day') },
    ...(daysOff === undefined
      ? []
      : [
          {
            label: 'Days off this year',
            value: `${daysOff.used} of ${daysOff.most} (${daysOffText(daysOff.stretches)})`,
          },
        ]),
    {
      label: 'Solved',
      value: `${counted(solved, 'board')}${late === 0 ? '' : `, ${grouped(late)} after their day`}${reported === 0 ? '' : `, ${grouped(reported)} self-reported`}`,
    },
    {
      label: 'On average',
      value: `${decimal(words ?? 0)} words${letters === undefined ? '' : `, ${decimal(letters)} letters`}`,
    },
    ...(best === undefined
      ? []
      : [
          {
            label: 'Best',
            value: `${counted(best.words, 'word')}${best.letters === 0 ? '' : `, ${counted(best.letters, 'letter')}`}, on ${longDate(best.date)}`,
          },
        ]),
    {
      label: 'Hint points',
      value: `${decimal(hints ?? 0)} on average${withoutHints === 0 ? '' : `, none on ${counted(withoutHints, 'board')}`}`,
    },
    ...(rank === undefined ? [] : [{ label: 'In this channel this week', value: placeText(rank) }]),
  ];
}
