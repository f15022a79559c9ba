import type { PuzzleDate } from '../../core/clock.ts';
import { counted, longDate, shortDate } from '../../core/text.ts';
import type { OtherSums } from '../../store/tables/results.ts';
import { aboutPage, pageButtons, pageNote } from '../model/page.ts';
import { bold, buttonsBlock, joined, notes, replyTo, textBlock, toAsker } from '../model/text.ts';
import type { Action, Block, Button, Inline, Line, Reply } from '../model/types.ts';
import type { Ranked } from './result-line.ts';
import { periodAction, periodButtons, periodName, rankedPage, type StandingsRequest } from './standings.ts';

interface OtherGame {
  readonly name: string;
  /** What its score counts: fewer are better. */
  readonly unit: 'guess' | 'mistake' | 'hint' | 'point' | 'second' | 'rank';
}

/** The other daily games, by the names that are stored. */
const OTHER_GAMES = {
  wordle: { name: 'Wordle', unit: 'guess' },
  connections: { name: 'Connections', unit: 'mistake' },
  strands: { name: 'Strands', unit: 'hint' },
  mini: { name: 'The Mini', unit: 'second' },
  quordle: { name: 'Quordle', unit: 'point' },
  octordle: { name: 'Octordle', unit: 'point' },
  worldle: { name: 'Worldle', unit: 'guess' },
  queens: { name: 'Queens', unit: 'second' },
  tango: { name: 'Tango', unit: 'second' },
  zip: { name: 'Zip', unit: 'second' },
  bee: { name: 'Spelling Bee', unit: 'rank' },
} as const satisfies Readonly<Record<string, OtherGame>>;
export type OtherGameName = keyof typeof OTHER_GAMES;

/** Of Wordle and Worldle; a lost game counts one more. */
export const MOST_GUESSES = 6;

/** Of Spelling Bee, the best first; its score is the place in this list. */
export const BEE_RANKS: readonly string[] = [
  'Queen Bee',
  'Genius',
  'Amazing',
  'Great',
  'Nice',
  'Solid',
  'Good',
  'Moving Up',
  'Good Start',
  'Beginner',
];

function timeText(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function scoreOf(game: OtherGameName, score: number): string {
  const { unit } = OTHER_GAMES[game];
  if (unit === 'guess') return `${score > MOST_GUESSES ? 'X' : score}/${MOST_GUESSES}`;
  return unit === 'second' || unit === 'rank' ? averageOf(game, score) : counted(score, unit);
}

function averageOf(game: OtherGameName, average: number): string {
  const { unit } = OTHER_GAMES[game];
  if (unit === 'second') return timeText(Math.round(average));
  if (unit === 'rank') return BEE_RANKS[Math.round(average)]!;
  return String(Math.round(average * 10) / 10);
}

const LEADERBOARD_BUTTON: Button = {
  label: 'Leaderboard',
  action: { command: 'leaderboard', options: { games: true } },
};

export interface AddedGame {
  readonly game: OtherGameName;
  /** The day of the puzzle. */
  readonly date: PuzzleDate;
  /** Fewer are better, in every game. */
  readonly score: number;
  /** `known`: a result of that game and day is there already, and stays. `other-days`: it is too old, or ahead. */
  readonly outcome: 'added' | 'known' | 'other-days';
}

export function addedGamesReply(added: readonly AddedGame[], isRanked: boolean): Reply {
  return toAsker(
    added.some(({ outcome }) => outcome === 'added')
      ? 'Added to this channel’s other games'
      : 'Nothing added',
    [...addedGamesBlock(added, isRanked), ...buttonsBlock([isRanked && LEADERBOARD_BUTTON])],
  );
}

export function addedGamesBlock(added: readonly AddedGame[], isRanked: boolean): Block[] {
  const lines = added.map(({ game, date, score, outcome }): Line => {
    const { name } = OTHER_GAMES[game];
    if (outcome === 'other-days') return `${name}: this one isn’t from the last days.`;
    const said = outcome === 'added' ? scoreOf(game, score) : 'you have a result of that day, which stays.';
    return `${name}, ${shortDate(date)}: ${said}`;
  });
  return textBlock([...lines, !isRanked && 'You stay off leaderboards, so only you see them.']);
}

/** Whether somebody's results are taken from what the Wordle app posts each day. */
export function summariesReply(isOn: boolean): Reply {
  return toAsker(
    isOn ? 'Wordle’s daily results count for you' : 'Wordle’s daily results don’t count for you',
    [
      textBlock([
        isOn
          ? 'When anybody here chooses “Add to my results” on what the Wordle app posts each day, your result in it joins the leaderboard of other games.'
          : 'In no server, from now on. What was added before stays.',
      ]),
      buttonsBlock([summariesButton({ isOn }), LEADERBOARD_BUTTON]),
    ],
  );
}

export function summaryReply(date: PuzzleDate, people: number, isOn: boolean): Reply {
  return toAsker(`Wordle, ${longDate(date)}`, [
    textBlock([
      people === 0
        ? 'Nobody in it takes part.'
        : `Taken for the leaderboard of other games, of people who take part: ${people}.`,
      !isOn && 'Yours isn’t taken from these messages.',
    ]),
    buttonsBlock([summariesButton({ isOn }), LEADERBOARD_BUTTON]),
  ]);
}

export function summariesButton({ isOn }: { readonly isOn: boolean }): Button {
  return {
    label: isOn ? 'Don’t take my Wordle results' : 'Take my Wordle results',
    action: { command: 'record', options: { summaries: isOn ? 'off' : 'on' } },
  };
}

export interface OtherGamesRequest
  extends Pick<StandingsRequest, 'period' | 'previousPeriod' | 'page' | 'isPrivate'> {
  readonly standings: readonly (Ranked & Pick<OtherSums, 'firsts' | 'results'>)[];
  /** The best averages of each game, the best first. */
  readonly averages: readonly {
    readonly game: OtherGameName;
    readonly people: readonly { readonly person: string; readonly average: number }[];
  }[];
  readonly asker: string;
  /** Whether messages have a menu here, from which somebody can add their own. */
  readonly hasMessageMenu: boolean;
  /** Whether the Wordle app posts here, so that people may take part with what it posts. */
  readonly hasSummaries: boolean;
}

/** A channel's leaderboard of other daily games, all in one table. */
export function otherGamesReply(request: OtherGamesRequest): Reply {
  const { period, previousPeriod, standings, averages, asker, page, isPrivate } = request;
  const options: Action['options'] = { games: true, ...(isPrivate && { private: true }) };
  const action = periodAction(period, options);
  const { shown, listed } = rankedPage(standings, { asker, page });
  const isEmpty = standings.length === 0;
  const table = {
    caption: 'Results of other daily games',
    columns: [
      { label: '#', isNumber: true },
      { label: 'Player' },
      { label: 'Firsts', isNumber: true },
      { label: 'Results', isNumber: true },
    ],
    rows: listed.map(({ rank, person, firsts, results }) => [rank, { person }, firsts, results]),
  };
  const lines = averages.map(({ game, people }): Line => {
    const best = people.map(({ person, average }): Inline[] => [{ person }, ` ${averageOf(game, average)}`]);
    return [bold(OTHER_GAMES[game].name), ': ', ...joined(best, ', ')];
  });
  return replyTo(
    isPrivate || isEmpty ? 'asker' : 'everyone',
    `Other games: ${periodName(period)}`,
    [
      isEmpty ? textBlock(['No results yet.']) : { kind: 'table', table },
      pageNote('Place', shown),
      textBlock(lines),
      notes(
        !isEmpty &&
          'A first is a day’s best result in a game that others here played, too. The lines are the best averages. Results are as people pasted them.',
        `To add results, ${request.hasMessageMenu ? 'choose “Add to my results” on your message, or ' : ''}type record and paste what the game lets you share.`,
      ),
      buttonsBlock([
        ...pageButtons(action, shown),
        ...periodButtons(period, previousPeriod, options),
        request.hasSummaries && summariesButton({ isOn: false }),
      ]),
    ],
    aboutPage(action, shown, page !== undefined),
  );
}
