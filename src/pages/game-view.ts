import type { PlayedGame } from '../players/solo-games.ts';
import type { DrawnPath } from '../reply/model/types.ts';
import { sideNames } from '../reply/picture/drawing.ts';
import { distance, layoutOf, legsOf, type Point } from '../reply/picture/layout.ts';
import { gameCard, type SolvedShown, solvedTitle } from '../reply/replies/game.ts';
import { notationOf, squaresOf } from '../reply/replies/result-line.ts';
import { reachable } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';

/** A board as the page draws it, with everything that it needs to follow letters without asking. */
export interface BoardView {
  readonly size: number;
  readonly corners: readonly Point[];
  readonly radius: number;
  readonly letterSize: number;
  /** The least distance between two letters. */
  readonly gap: number;
  readonly sides: readonly { readonly name: string; readonly spots: readonly SpotView[] }[];
}

export interface SpotView {
  readonly letter: string;
  readonly dot: Point;
  readonly at: Point;
  /** A bit for each spot that may follow this one. */
  readonly reach: number;
}

/** A game as the page shows it. Sets of spots have a bit for each spot. */
export interface GameView {
  /** The same for every message that shows this game. */
  readonly game: string;
  readonly version: number;
  readonly words: readonly string[];
  /** The words as SVG paths. */
  readonly lines: readonly string[];
  readonly word: string;
  readonly reached: readonly number[];
  readonly next: number;
  readonly used: number;
  readonly left: readonly string[];
  /** Why the last move was refused. */
  readonly refused?: string;
  readonly isElsewhere: boolean;
  /** A sentence about the person's streak. */
  readonly notice?: string;
  /** A sentence that no word goes on from the last one. */
  readonly deadEnd?: string;
  readonly solved?: {
    readonly title: string;
    readonly lines: readonly string[];
    /** Whether there is a result to share. */
    readonly counts: boolean;
    /** On the site: the result as text that somebody may show to others. */
    readonly share?: string;
    /** The texts that the person may copy to share it themselves, one for each format. */
    readonly copies: readonly CopyView[];
  };
}

export interface CopyView {
  readonly label: string;
  readonly text: string;
}

/** A page has room around the box, and people may draw in all of it. */
const PAGE = { margin: 14 };

export function boardView(board: Board): BoardView {
  const { size, corners, spots, letters, letterSize, spotRadius } = layoutOf(board, PAGE);
  const spotViews = letters.map((at, spot) => ({
    letter: board.letters[spot]!,
    dot: rounded(spots[spot]!),
    at: rounded(at),
    reach: reachable(board, 1 << spot),
  }));
  const gaps = letters.flatMap((one, index) => letters.slice(index + 1).map((other) => distance(one, other)));
  return {
    size,
    corners: corners.map(rounded),
    radius: Math.round(spotRadius),
    letterSize: Math.round(letterSize),
    gap: Math.floor(Math.min(...gaps)),
    sides: sideNames(board).map((name, side) => ({
      name,
      spots: spotViews.filter((_, spot) => board.sideOf[spot] === side),
    })),
  };
}

export function gameView(game: PlayedGame): GameView {
  const { subject, state, version, isElsewhere, solved } = game;
  const { board } = subject;
  const card = gameCard(game);
  return {
    game: JSON.stringify([subject.options, board.sides]),
    version,
    words: card.words,
    lines: linesOf(board, state.path),
    word: card.word,
    reached: state.reached,
    next: state.next,
    used: state.used,
    left: card.left,
    isElsewhere,
    notice: card.notice,
    deadEnd: card.deadEnd,
    ...(!isElsewhere && card.refusal !== undefined && { refused: card.refusal }),
    ...(solved !== undefined &&
      card.solved !== undefined && {
        solved: {
          title: solvedTitle(solved),
          ...card.solved,
          copies: copiesOf(subject.name, solved, card.words),
        },
      }),
  };
}

/** @param name of the board, as in titles */
export function copiesOf(name: string, solved: SolvedShown, words: readonly string[]): CopyView[] {
  const line = `Letter Boxed, ${name}: ${solvedTitle(solved).toLowerCase()}`;
  return [
    { label: 'Copy the line', text: line },
    { label: 'Copy squares', text: `${line}\n${squaresOf({ words: words.length, par: solved.par })}` },
    { label: 'Copy notation (reveals letters)', text: `${line}\n${notationOf(words)}` },
  ];
}

function linesOf(board: Board, path: DrawnPath): string[] {
  return legsOf(layoutOf(board, PAGE), path).map(([first, ...rest]) =>
    first === undefined
      ? ''
      : [
          `M${pair(first.from)}`,
          ...[first, ...rest].map(({ bend, to }) => `Q${pair(bend)} ${pair(to)}`),
        ].join(''),
  );
}

function pair({ x, y }: Point): string {
  return `${Math.round(x)} ${Math.round(y)}`;
}

function rounded({ x, y }: Point): Point {
  return { x: Math.round(x), y: Math.round(y) };
}
