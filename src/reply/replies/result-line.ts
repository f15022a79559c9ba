import { DAY, HOUR, MINUTE, SECOND } from '../../core/clock.ts';
import { counted, grouped, ordinal, shortDate } from '../../core/text.ts';
import type { Result, ResultSums } from '../../store/tables/results.ts';
import { actionOn, type NamedBoard } from '../model/named-board.ts';
import { joined, present } from '../model/text.ts';
import type { Block, Button, Line } from '../model/types.ts';

/** Squares in the colours of the words in pictures. */
const SQUARES = ['🟦', '🟧', '🟩', '🟪', '🟫', '🟨', '🟥', '⬛'];
/** A square for each word under par. */
const UNDER_PAR_SQUARE = '⬜';
/** Squares in a row: about as many as a phone shows on one line. */
const MAX_SQUARES = 20;

/** The letters of a reported result may be 0: it does not say. */
export interface ScoreShown
  extends Pick<Result, 'words' | 'letters' | 'hints' | 'reported' | 'afterSolution' | 'late'> {
  /** Set if only this channel had seen a solution before: elsewhere, and in stats, the result has no such mark. */
  readonly isAfterSolutionHere?: boolean;
}

/** Whether words use every spot only once, except for the letter that each word shares with the word before it. */
export function wastesNothing({ words, letters }: Pick<ScoreShown, 'words' | 'letters'>, spots: number) {
  return letters === spots + words - 1;
}

const AFTER_SOLUTION = 'after the solution';
const SELF_REPORTED = 'self-reported';
const LATE = 'late';

/** Where a result stands on the leaderboard that it was shared to. */
export type ListedNow = 'counting' | 'late';

/** Tells a person that their result came after the closing. */
export const LATE_TEXT = 'It came after the day was closed here, so the day’s leaderboard lists it as late.';

export const MARKS_NOTE =
  'Results after the solution come after the others, then self-reported ones, and last late ones, from after the day was closed, which count for no week or month here.';

/** The marks of a result that ranks behind those without, as every list shows them. */
export function marksText({
  reported,
  afterSolution,
  late,
}: Omit<ScoreShown, 'words' | 'letters' | 'hints'>): string {
  return present([afterSolution && AFTER_SOLUTION, reported && SELF_REPORTED, late && LATE]).join(', ');
}

/** Days with a result, and how many of these results are marked. */
export type DaysShown = Pick<ResultSums, 'days' | 'reported' | 'afterSolution'>;

/** The marks of several results together, each with the number of results that have it. */
export function daysMarksText({ reported, afterSolution }: Omit<DaysShown, 'days'>): string {
  return present([
    afterSolution > 0 && `${afterSolution} ${AFTER_SOLUTION}`,
    reported > 0 && `${reported} ${SELF_REPORTED}`,
  ]).join(', ');
}

export interface ResultShown extends ScoreShown {
  /** Null if it was solved after its day; undefined if no thread was opened before. */
  readonly sinceOpening: number | null | undefined;
}

/**
 * A result in one line without its hints, for when nobody knows which hints were used.
 *
 * @example resultLineWithoutHints(namedBoard, 2) // 'Letter Boxed, November 20 · 2 words'
 */
export function resultLineWithoutHints(
  { name, date }: Pick<NamedBoard, 'name' | 'date'>,
  words: number,
): string {
  return `Letter Boxed, ${date === undefined ? name : shortDate(date)} · ${counted(words, 'word')}`;
}

/**
 * A result in one line that gives nothing away. Everything that is shared begins with it.
 *
 * @example resultLine(namedBoard, { words: 2, hints: 0 }) // 'Letter Boxed, November 20 · 2 words · no hints'
 */
export function resultLine(
  namedBoard: Pick<NamedBoard, 'name' | 'date'>,
  { words, reported, ...used }: Omit<ScoreShown, 'letters' | 'late'>,
): string {
  const mark = reported ? ` · ${SELF_REPORTED}` : '';
  return `${resultLineWithoutHints(namedBoard, words)} · ${hintsUsed(used)}${mark}`;
}

/** Somebody in a list of the best. Equal people share a rank. */
export interface Ranked {
  readonly rank: number;
  readonly person: string;
}

/** A person's place among all people with a result. */
export interface Place {
  readonly rank: number;
  readonly of: number;
  /** How many people have a worse result on the leaderboard of a channel. */
  readonly behind?: number;
}

/** @example hereText({ rank: 2, of: 7, behind: 5 }) // 'Better than 5 of the 6 others here' */
export function hereText({ rank, of, behind = 0 }: Place): string | undefined {
  if (rank === 1) return `${placeText({ rank, of })} here`;
  // Nobody is told that they are the last.
  return behind === 0 ? undefined : `Better than ${behind} of the ${of - 1} others here`;
}

/** People of a channel on a day's board. */
export interface Players {
  /** People who have begun the board and not solved it. */
  readonly playing: number;
  readonly solved: number;
  /** The words of the best result, once everybody may know. */
  readonly best?: number | undefined;
}

/**
 * How a channel did in all, beside a person's own result.
 *
 * @example playersHereText({ playing: 1, solved: 5, best: 2 }, { words: 3 }) // '5 of 6 here solved it, the best in 2 words.'
 */
export function playersHereText(
  { playing, solved, best }: Players,
  own: Pick<ScoreShown, 'words'>,
): string | undefined {
  const words = best !== undefined && best < own.words ? counted(best, 'word') : undefined;
  if (playing === 0) return words && `The best here took ${words}.`;
  return `${grouped(solved)} of ${grouped(solved + playing)} here solved it${words ? `, the best in ${words}` : ''}.`;
}

/** @example placeText({ rank: 2, of: 7 }) // '2nd of 7' */
export function placeText({ rank, of }: Pick<Place, 'rank' | 'of'>): string {
  return `${ordinal(rank)} of ${grouped(of)}`;
}

/** Where a result must be shared to count on a leaderboard: in this channel or, from private messages, in any. */
export type ToShare = 'here' | 'in-a-channel';

export function toShareText(where: ToShare): string {
  return where === 'here'
    ? 'To count in this channel, share it.'
    : 'To count in a channel, type share there.';
}

/** @example daysText({ days: 30, reported: 0, afterSolution: 27 }) // '30 days, 27 after the solution' */
export function daysText(shown: DaysShown): string {
  return [counted(shown.days, 'day'), daysMarksText(shown)].filter(Boolean).join(', ');
}

/** What a person is told whose board of the day was replaced after they solved it. */
export const SOLVED_REPLACED = 'you solved the board that was replaced';
export const SOLVED_REPLACED_SENTENCE =
  'You solved the board that was replaced by this one. That result stays yours.';

const MAX_CALM_NAMES = 10;

/** The calm people who solved a board: no rank, no numbers. */
export function alsoSolvedLine(calm: readonly string[]): Line | undefined {
  const named = calm.slice(0, MAX_CALM_NAMES).map((person): Line => [{ person }]);
  const more = calm.length - named.length;
  if (named.length === 0) return undefined;
  return ['Also solved: ', ...joined(named, ', '), more > 0 ? ` and ${more} more.` : '.'];
}

/** A ranked result, or the ranked days of somebody. */
interface RankedShown extends Pick<Ranked, 'rank'> {
  readonly afterSolution?: true | number | undefined;
  readonly days?: number;
}

/** The crown of a list of the best: not for somebody whose results all came after the solution. */
export function crownOf({ rank, afterSolution = 0, days = 1 }: RankedShown): string | undefined {
  return rank === 1 && Number(afterSolution) < days ? '👑' : undefined;
}

/** A result of the board that was replaced, which stats count where it is better than that of the day's board. */
export function replacedText({ words }: Pick<ScoreShown, 'words'>): string {
  return `${counted(words, 'word')} on the board that was replaced`;
}

export function rankMark(one: RankedShown): string {
  return crownOf(one) ?? `${one.rank}.`;
}

/**
 * The figures that decide which result is better.
 *
 * @example scoreText({ words: 2, letters: 14, hints: 0 }) // '2 words, 14 letters, no hints'
 */
export function scoreText({ words, letters, reported, late, ...used }: ScoreShown, separator = ', '): string {
  return present([
    counted(words, 'word'),
    letters > 0 && counted(letters, 'letter'),
    hintsUsed(used),
    reported && SELF_REPORTED,
    late && LATE,
  ]).join(separator);
}

/**
 * A square for each word, and empty ones up to par. They don't show how long the words are, which would be a hint to others.
 *
 * @example squaresOf({ words: 2, par: 5 }) // '🟦🟧⬜⬜⬜'
 */
export function squaresOf({ words, par = words }: { words: number; par?: number | undefined }): string {
  const shown = Math.min(words, MAX_SQUARES);
  const used = Array.from({ length: shown }, (_, index) => SQUARES[index % SQUARES.length]!);
  const spared = UNDER_PAR_SQUARE.repeat(Math.max(0, Math.min(par, MAX_SQUARES) - shown));
  return `${used.join('')}${spared}${words > shown ? ` … ${counted(words - shown, 'more word')}` : ''}`;
}

type Used = Pick<ScoreShown, 'hints' | 'afterSolution' | 'isAfterSolutionHere'>;

function hintsUsed({ hints, afterSolution, isAfterSolutionHere }: Used): string {
  if (afterSolution) return `${AFTER_SOLUTION}${isAfterSolutionHere ? ' here' : ''}`;
  return hints === 0 ? 'no hints' : counted(hints, 'hint point');
}

/**
 * The two largest units of a duration, without seconds.
 *
 * @example durationText(3_900_000) // '1 hour 5 minutes'
 */
export function durationText(milliseconds: number): string {
  return milliseconds < MINUTE ? 'less than a minute' : exactDuration(milliseconds - (milliseconds % MINUTE));
}

const UNITS = { day: DAY, hour: HOUR, minute: MINUTE, second: SECOND };

/** The two largest units of a duration of a second or more. @example exactDuration(83_000) // '1 minute 23 seconds' */
export function exactDuration(milliseconds: number): string {
  let left = milliseconds;
  const parts = Object.entries(UNITS).map(([unit, size]) => {
    const number = Math.floor(left / size);
    left %= size;
    return number > 0 && counted(number, unit);
  });
  const first = parts.findIndex(Boolean);
  return parts
    .slice(first, first + 2)
    .filter(Boolean)
    .join(' ');
}

/** The leaderboard for the asker alone: a private answer must not lead to a public message. */
export const OWN_LEADERBOARD_BUTTON: Button = {
  label: 'Leaderboard',
  action: { command: 'leaderboard', options: { private: true } },
};

/** What is shared besides the sentence: nothing, squares, or the players' own notation. */
export const SHARE_FORMATS = ['line', 'squares', 'notation'] as const;
export type ShareFormat = (typeof SHARE_FORMATS)[number];

export const SHARE_DESCRIPTIONS: Readonly<Record<ShareFormat, string>> = {
  line: 'Your words and hints as numbers',
  squares: 'Your words beside par',
  notation: 'First and last letters of your words, hidden: it gives something away',
};

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

const SHARE_LABELS = { line: 'The line alone', squares: 'The line with squares', notation: 'Notation' };

export function shareMenu(namedBoard: Pick<NamedBoard, 'options'>): Block {
  const choices = SHARE_FORMATS.map((as) => ({
    label: SHARE_LABELS[as],
    description: `${SHARE_DESCRIPTIONS[as]}.`,
    action: actionOn(namedBoard, 'share', { as }),
  }));
  return { kind: 'menu', label: 'Share in another way', choices };
}
