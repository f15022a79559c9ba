import type { Refusal } from '../../play/game.ts';
import type { SavedGame } from '../../play/saved-game.ts';
import type { Spots } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';
import { sideNames } from '../picture/alt-text.ts';
import { pathOfEntries } from '../picture/path.ts';
import { hasResult, refusalText, type SolvedShown, solvedLines, solvedTitle } from '../replies/game.ts';
import type { Subject } from './subject.ts';
import type { CardSide, DrawnPath, GameCard, Picture, Reply } from './types.ts';

/** A game after some moves, as plain data. */
export interface GameState {
  readonly saved: SavedGame;
  readonly words: readonly string[];
  /** Of the words played, over the spots that are shown as used. */
  readonly path: DrawnPath;
  /** The letters of the current word, and the spots that each may stand on. */
  readonly word: string;
  readonly current: readonly Spots[];
  /** The same by the letters before alone. */
  readonly reached: readonly Spots[];
  /** The spots that may come next. */
  readonly next: Spots;
  readonly used: Spots;
  readonly left: readonly string[];
  readonly isSolved: boolean;
  /** Why the last move that was refused changed nothing. */
  readonly refusal?: Refusal;
}

/** What is shown of somebody's game. */
export interface GameShown {
  readonly subject: Subject;
  readonly state: GameState;
  /** The game went on elsewhere, so that the moves were not made. */
  readonly isElsewhere: boolean;
  /** Set when the board is solved. */
  readonly solved?: SolvedShown;
  /** The person's own page of the board. */
  readonly link?: string;
}

/** @example gameCard(await games.open(asker, options)).sides[0].spots[0].letter // 'o' */
export function gameCard({ subject, state, isElsewhere, solved, link }: GameShown): GameCard {
  const { board } = subject;
  const { words, word, left, refusal, isSolved } = state;
  const isBegun = words.length > 0 || word !== '';
  const sentence = isElsewhere
    ? 'This game went on elsewhere. Here is where it is now.'
    : refusal && refusalText(refusal, board);
  return {
    board,
    options: subject.options,
    title: solved === undefined ? `Your game: ${subject.name}` : `${solvedTitle(solved)}: ${subject.name}`,
    words,
    word,
    left,
    sides: sidesOf(board, state),
    can: { enter: !isSolved && word.length > 2, back: isBegun, restart: isBegun, hint: !isSolved },
    ...(sentence !== undefined && { refusal: sentence }),
    ...(solved !== undefined && {
      solved: { lines: solvedLines(solved), counts: hasResult(solved) },
    }),
    picture: pictureOf(board, state),
    ...(link !== undefined && { link }),
  };
}

/** The game that a reply shows, if it shows one. */
export function gameIn({ blocks }: Pick<Reply, 'blocks'>): GameCard | undefined {
  return blocks.find((block) => block.kind === 'game')?.card;
}

function sidesOf(board: Board, { next, used }: GameState): CardSide[] {
  const spots = Array.from(board.letters, (letter, spot) => ({
    spot,
    letter,
    isNext: (next & (1 << spot)) !== 0,
    isUsed: (used & (1 << spot)) !== 0,
  }));
  return sideNames(board).map((name, side) => ({
    name,
    spots: spots.filter(({ spot }) => board.sideOf[spot] === side),
  }));
}

function pictureOf(board: Board, { saved: { words, word }, path: played }: GameState): Picture {
  // The letter that a word begins with is drawn already: the word before ends there.
  const isBegun = word.length > (words.length > 0 ? 1 : 0);
  const path = isBegun ? pathOfEntries(board, [...words, word]) : played;
  return path.words.length === 0 ? { board } : { board, path, passing: true };
}
