import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { counted, listed, ordinal, shortDate } from '../../core/text.ts';
import { buttonOn, type Subject } from '../model/subject.ts';
import type { Button } from '../model/types.ts';
import { ALL_HINT_POINTS } from './hint-steps.ts';

/** In the colours of the words in pictures. */
const SQUARES = ['🟦', '🟧', '🟩', '🟪', '🟫', '🟨', '🟥', '⬛'];
/** Squares in a row: about as many as a phone shows on three lines. */
const MOST = 60;

export const CROWN = '👑';

export interface ScoreShown {
  readonly words: number;
  /** 0 where a reported result does not say. */
  readonly letters: number;
  readonly hints: number;
  /** Set where the person only said so: nobody has checked it. */
  readonly reported?: true;
}

/** The part of a result that may be shown to others: numbers, never words. */
export interface ResultNumbers {
  readonly date: PuzzleDate;
  readonly words: number;
  readonly hints: number;
  /** Of each word; empty where a reported result does not say. */
  readonly lengths: readonly number[];
  /** Set where the person only said so: nobody has checked it. */
  readonly reported?: true;
}

/**
 * A result in one line that gives nothing away.
 *
 * @example resultLine({ date: '2026-11-20', words: 2, hints: 0, lengths: [5, 6] }) // 'Letter Boxed, November 20 · 2 words · no hints'
 */
export function resultLine({ date, ...numbers }: ResultNumbers): string {
  return lineOfBoard(shortDate(date), numbers);
}

/** The same for a board by its name. */
export function lineOfBoard(
  name: string,
  { words, hints, reported }: Pick<ResultNumbers, 'words' | 'hints' | 'reported'>,
): string {
  const mark = reported ? ' · self-reported' : '';
  return `Letter Boxed, ${name} · ${counted(words, 'word')} · ${hintsUsed(hints)}${mark}`;
}

/** A person's place among all who have a result. */
export interface Place {
  readonly rank: number;
  readonly of: number;
}

/** @example placeText({ rank: 2, of: 7 }) // '2nd of 7' */
export function placeText({ rank, of }: Place): string {
  return `${ordinal(rank)} of ${of}`;
}

/** Where a result has to be shared before it is on a leaderboard: in this channel, or, from private messages, in any. */
export type ToShare = 'here' | 'in-a-channel';

export function toShareText(where: ToShare): string {
  return where === 'here'
    ? 'To count in this channel, share it.'
    : 'To count in a channel, type share there.';
}

/** Marks the lines of a list of the best. */
export function rankMark(rank: number): string {
  return rank === 1 ? CROWN : `${rank}.`;
}

/**
 * What results are compared by.
 *
 * @example scoreText({ words: 2, letters: 14, hints: 0 }) // '2 words, 14 letters, no hints'
 */
export function scoreText({ words, letters, hints, reported }: ScoreShown, separator = ', '): string {
  return [
    counted(words, 'word'),
    ...(letters === 0 ? [] : [counted(letters, 'letter')]),
    hintsUsed(hints),
    ...(reported ? ['self-reported'] : []),
  ].join(separator);
}

/**
 * A square for each letter, a colour for each word.
 *
 * @example squaresOf([5, 6]) // '🟦🟦🟦🟦🟦 🟧🟧🟧🟧🟧🟧'
 */
export function squaresOf(lengths: readonly number[]): string {
  const rows: string[] = [];
  let left = MOST;
  for (const [index, length] of lengths.entries()) {
    if (length > left) return [...rows, `… ${counted(lengths.length - index, 'more word')}`].join(' ');
    rows.push(SQUARES[index % SQUARES.length]!.repeat(length));
    left -= length;
  }
  return rows.join(' ');
}

/**
 * Reads what `squaresOf` made: how many letters each word has.
 *
 * @example readSquares('in 2 words 🟦🟦🟦🟦🟦 🟧🟧🟧🟧🟧🟧') // [5, 6]
 */
export function readSquares(text: string): number[] {
  const lengths: number[] = [];
  let before = '';
  for (const character of text) {
    const isSame = character === before;
    before = character;
    if (!SQUARES.includes(character)) continue;
    if (isSame) lengths[lengths.length - 1]!++;
    else lengths.push(1);
  }
  return lengths;
}

/**
 * The praise for a solution, beside its words and hints. The newspaper's own solutions have two words; one is rare. A
 * solution that was shown gets none.
 *
 * @example praise({ words: 2, hints: 0, par: 4 }) // 'Brilliant!'
 */
export function praise({
  words,
  hints,
  par,
}: {
  readonly words: number;
  readonly hints: number;
  readonly par?: number | undefined;
}): string {
  if (hints >= ALL_HINT_POINTS) return 'You solved it!';
  if (words === 1) return 'A single word. Incredible!';
  if (words === 2) return hints === 0 ? 'Brilliant!' : 'Superb!';
  if (par === undefined || words > par) return hints === 0 ? 'Nice!' : 'You solved it!';
  return words < par ? 'Under par. Excellent!' : 'Par. Well done!';
}

/** Hints count by how much they give away, so their sum is in points. */
export function hintsUsed(points: number): string {
  return points === 0 ? 'no hints' : counted(points, 'hint point');
}

/**
 * A stretch of time as people say it: its two largest units.
 *
 * @example durationText(3_900_000) // '1 hour 5 minutes'
 */
export function durationText(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE);
  if (minutes < 1) return 'less than a minute';
  const units = [
    [Math.floor(minutes / 1440), 'day'],
    [Math.floor((minutes % 1440) / 60), 'hour'],
    [minutes % 60, 'minute'],
  ] as const;
  const first = units.findIndex(([number]) => number > 0);
  return units
    .slice(first, first + 2)
    .filter(([number]) => number > 0)
    .map(([number, unit]) => counted(number, unit))
    .join(' ');
}

/** What is shared besides the sentence: nothing, squares, or the notation of the game's players. */
export const SHARE_FORMATS = ['line', 'squares', 'notation'] as const;
export type ShareFormat = (typeof SHARE_FORMATS)[number];

/**
 * Words as players write them to each other: first letter, last letter, length. It gives letters away.
 *
 * @example notationOf(['sophomoric', 'cab']) // 'S - C(10), C - B(3)'
 */
export function notationOf(words: readonly string[]): string {
  return words
    .map((word) => `${word.at(0) ?? ''} - ${word.at(-1) ?? ''}(${word.length})`.toUpperCase())
    .join(', ');
}

/**
 * A result as a sentence, for screen readers, which read squares out one by one. Like the line above it, it says where
 * nobody has checked the result.
 *
 * @example spokenResult({ lengths: [6, 8], words: 2, hints: 0 }) // '2 words of 6 and 8 letters, with no hints.'
 */
export function spokenResult({ lengths, words, hints, reported }: Omit<ResultNumbers, 'date'>): string {
  const of = lengths.length === 0 ? '' : ` of ${listed(lengths.map(String))} letters`;
  return `${counted(words, 'word')}${of}, with ${hintsUsed(hints)}${reported ? ', self-reported' : ''}.`;
}

/** One button for each format. */
export function shareButtons(subject: Pick<Subject, 'options'>): Button[] {
  return [
    buttonOn(subject, 'Share only the line', 'share', { options: { as: 'line' } }),
    buttonOn(subject, 'Share squares', 'share', { options: { as: 'squares' } }),
    buttonOn(subject, 'Share notation (reveals letters)', 'share', { options: { as: 'notation' } }),
  ];
}
