import type { Component } from './components.ts';

/** A component with its middle and height. */
interface Mark {
  readonly component: Component;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** The distance between letters of a side: in heights, and as a share of half the board. */
const [MIN_STEP, MAX_STEP] = [1.25, 6];
const [MIN_SPREAD, MAX_SPREAD] = [0.25, 0.8];
/** How much wider than high a board may be, or the other way. */
const MAX_STRETCH = 1.3;
/** Heights by which a letter may be off its place: along its row, and in a column, whose letters may be aligned at an edge. */
const [OFF, OFF_COLUMN] = [0.4, 0.7];
/** Heights between a row and the nearest letter of a column, in both directions. */
const MIN_APART = 0.8;
/** A letter is at most this much taller or lower than the first, such as a Q with its tail. */
const MAX_RATIO = 1.6;
/** How much a ratio of heights counts beside a distance in heights. */
const RATIO_WEIGHT = 2;
/** Candidates that are looked at before a picture is given up: screenshots full of text take about 100,000. */
const MAX_LOOKS = 3_000_000;
/** Arrangements that are returned at most: the spots of a box lie more evenly than its letters, in many ways. */
const MOST = 500;

/** Twelve components that lie like the letters of a board. */
export interface Arrangement {
  /** In the order of the sides: the upper and the right one, then the lower and the left one. */
  readonly components: readonly Component[];
  /** Others of similar height within the box. */
  readonly inside: readonly Component[];
  /** 0 for an arrangement as drawn with a ruler; below 3 for letters of unequal widths and heights. */
  readonly unevenness: number;
}

/** The ways in which components of similar height lie in four groups of three around a box, the clearest first. */
export function findArrangements(components: readonly Component[]): Arrangement[] {
  const marks = components.map((component) => ({
    component,
    x: (component.left + component.right) / 2,
    y: (component.top + component.bottom) / 2,
    height: component.bottom - component.top,
  }));
  const found: { readonly marks: readonly Mark[]; readonly unevenness: number }[] = [];
  const grid = new Grid(marks);
  for (const first of marks) {
    for (const middle of grid.within(
      [first.x + MIN_STEP * first.height, first.x + MAX_STEP * first.height],
      around(first.y, OFF * first.height),
    )) {
      const step = middle.x - first.x;
      const last = grid.nearest(middle.x + step, first.y, first);
      if (last === undefined || ratioOf(middle, first) > MAX_RATIO) continue;
      const lower: Range = [first.y + (2 * step) / MAX_SPREAD, first.y + (2 * step) / MIN_SPREAD];
      for (const below of grid.within(around(middle.x, OFF * first.height), lower)) {
        const board =
          ratioOf(below, first) <= MAX_RATIO ? complete(grid, [first, middle, last], below) : undefined;
        if (board !== undefined) found.push({ marks: board, unevenness: unevennessOf(board) });
      }
      if (grid.looks > MAX_LOOKS) return [];
    }
  }
  return found
    .toSorted((one, other) => one.unevenness - other.unevenness)
    .slice(0, MOST)
    .map((board) => ({
      ...board,
      components: componentsOf(board.marks),
      inside: componentsOf(insideOf(grid, board.marks)),
    }));
}

function componentsOf(marks: readonly Mark[]): Component[] {
  return marks.map(({ component }) => component);
}

/** Marks at least half a letter within the letters of a board. */
function insideOf(grid: Grid, board: readonly Mark[]): Mark[] {
  const [upper, right, lower, left] = [1, 4, 7, 10].map((index) => board[index]!);
  const edge = upper!.height;
  return grid
    .within([left!.x + edge, right!.x - edge], [upper!.y + edge, lower!.y - edge])
    .filter((mark) => ratioOf(mark, upper!) <= MAX_RATIO);
}

/** The other letters of a board of which the upper side and the middle of the lower one are known. */
function complete(grid: Grid, upper: readonly [Mark, Mark, Mark], below: Mark): Mark[] | undefined {
  const [first, middle, last] = upper;
  const step = (last.x - first.x) / 2;
  const lower = [grid.nearest(first.x, below.y, first), below, grid.nearest(last.x, below.y, first)];
  if (lower.includes(undefined)) return undefined;
  const centre = { x: (first.x + last.x) / 2, y: (middle.y + below.y) / 2 };
  const half = (below.y - middle.y) / 2;
  const off = OFF * first.height;
  let best: Mark[] | undefined;
  for (const left of grid.within(
    [centre.x - half * MAX_STRETCH, centre.x - half / MAX_STRETCH],
    around(centre.y, off),
  )) {
    if (ratioOf(left, first) > MAX_RATIO) continue;
    const right = grid.nearest(2 * centre.x - left.x, centre.y, first, OFF_COLUMN);
    const columns = [left, right].map((one) => one && columnOf(grid, one, step, first));
    const [lefts, rights] = columns;
    if (lefts === undefined || rights === undefined || !isAround([first, last, below], lefts, rights))
      continue;
    const board = [...upper, ...rights, ...(lower as Mark[]), ...lefts];
    if (new Set(board).size === 12 && (best === undefined || unevennessOf(board) < unevennessOf(best)))
      best = board;
  }
  return best;
}

/** Whether the columns are between the rows and beside them, and not in their lines, as in a text. */
function isAround(
  [first, last, below]: readonly [Mark, Mark, Mark],
  lefts: readonly Mark[],
  rights: readonly Mark[],
): boolean {
  const apart = MIN_APART * first.height;
  const gaps = [lefts, rights].flatMap(([upper, , lower]) => [upper!.y - first.y, below.y - lower!.y]);
  return [...gaps, first.x - lefts[1]!.x, rights[1]!.x - last.x].every((gap) => gap >= apart);
}

/** A letter of a column with the ones above and below it. */
function columnOf(grid: Grid, middle: Mark, step: number, like: Mark): Mark[] | undefined {
  const above = grid.nearest(middle.x, middle.y - step, like, OFF_COLUMN);
  const below = above && grid.nearest(middle.x, 2 * middle.y - above.y, like, OFF_COLUMN);
  return below && [above, middle, below];
}

/** How far the letters are from an even arrangement, and their heights from one another. */
function unevennessOf(board: readonly Mark[]): number {
  const heights = board.map(({ height }) => height).toSorted((one, other) => one - other);
  const height = heights[6]!;
  const at = (index: number) => board[index]!;
  const lines: readonly (readonly number[])[] = [
    [0, 1, 2].map((index) => at(index).y),
    [6, 7, 8].map((index) => at(index).y),
    [0, 6].map((index) => at(index).x),
    [1, 7].map((index) => at(index).x),
    [2, 8].map((index) => at(index).x),
    [3, 9].map((index) => at(index).y),
    [4, 10].map((index) => at(index).y),
    [5, 11].map((index) => at(index).y),
    [3, 4, 5].map((index) => at(index).x),
    [9, 10, 11].map((index) => at(index).x),
  ];
  const off = lines.map((line) => (Math.max(...line) - Math.min(...line)) / height);
  const ratios = heights.map((one) => RATIO_WEIGHT * Math.abs(Math.log(one / height)));
  return [...off, ...ratios].reduce((sum, one) => sum + one * one, 0);
}

function ratioOf(one: Mark, other: Mark): number {
  return Math.max(one.height / other.height, other.height / one.height);
}

type Range = readonly [number, number];

function around(value: number, off: number): Range {
  return [value - off, value + off];
}

/** Marks by their place. */
class Grid {
  /** How many marks and squares have been looked at. */
  looks = 0;
  readonly #squares = new Map<number, Mark[]>();

  constructor(marks: readonly Mark[]) {
    for (const mark of marks) {
      const square = squareOf(mark.x) + squareOf(mark.y) * SQUARES;
      const here = this.#squares.get(square);
      if (here === undefined) this.#squares.set(square, [mark]);
      else here.push(mark);
    }
  }

  within([left, right]: Range, [top, bottom]: Range): Mark[] {
    const found: Mark[] = [];
    for (let row = squareOf(top); row <= squareOf(bottom); row++)
      for (let column = squareOf(left); column <= squareOf(right); column++) {
        const here = this.#squares.get(column + row * SQUARES) ?? [];
        this.looks += 1 + here.length;
        for (const mark of here)
          if (mark.x >= left && mark.x <= right && mark.y >= top && mark.y <= bottom) found.push(mark);
      }
    return found;
  }

  /** The mark at a place that is most like another one in height, and never what a like one has in it, such as the hole of a Q. */
  nearest(x: number, y: number, like: Mark, off = OFF): Mark | undefined {
    const reach = off * like.height;
    let best: { readonly mark: Mark; readonly off: number } | undefined;
    for (const mark of this.within(around(x, reach), around(y, reach))) {
      const ratio = ratioOf(mark, like);
      if (ratio > MAX_RATIO) continue;
      const far = Math.hypot(mark.x - x, mark.y - y) / like.height + RATIO_WEIGHT * Math.log(ratio);
      const isBetter =
        best === undefined ||
        contains(mark.component, best.mark.component) ||
        (far < best.off && !contains(best.mark.component, mark.component));
      if (isBetter) best = { mark, off: far };
    }
    return best?.mark;
  }
}

function contains(outer: Component, inner: Component): boolean {
  return (
    outer.isDark !== inner.isDark &&
    outer.left <= inner.left &&
    outer.top <= inner.top &&
    outer.right >= inner.right &&
    outer.bottom >= inner.bottom
  );
}

/** The length of a square's edge, in pixels. */
const SQUARE = 32;
const SQUARES = 0x10000;

function squareOf(value: number): number {
  return Math.floor(Math.max(0, value) / SQUARE);
}
