import type { Board } from '../../solver/types.ts';
import type { DrawnPath } from '../model/types.ts';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Where everything of a board is on a square picture, in pixels. */
export interface Layout {
  readonly size: number;
  /** Clockwise from the left end of the first side, the top one. A side ends at the next corner. Two sides have four. */
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
const MAX_LETTER_SIZE = 66;
const MAX_SPOT_RADIUS = 14;
/** The width of a W with some space around it, as a share of the distance between two spots of the fullest side. */
const LETTER_SHARE = 0.82;
/** Half of the widest letter, as a share of its size. */
const HALF_LETTER = 0.5;
/** The radius of a spot, as a share of the distance between two spots of the fullest side. */
const SPOT_SHARE = 0.22;
/** The distance from the edge of a spot to its letter. */
const LETTER_GAP = 10;
/** The distance from the edge of a letter to its middle, as a share of its size: a little more than half. */
const LETTER_REACH = 0.56;
/** How often the radius is corrected: it and the letters' size depend on each other. */
const FITTING_ROUNDS = 6;

/**
 * A regular polygon with the letters outside, as large as fits. Letters follow the reading direction: on each side from left
 * to right, on an upright side from top to bottom. With `letters: false` the box takes their space. `margin` stays free on
 * all sides.
 *
 * @example layoutOf(parseBoard('ozu nri lfa mbt')).corners.length // 4
 */
export function layoutOf(
  board: Board,
  { letters = true, margin = MARGIN }: { readonly letters?: boolean; readonly margin?: number } = {},
): Layout {
  const room = SIZE - 2 * margin;
  const share = letters ? LETTER_SHARE : 0;
  let radius = room / 2;
  let layout = layOut(board, radius, share);
  for (let round = 0; round < FITTING_ROUNDS; round++) {
    const { width, height } = boundsOf(layout);
    radius *= room / Math.max(width, height);
    layout = layOut(board, radius, share);
  }
  return centred(layout);
}

function layOut(board: Board, radius: number, letterShare: number): Layout {
  // Two sides face each other in a box.
  const step = board.sides.length === 2 ? 2 : 1;
  const edges = step * board.sides.length;
  const turn = (2 * Math.PI) / edges;
  const corners = Array.from({ length: edges }, (_, index) => {
    const angle = -Math.PI / 2 + (index - 0.5) * turn;
    return { x: radius * Math.cos(angle), y: radius * Math.sin(angle) };
  });
  const sideLength = 2 * radius * Math.sin(turn / 2);
  // Spots are as far apart around a corner as along a side, so that it is clear which of them a stroke is near. If the nearest
  // spots are `cornerGap` away from the corner, the distance between these two is `chord * cornerGap`.
  const chord = 2 * Math.cos(turn / 2);
  const cornerGapOf = (count: number) => sideLength / (2 + (count - 1) * chord);
  const spotDistance = chord * cornerGapOf(Math.max(...board.sides.map((side) => side.length)));
  const letterSize = Math.min(MAX_LETTER_SIZE, spotDistance * letterShare);
  const spotRadius = Math.min(MAX_SPOT_RADIUS, spotDistance * SPOT_SHARE);
  const away = spotRadius + LETTER_GAP + letterSize * LETTER_REACH;
  const spots: Point[] = [];
  const letters: Point[] = [];
  board.sides.forEach((side, index) => {
    const edge = step * index;
    const [from, to] = inReadingDirection(corners[edge]!, corners[(edge + 1) % edges]!);
    const outward = -Math.PI / 2 + edge * turn;
    const cornerGap = cornerGapOf(side.length);
    for (let position = 0; position < side.length; position++) {
      const spot = between(from, to, (cornerGap + position * chord * cornerGap) / sideLength);
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

function boundsOf({ corners, letters, letterSize }: Layout) {
  const half = letterSize * HALF_LETTER;
  const range = (pick: (point: Point) => number) => {
    const all = [...corners.map(pick), ...letters.map(pick).flatMap((at) => [at - half, at + half])];
    const [min, max] = [Math.min(...all), Math.max(...all)];
    return { length: max - min, middle: (max + min) / 2 };
  };
  const [x, y] = [range((point) => point.x), range((point) => point.y)];
  return { width: x.length, height: y.length, middle: { x: x.middle, y: y.middle } };
}

function centred(layout: Layout): Layout {
  const { middle } = boundsOf(layout);
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

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** One step of a word from spot to spot: a line, or a slight bow where several steps share the two spots. */
export interface Leg {
  readonly from: Point;
  readonly to: Point;
  /** Control point of the quadratic curve. */
  readonly bend: Point;
}

/** A word as it is drawn. */
export interface Route {
  readonly legs: readonly Leg[];
  /** The position of the word's number. */
  readonly badge: Point;
}

export const BADGE_RADIUS = 19;
/** The distance by which steps between the same two spots are bent apart. */
const BEND_DISTANCE = 30;
/** The most that a step is bent, as a share of its length. */
const MAX_BEND_SHARE = 0.16;
/** Possible positions of a number on a leg, as shares of its length. */
const BADGE_SHARES = [0.36, 0.28, 0.44, 0.52, 0.6, 0.2, 0.68];
/** A number with this much space around it needs no better position. */
const ENOUGH_SPACE = 3.2 * BADGE_RADIUS;

/**
 * The words of a path as lines over the box, each with a position for its number. Placing the numbers takes time in the
 * square of the path's length, so pages, which put them at a fixed place, call `legsOf`.
 */
export function routesOf(layout: Layout, path: DrawnPath): Route[] {
  const legsOfWords = legsOf(layout, path);
  const badges: Point[] = [];
  for (const legs of legsOfWords) badges.push(badgePoint(layout, legs, legsOfWords.flat(), badges));
  return legsOfWords.map((legs, index) => ({ legs, badge: badges[index]! }));
}

/** The point at a share of a leg's length, and its direction there in radians. */
export function along({ from, bend, to }: Leg, share: number): Point & { readonly angle: number } {
  const first = between(from, bend, share);
  const second = between(bend, to, share);
  return { ...between(first, second, share), angle: Math.atan2(second.y - first.y, second.x - first.x) };
}

/** The words of a path as lines over the box. */
export function legsOf(layout: Layout, path: DrawnPath): Leg[][] {
  const steps = path.map((word) => word.slice(1).map((to, index) => ({ from: word[index]!, to })));
  const keyOf = ({ from, to }: { from: number; to: number }) => `${Math.min(from, to)}-${Math.max(from, to)}`;
  const sharing = Map.groupBy(steps.flat(), keyOf);
  return steps.map((word) =>
    word.map((step) => {
      const lanes = sharing.get(keyOf(step))!;
      const [from, to] = [layout.spots[step.from]!, layout.spots[step.to]!];
      // Seen from the spot with the lower number, so that steps in both directions are bent to different sides.
      const ends: readonly [Point, Point] = step.from < step.to ? [from, to] : [to, from];
      return { from, to, bend: bendOf(layout, ends, { lane: lanes.indexOf(step), lanes: lanes.length }) };
    }),
  );
}

/** Lanes are spread evenly around the straight line, or all moved inwards if the box leaves no room for them. */
function bendOf(
  layout: Layout,
  [from, to]: readonly [Point, Point],
  { lane, lanes }: { readonly lane: number; readonly lanes: number },
): Point {
  const middle = between(from, to, 0.5);
  const length = distance(from, to);
  if (lanes === 1) return middle;
  const aside = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  const width = Math.min(BEND_DISTANCE * (lanes - 1), 2 * MAX_BEND_SHARE * length);
  const room = roomTowards(layout, middle, aside);
  const roomBehind = roomTowards(layout, middle, { x: -aside.x, y: -aside.y });
  // The first lane is half the width behind the line, moved if the box has no room for half of the width on both sides.
  const first = Math.max(-roomBehind, Math.min(-width / 2, room - width));
  const bow = Math.min(room, first + (lane * width) / (lanes - 1));
  return { x: middle.x + aside.x * bow, y: middle.y + aside.y * bow };
}

/** The distance from a point in the box to the edge in one direction. */
function roomTowards({ corners }: Layout, { x, y }: Point, direction: Point): number {
  let room = Number.POSITIVE_INFINITY;
  corners.forEach((from, index) => {
    const to = corners[(index + 1) % corners.length]!;
    const inward = { x: from.y - to.y, y: to.x - from.x };
    const away = (x - from.x) * inward.x + (y - from.y) * inward.y;
    const nearing = -(direction.x * inward.x + direction.y * inward.y);
    if (nearing > 0) room = Math.min(room, Math.max(0, away / nearing));
  });
  return room;
}

/** The place with the most room for a number; of places with about the same, one on an earlier leg, then a smaller share. */
function badgePoint(
  layout: Layout,
  legs: readonly Leg[],
  all: readonly Leg[],
  taken: readonly Point[],
): Point {
  let best: { point: Point; score: number } | undefined;
  legs.forEach((leg, order) => {
    for (const share of BADGE_SHARES) {
      const point = along(leg, share);
      const others = taken.map((badge) => distance(badge, point) - BADGE_RADIUS);
      const spots = layout.spots.map((spot) => distance(spot, point) - layout.spotRadius);
      const lines = all.filter((other) => other !== leg).map((other) => distanceToLeg(other, point));
      const room = Math.min(ENOUGH_SPACE, ...others, ...spots);
      // Lines count half, since a number may cover one.
      const score = room + 0.5 * Math.min(BADGE_RADIUS, ...lines) - order * 4 - share;
      if (best === undefined || score > best.score) best = { point: { x: point.x, y: point.y }, score };
    }
  });
  return best?.point ?? layout.spots[0]!;
}

function distanceToLeg({ from, to }: Leg, point: Point): number {
  const length = distance(from, to);
  const share = ((point.x - from.x) * (to.x - from.x) + (point.y - from.y) * (to.y - from.y)) / length ** 2;
  return distance(between(from, to, Math.min(1, Math.max(0, share))), point);
}
