import { capitalized, counted, listed } from '../../core/text.ts';
import type { Board } from '../../solver/types.ts';
import type { DrawnPath, Picture } from '../model/types.ts';
import { layoutOf, type Point } from './layout.ts';

const OPEN = '○';
const TOUCHED = '●';
/** Columns for each letter at the top and the bottom of a box. */
const COLUMNS_PER_LETTER = 4;
/** A character is about twice as high as it is wide. */
const POLYGON = { rows: 19, columns: 38 } as const;

/**
 * Draws the board in characters, for terminals and where no picture can be shown. Spots that a path has touched are filled,
 * and its words are listed in order.
 */
export function drawBoard({ board, path, letters = true, beside = [] }: Picture): string {
  if (beside.length > 0)
    return [{ board, path }, ...beside].map((one) => drawBoard({ ...one, letters })).join('\n\n');
  const filled = new Set(path?.flat());
  const symbols = Array.from(board.letters, (letter, spot) => ({
    letter: letters ? letter.toUpperCase() : ' ',
    spot: filled.has(spot) ? TOUCHED : OPEN,
  }));
  const drawing = board.sides.length === 4 ? drawBox(board, symbols) : drawPolygon(board, symbols);
  if (path === undefined || !letters) return drawing;
  const words = path.map(
    (word, index) => `${index + 1}  ${word.map((spot) => board.letters[spot]!.toUpperCase()).join('')}`,
  );
  return [drawing, '', ...words].join('\n');
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
  const width = COLUMNS_PER_LETTER * Math.max(top.length, bottom.length, 2) - 1;
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
  const shown = ({ is, spot, character }: Cell) =>
    is === 'spot' || is === 'letter' ? symbols[spot!]![is] : character;
  const rows = drawLines(board, [], POLYGON).map((row) => row.map(shown).join('').trimEnd());
  const drawn = rows.filter((row) => row !== '');
  const indent = Math.min(...drawn.map((row) => row.length - row.trimStart().length));
  return drawn.map((row) => row.slice(indent)).join('\n');
}

const BOX_SIDES = ['Top', 'Right', 'Bottom', 'Left'];

/** The names of a board's sides, in their order. */
export function sideNames({ sides }: Pick<Board, 'sides'>): string[] {
  return sides.map((_, side) => (sides.length === BOX_SIDES.length ? BOX_SIDES[side]! : `Side ${side + 1}`));
}

/**
 * What a picture shows, for people who don't see it: the sides, spelled. Never a word that is drawn over
 * the board, since screen readers read this text before anything is revealed.
 *
 * @example altText(parseBoard('ozu nri lfa mbt')) // 'Letter Boxed board. Top: O Z U; right: N R I; bottom: L F A; left: M B T.'
 */
export function altText(
  board: Board,
  { path, letters = true, ending, beside = [] }: Omit<Picture, 'board'> = {},
): string {
  if (ending !== undefined) {
    const points = ending.points === undefined ? '' : `, ${ending.points} of 100 points`;
    const days = ending.week?.flatMap(({ name, is }) => (is === 'solved' ? [name] : [])) ?? [];
    const week = days.length > 0 ? ` Solved in the last seven days: ${listed(days)}.` : '';
    return `${ending.title}${points}. ${altText(board, { path, letters, beside })}${week}`;
  }
  if (beside.length > 0)
    return `${altText(board, { path, letters })} Beside it, ${counted(beside.length, 'other path')}.`;
  if (!letters) return `A path across the board with ${board.sides.length} sides, without its letters.`;
  const names = sideNames(board);
  const sides = board.sides.map(
    (side, index) => `${names[index]!.toLowerCase()}: ${[...side.toUpperCase()].join(' ')}`,
  );
  const spelled = `Letter Boxed board. ${capitalized(sides.join('; '))}.`;
  return path?.length ? `${spelled} Words are drawn across it.` : spelled;
}

/** One character of a drawn board. If things share a cell, it is the last of these. */
export interface Cell {
  readonly character: string;
  readonly is: 'empty' | 'edge' | 'played' | 'current' | 'spot' | 'letter';
  /** Set on the characters of spots and letters. */
  readonly spot?: number;
}

export interface LinesOptions {
  readonly rows: number;
  readonly columns: number;
  /** The last word is the one being entered, and is drawn apart from those played. */
  readonly isLastCurrent?: boolean;
}

/** A braille character has two columns and four rows of dots, each with its bit. */
const BRAILLE_DOTS = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
] as const;
/** The braille character without dots. */
const NO_DOTS = 0x2800;

/**
 * A board with the lines of a path in characters, for games in the terminal. Lines are made of braille dots, which
 * give eight points to a character.
 *
 * @example drawLines(board, [[7, 2, 3]], { rows: 19, columns: 38 })[0] // the cells of the first row
 */
export function drawLines(
  board: Board,
  words: DrawnPath,
  { rows, columns, isLastCurrent = false }: LinesOptions,
): Cell[][] {
  const layout = layoutOf(board);
  const cellOf = ({ x, y }: Point) => ({
    row: Math.round((y / layout.size) * (rows - 1)),
    column: Math.round((x / layout.size) * (columns - 1)),
  });
  const cells = Array.from({ length: rows }, () =>
    Array.from({ length: columns }, (): Cell => ({ character: ' ', is: 'empty' })),
  );
  const line = (is: Cell['is'], from: Point, to: Point, gap: number) =>
    drawLine(cells, is, middleOf(cellOf(from)), middleOf(cellOf(to)), gap);
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

/** If two letters of a long side share a cell, the second one is drawn beside it. */
const STEPS_ASIDE = [0, 1, -1, 2, -2];

function freeNear(cells: readonly (readonly Cell[])[], { row, column }: { row: number; column: number }) {
  const places = [0, 1, -1].flatMap((down) =>
    STEPS_ASIDE.map((right) => ({ row: row + down, column: column + right })),
  );
  const isFree = (place: { row: number; column: number }) => {
    const { is } = cells[place.row]?.[place.column] ?? {};
    return is !== undefined && is !== 'spot' && is !== 'letter';
  };
  return places.find(isFree) ?? { row, column };
}

/** A point, counted in dots. */
function middleOf({ row, column }: { row: number; column: number }): Point {
  return { x: 2 * column + 0.5, y: 4 * row + 1.5 };
}

/**
 * Draws a line over what is there, whose dots stay.
 *
 * @param gap 1 sets every dot of the line, 2 every second
 */
function drawLine(cells: Cell[][], is: Cell['is'], from: Point, to: Point, gap: number): void {
  const steps = Math.max(1, Math.round(Math.max(Math.abs(to.x - from.x), Math.abs(to.y - from.y))));
  for (let step = 0; step <= steps; step += gap) {
    const x = Math.round(from.x + ((to.x - from.x) * step) / steps);
    const y = Math.round(from.y + ((to.y - from.y) * step) / steps);
    const row = cells[y >> 2]!;
    const before = row[x >> 1]!;
    const dots = before.is === 'empty' ? NO_DOTS : before.character.charCodeAt(0);
    row[x >> 1] = { character: String.fromCharCode(dots | BRAILLE_DOTS[y & 3]![x & 1]!), is };
  }
}
