import type { Board } from '../../solver/types.ts';
import type { Picture } from '../model/types.ts';
import { between, layoutOf, type Point } from './layout.ts';

const OPEN = '○';
const TOUCHED = '●';
/** Columns for each letter of the top and the bottom of a box. */
const COLUMNS = 4;
/** Rows of the smallest and the largest polygon; letters that share a cell make it larger. */
const ROWS = { least: 15, most: 63 } as const;
/** A character is about twice as high as it is wide. */
const ASPECT = 2;

/**
 * The board drawn in characters, for terminals and where no picture can be shown. Spots that a path
 * has touched are filled, and its words are listed in their order.
 */
export function drawBoard({ board, path, letters = true }: Picture): string {
  const drawing = drawSpots(board, new Set(path?.words.flat()), { letters });
  if (path === undefined || !letters) return drawing;
  const words = path.words.map(
    (word, index) => `${index + 1}  ${word.map((spot) => board.letters[spot]!.toUpperCase()).join('')}`,
  );
  return [drawing, '', ...words].join('\n');
}

/** The board alone, with these spots filled. */
export function drawSpots(
  board: Board,
  filled: ReadonlySet<number>,
  { letters = true }: Pick<Picture, 'letters'> = {},
): string {
  const symbols = Array.from(board.letters, (letter, spot) => ({
    letter: letters ? letter.toUpperCase() : ' ',
    spot: filled.has(spot) ? TOUCHED : OPEN,
  }));
  return board.sides.length === 4 ? drawBox(board, symbols) : drawPolygon(board, symbols);
}

interface SpotSymbols {
  readonly letter: string;
  readonly spot: string;
}

function drawBox(board: Board, symbols: readonly SpotSymbols[]): string {
  const spots = symbols.map((symbol, spot) => ({ ...symbol, side: board.sideOf[spot]! }));
  const [top = [], right = [], bottom = [], left = []] = [0, 1, 2, 3].map((side) =>
    spots.filter((spot) => spot.side === side),
  );
  const width = COLUMNS * Math.max(top.length, bottom.length, 2) - 1;
  const height = 2 * Math.max(left.length, right.length) - 1;
  const spread = (side: readonly SpotSymbols[], length: number, pick: keyof SpotSymbols, gap: string) => {
    const cells = Array.from({ length }, () => gap);
    side.forEach((symbol, index) => {
      cells[Math.floor(((index + 0.5) / side.length) * length)] = symbol[pick];
    });
    return cells;
  };
  const column = (side: readonly SpotSymbols[], pick: keyof SpotSymbols, gap: string) =>
    spread(side, height, pick, gap);
  const [leftLetters, leftSpots] = [column(left, 'letter', ' '), column(left, 'spot', '│')];
  const [rightLetters, rightSpots] = [column(right, 'letter', ' '), column(right, 'spot', '│')];
  const rows = leftSpots.map(
    (spot, row) => `${leftLetters[row]} ${spot}${' '.repeat(width)}${rightSpots[row]} ${rightLetters[row]}`,
  );
  return [
    `   ${spread(top, width, 'letter', ' ').join('')}`,
    `  ┌${spread(top, width, 'spot', '─').join('')}┐`,
    ...rows,
    `  └${spread(bottom, width, 'spot', '─').join('')}┘`,
    `   ${spread(bottom, width, 'letter', ' ').join('')}`,
  ]
    .map((row) => row.trimEnd())
    .join('\n');
}

function drawPolygon(board: Board, symbols: readonly SpotSymbols[]): string {
  const layout = layoutOf(board);
  for (let rows = ROWS.least; ; rows += 4) {
    const grid = Array.from({ length: rows }, () => Array.from({ length: rows * ASPECT }, () => ' '));
    const cellOf = ({ x, y }: Point): [row: number, column: number] => [
      Math.floor((y / layout.size) * rows),
      Math.floor((x / layout.size) * rows * ASPECT),
    ];
    const put = (point: Point, character: string) => {
      const [row, column] = cellOf(point);
      grid[row]![column] = character;
    };
    const sides = board.sides.length;
    layout.corners.forEach((corner, index) => {
      const next = layout.corners[(index + 1) % sides]!;
      for (let step = 0; step < rows; step++) put(between(corner, next, step / rows), '·');
    });
    symbols.forEach(({ spot }, index) => {
      put(layout.spots[index]!, spot);
    });
    symbols.forEach(({ letter }, index) => {
      put(layout.letters[index]!, letter);
    });
    const cells = new Set([...layout.spots, ...layout.letters].map((point) => cellOf(point).join()));
    if (cells.size === 2 * symbols.length || rows >= ROWS.most) return trim(grid.map((row) => row.join('')));
  }
}

function trim(rows: readonly string[]): string {
  const drawn = rows.map((row) => row.trimEnd()).filter((row) => row !== '');
  const indent = Math.min(...drawn.map((row) => row.length - row.trimStart().length));
  return drawn.map((row) => row.slice(indent)).join('\n');
}
