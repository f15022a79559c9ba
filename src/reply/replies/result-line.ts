import { MINUTE, type PuzzleDate } from '../../core/clock.ts';
import { counted } from '../../core/text.ts';
import { shortDate } from '../../puzzle/date-text.ts';
import { ALL_HINT_POINTS } from '../../solver/hints.ts';

/** In the colours of the words in pictures. */
const SQUARES = ['🟦', '🟧', '🟩', '🟪', '🟫', '🟨', '🟥', '⬛'];
/** Squares in a row: about as many as a phone shows on three lines. */
const MOST = 60;

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
export function resultLine({ date, words, hints, reported }: ResultNumbers): string {
  const mark = reported ? ' · self-reported' : '';
  return `Letter Boxed, ${shortDate(date as PuzzleDate)} · ${counted(words, 'word')} · ${hintsUsed(hints)}${mark}`;
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
 * What a solution deserves to hear; words and hints are told beside it. Two words are what the newspaper itself plays, and one is rare. Nothing for what was shown whole.
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
  return points === 0 ? 'no hints' : hintPoints(points);
}

export function hintPoints(points: number): string {
  return counted(points, 'hint point');
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
