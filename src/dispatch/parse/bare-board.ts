import { hasRepeats, parseBoard } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';

/** Whether a word is in the word list, which begins at three letters. */
export type IsWord = (word: string) => boolean;

/** Words of chats that the word list lacks, those of one or two letters among them. */
const CHAT_WORDS = new Set(
  (
    'a i ah am an as at be by do eh go gm gn he hi id if im in is it me my no np of oh ok on or pm so to ty ur us we ya yo yw ' +
    'afk asap brb btw faq fyi gg idk imo irl lmao lol nvm omg pls plz rofl tbh thx tldr ttyl wbu wtf'
  ).split(' '),
);
/** The newspaper's shape. */
const USUAL = { sides: 4, letters: 3 } as const;

/** The board that a text spells, if it can be read as one. */
export function boardIn(text: string): Board | undefined {
  try {
    return parseBoard(text);
  } catch {
    return undefined;
  }
}

/** Whether a board has the newspaper's shape. */
export function isUsual({ sides }: Pick<Board, 'sides'>): boolean {
  return sides.length === USUAL.sides && sides.every((side) => side.length === USUAL.letters);
}

/**
 * Whether a text without a command is meant as a board, as sentences can be read as boards, too. No letter may repeat,
 * as on the newspaper's boards. In the newspaper's shape, one side that is no word is enough; in any other, most sides
 * have to be none. A board that is refused here can still be solved with the command.
 *
 * @example looksLikeBoard('hello bot what is this', isWord) // false
 */
export function looksLikeBoard(text: string, isWord: IsWord): boolean {
  const board = boardIn(text);
  if (board === undefined || hasRepeats(board)) return false;
  // One word of twelve letters, such as "ambidextrous".
  if (isWord(text.trim().toLowerCase())) return false;
  const isAnyNoWord = wordsOn(board, isWord) < board.sides.length;
  return isUsual(board) ? isAnyNoWord : areMostlyNoWords(board, isWord);
}

export function areMostlyNoWords(board: Board, isWord: IsWord): boolean {
  return 2 * wordsOn(board, isWord) < board.sides.length;
}

function wordsOn({ sides }: Board, isWord: IsWord): number {
  return sides.filter((side) => CHAT_WORDS.has(side) || isWord(side)).length;
}
