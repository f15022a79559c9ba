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

/** A link to a board on the site, such as messages of made boards have, perhaps as Slack writes it. */
const BOARD_LINK =
  /<?https?:\/\/[^\s<>|]{0,200}[?&]board=([a-z]{1,12}(?:-[a-z]{1,12})+)(?:&[^\s<>|]{0,200})?(?:\|[^>]{0,200})?>?/gi;

/** Text with the sides of a board in place of a link to it. */
export function withoutBoardLinks(text: string): string {
  return text.replace(BOARD_LINK, '$1');
}

/** The board that a text spells, if it is likely to be one: two words, and words of seven letters, are more likely words. */
export function likelyBoardIn(text: string): Board | undefined {
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

/**
 * The board that words can be where nobody chats, as at the terminal: of distinct letters, or of sides of one length, even if
 * every side is a word.
 */
export function possibleBoardIn(text: string): Board | undefined {
  const board = anyBoardIn(text);
  return board !== undefined && (!hasRepeats(board) || hasEqualSides(board)) ? board : undefined;
}

/** Whether a board has the newspaper's shape. */
export function hasNewspaperShape({ sides }: Pick<Board, 'sides'>): boolean {
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
  const areEqual = hasEqualSides(board);
  if (areTwo && !areEqual) return false;
  if ((areTwo || !areEqual) && board.letters.length < MIN_LETTERS) return false;
  if (countWords(board, isWord) === 0) return true;
  if (hasRepeats(board)) return areEqual && areMostlyNonWords(board, isWord);
  return areEqual ? hasNewspaperShape(board) || hasNonWord(board, isWord) : areMostlyNonWords(board, isWord);
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
  const board = likelyBoardIn(text);
  // One word of twelve letters, such as "ambidextrous", is no board.
  if (board === undefined || hasRepeats(board) || isWord(text.trim().toLowerCase())) return false;
  if (hasEqualSides(board) && board.sides.length >= NEWSPAPER_SHAPE.sides) return hasNonWord(board, isWord);
  if (hasSeparators(text, board)) return hasNonWord(board, isWord);
  if (!hasEqualSides(board) && board.letters.length < MIN_LETTERS) return false;
  return SIDE_SEPARATORS.test(text) ? areMostlyNonWords(board, isWord) : countWords(board, isWord) === 0;
}

function areMostlyNonWords(board: Board, isWord: IsWord): boolean {
  return 2 * countWords(board, isWord) < board.sides.length;
}

export function hasEqualSides({ sides }: Board): boolean {
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

/** One way to divide what was typed into played words, and the sides of a board before or after them. */
export interface Reading {
  /**
   * `sides`: there are only sides, or a board without repeated letters; `repeated`: a board that surely is one, although
   * letters repeat; `unclear`: all of it may just as well be words that don't chain, such as `abc ade fgh ijk`.
   */
  readonly kind: 'words' | 'sides' | 'repeated' | 'unclear';
  readonly words: readonly string[];
  readonly sides: readonly string[];
}

/** What a command takes besides sides. */
interface Takes {
  readonly words: boolean;
  /** Its sides are declared before its words, and so are the more likely reading. */
  readonly sidesFirst: boolean;
}

/**
 * The likeliest reading of what was typed. Two words that chain share a letter, and so are never two sides of a board without
 * repeated letters; for other boards, see `repeatedIn`.
 *
 * @example readingOf(['forum', 'ozu', 'nri', 'lfa', 'mbt'], { words: true, sidesFirst: false }, isWord).words // ['forum']
 */
export function readingOf(typed: readonly string[], takes: Takes, isWord: IsWord): Reading {
  const areSides = !takes.words || (takes.sidesFirst && isRatherBoard(typed, isWord));
  const onlyWords: Reading = { kind: 'words', words: typed, sides: [] };
  const onlySides: Reading = { kind: 'sides', words: [], sides: typed };
  const isOneWord = typed.length === 1 && isWord(typed[0]!.toLowerCase());
  if (!areSides && (isOneWord || isChain(typed))) return onlyWords;
  const parts = boardsOfEnds(typed);
  const unrepeated = parts.filter((part) => isWithoutRepeats(part, isWord));
  if (unrepeated.some(isWhole)) return onlySides;
  // A board like the newspaper's, with words beside it.
  const likeNewspaper = unrepeated.find(({ board }) => hasNewspaperShape(board));
  if (likeNewspaper !== undefined) return likeNewspaper;
  // Letters repeat, so that words may be sides, too.
  if (!takes.words || (areSides && parts.some(isWhole))) return onlySides;
  const repeated = typed.length > MAX_WORDS ? undefined : repeatedIn(parts, isWord);
  if (repeated?.kind === 'repeated') return repeated;
  if (areSides) return onlySides;
  // Words, then a board of another shape.
  const last = unrepeated.find(({ isLast }) => isLast);
  if (last !== undefined && (repeated === undefined || last.words.every(isWord))) return last;
  return repeated ?? onlyWords;
}

/** Whether words don't chain, and are as many as the sides of a board or spell one. */
function isRatherBoard(typed: readonly string[], isWord: IsWord): boolean {
  if (isChain(typed) || isSentence(typed, isWord)) return false;
  return typed.length >= GENERATED_LIMITS.sides[0] || likelyBoardIn(typed.join(' ')) !== undefined;
}

function isChain(typed: readonly string[]): boolean {
  const words = typed.flatMap(splitWords);
  return words.length > 1 && goOn(words);
}

/** Whether each word begins with the last letter of the one before. */
function goOn(words: readonly string[]): boolean {
  return words.every((word, at) => at === 0 || word[0] === words[at - 1]!.at(-1));
}

/** Whether a text without a command is words to play. */
export function areWordsToPlay(text: string, isWord: IsWord): boolean {
  const words = splitWords(text);
  return words.length > 0 && words.every(isWord) && goOn(words);
}

/** A board at one end of what was typed, and the words beside it. */
interface Part extends Reading {
  readonly board: Board;
  /** The board is at the end rather than at the beginning. */
  readonly isLast: boolean;
}

/** Every board at the end, then every board at the beginning, the longest first. */
function boardsOfEnds(typed: readonly string[]): Part[] {
  const parts: Part[] = [];
  const add = (sides: readonly string[], words: readonly string[], isLast: boolean) => {
    const board = likelyBoardIn(sides.join(' '));
    if (board !== undefined) parts.push({ kind: 'sides', words, sides, board, isLast });
  };
  for (let size = maxBoardWords(typed.toReversed()); size > 0; size--)
    add(typed.slice(-size), typed.slice(0, -size), true);
  for (let size = Math.min(maxBoardWords(typed), typed.length - 1); size > 0; size--)
    add(typed.slice(0, size), typed.slice(size), false);
  return parts;
}

/** Words of a board that somebody types with a space beside every letter and every comma. */
const MAX_BOARD_WORDS = 60;

/**
 * How many of the first words may be a board: together they have no more letters than one. A line may have two thousand
 * words, too many to try each part of it.
 */
export function maxBoardWords(words: readonly string[]): number {
  let letters = 0;
  const end = words.slice(0, MAX_BOARD_WORDS).findIndex((word) => {
    letters += word.match(/[a-z]/gi)?.length ?? 0;
    return letters > LIMITS.spots[1];
  });
  return end < 0 ? Math.min(words.length, MAX_BOARD_WORDS) : end;
}

function isWhole({ words }: Part): boolean {
  return words.length === 0;
}

/** Whether no letter repeats. A single word of twelve letters does not count, although it is a board, too. */
function isWithoutRepeats({ board, sides }: Part, isWord: IsWord): boolean {
  return !hasRepeats(board) && !(sides.length === 1 && isWord(sides[0]!.toLowerCase()));
}

/** No command takes more words. */
const MAX_WORDS = 100;

/**
 * A board with repeated letters, none of whose sides is a word, with nothing but words beside it. Alone, it may as well be words
 * with slips, unless a side is repeated; a list of words has commas.
 *
 * @example ['aeist', 'aeist', 'aeist', 'seats'] // { kind: 'repeated', words: ['seats'], sides: ['aeist', 'aeist', 'aeist'] }
 */
function repeatedIn(parts: readonly Part[], isWord: IsWord): Reading | undefined {
  const found = parts.find(
    ({ board, words, sides }) =>
      // A board typed as one word, or letter by letter, is not recognized here.
      board.sides.length === sides.flatMap(splitWords).length &&
      countWords(board, isWord) === 0 &&
      words.flatMap(splitWords).every(isWord) &&
      (words.length > 0 || !sides.some((side) => side.includes(','))),
  );
  if (found === undefined) return undefined;
  const isTwice = new Set(found.board.sides).size < found.board.sides.length;
  return { ...found, kind: found.words.length > 0 || isTwice ? 'repeated' : 'unclear' };
}
