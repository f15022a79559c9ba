import type { PuzzleDate } from '../../core/clock.ts';
import { longDate } from '../../puzzle/date-text.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { formatBoard } from '../../solver/board.ts';
import type { Search } from '../../solver/search.ts';
import type { Board } from '../../solver/types.ts';
import { altText } from '../picture/alt-text.ts';
import { pathOf } from '../picture/path.ts';
import { chainText } from './text.ts';
import type { Action, Block, Button, OptionValue } from './types.ts';

/** The board that a reply is about. */
export interface Subject {
  readonly board: Board;
  /** As shown in titles: a day, or the sides. */
  readonly name: string;
  /** The options that lead a command back to this board. */
  readonly options: Action['options'];
  readonly date?: PuzzleDate;
}

/** @example subjectOfDay(puzzle).name // 'Friday, November 20, 2026' */
export function subjectOfDay({ board, date }: Pick<Puzzle, 'board' | 'date'>): Subject {
  return { board, date, name: longDate(date), options: { date } };
}

/** @example subjectOfBoard(parseBoard('ozu nri lfa mbt')).options // { sides: 'ozu-nri-lfa-mbt' } */
export function subjectOfBoard(board: Board): Subject {
  const sides = formatBoard(board);
  return { board, name: sides.toUpperCase(), options: { sides: sides.replaceAll(' ', '-') } };
}

/** The board's name, with the words from which a search of it continues. */
export function nameAfter({ name }: Subject, { options }: Pick<Search, 'options'>): string {
  const { played = [] } = options;
  return played.length === 0 ? name : `${name}, after ${chainText(played)}`;
}

/** The action that runs a command on this board, such as `{ command: 'hint', options: { date, step } }`. */
export function actionOn(
  subject: Pick<Subject, 'options'>,
  command: string,
  options: Readonly<Record<string, OptionValue>> = {},
): Action {
  return { command, options: { ...subject.options, ...options } };
}

export function buttonOn(
  subject: Pick<Subject, 'options'>,
  label: string,
  command: string,
  { options, look }: { readonly options?: Action['options']; readonly look?: Button['look'] } = {},
): Button {
  return { label, action: actionOn(subject, command, options), ...(look && { look }) };
}

/** A row of buttons; nothing if there are none, since platforms reject an empty row. */
export function buttonsBlock(buttons: readonly Button[]): Block[] {
  return buttons.length === 0 ? [] : [{ kind: 'buttons', buttons }];
}

/** Typed words as the option that repeats them. */
export function wordsOption(words: readonly string[] | undefined): Record<string, OptionValue> {
  return words === undefined || words.length === 0 ? {} : { words: words.join(',') };
}

/** The options that repeat a search: the words it continues from, and its tier. */
export function searchOption({ options }: Pick<Search, 'options'>): Record<string, OptionValue> {
  return { ...wordsOption(options.played), ...(options.tier === 'everyday' && { everyday: true }) };
}

/** The board as a picture that can be played in place, where the door can do that. */
export function boardToPlay({ board, options }: Subject): Block {
  return { kind: 'picture', picture: { board }, alt: altText(board, {}), play: options };
}

/**
 * The board as a picture, with words drawn over it if there are any. `spoiler` hides words that give something away,
 * and writes them below the board, in the picture itself: what hides the picture hides them.
 */
export function pictureOf(
  board: Board,
  drawn: { readonly words?: readonly string[]; readonly spoiler?: boolean } = {},
): Block {
  const path = pathOf(board, drawn.words ?? []);
  const picture = {
    board,
    ...(path.words.length > 0 && { path, ...(drawn.spoiler && { captioned: true }) }),
  };
  return {
    kind: 'picture',
    picture,
    alt: altText(board, picture),
    ...(drawn.spoiler && { spoiler: true }),
  };
}
