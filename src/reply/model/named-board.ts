import type { PuzzleDate } from '../../core/clock.ts';
import { longDate } from '../../core/text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Search } from '../../solver/search.ts';
import type { Board } from '../../solver/types.ts';
import { altText } from '../picture/drawing.ts';
import { pathOf } from '../picture/path.ts';
import type { BoardFacts } from './facts.ts';
import { chainText } from './text.ts';
import type { Action, Block, Button, OptionValue, Picture, PictureEnding } from './types.ts';

/** A board with its name in titles, and the options that select it in a command. */
export interface NamedBoard {
  readonly board: Board;
  /** A date, or the sides. */
  readonly name: string;
  readonly options: Action['options'];
  readonly date?: PuzzleDate;
}

/** @example namedBoardOfDay(puzzle).name // 'Friday, November 20, 2026' */
export function namedBoardOfDay({ board, date }: Pick<Puzzle, 'board' | 'date'>): NamedBoard {
  return { board, date, name: longDate(date), options: { date } };
}

/** @example namedBoardOf(parseBoard('ozu nri lfa mbt')).options // { sides: 'ozu-nri-lfa-mbt' } */
export function namedBoardOf(board: Board): NamedBoard {
  return { board, name: formatBoard(board).toUpperCase(), options: sidesOption(board) };
}

/** The option that selects these sides in a command, as one word. */
export function sidesOption(board: Pick<Board, 'sides'>): { readonly sides: string } {
  return { sides: formatBoard(board).replaceAll(' ', '-') };
}

/** The board's name, followed by the words from which a search continues. */
export function nameAfter({ name }: NamedBoard, { options }: Pick<Search, 'options'>): string {
  const { played = [] } = options;
  return played.length === 0 ? name : `${name}, after ${chainText(played)}`;
}

/** The action that runs a command on this board, such as `{ command: 'hint', options: { date, step } }`. */
export function actionOn(
  namedBoard: Pick<NamedBoard, 'options'>,
  command: string,
  options: Readonly<Record<string, OptionValue>> = {},
): Action {
  return { command, options: { ...namedBoard.options, ...options } };
}

export function buttonOn(
  namedBoard: Pick<NamedBoard, 'options'>,
  label: string,
  command: string,
  { options, look }: { readonly options?: Action['options']; readonly look?: Button['look'] } = {},
): Button {
  return { label, action: actionOn(namedBoard, command, options), look };
}

/** The option that repeats typed words. */
export function wordsOption(words: readonly string[] | undefined): Record<string, OptionValue> {
  return words === undefined || words.length === 0 ? {} : { words: words.join(',') };
}

/** The options that repeat a search: the words it continues from, and its tier. */
export function searchOption({ options }: Pick<Search, 'options'>): Record<string, OptionValue> {
  return { ...wordsOption(options.played), ...(options.tier === 'everyday' && { everyday: true }) };
}

/** A picture of the board that can be played in place, where the door supports that. */
export function boardToPlay({ board, options }: NamedBoard): Block {
  return { kind: 'picture', picture: playablePicture(board), alt: altText(board, {}), play: options };
}

export function playablePicture(board: Board): Picture {
  return { board, wide: true };
}

/**
 * A picture of the board, with words drawn over it if there are any. `spoiler` hides a picture whose words reveal something,
 * and writes them below the board, too.
 *
 * @param drawn `beside`: other words, on a board of their own
 */
export function pictureOf(
  board: Board,
  drawn: {
    readonly words?: readonly string[];
    readonly beside?: readonly string[] | undefined;
    readonly spoiler?: BoardFacts;
    readonly ending?: PictureEnding;
  } = {},
): Block {
  const { words = [], beside, spoiler, ending } = drawn;
  const path = pathOf(board, words);
  const isHidden = spoiler === undefined ? undefined : true;
  const picture = {
    board,
    ...(path.length > 0 && { path, captioned: isHidden }),
    ending,
    beside: beside && [{ board, path: pathOf(board, beside) }],
  };
  return { kind: 'picture', picture, alt: altText(board, picture), spoiler: isHidden, reveals: spoiler };
}
