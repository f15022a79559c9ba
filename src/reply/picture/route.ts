import type { DrawnPath } from '../model/types.ts';
import { between, distance, type Layout, type Point } from './layout.ts';

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
  /** Where its number stands. */
  readonly badge: Point;
}

export const BADGE_RADIUS = 19;
/** How far steps between the same two spots bow apart. */
const BOW = 30;
/** The most that a step bows aside, as a share of its length. */
const MOST_BOW = 0.16;
/** Where a number may stand on a leg, as shares of its length, preferred first. */
const BADGE_SHARES = [0.36, 0.28, 0.44, 0.52, 0.6, 0.2, 0.68];
/** More room than this around a number is no better. */
const AMPLE = 3.2 * BADGE_RADIUS;

/**
 * The words of a path as lines over the box, each with a position for its number. Placing the numbers takes time in
 * the square of the path's length, so pages, which show none, call `legsOf`.
 */
export function routesOf(layout: Layout, path: DrawnPath): Route[] {
  const legsOfWords = legsOf(layout, path);
  const badges: Point[] = [];
  for (const legs of legsOfWords) badges.push(badgePoint(layout, legs, legsOfWords.flat(), badges));
  return legsOfWords.map((legs, index) => ({ legs, badge: badges[index]! }));
}

/** The point of a leg at a share of its way, and the direction there in radians. */
export function along({ from, bend, to }: Leg, share: number): Point & { readonly angle: number } {
  const first = between(from, bend, share);
  const second = between(bend, to, share);
  return { ...between(first, second, share), angle: Math.atan2(second.y - first.y, second.x - first.x) };
}

/** The words of a path as lines over the box. */
export function legsOf(layout: Layout, path: DrawnPath): Leg[][] {
  const steps = path.words.map((word) => word.slice(1).map((to, index) => ({ from: word[index]!, to })));
  const keyOf = ({ from, to }: { from: number; to: number }) => `${Math.min(from, to)}-${Math.max(from, to)}`;
  const total = new Map<string, number>();
  for (const step of steps.flat()) total.set(keyOf(step), (total.get(keyOf(step)) ?? 0) + 1);
  const drawn = new Map<string, number>();
  return steps.map((word) =>
    word.map((step) => {
      const key = keyOf(step);
      const lane = drawn.get(key) ?? 0;
      drawn.set(key, lane + 1);
      const [from, to] = [layout.spots[step.from]!, layout.spots[step.to]!];
      // Seen from the lower spot, so that there and back bow to different sides.
      const ends: readonly [Point, Point] = step.from < step.to ? [from, to] : [to, from];
      return { from, to, bend: bendOf(layout, ends, { lane, lanes: total.get(key)! }) };
    }),
  );
}

/** Lanes lie evenly around the straight line, or are all moved inwards where the box leaves no room for them. */
function bendOf(
  layout: Layout,
  [from, to]: readonly [Point, Point],
  { lane, lanes }: { readonly lane: number; readonly lanes: number },
): Point {
  const middle = between(from, to, 0.5);
  const length = distance(from, to);
  if (lanes === 1 || length === 0) return middle;
  const aside = { x: -(to.y - from.y) / length, y: (to.x - from.x) / length };
  const width = Math.min(BOW * (lanes - 1), 2 * MOST_BOW * length);
  const room = roomTowards(layout, middle, aside);
  const roomBehind = roomTowards(layout, middle, { x: -aside.x, y: -aside.y });
  const first = Math.max(-roomBehind, Math.min(-width / 2, room - width));
  const bow = Math.min(room, first + (lane * width) / (lanes - 1));
  return { x: middle.x + aside.x * bow, y: middle.y + aside.y * bow };
}

/** How far it is from a point in the box to its edge in one direction. */
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

/** On the first leg if there is room, else on the leg with the most. */
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
      const others = [...taken.map((badge) => distance(badge, point) - BADGE_RADIUS)];
      const spots = layout.spots.map((spot) => distance(spot, point) - layout.spotRadius);
      const lines = all.filter((other) => other !== leg).map((other) => distanceToLeg(other, point));
      const room = Math.min(AMPLE, ...others, ...spots);
      const score = room + 0.5 * Math.min(BADGE_RADIUS, ...lines) - order * 4 - share;
      if (best === undefined || score > best.score) best = { point: { x: point.x, y: point.y }, score };
    }
  });
  return best?.point ?? layout.spots[0]!;
}

function distanceToLeg({ from, to }: Leg, point: Point): number {
  const length = distance(from, to);
  if (length === 0) return distance(from, point);
  const share = ((point.x - from.x) * (to.x - from.x) + (point.y - from.y) * (to.y - from.y)) / length ** 2;
  return distance(between(from, to, Math.min(1, Math.max(0, share))), point);
}
