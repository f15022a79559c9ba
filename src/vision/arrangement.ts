import type { Component } from './components.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** A component with its middle and height. */
interface Mark extends Point {
  readonly component: Component;
  readonly height: number;
}

/** A shape of boards, whose sides all have the same number of letters. */
export interface Form {
  readonly sides: number;
  readonly letters: number;
}

export const NEWSPAPER: Form = { sides: 4, letters: 3 };
/** Fewer marks lie like the letters of a board too often, in texts and grids. */
const FEWEST_LETTERS = 8;
const MOST_LETTERS = 26;
const MOST_SIDES = 8;
const LONGEST_SIDE = 6;
/** The forms of boards that are looked for, the newspaper's first. */
export const FORMS: readonly Form[] = [
  NEWSPAPER,
  ...numbers(3, MOST_SIDES)
    .flatMap((sides) => numbers(2, LONGEST_SIDE).map((letters) => ({ sides, letters })))
    .filter(({ sides, letters }) => sides * letters >= FEWEST_LETTERS && sides * letters <= MOST_LETTERS)
    .filter(({ sides, letters }) => sides !== NEWSPAPER.sides || letters !== NEWSPAPER.letters),
];

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

/** The step from one letter of a side to the next, in heights of a letter. */
const MIN_STEP = 1.25;
const MAX_STEP = 6;
/** The number of letters on a side times their step, as a share of the length of the side. */
const MIN_SPREAD = 0.375;
const MAX_SPREAD = 1.2;
/** How much wider than high a board of four sides may be, or the other way. */
const MAX_STRETCH = 1.3;
/** Heights by which a letter may be off its place. */
const OFF = 0.4;
/** The same for the letters of a column, which may be aligned at an edge. */
const OFF_COLUMN = 0.7;
/** Heights between a side and the nearest letter of the others. */
const MIN_APART = 0.8;
/** A letter is at most this much taller or lower than the first, such as a Q with its tail. */
const MAX_RATIO = 1.6;
/** How much a ratio of heights counts beside a distance in heights. */
const RATIO_WEIGHT = 2;
/** The search gives up after this many marks and squares, half a second. Screenshots of phones take up to 15,000,000. */
const MAX_LOOKS = 20_000_000;
/** It also gives up beyond this many rows of letters. A text that fills a picture has 60,000. */
const MAX_ROWS = 100_000;
/** The most arrangements of a form. The dots of a box lie more evenly than its letters, so many of theirs come first. */
const MAX_ARRANGEMENTS = 500;

/** Components that lie like the letters of a board. */
export interface Arrangement {
  /** Clockwise by side from the upper one, and on each side from left to right, or from top to bottom. */
  readonly components: readonly Component[];
  /**
   * Others of similar height within the box, and in the line of a side, between its letters or up to a step beyond: around the
   * letters of a board there are few.
   */
  readonly others: () => Component[];
  /** 0 for an arrangement as drawn with a ruler; below 3 for letters of unequal widths and heights. */
  readonly unevenness: number;
}

interface Side {
  readonly marks: readonly Mark[];
  readonly middle: Point;
  readonly step: number;
  readonly direction: Direction;
}

/** Unit vectors: the way out of the box at a side, and the way along its letters. */
interface Direction {
  readonly outward: Point;
  readonly along: Point;
}

/**
 * Finds components of similar height that lie like letters around a box: for one form after another, the newspaper's first, the
 * most even arrangements first. It takes each row of marks for the upper side, then each distance of the centre below it
 * (`halvesOf`), and looks where the letters of the other sides must be (`complete`).
 */
export function* findArrangements(
  components: readonly Component[],
): Generator<{ readonly form: Form; readonly arrangements: Arrangement[] }> {
  const grid = new Grid(
    components.map((component) => ({
      component,
      x: (component.left + component.right) / 2,
      y: (component.top + component.bottom) / 2,
      height: component.bottom - component.top,
    })),
  );
  const rows = rowsOf(grid);
  for (const form of FORMS) yield { form, arrangements: arrangementsOf(grid, rows, form) };
}

function arrangementsOf(grid: Grid, rows: readonly (readonly Mark[])[], form: Form): Arrangement[] {
  const directions = directionsOf(form);
  const found: { readonly sides: readonly Side[]; readonly unevenness: number }[] = [];
  for (const row of rows) {
    if (row.length < form.letters) continue;
    const upper = upperSide(row.slice(0, form.letters), directions[0]!);
    for (const half of halvesOf(grid, upper, directions)) {
      const sides = complete(grid, upper, half, directions);
      if (sides !== undefined) found.push({ sides, unevenness: unevennessOf(sides) });
    }
    if (grid.looks > MAX_LOOKS) return [];
  }
  return found
    .toSorted((one, other) => one.unevenness - other.unevenness)
    .slice(0, MAX_ARRANGEMENTS)
    .map(({ sides, unevenness }) => ({
      components: componentsOf(sides.flatMap((side) => side.marks)),
      others: () => componentsOf(othersOf(grid, sides)),
      unevenness,
    }));
}

function componentsOf(marks: readonly Mark[]): Component[] {
  return marks.map(({ component }) => component);
}

function directionsOf({ sides }: Form): Direction[] {
  return Array.from({ length: sides }, (_, side) => {
    const angle = (2 * Math.PI * side) / sides;
    // An upright side has an `along.x` of exactly 0.
    const outward = { x: Math.sin(angle), y: -Number(Math.cos(angle).toFixed(9)) };
    const isBackwards = outward.y > 0 || (outward.y === 0 && outward.x < 0);
    const turn = isBackwards ? -1 : 1;
    return { outward, along: { x: -outward.y * turn, y: outward.x * turn } };
  });
}

/** A row for every two marks beside each other, with the marks that continue it to the right at the same step. */
function rowsOf(grid: Grid): Mark[][] {
  const rows: Mark[][] = [];
  for (const first of grid.marks) {
    const near: Range = [first.x + MIN_STEP * first.height, first.x + MAX_STEP * first.height];
    for (const second of grid.within(near, around(first.y, OFF * first.height))) {
      if (ratioOf(second, first) > MAX_RATIO) continue;
      const row = [first, second];
      while (row.length < LONGEST_SIDE) {
        const next = grid.nearest({ x: row.at(-1)!.x + second.x - first.x, y: first.y }, first);
        if (next === undefined) break;
        row.push(next);
      }
      rows.push(row);
    }
    if (rows.length > MAX_ROWS) return [];
  }
  return rows;
}

function upperSide(marks: readonly Mark[], direction: Direction): Side {
  const [first, last] = [marks[0]!, marks.at(-1)!];
  const middle = { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2 };
  return { marks, middle, step: (last.x - first.x) / (marks.length - 1), direction };
}

/**
 * How far the centre of a board may be below its upper side. One letter decides it: the first one of the opposite side or, if the
 * number of sides is odd, of the lower right one. Each mark that may be that letter gives one distance.
 */
function halvesOf(grid: Grid, upper: Side, directions: readonly Direction[]): number[] {
  const { middle, step, marks } = upper;
  const first = marks[0]!;
  const { outward, along } = directions[directions.length >> 1]!;
  // The letter is at `start + half * way`: from the upper side down to the centre, out to the middle of its own side, and back
  // to the first place. That side is taken to have the upper one's step, and `off` allows for a difference.
  const start = moved(middle, along, (-step * (marks.length - 1)) / 2);
  const way = { x: outward.x, y: outward.y + 1 };
  // The centre's distance from the sides of a polygon whose sides are as long as their letters.
  const whole = (step * marks.length) / (2 * Math.tan(Math.PI / directions.length));
  const ends = [MAX_SPREAD, MIN_SPREAD].map((spread) => moved(start, way, whole / spread));
  const off = OFF * first.height;
  return grid.inBox(ends, off).flatMap((mark) => {
    // The distance for which the place of the letter is nearest to the mark.
    const half = dot(from(start, mark), way) / dot(way, way);
    const place = moved(start, way, half);
    const isThere = Math.hypot(mark.x - place.x, mark.y - place.y) <= off;
    return isThere && ratioOf(mark, first) <= MAX_RATIO ? [half] : [];
  });
}

/** The sides of a board of which the upper one and the centre are known. */
function complete(
  grid: Grid,
  upper: Side,
  half: number,
  directions: readonly Direction[],
): Side[] | undefined {
  const centre = { x: upper.middle.x, y: upper.middle.y + half };
  const widths = directions.length === 4 ? widthsOf(grid, upper, centre, half) : [half];
  let best: Side[] | undefined;
  for (const width of widths) {
    const sides = [upper];
    for (const direction of directions.slice(1)) {
      const { x, y } = direction.outward;
      const middle = { x: centre.x + width * x, y: centre.y + half * y };
      const side = sideAt(grid, middle, direction, upper);
      if (side === undefined) break;
      sides.push(side);
    }
    if (sides.length < directions.length || !areApart(sides)) continue;
    if (best === undefined || unevennessOf(sides) < unevennessOf(best)) best = sides;
  }
  return best;
}

/**
 * How far the columns of a box may be from its centre. Each mark that may be in the middle of the left column gives one distance;
 * of an even number of letters, it is the upper one of the two in the middle.
 */
function widthsOf(grid: Grid, { marks, step }: Side, centre: Point, half: number): number[] {
  const first = marks[0]!;
  const y = centre.y - (step * ((marks.length - 1) % 2)) / 2;
  return grid
    .within([centre.x - half * MAX_STRETCH, centre.x - half / MAX_STRETCH], around(y, OFF * first.height))
    .filter((mark) => ratioOf(mark, first) <= MAX_RATIO)
    .map((mark) => centre.x - mark.x);
}

/**
 * The letters of a side with a known middle. Their step is the upper side's, up to what `off` allows for the first letter.
 * Their places are counted in steps from the middle, such as -1, 0 and 1 for three letters.
 */
function sideAt(grid: Grid, middle: Point, direction: Direction, upper: Side): Side | undefined {
  const { along } = direction;
  const like = upper.marks[0]!;
  const off = along.x === 0 ? OFF_COLUMN : OFF;
  const toFirst = (1 - upper.marks.length) / 2;
  const first = grid.nearest(moved(middle, along, toFirst * upper.step), like, off);
  if (first === undefined) return undefined;
  const step = dot(from(middle, first), along) / toFirst;
  const marks = [first];
  for (let at = toFirst + 1; marks.length < upper.marks.length; at++) {
    const next = grid.nearest(moved(middle, along, at * step), like, off);
    if (next === undefined) return undefined;
    marks.push(next);
  }
  return { marks, middle, step, direction };
}

/** Whether the letters of other sides are on the inner side of each one, and not in its line, as in a text. */
function areApart(sides: readonly Side[]): boolean {
  const apart = MIN_APART * sides[0]!.marks[0]!.height;
  return sides.every((side) =>
    sides.every(
      (other) =>
        other === side ||
        other.marks.every((mark) => dot(from(side.middle, mark), side.direction.outward) <= -apart),
    ),
  );
}

/** Marks of similar height that are no parts of the letters: those well inside of the box, and those in the line of a side. */
function othersOf(grid: Grid, sides: readonly Side[]): Mark[] {
  const own = sides.flatMap(({ marks }) => marks);
  const first = own[0]!;
  const off = MIN_APART * first.height;
  const inLine = sides.flatMap(({ middle, step, marks, direction: { outward, along } }) => {
    const reach = (step * (marks.length + 1)) / 2;
    return grid
      .inBox([moved(middle, along, -reach), moved(middle, along, reach)], off)
      .filter((mark) => Math.abs(dot(from(middle, mark), outward)) < off);
  });
  return [...new Set([...grid.inBox(own, -first.height), ...inLine])].filter(
    (mark) => ratioOf(mark, first) <= MAX_RATIO && !own.some((letter) => isTouching(letter, mark)),
  );
}

function isTouching({ component: one }: Mark, { component: other }: Mark): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

/** How far the letters are from an even arrangement, and their heights from one another. */
function unevennessOf(sides: readonly Side[]): number {
  const heights = sides
    .flatMap(({ marks }) => marks.map(({ height }) => height))
    .toSorted((one, other) => one - other);
  const height = heights[heights.length >> 1]!;
  const off = sides.flatMap(({ marks, middle, step, direction: { along } }) => [
    (step - sides[0]!.step) / height,
    ...marks.map((mark, at) => {
      const place = moved(middle, along, (at - (marks.length - 1) / 2) * step);
      return Math.hypot(mark.x - place.x, mark.y - place.y) / height;
    }),
  ]);
  const ratios = heights.map((one) => RATIO_WEIGHT * Math.log(one / height));
  return [...off, ...ratios].reduce((sum, one) => sum + one * one, 0);
}

function moved({ x, y }: Point, way: Point, by: number): Point {
  return { x: x + way.x * by, y: y + way.y * by };
}

function from(start: Point, { x, y }: Point): Point {
  return { x: x - start.x, y: y - start.y };
}

function dot(one: Point, other: Point): number {
  return one.x * other.x + one.y * other.y;
}

function ratioOf(one: Mark, other: Mark): number {
  return Math.max(one.height / other.height, other.height / one.height);
}

type Range = readonly [least: number, most: number];

function around(value: number, off: number): Range {
  return [value - off, value + off];
}

/** Marks by their place. */
class Grid {
  /** How many marks and squares have been looked at. */
  looks = 0;
  readonly marks: readonly Mark[];
  readonly #squares: ReadonlyMap<number, readonly Mark[]>;

  constructor(marks: readonly Mark[]) {
    this.marks = marks;
    this.#squares = Map.groupBy(marks, ({ x, y }) => squareOf(x) + squareOf(y) * SQUARES_IN_ROW);
  }

  within([left, right]: Range, [top, bottom]: Range): Mark[] {
    const found: Mark[] = [];
    for (let row = squareOf(top); row <= squareOf(bottom); row++)
      for (let column = squareOf(left); column <= squareOf(right); column++) {
        const here = this.#squares.get(column + row * SQUARES_IN_ROW) ?? [];
        this.looks += 1 + here.length;
        for (const mark of here)
          if (mark.x >= left && mark.x <= right && mark.y >= top && mark.y <= bottom) found.push(mark);
      }
    return found;
  }

  /** The marks in the least box around some points that is larger by `off` in all directions. */
  inBox(points: readonly Point[], off: number): Mark[] {
    const range = (values: readonly number[]): Range => [
      Math.min(...values) - off,
      Math.max(...values) + off,
    ];
    return this.within(range(points.map(({ x }) => x)), range(points.map(({ y }) => y)));
  }

  /**
   * The mark that is nearest to a place and most like another one in height; undefined if there is none of similar height. What
   * such a mark has in it, such as the hole of a Q, is never taken.
   */
  nearest({ x, y }: Point, like: Mark, off = OFF): Mark | undefined {
    const reach = off * like.height;
    let best: { readonly mark: Mark; readonly off: number } | undefined;
    for (const mark of this.within(around(x, reach), around(y, reach))) {
      const ratio = ratioOf(mark, like);
      if (ratio > MAX_RATIO) continue;
      const far = Math.hypot(mark.x - x, mark.y - y) / like.height + RATIO_WEIGHT * Math.log(ratio);
      const isBetter =
        best === undefined ||
        isInside(best.mark.component, mark.component) ||
        (far < best.off && !isInside(mark.component, best.mark.component));
      if (isBetter) best = { mark, off: far };
    }
    return best?.mark;
  }
}

/** Whether one component is, as a hole is in its letter, in a component of the other colour. */
function isInside(inner: Component, outer: Component): boolean {
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
const SQUARES_IN_ROW = 0x10000;

function squareOf(value: number): number {
  return Math.floor(Math.max(0, value) / SQUARE);
}
