import type { Board } from '../../solver/types.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything of a board is on a square picture, in pixels. */
export interface Layout {
  readonly size: number;
  /** Clockwise; side n runs from corner n to corner n + 1. The first side is the one at the top. */
  readonly corners: readonly Point[];
  /** The middle of each spot, on the edge. */
  readonly spots: readonly Point[];
  /** The middle of each spot's letter, outside the edge. */
  readonly letters: readonly Point[];
  readonly letterSize: number;
  readonly spotRadius: number;
}

const SIZE = 800;
const MARGIN = 44;
const LARGEST_LETTER = 66;
const LARGEST_SPOT = 14;
/** The width of a W with some space around it, as a share of the room that one letter has on its side. */
const LETTER_SHARE = 0.82;
/** Half of the widest letter, as a share of its size. */
const HALF_LETTER = 0.5;
/** The radius of a spot, as a share of the same room. */
const SPOT_SHARE = 0.22;
/** From the edge of a spot to its letter. */
const LETTER_GAP = 10;
/** From the edge of a letter to its middle, as a share of its size: a little more than half. */
const LETTER_REACH = 0.56;
const ROUNDS = 6;

/**
 * A regular polygon with the letters outside, as large as fits. Letters stand in reading direction: on
 * each side from left to right, on an upright side from top to bottom. With `letters: false` the box takes their
 * room.
 *
 * @example layoutOf(parseBoard('ozu nri lfa mbt')).corners.length // 4
 */
export function layoutOf(board: Board, { letters = true }: { readonly letters?: boolean } = {}): Layout {
  const room = SIZE - 2 * MARGIN;
  const share = letters ? LETTER_SHARE : 0;
  let radius = room / 2;
  let layout = layOut(board, radius, share);
  // How far the letters reach out depends on their size, and that on the radius: a few rounds settle it.
  for (let round = 0; round < ROUNDS; round++) {
    const { width, height } = reachOf(layout);
    radius *= room / Math.max(width, height);
    layout = layOut(board, radius, share);
  }
  return centred(layout);
}

function layOut(board: Board, radius: number, letterShare: number): Layout {
  const sides = board.sides.length;
  const turn = (2 * Math.PI) / sides;
  const corners = board.sides.map((_, index) => {
    const angle = -Math.PI / 2 + (index - 0.5) * turn;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const sideLength = 2 * radius * Math.sin(turn / 2);
  const room = sideLength / Math.max(...board.sides.map((side) => side.length));
  const letterSize = Math.min(LARGEST_LETTER, room * letterShare);
  const spotRadius = Math.min(LARGEST_SPOT, room * SPOT_SHARE);
  const away = spotRadius + LETTER_GAP + letterSize * LETTER_REACH;
  const spots: Point[] = [];
  const letters: Point[] = [];
  board.sides.forEach((side, index) => {
    const [from, to] = inReadingDirection(corners[index]!, corners[(index + 1) % sides]!);
    const outward = -Math.PI / 2 + index * turn;
    for (let position = 0; position < side.length; position++) {
      const spot = between(from, to, (position + 0.5) / side.length);
      spots.push(spot);
      letters.push({ x: spot.x + away * Math.cos(outward), y: spot.y + away * Math.sin(outward) });
    }
  });
  return { size: SIZE, corners, spots, letters, letterSize, spotRadius };
}

function inReadingDirection(from: Point, to: Point): [Point, Point] {
  const across = to.x - from.x;
  const isUpright = Math.abs(across) < 1e-6 * Math.abs(to.y - from.y);
  return (isUpright ? to.y < from.y : across < 0) ? [to, from] : [from, to];
}

function reachOf({ corners, letters, letterSize }: Layout) {
  const half = letterSize * HALF_LETTER;
  const reach = (pick: (point: Point) => number) => {
    const all = [
      ...corners.map(pick),
      ...letters.map((letter) => pick(letter) - half),
      ...letters.map((letter) => pick(letter) + half),
    ];
    return { least: Math.min(...all), most: Math.max(...all) };
  };
  const x = reach((point) => point.x);
  const y = reach((point) => point.y);
  return {
    width: x.most - x.least,
    height: y.most - y.least,
    middle: { x: (x.most + x.least) / 2, y: (y.most + y.least) / 2 },
  };
}

function centred(layout: Layout): Layout {
  const { middle } = reachOf(layout);
  const move = ({ x, y }: Point): Point => ({
    x: x - middle.x + layout.size / 2,
    y: y - middle.y + layout.size / 2,
  });
  return {
    ...layout,
    corners: layout.corners.map(move),
    spots: layout.spots.map(move),
    letters: layout.letters.map(move),
  };
}

export function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
