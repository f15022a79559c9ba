import { splitWords } from '../core/text.ts';
import { GENERATED_LIMITS, hasRepeats, LIMITS, parseBoard } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';

/** Whether a word is in the word list, which begins at three letters. */
export type IsWord = (word: string) => boolean;

/** Words of chats that the word list lacks, including words of one or two letters. */
const CHAT_WORDS = new Set(
  (
    'a i ah am an as at be by do eh go gm gn he hi id if im in is it me my no np of oh ok on or pm so to ty ur us we ya yo yw ' +
    'afk asap brb btw faq fyi gg idk imo irl lmao lol nvm omg pls plz rofl tbh thx tldr ttyl wbu wtf'
  ).split(' '),
);
/** The newspaper's shape. */
const NEWSPAPER_SHAPE = { sides: 4, letters: 3 } as const;

/** The board that a text spells, if it is likely to be one: two words, and words of seven letters, are more likely words. */
export function boardIn(text: string): Board | undefined {
  const board = anyBoardIn(text);
  const [fewest] = GENERATED_LIMITS.sides;
  const [, longest] = GENERATED_LIMITS.lettersPerSide;
  const isLikely =
    board && board.sides.length >= fewest && board.sides.every(({ length }) => length <= longest);
  return isLikely ? board : undefined;
}

export function anyBoardIn(text: string): Board | undefined {
  try {
    return parseBoard(text);
  } catch {
    return undefined;
  }
}

/** Whether a board has the newspaper's shape. */
export function isUsual({ sides }: Pick<Board, 'sides'>): boolean {
  return (
    sides.length === NEWSPAPER_SHAPE.sides && sides.every((side) => side.length === NEWSPAPER_SHAPE.letters)
  );
}

/**
 * Whether words typed after a command look like a board. Any sentence can be read as sides, so this goes by what is rare in
 * sentences: groups of a board's shape, or groups typed as one word, such as `ozu-nri-lfa-mbt`. Sides that are refused here
 * can be typed as `sides:"…"`.
 *
 * @example looksLikeSides('that start with x', isWord) // false
 */
export function looksLikeSides(text: string, isWord: IsWord): boolean {
  const board = anyBoardIn(text);
  if (board === undefined) return false;
  if (hasBoardShape(board, isWord)) return true;
  return (
    !hasRepeats(board) &&
    (!/\s/.test(text.trim()) || (hasSeparators(text, board) && hasNonWord(board, isWord)))
  );
}

/** Whether words typed for sides are more likely a sentence: they spell an unlikely board, or no board and contain a word. */
export function isSentence(words: readonly string[], isWord: IsWord): boolean {
  const text = words.join(' ');
  if (words.length === 0 || looksLikeSides(text, isWord)) return false;
  return anyBoardIn(text) !== undefined || splitWords(text).some((word) => isListOrChatWord(word, isWord));
}

/** Two groups, or groups of unequal length, with fewer letters are more likely abbreviations, as in "check w/ hr pls". */
const MIN_LETTERS = 7;

/**
 * Whether the groups alone look like sides: by how many of them are words, and whether all are of one length. Two groups,
 * and few letters, are held to more.
 *
 *                   no letter repeats                       a letter repeats
 *   equal length    one group is no word, or 4 × 3          most are no words
 *   unequal         most are no words                       none is a word
 */
function hasBoardShape(board: Board, isWord: IsWord): boolean {
  const areTwo = board.sides.length === LIMITS.sides[0];
  if (areTwo && !isEven(board)) return false;
  if ((areTwo || !isEven(board)) && board.letters.length < MIN_LETTERS) return false;
  if (countWords(board, isWord) === 0) return true;
  if (hasRepeats(board)) return isEven(board) && areMostlyNonWords(board, isWord);
  return isEven(board) ? isUsual(board) || hasNonWord(board, isWord) : areMostlyNonWords(board, isWord);
}

/** Characters that separate sides more often than words of a sentence. */
const SIDE_SEPARATORS = /[|/;[({<]/;

/** Whether separators are between all sides, or the text has no spaces at all. */
function hasSeparators(text: string, { sides }: Board): boolean {
  const parts = text.split(SIDE_SEPARATORS).filter((part) => /\p{L}/u.test(part));
  return parts.length >= sides.length || !/\s/.test(text.trim());
}

/**
 * Whether a text without a command is meant as a board. No letter may repeat, as on the newspaper's boards. Among four or
 * more groups of equal length, or groups with marks between all of them, one that is no word is enough; otherwise no group
 * may be a word, or fewer than half of them if there are some marks. A board that is refused here can still be solved with
 * the command.
 *
 * @example looksLikeBoard('hello bot what is this', isWord) // false
 */
export function looksLikeBoard(text: string, isWord: IsWord): boolean {
  const board = boardIn(text);
  // One word of twelve letters, such as "ambidextrous", is no board.
  if (board === undefined || hasRepeats(board) || isWord(text.trim().toLowerCase())) return false;
  if (isEven(board) && board.sides.length >= NEWSPAPER_SHAPE.sides) return hasNonWord(board, isWord);
  if (hasSeparators(text, board)) return hasNonWord(board, isWord);
  if (!isEven(board) && board.letters.length < MIN_LETTERS) return false;
  return SIDE_SEPARATORS.test(text) ? areMostlyNonWords(board, isWord) : countWords(board, isWord) === 0;
}

export function areMostlyNonWords(board: Board, isWord: IsWord): boolean {
  return 2 * countWords(board, isWord) < board.sides.length;
}

function isEven({ sides }: Board): boolean {
  return sides.every(({ length }) => length === sides[0]!.length);
}

function hasNonWord(board: Board, isWord: IsWord): boolean {
  return countWords(board, isWord) < board.sides.length;
}

function countWords({ sides }: Board, isWord: IsWord): number {
  return sides.filter((side) => isListOrChatWord(side, isWord)).length;
}

function isListOrChatWord(word: string, isWord: IsWord): boolean {
  return CHAT_WORDS.has(word) || isWord(word);
}
