import type { Board } from '../../solver/types.ts';
import type { DrawnPath } from '../model/types.ts';
import { layoutOf, type Point } from './layout.ts';

/** One character of a drawn board. The higher of what shares a cell is shown. */
export interface Cell {
  readonly character: string;
  readonly is: 'empty' | 'edge' | 'played' | 'current' | 'spot' | 'letter';
  /** Of spots and letters. */
  readonly spot?: number;
}

export interface LinesOptions {
  readonly rows: number;
  readonly columns: number;
  /** The last word is the one being entered, and is drawn apart from those played. */
  readonly isLastCurrent?: boolean;
}

/** A braille character has two columns and four rows of dots, each with its bit. */
const DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
const BRAILLE = 0x2800;
const LAYERS = ['edge', 'played', 'current'] as const;
type Layer = (typeof LAYERS)[number];

/**
 * A board with the lines of a path in characters, for games in the terminal. Lines are made of braille dots, which
 * give eight points to a character.
 *
 * @example drawLines(board, { words: [[7, 2, 3]] }, { rows: 19, columns: 38 })[0] // the cells of the first row
 */
export function drawLines(
  board: Board,
  { words }: DrawnPath,
  { rows, columns, isLastCurrent = false }: LinesOptions,
): Cell[][] {
  const layout = layoutOf(board);
  const cellOf = ({ x, y }: Point) => ({
    row: Math.round((y / layout.size) * (rows - 1)),
    column: Math.round((x / layout.size) * (columns - 1)),
  });
  const dots = new Dots(rows, columns);
  const line = (layer: Layer, from: Point, to: Point, gap: number) =>
    dots.line(layer, middleOf(cellOf(from)), middleOf(cellOf(to)), gap);
  layout.corners.forEach((corner, side) => {
    line('edge', corner, layout.corners[(side + 1) % layout.corners.length]!, 1);
  });
  words.forEach((word, index) => {
    const isCurrent = isLastCurrent && index === words.length - 1;
    word.slice(1).forEach((spot, step) => {
      const [from, to] = [layout.spots[word[step]!]!, layout.spots[spot]!];
      line(isCurrent ? 'current' : 'played', from, to, isCurrent ? 1 : 2);
    });
  });
  const cells = dots.cells();
  const put = (points: readonly Point[], is: 'spot' | 'letter') => {
    points.forEach((point, spot) => {
      const { row, column } = freeNear(cells, cellOf(point));
      cells[row]![column] = { character: board.letters[spot]!, is, spot };
    });
  };
  put(layout.spots, 'spot');
  put(layout.letters, 'letter');
  return cells;
}

/** Where a long side of a board with many sides has two in one cell, the second goes beside it. */
const BESIDE = [
  [0, 0],
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [0, 2],
  [0, -2],
] as const;

function freeNear(cells: readonly (readonly Cell[])[], { row, column }: { row: number; column: number }) {
  const places = BESIDE.map(([down, right]) => ({ row: row + down, column: column + right }));
  const isFree = (place: { row: number; column: number }) => {
    const { is } = cells[place.row]?.[place.column] ?? {};
    return is !== undefined && is !== 'spot' && is !== 'letter';
  };
  return places.find(isFree) ?? { row, column };
}

/** In dots. */
function middleOf({ row, column }: { row: number; column: number }): Point {
  return { x: 2 * column + 0.5, y: 4 * row + 1.5 };
}

class Dots {
  readonly #rows: number;
  readonly #columns: number;
  readonly #bits: Readonly<Record<Layer, Uint8Array>>;

  constructor(rows: number, columns: number) {
    this.#rows = rows;
    this.#columns = columns;
    const layer = () => new Uint8Array(rows * columns);
    this.#bits = { edge: layer(), played: layer(), current: layer() };
  }

  /** @param gap 1 sets every dot of the line, 2 every second */
  line(layer: Layer, from: Point, to: Point, gap: number): void {
    const steps = Math.max(1, Math.round(Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y))));
    for (let step = 0; step <= steps; step += gap) {
      const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
      const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
      const cell = (y >> 2) * this.#columns + (x >> 1);
      this.#bits[layer][cell]! |= DOTS[y & 3]![x & 1]!;
    }
  }

  cells(): Cell[][] {
    return Array.from({ length: this.#rows }, (_, row) =>
      Array.from({ length: this.#columns }, (__, column) => this.#cell(row * this.#columns + column)),
    );
  }

  #cell(at: number): Cell {
    const top = LAYERS.findLast((layer) => this.#bits[layer][at] !== 0);
    if (top === undefined) return { character: ' ', is: 'empty' };
    const bits = LAYERS.reduce((all, layer) => all | this.#bits[layer][at]!, 0);
    return { character: String.fromCharCode(BRAILLE + bits), is: top };
  }
}
