import { splitWords } from '../core/text.ts';
import { GENERATED_LIMITS, hasRepeats, LIMITS, NEWSPAPER_LETTERS, readBoard } from '../solver/board.ts';
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
const NEWSPAPER_SHAPE = { sides: 4, letters: 3 } as const;

/** A link to a board on the site, such as messages of made boards have, perhaps as Slack writes it. */
const BOARD_LINK =
  /<?https?:\/\/[^\s<>|]{0,200}[?&]board=([a-z]{1,12}(?:-[a-z]{1,12})+)(?:&[^\s<>|]{0,200})?(?:\|[^>]{0,200})?>?/gi;

/** Text with the sides of a board in place of a link to it. */
export function withoutBoardLinks(text: string): string {
  return text.replace(BOARD_LINK, '$1');
}

/** Letters behind what says which side they are, such as "top: ozu", "side 2 = nri", "T: O Z U" and "3) lfa". */
const LABELED_SIDE =
  /(?<![\p{L}\d])(?:(?:top|right|bottom|left|north|east|south|west|side)(?: side| row)?(?: ?[1-4]| [a-d](?=[:=]))?(?: is)?|[trblnesw](?=[:=])|[1-4](?=[\s.):]))[\s:=.)*-]{1,8}([a-z]{2,6}|[a-z](?:[\s,-]{1,3}[a-z]){2})(?!\p{L})/giu;

/** Text with the four sides of a board in place of sides with labels, and of what stands between them. */
export function withoutSideLabels(text: string): string {
  const found = Array.from(text.matchAll(LABELED_SIDE));
  const sides = found.map(([, side = '']) => side.replace(/\P{L}/gu, ''));
  const isBoard = found.length === NEWSPAPER_SHAPE.sides && areDistinct(sides.join(''));
  const [first, , , last] = found;
  if (!isBoard || first === undefined || last === undefined) return text;
  return `${text.slice(0, first.index)}${sides.join(' ')}${text.slice(last.index + last[0].length)}`;
}

const areDistinct = (letters: string) =>
  letters.length >= NEWSPAPER_LETTERS && new Set(letters.toLowerCase()).size === letters.length;

/** Letters of the lines of a drawn board: the top, three pairs of the left and the right side, and the bottom. */
const DRAWN_ROWS = [3, 2, 2, 2, 3];

/** The last three letters of a line, with what stands before them. */
const LAST_THREE = /^(.*(?<!\p{L}))?((?:\p{L}\P{L}*){3})$/u;

/** Text with the sides of the newspaper's board in place of its drawing in the last lines that have letters. */
export function withDrawnBoard(text: string): string {
  const lines = text.split('\n').filter((line) => /\p{L}/u.test(line));
  const [first = '', ...others] = lines.slice(-DRAWN_ROWS.length);
  const [, before = '', row = ''] = LAST_THREE.exec(first) ?? [];
  const drawn = [row, ...others].map((line) => line.match(/\p{L}/gu)?.join('') ?? '');
  const isDrawn = DRAWN_ROWS.every((letters, at) => drawn[at]?.length === letters);
  if (!isDrawn || !areDistinct(drawn.join(''))) return text;
  const [top, one = '', two = '', three = '', bottom] = drawn;
  const side = (at: number) => `${one[at]}${two[at]}${three[at]}`;
  return [...lines.slice(0, -DRAWN_ROWS.length), before, top, side(1), bottom, side(0)].join(' ');
}

export function anyBoardIn(text: string): Board | undefined {
  const read = readBoard(text);
  return typeof read === 'function' ? undefined : read;
}

/** The board that a text spells, if it is likely to be one: two words, and words of seven letters, are more likely words. */
export function likelyBoardIn(text: string): Board | undefined {
  const board = anyBoardIn(text);
  const { sides, lettersPerSide } = GENERATED_LIMITS;
  const isLikely =
    board &&
    board.sides.length >= sides.least &&
    board.sides.every(({ length }) => length <= lettersPerSide.most);
  return isLikely ? board : undefined;
}

/**
 * The board that words can be where nobody chats, as at the terminal: of distinct letters, or of sides of one length, even if
 * every side is a word.
 */
export function possibleBoardIn(text: string): Board | undefined {
  const board = anyBoardIn(text);
  return board !== undefined && (!hasRepeats(board) || hasEqualSides(board)) ? board : undefined;
}

export function hasNewspaperShape({ sides }: Pick<Board, 'sides'>): boolean {
  return (
    sides.length === NEWSPAPER_SHAPE.sides && sides.every((side) => side.length === NEWSPAPER_SHAPE.letters)
  );
}

export function hasEqualSides({ sides }: Board): boolean {
  return sides.every(({ length }) => length === sides[0]!.length);
}

/** Two groups, or groups of unequal length, with fewer letters are more likely abbreviations, as in "check w/ hr pls". */
const MIN_LETTERS = 7;
/** Characters that separate sides more often than words of a sentence. */
const SIDE_SEPARATORS = /[|/;[({<]/;

/**
 * Whether a text is meant as a board. Any sentence can be read as sides, so this goes by what is rare in sentences: no letter
 * twice, groups of one length or with marks between them, the newspaper's shape, and groups that are no words.
 *
 * @param options.isAsked whether a board is expected, as after a command: what is refused even so can be typed as `sides:"…"`
 * @example looksLikeBoard('hello bot what is this', isWord) // false
 */
export function looksLikeBoard(
  text: string,
  isWord: IsWord,
  { isAsked = false }: { readonly isAsked?: boolean } = {},
): boolean {
  const board = isAsked ? anyBoardIn(text) : likelyBoardIn(text);
  if (board === undefined) return false;
  const { sides, letters } = board;
  const isRepeated = hasRepeats(board);
  const isUnspaced = !/\s/.test(text.trim());
  // One word of twelve letters, such as "ambidextrous", is no board.
  if (isUnspaced && isWord(text.trim().toLowerCase())) return false;
  const parts = text.split(SIDE_SEPARATORS).filter((part) => /\p{L}/u.test(part));
  const isRegular = hasEqualSides(board) || isUnspaced || parts.length >= sides.length;
  if (isRepeated && !isAsked) return false;
  const areTwo = sides.length === LIMITS.sides.least;
  if (areTwo && !isRegular) return false;
  if ((areTwo || !isRegular) && letters.length < MIN_LETTERS) return false;
  const known = sides.filter((side) => isListOrChatWord(side, isWord));
  // Beside words, the single letters of "with x, y or z" are rather no sides.
  const areLettersWords = !isRegular && known.some(({ length }) => length > 1);
  const words = sides.filter((side) => known.includes(side) || (areLettersWords && side.length === 1)).length;
  const isMarked = !isRepeated && (hasNewspaperShape(board) || isUnspaced || SIDE_SEPARATORS.test(text));
  // The more evidence, from 0 to 6, the more of the sides may be words.
  const evidence = (isRepeated ? 0 : 2) + (isRegular ? 2 : 0) + Number(isMarked) + Number(isAsked);
  if (evidence <= 2) return words === 0;
  if (evidence === 3) return words < sides.length / 2;
  return words < sides.length || evidence === 6;
}

/** Whether words typed for sides are more likely a sentence: they spell an unlikely board, or no board and contain a word. */
export function isSentence(words: readonly string[], isWord: IsWord): boolean {
  const text = words.join(' ');
  if (words.length === 0 || looksLikeBoard(text, isWord, { isAsked: true })) return false;
  return anyBoardIn(text) !== undefined || splitWords(text).some((word) => isListOrChatWord(word, isWord));
}

function isListOrChatWord(word: string, isWord: IsWord): boolean {
  return CHAT_WORDS.has(word) || isWord(word);
}

/** Whether a text without a command is words to play: each begins with the last letter of the one before. */
export function areWordsToPlay(text: string, isWord: IsWord): boolean {
  const words = splitWords(text);
  return words.length > 0 && words.every(isWord) && isChain(words);
}

function isChain(words: readonly string[]): boolean {
  return words.every((word, at) => at === 0 || word[0] === words[at - 1]!.at(-1));
}

/** One way to divide what was typed into played words, and the sides of a board before or after them. */
export interface Reading {
  readonly words: readonly string[];
  readonly sides: readonly string[];
  /** All of it may just as well be words that don't chain, such as `abc ade fgh ijk`. */
  readonly isUnclear?: boolean;
}

interface Takes {
  readonly words: boolean;
  /** The command declares sides before words, so that sides are the more likely reading. */
  readonly sidesFirst: boolean;
}

/**
 * The likeliest reading of what was typed. Two words that chain share a letter, and so are never two sides of a board without
 * repeated letters.
 *
 * @example readingOf(['forum', 'ozu', 'nri', 'lfa', 'mbt'], { words: true, sidesFirst: false }, isWord).words // ['forum']
 */
export function readingOf(typed: readonly string[], takes: Takes, isWord: IsWord): Reading {
  const words = typed.flatMap(splitWords);
  const areChained = words.length > 1 && isChain(words);
  const areEnough =
    typed.length >= GENERATED_LIMITS.sides.least || likelyBoardIn(typed.join(' ')) !== undefined;
  const areSides =
    !takes.words || (takes.sidesFirst && !areChained && areEnough && !isSentence(typed, isWord));
  const onlyWords: Reading = { words: typed, sides: [] };
  if (!areSides && (areChained || (typed.length === 1 && isWord(typed[0]!.toLowerCase())))) return onlyWords;
  const parts = boardsOfEnds(typed);
  const isWhole = ({ words }: Part) => words.length === 0;
  // A single word of twelve letters, which is a board as well, is rather a word.
  const isOneWord = ({ sides }: Part) => sides.length === 1 && isWord(sides.join().toLowerCase());
  const unrepeated = parts.filter((part) => !hasRepeats(part.board) && !isOneWord(part));
  // First a board without repeated letters: all of what was typed, or a part with the newspaper's shape.
  const sure = unrepeated.find(isWhole) ?? unrepeated.find(({ board }) => hasNewspaperShape(board));
  if (sure !== undefined) return sure;
  const repeated = takes.words ? repeatedIn(parts, isWord) : undefined;
  if (areSides) return parts.find(isWhole) ?? repeated ?? { words: [], sides: typed };
  // Sides of another shape are recognized where they usually stand, after the words.
  return repeated ?? unrepeated.find(({ isLast }) => isLast) ?? onlyWords;
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
  const add = ({ sides, words, isLast }: Omit<Part, 'board'>) => {
    const board = likelyBoardIn(sides.join(' '));
    if (board !== undefined) parts.push({ words, sides, board, isLast });
  };
  for (let size = maxBoardWords(typed.toReversed()); size > 0; size--)
    add({ sides: typed.slice(-size), words: typed.slice(0, -size), isLast: true });
  for (let size = Math.min(maxBoardWords(typed), typed.length - 1); size > 0; size--)
    add({ sides: typed.slice(0, size), words: typed.slice(size), isLast: false });
  return parts;
}

/** More words than a board has, even if it is typed with a space beside every letter and every comma. */
const MAX_BOARD_WORDS = 60;

/**
 * How many of the first words may be a board: together they have no more letters than one. A line may have two thousand
 * words, too many to try each part of it.
 */
export function maxBoardWords(words: readonly string[]): number {
  let letters = 0;
  const end = words.slice(0, MAX_BOARD_WORDS).findIndex((word) => {
    letters += word.match(/[a-z]/gi)?.length ?? 0;
    return letters > LIMITS.spots.most;
  });
  return end < 0 ? Math.min(words.length, MAX_BOARD_WORDS) : end;
}

/** No command takes more words. */
const MAX_WORDS = 100;

/**
 * A board with repeated letters, none of whose sides is a word, with nothing but words beside it. Alone, it has no
 * commas, as lists of words do, and is unclear unless a side occurs twice: it may as well be words with slips.
 *
 * @example ['aeist', 'aeist', 'aeist', 'seats'] // { words: ['seats'], sides: ['aeist', 'aeist', 'aeist'] }
 */
function repeatedIn(parts: readonly Part[], isWord: IsWord): Reading | undefined {
  const found = parts.find(
    ({ board, words, sides }) =>
      words.length <= MAX_WORDS &&
      // A board typed as one word, or letter by letter, is not recognized here.
      board.sides.length === sides.flatMap(splitWords).length &&
      !board.sides.some((side) => isListOrChatWord(side, isWord)) &&
      words.flatMap(splitWords).every(isWord) &&
      (words.length > 0 || !sides.some((side) => side.includes(','))),
  );
  if (found === undefined) return undefined;
  const isTwice = new Set(found.board.sides).size < found.board.sides.length;
  return { ...found, isUnclear: found.words.length === 0 && !isTwice };
}
