/**
 * What a finger or a mouse draws over a board, as letters. A stroke is read again whenever it has got longer, since a point
 * that looked like a letter may then be none.
 *
 * @typedef {{ x: number, y: number, time: number }} Sample In the box's units and in milliseconds.
 * @typedef {{ dot: Point, at: Point, reach?: number }} Target A letter; `reach` is the set of those that may follow it.
 * @typedef {{ targets: readonly Target[], gap: number, open: number, joined?: number }} Field `gap` is the least distance
 * between two letters, `open` the set of those on which the stroke may begin, and `joined` the set of those on which the word
 * before it ends. A set has the bit `1 << spot` for each of its letters.
 * @typedef {{ letters: number[], near: number }} Reading `near` is the letter that the stroke's end is close to; -1 for none.
 */

/** @import { Point } from '../../reply/picture/layout.ts' */

// All lengths are shares of the distance between two letters.
const SAMPLE_DISTANCE = 0.07;
/** The length of the stroke before and after a point over which its turn is measured. */
const TURN_LENGTH = 0.45;
/** Turns that trembling alone may cause. */
const TREMBLING_DEGREES = 12;
const SHARP_DEGREES = 30;
/** Points to either side among which a turn is the greatest. */
const PEAK_POINTS = 4;
/** A turn farther away than this belongs to no letter. */
const MAX_LETTER_DISTANCE = 0.75;
/** The error of a hand that aims at a letter. */
const AIM_ERROR = 0.34;
const NEAR_DISTANCE = 0.42;
/** Milliseconds in one place that count as a rest. */
export const REST_MS = 90;
/** A hand that goes back later corrects a wrong letter; a quicker one draws a word like LEVEL. */
export const CORRECTION_AFTER_MS = 900;
/** How much of a leg is retraced to take its letter back. */
const RETRACED_SHARE = 0.35;
/** How far from the leg the way back may be. */
const RETRACED_WIDTH = 0.25;
/** What each letter takes off the score of a path, so that a weak turn adds none. */
const LETTER_COST = 1.2;
/** The most that a turn can add for a letter, and what the beginning and the end of a stroke add. */
const MAX_EVIDENCE = 7;
const DEGREE = Math.PI / 180;
/** The most samples; a longer stroke is scribbling. */
const MAX_SAMPLES = 60_000;

/** @param {Point} one @param {Point} other */
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/**
 * The letters of a stroke. Its end counts as a letter only when it is over or rests.
 *
 * @param {readonly Sample[]} samples @param {Field} field @param {{ isOver: boolean }} how @returns {Reading}
 */
export function readStroke(samples, field, { isOver }) {
  const { gap } = field;
  const points = placesOf(samples.slice(0, MAX_SAMPLES), gap * SAMPLE_DISTANCE);
  const end = points.at(-1);
  if (end === undefined) return { letters: [], near: -1 };
  const letters = lettersOf(turnsOf(points, gap), points, field, isOver);
  return { letters, near: nearestTo(end, field, NEAR_DISTANCE) };
}

/** The letter nearest to a point; -1 if none is close. @param {Point} point @param {Field} field @param {number} within */
export function nearestTo(point, { targets, gap }, within) {
  const distances = targets.map((target) => farFrom(target, point));
  const least = Math.min(...distances);
  return least < within * gap ? distances.indexOf(least) : -1;
}

/** The distance from a point to the line between a letter and its dot. @param {Target} target @param {Point} point */
function farFrom({ dot, at }, point) {
  const x = at.x - dot.x;
  const y = at.y - dot.y;
  const share = ((point.x - dot.x) * x + (point.y - dot.y) * y) / (x * x + y * y || 1);
  const within = Math.max(0, Math.min(1, share));
  return far(point, { x: dot.x + x * within, y: dot.y + y * within });
}

/** @typedef {Sample & { rest: number }} Place A point of the stroke, with its time and how long the pointer stayed. */

/**
 * Points at even distances: trembling becomes one point, and a fast stroke a straight line.
 *
 * @param {readonly Sample[]} samples @param {number} step
 */
function placesOf(samples, step) {
  /** @type {Place[]} */
  const places = [];
  for (const { x, y, time } of samples) {
    const last = places.at(-1);
    if (last !== undefined) {
      const parts = Math.floor(far(last, { x, y }) / step);
      if (parts < 1) {
        last.rest = time - last.time;
        continue;
      }
      /** @param {number} from @param {number} to @param {number} part */
      const between = (from, to, part) => from + ((to - from) * part) / parts;
      for (let part = 1; part < parts; part++)
        places.push({ x: between(last.x, x, part), y: between(last.y, y, part), time, rest: 0 });
    }
    places.push({ x, y, time, rest: 0 });
  }
  return places;
}

/**
 * @typedef {{ index: number, point: Place, angle: number, rest: number }} Turn A point that may be meant for a letter: how many
 * degrees the stroke turns there, and for how long it rests.
 */

/** Where the stroke begins, turns and ends. @param {readonly Place[]} points @param {number} gap @returns {Turn[]} */
function turnsOf(points, gap) {
  const angles = points.map((_, index) => angleAt(points, index, gap * TURN_LENGTH));
  return points.flatMap((point, index) => {
    const angle = angles[index] ?? 0;
    const isTurn = angle > TREMBLING_DEGREES && isPeak(angles, index);
    const isEnd = index === 0 || index === points.length - 1;
    if (!isTurn && !isEnd) return [];
    return [{ index, point, angle: isTurn ? angle : 0, rest: point.rest }];
  });
}

/** Whether a value is the first of the highest close by. @param {readonly number[]} values @param {number} index */
function isPeak(values, index) {
  const from = Math.max(0, index - PEAK_POINTS);
  const value = values[index] ?? 0;
  return values
    .slice(from, index + PEAK_POINTS + 1)
    .every((other, at) => value > other || (value === other && from + at >= index));
}

/**
 * The degrees of a turn at a point, by the mean directions before and after it.
 *
 * @param {readonly Place[]} points @param {number} index @param {number} around
 */
function angleAt(points, index, around) {
  const here = points[index];
  if (here === undefined) return 0;
  /** @param {1 | -1} step */
  const towards = (step) => {
    const sum = { x: 0, y: 0 };
    let way = 0;
    for (let at = index + step, last = here; at >= 0 && at < points.length && way < around; at += step) {
      const point = points[at] ?? here;
      way += far(last, point);
      last = point;
      sum.x += point.x - here.x;
      sum.y += point.y - here.y;
    }
    // So close to an end of the stroke, it has no direction.
    return way < around * 0.4 ? undefined : sum;
  };
  const [before, after] = [towards(-1), towards(1)];
  if (before === undefined || after === undefined) return 0;
  const turned = Math.atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y);
  return 180 - Math.abs(turned) / DEGREE;
}

/**
 * Letters that explain the stroke up to a turn: the last one with the turn that it belongs to, and the path `before` it.
 *
 * @typedef {object} Path
 * @property {number} spot
 * @property {number} index of the turn's point
 * @property {number} score
 * @property {number} rest milliseconds
 * @property {boolean} [isJoined] Whether the letter is the one that the word before ends on.
 * @property {boolean} [isGoingBack] Whether the stroke has taken a letter back since.
 * @property {Path} [before]
 */

/**
 * The best sequence of letters that the rules allow.
 *
 * @param {readonly Turn[]} turns @param {readonly Place[]} points @param {Field} field @param {boolean} isOver
 */
function lettersOf(turns, points, field, isOver) {
  /** The best path to each letter. @type {Map<number, Path>} */
  let paths = new Map();
  for (const turn of turns) {
    const isEnd = turn.index === 0 || (isOver && turn.index === points.length - 1);
    const known = [...paths.values()];
    const next = new Map(paths);
    for (const path of [
      ...withLetter(known, turn, isEnd, field),
      ...withoutLast(known, turn, points, isEnd, field),
    ])
      if (path.score > (next.get(path.spot)?.score ?? Number.NEGATIVE_INFINITY)) next.set(path.spot, path);
    paths = next;
  }
  const [best] = [...paths.values()].sort((one, other) => other.score - one.score);
  /** @type {number[]} */
  const letters = [];
  for (let path = best; path !== undefined; path = path.before)
    if (!path.isJoined) letters.unshift(path.spot);
  return letters;
}

/**
 * The paths with one more letter, to which this turn belongs.
 *
 * @param {readonly Path[]} paths @param {Turn} turn @param {boolean} isEnd @param {Field} field @returns {Path[]}
 */
function withLetter(paths, { index, point, angle, rest }, isEnd, { targets, gap, open, joined = 0 }) {
  // These weights and those of `withoutLast` were found by reading strokes of made-up hands.
  const turned = Math.max(0, (angle - TREMBLING_DEGREES) / 6);
  const evidence = turned + Math.min(3, rest / 120) + (isEnd ? MAX_EVIDENCE : 0);
  return targets.flatMap((target, spot) => {
    const distance = farFrom(target, point) / gap;
    if (distance > MAX_LETTER_DISTANCE) return [];
    const bit = 1 << spot;
    const score = Math.min(MAX_EVIDENCE, evidence) - LETTER_COST - (distance / AIM_ERROR) ** 2;
    const first = { spot, index, rest, score, isJoined: (joined & bit) !== 0 };
    const later = paths
      .filter((before) => (targets[before.spot]?.reach ?? 0) & bit)
      .map((before) => ({ spot, index, rest, score: before.score + score, before }));
    return (open | joined) & bit ? [first, ...later] : later;
  });
}

/**
 * The paths without their last letter. A stroke takes it back by going back over the leg to it: either halfway, where it turns
 * off to another letter, or as far as the letter before. A word such as LEVEL goes back, too, but waits on no letter.
 *
 * @param {readonly Path[]} paths @param {Turn} turn @param {readonly Place[]} points @param {boolean} isEnd
 * @param {Field} field @returns {Path[]}
 */
function withoutLast(paths, { index, point, angle, rest }, points, isEnd, { targets, gap }) {
  if (angle <= SHARP_DEGREES && rest < REST_MS && !isEnd) return [];
  return paths.flatMap((path) => {
    const { before } = path;
    const target = targets[before?.spot ?? -1];
    if (before === undefined || target === undefined) return [];
    if (!isRetraced(points, before.index, path.index, index, gap)) return [];
    const kept = { ...before, index, isGoingBack: true };
    const isHalfway = farFrom(target, point) >= MAX_LETTER_DISTANCE * gap;
    // A stroke that only rests halfway takes nothing back: it may go on to the letter before, as in DAD.
    if (isHalfway) return angle > SHARP_DEGREES ? [{ ...kept, score: path.score + 1 }] : [];
    // A slow hand waits on every letter.
    const isCorrection = path.isGoingBack || path.rest >= Math.max(CORRECTION_AFTER_MS, 2 * before.rest);
    return isCorrection ? [{ ...kept, rest, score: path.score + MAX_EVIDENCE }] : [];
  });
}

/**
 * Whether the stroke went back from `to` towards `from`, over the leg between them.
 *
 * @param {readonly Place[]} points @param {number} from @param {number} to @param {number} index where it is now
 * @param {number} gap
 */
function isRetraced(points, from, to, index, gap) {
  const [one, other, here] = [points[from], points[to], points[index]];
  if (one === undefined || other === undefined || here === undefined) return false;
  if (far(other, here) < RETRACED_SHARE * far(one, other)) return false;
  const leg = { dot: one, at: other };
  return points.slice(to, index + 1).every((point) => farFrom(leg, point) < RETRACED_WIDTH * gap);
}
