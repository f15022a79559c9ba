import { splitWords } from '../../core/text.ts';
import { hasRepeats, LIMITS } from '../../solver/board.ts';
import { judgeWords } from '../../solver/check.ts';
import type { Board } from '../../solver/types.ts';
import { areMostlyNoWords, boardIn, type IsWord, isUsual } from './bare-board.ts';

/** Of the newspaper's boards, which are those most typed. */
const USUAL_SIDES = 4;

/**
 * Words, then perhaps a board; or a board of the newspaper's kind, then words. Two words that chain share a letter and
 * so are never two sides of a board without repeats; for one that has repeats, see `partRepeatedSides`.
 */
export function partWordsAndSides(
  positionals: readonly string[],
): [words: readonly string[], sides: readonly string[]] {
  if (positionals.length < 2 || isChain(positionals)) return [positionals, []];
  const first = positionals.length - mostBoardWords(positionals.toReversed());
  const starts = positionals
    .map((_, at) => at)
    .filter((at) => at >= first && isPlainBoard(positionals.slice(at)));
  const usual = starts.find((start) => positionals.length - start === USUAL_SIDES);
  const before = usual === undefined ? usualBoardAtStart(positionals) : 0;
  if (before > 0) return [positionals.slice(before), positionals.slice(0, before)];
  const at = usual ?? starts[0] ?? positionals.length;
  return [positionals.slice(0, at), positionals.slice(at)];
}

/** Whether words that don't chain are as many as the sides of a board, or are one. */
export function isRatherBoard(positionals: readonly string[]): boolean {
  if (isChain(positionals)) return false;
  return positionals.length >= LIMITS.sides[0] || boardIn(positionals.join(' ')) !== undefined;
}

/** A whole newspaper's board apart from what is beside it; else all as sides. */
export function partUsualBoard(
  positionals: readonly string[],
): [words: readonly string[], sides: readonly string[]] {
  const whole = boardIn(positionals.join(' '));
  const [words, sides] = partWordsAndSides(positionals);
  const part = boardIn(sides.join(' '));
  const isPart = part !== undefined && isUsual(part) && (whole === undefined || hasRepeats(whole));
  return isPart ? [words, sides] : [[], positionals];
}

/** How many of the words, with some left after them, are a board such as `ozu nri lfa mbt` or `ozu-nri-lfa-mbt`. */
function usualBoardAtStart([first = '', ...more]: readonly string[]): number {
  if (first.split('-').length === USUAL_SIDES && isPlainBoard([first])) return 1;
  const sides = [first, ...more.slice(0, USUAL_SIDES - 1)];
  return more.length >= USUAL_SIDES && isPlainBoard(sides) ? USUAL_SIDES : 0;
}

function isChain(positionals: readonly string[]): boolean {
  const words = positionals.flatMap(splitWords);
  return (
    words.length > 1 && words.every((word, index) => index === 0 || word[0] === words[index - 1]!.at(-1))
  );
}

/** Words of a board that somebody types with a space beside every letter and every comma. */
const MOST_BOARD_WORDS = 60;

/**
 * How many of these words, from the first, may together be a board: no more than have the letters of one. A line may
 * have two thousand words, too many to read each part of it.
 */
export function mostBoardWords(words: readonly string[]): number {
  let letters = 0;
  const end = words.slice(0, MOST_BOARD_WORDS).findIndex((word) => {
    letters += word.match(/[a-z]/gi)?.length ?? 0;
    return letters > LIMITS.spots[1];
  });
  return end < 0 ? Math.min(words.length, MOST_BOARD_WORDS) : end;
}

function isPlainBoard(sides: readonly string[]): boolean {
  const board = boardIn(sides.join(' '));
  return board !== undefined && !hasRepeats(board);
}

/** Words and the sides of a board on which letters repeat. */
export interface RepeatedSides {
  readonly words: readonly string[];
  readonly sides: readonly string[];
  /** Otherwise they may just as well all be words that don't chain. */
  readonly isSure: boolean;
}

/** No command takes more words. */
const MOST_WORDS = 100;

/**
 * Parts words from a board with letters that repeat, before or after them. Any words that don't chain could be the sides
 * of one, so most sides have to be no words. It is sure if the words can be played on that board, or if a side is there
 * twice and only one part of the line can be a board.
 *
 * @example partRepeatedSides(['aeist', 'aeist', 'aeist', 'seats'], isWord) // { words: ['seats'], sides: […], isSure: true }
 */
export function partRepeatedSides(positionals: readonly string[], isWord: IsWord): RepeatedSides | undefined {
  if (positionals.length > MOST_WORDS || isChain(positionals)) return undefined;
  const parts = boardsOfEnds(positionals).filter(
    ({ board, played }) =>
      areMostlyNoWords(board, isWord) && !played.some((word) => board.sides.includes(word)),
  );
  const played = parts.find((part) => part.played.length > 0 && isPlayable(part, isWord));
  if (played !== undefined) return { ...played, isSure: true };
  const twice = parts.filter(
    ({ board, sides }) => new Set(board.sides).size < board.sides.length && !hasCommas(sides),
  );
  const isWhole = twice.some(({ board, played }) => played.length === 0 && isUsual(board));
  const apart = isWhole ? undefined : twice.find((part) => isApart(part, isWord));
  const likeliest = apart ?? twice[0];
  if (likeliest !== undefined) return { ...likeliest, isSure: apart !== undefined || twice.length === 1 };
  if (hasCommas(positionals)) return undefined;
  const unclear = parts.find((part) => areAlike(part, isWord) && hasLettersOf(part));
  return unclear && { ...unclear, isSure: false };
}

/** A board at one end of a line, as it was typed, and the words at the other end. */
interface Part {
  readonly board: Board;
  readonly sides: readonly string[];
  readonly words: readonly string[];
  /** The words, each by itself. */
  readonly played: readonly string[];
}

/** Each board with which a line begins or ends, from the largest on. */
function boardsOfEnds(positionals: readonly string[]): Part[] {
  const found: Part[] = [];
  const add = (sides: readonly string[], words: readonly string[]) => {
    const board = boardIn(sides.join(' '));
    // Not a word of twelve letters, which is a board, too.
    const isTyped = board?.sides.length === sides.flatMap(splitWords).length;
    if (board !== undefined && isTyped)
      found.push({ board, sides, words, played: words.flatMap(splitWords) });
  };
  const [first, last] = [mostBoardWords(positionals), mostBoardWords(positionals.toReversed())];
  for (let size = first; size > 0; size--) add(positionals.slice(0, size), positionals.slice(size));
  for (let size = Math.min(last, positionals.length - 1); size > 0; size--)
    add(positionals.slice(-size), positionals.slice(0, -size));
  return found.toSorted((one, other) => other.board.sides.length - one.board.sides.length);
}

function isPlayable({ board, played }: Part, isWord: IsWord): boolean {
  return judgeWords(board, played, isWord).words.every(({ broken }) => broken === undefined);
}

/** Whether what is beside the sides are words, and the sides are none. */
function isApart({ board: { sides }, played }: Part, isWord: IsWord): boolean {
  return played.length > 0 && played.every(isWord) && !sides.some(isWord);
}

/** Whether sides look like those of one board: as long as each other, or none of them a word. */
function areAlike({ board: { sides } }: Part, isWord: IsWord): boolean {
  return sides.every((side) => side.length === sides[0]!.length) || !sides.some(isWord);
}

function hasLettersOf({ board: { letters }, played }: Part): boolean {
  return played.every((word) => Array.from(word).every((letter) => letters.includes(letter)));
}

/** As lists of words have. */
function hasCommas(typed: readonly string[]): boolean {
  return typed.some((word) => word.includes(','));
}
