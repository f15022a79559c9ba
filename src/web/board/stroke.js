/**
 * What a finger or a mouse draws over a board, as letters. A stroke is read again whenever it has got longer, since a point
 * that looked like a letter may then be none.
 *
 * @typedef {{ x: number, y: number, time: number }} Sample In the box's units and in milliseconds.
 * @typedef {{ dot: Point, at: Point, reach?: number }} Target A letter; `reach` has a bit for each one that may follow it.
 * @typedef {{ targets: readonly Target[], gap: number, open: number, joined?: number }} Field `gap` is the least distance
 * between two letters, `open` the letters on which the stroke may begin, and `joined` the ones on which the word before it
 * ends.
 * @typedef {{ letters: number[], near: number }} Reading `near` is the letter that the stroke's end is close to; -1 for none.
 */

/** @import { Point } from './game.js' */

/** All lengths are shares of the distance between two letters. */
const SAMPLE_DISTANCE = 0.07;
/** Distances around a point at which its turn is measured, with the turn that trembling alone may cause. */
const SCALES = /** @type {const} */ ([
  { around: 0.45, noise: 0 },
  { around: 0.28, noise: 8 },
]);
/** Places closer than this are one place. */
const SAME_PLACE = 0.28;
/** A turn farther away than this belongs to no letter. */
const MAX_LETTER_DISTANCE = 0.75;
/** The error of a hand that aims at a letter. */
const AIM_ERROR = 0.34;
/** A stroke through a letter, outside the box, is meant for it. */
const THROUGH_DISTANCE = 0.2;
const NEAR_DISTANCE = 0.42;
/** A hand that is this many times slower than before and after has aimed at a letter. */
const AIMING_SLOWNESS = 2;
/** A hand that slows at its sharp turns and not at a blunt one draws a curve there, which has to turn more. */
const SHARP_DEGREES = 45;
const STEADY_SLOWNESS = 1.3;
const CURVE_DEGREES = 25;
/** How far back and ahead to look. */
const LOOK_DISTANCE = 1;
/** Milliseconds in one place that count as a rest. */
export const REST_MS = 90;
/** A hand that goes back later corrects a wrong letter; a quicker one draws a word like LEVEL. */
export const CORRECTION_AFTER_MS = 900;
/** The length that must be retraced before a letter is taken back. */
const RETRACED_SHARE = 0.35;
/** How far from the leg the way back may be. */
const RETRACED_WIDTH = 0.25;
/** The score that a letter needs; `SURE_SCORE` if the stroke begins, ends or turns back there. */
const LETTER_SCORE = 0.8;
const SURE_SCORE = 7;
/** A letter this much farther away than another is not meant. */
const RIVAL_DISTANCE = 0.3;
const SHORTEST_LEG = 0.28;
const DEGREE = Math.PI / 180;
/** The most samples; a longer stroke is scribbling. */
const MAX_SAMPLES = 60_000;

/** @param {Point} one @param {Point} other */
const far = (one, other) => Math.hypot(one.x - other.x, one.y - other.y);

/** The letters of a stroke. Its end counts as a letter only when it is over or rests. @param {readonly Sample[]} samples @param {Field} field @param {boolean} isOver @returns {Reading} */
export function readStroke(samples, field, isOver) {
  const { gap, targets } = field;
  const points = placesOf(samples.slice(0, MAX_SAMPLES), gap * SAMPLE_DISTANCE);
  const end = points.at(-1);
  if (end === undefined) return { letters: [], near: -1 };
  const places = withoutCurves(turnsOf(points, gap, targets));
  return { letters: lettersOf(places, points, field, isOver), near: nearestTo(end, field, NEAR_DISTANCE) };
}

/** The letter or dot within reach of a point; -1 for none. @param {Point} point @param {Field} field @param {number} within */
export function nearestTo(point, { targets, gap }, within) {
  let [nearest, least] = [-1, within * gap];
  for (const [spot, target] of targets.entries()) {
    const distance = farFrom(target, point);
    if (distance < least) [nearest, least] = [spot, distance];
  }
  return nearest;
}

/** The distance from a point to the line between a letter and its dot. @param {Target} target @param {Point} point */
function farFrom({ dot, at }, point) {
  const [x, y] = [at.x - dot.x, at.y - dot.y];
  const share = ((point.x - dot.x) * x + (point.y - dot.y) * y) / (x * x + y * y || 1);
  const within = Math.max(0, Math.min(1, share));
  return far(point, { x: dot.x + x * within, y: dot.y + y * within });
}

/** @typedef {Sample & { rest: number }} Place A point of the stroke, when it was reached, and how long it stayed there. */

/** Points at even distances: trembling becomes one point, and a fast stroke a straight line. @param {readonly Sample[]} samples @param {number} step */
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
      const left = last.time + last.rest;
      /** @param {number} from @param {number} to @param {number} part */
      const between = (from, to, part) => from + ((to - from) * part) / parts;
      for (let part = 1; part < parts; part++)
        places.push({
          x: between(last.x, x, part),
          y: between(last.y, y, part),
          time: between(left, time, part),
          rest: 0,
        });
    }
    places.push({ x, y, time, rest: 0 });
  }
  return places;
}

/** @typedef {{ index: number, angle: number, rest: number, slowness: number, isPassing?: boolean }} Turn A point that may be meant for a letter: how many degrees the stroke turns, and how many times slower it is, there. */

/** Includes the first and the last point. @param {readonly Place[]} points @param {number} gap @param {readonly Target[]} targets @returns {Turn[]} */
function turnsOf(points, gap, targets) {
  const rests = points.map((_, index) => restAt(points, index, gap * SAME_PLACE * 0.5));
  /** @type {Map<number, number>} */
  const angles = new Map([0, points.length - 1].map((index) => [index, 0]));
  for (const { around, noise } of SCALES) {
    const all = points.map((_, index) => angleAt(points, index, gap * around) - noise);
    for (const [index, angle] of all.entries())
      if (angle > 12 && isPeak(all, index, around))
        angles.set(index, Math.max(angle, angles.get(index) ?? 0));
  }
  const slow = slownessOf(points);
  for (const [index, point] of points.entries()) {
    const isSlow = (slow[index] ?? 1) >= AIMING_SLOWNESS && isPeak(slow, index, SCALES[0].around);
    const isRest = (rests[index] ?? 0) >= REST_MS && isPeak(rests, index, SCALES[0].around);
    const isThrough = targets.some(({ at }) => far(at, point) < THROUGH_DISTANCE * gap);
    if ((isRest || isSlow || isThrough) && !angles.has(index)) angles.set(index, 0);
  }
  return [...angles]
    .map(([index, angle]) => ({ index, angle, rest: rests[index] ?? 0, slowness: slow[index] ?? 1 }))
    .sort((one, other) => one.index - other.index);
}

/** @param {readonly Turn[]} turns */
function withoutCurves(turns) {
  const sharp = turns.filter(({ angle }) => angle > SHARP_DEGREES).map(({ slowness }) => slowness);
  const rhythm = sharp.sort((one, other) => one - other)[sharp.length >> 1] ?? 1;
  if (rhythm < AIMING_SLOWNESS) return turns;
  return turns.map((turn) =>
    turn.slowness < STEADY_SLOWNESS ? { ...turn, angle: turn.angle - CURVE_DEGREES, isPassing: true } : turn,
  );
}

/** @param {readonly Place[]} points */
function slownessOf(points) {
  const paces = points.map((_, index) => {
    const [from, to] = [Math.max(0, index - 2), Math.min(points.length - 1, index + 2)];
    return ((points[to]?.time ?? 0) - (points[from]?.time ?? 0)) / (to - from || 1);
  });
  const reach = Math.ceil(LOOK_DISTANCE / SAMPLE_DISTANCE);
  return paces.map((pace, index) => {
    const before = Math.min(...paces.slice(Math.max(0, index - reach), index));
    const after = Math.min(...paces.slice(index + 1, index + 1 + reach));
    const fastest = Math.max(before, after);
    return Number.isFinite(fastest) && fastest > 0 ? pace / fastest : 1;
  });
}

/** Whether no value close by is higher. @param {readonly number[]} values @param {number} index @param {number} around */
function isPeak(values, index, around) {
  const reach = Math.ceil((around * 0.6) / SAMPLE_DISTANCE);
  const from = Math.max(0, index - reach);
  const value = values[index] ?? 0;
  return values
    .slice(from, index + reach + 1)
    .every((other, at) => value > other || (value === other && from + at >= index));
}

/**
 * The angle between the mean points from which the stroke comes and to which it goes.
 *
 * @param {readonly Place[]} points @param {number} index
 * @param {number} around
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
    return way < around * 0.4 ? undefined : sum;
  };
  const [before, after] = [towards(-1), towards(1)];
  if (before === undefined || after === undefined) return 0;
  const turned = Math.atan2(before.x * after.y - before.y * after.x, before.x * after.x + before.y * after.y);
  return 180 - Math.abs(turned) / DEGREE;
}

/** @param {readonly Place[]} points @param {number} index @param {number} around */
function restAt(points, index, around) {
  let sum = 0;
  const here = points[index];
  if (here === undefined || here.rest === 0) return 0;
  for (const step of [-1, 1])
    for (let at = index + step; at >= 0 && at < points.length; at += step) {
      const point = points[at] ?? here;
      if (far(point, here) > around) break;
      sum += point.rest;
    }
  return sum + here.rest;
}

/**
 * The last of the letters that explain the stroke up to a place, and the path before it.
 *
 * @typedef {{ spot: number, index: number, score: number, rest: number, isJoined?: boolean, isGoingBack?: boolean, before?: Path }} Path
 */

/** The best sequence of letters that the rules allow. @param {readonly Turn[]} turns @param {readonly Place[]} points @param {Field} field @param {boolean} isOver */
function lettersOf(turns, points, { targets, gap, open, joined = 0 }, isOver) {
  /** The best path for each letter that the word may end on. @type {Map<number, Path>} */
  let paths = new Map();
  for (const turn of turns) {
    const { index, rest } = turn;
    const point = points[index];
    if (point === undefined) continue;
    const isEnd = index === 0 || (isOver && index === points.length - 1);
    const next = new Map(paths);
    /** @param {Path} path */
    const offer = (path) => {
      if (path.score > (next.get(path.spot)?.score ?? Number.NEGATIVE_INFINITY)) next.set(path.spot, path);
    };
    const distances = targets.map((target) => farFrom(target, point) / gap);
    const most = Math.min(MAX_LETTER_DISTANCE, Math.min(...distances) + RIVAL_DISTANCE);
    for (const [spot, distance] of distances.entries()) {
      const bit = 1 << spot;
      const isThrough = !turn.isPassing && far(targets[spot]?.at ?? point, point) < THROUGH_DISTANCE * gap;
      const gain = evidenceOf(turn, isEnd, isThrough) - LETTER_SCORE - (distance / AIM_ERROR) ** 2;
      if (distance > most) continue;
      if ((open | joined) & bit) offer({ spot, index, score: gain, rest, isJoined: (joined & bit) !== 0 });
      for (const path of paths.values()) {
        const leg = far(points[path.index] ?? point, point);
        if ((targets[path.spot]?.reach ?? 0) & bit && leg > SHORTEST_LEG * gap)
          offer({ spot, index, score: path.score + gain, rest, before: path });
      }
    }
    if (turn.angle > 30 || rest >= REST_MS || isEnd)
      for (const path of paths.values()) {
        const distance = distances[path.before?.spot ?? -1] ?? MAX_LETTER_DISTANCE;
        const { before } = path;
        if (before === undefined || !isBack(points, before.index, path.index, index, gap)) continue;
        if (distance >= MAX_LETTER_DISTANCE) {
          // After a rest on the way, a stroke may return to the letter before, as in DAD.
          if (turn.angle > 30) offer({ ...before, index, score: path.score + 1, isGoingBack: true });
        } else if (path.rest >= Math.max(CORRECTION_AFTER_MS, 2 * before.rest) || path.isGoingBack)
          offer({ ...before, index, rest, score: path.score + SURE_SCORE, isGoingBack: true });
      }
    paths = next;
  }
  let best = [...paths.values()].reduce(
    (/** @type {Path | undefined} */ most, path) =>
      most === undefined || path.score > most.score ? path : most,
    undefined,
  );
  /** @type {number[]} */
  const letters = [];
  for (; best !== undefined; best = best.before) if (!best.isJoined) letters.unshift(best.spot);
  return letters;
}

/** The score of a letter at a turn. @param {Turn} turn @param {boolean} isEnd @param {boolean} isThrough */
function evidenceOf({ angle, rest, slowness }, isEnd, isThrough) {
  const ofTurn = Math.min(SURE_SCORE, Math.max(0, (angle - 12) / 6));
  const ofRest = Math.max(Math.min(3, rest / 120), Math.min(2.5, Math.log2(Math.max(1, slowness)) - 0.5));
  return Math.min(SURE_SCORE, ofTurn + ofRest + (isEnd ? SURE_SCORE : 0) + (isThrough ? 2.5 : 0));
}

/** Whether the stroke went from `to` to `index` over its last leg. @param {readonly Place[]} points @param {number} from @param {number} to @param {number} index @param {number} gap */
function isBack(points, from, to, index, gap) {
  const [one, other, here] = [points[from], points[to], points[index]];
  if (one === undefined || other === undefined || here === undefined) return false;
  if (far(other, here) < RETRACED_SHARE * far(one, other)) return false;
  const leg = { dot: one, at: other };
  return points.slice(to, index + 1).every((point) => farFrom(leg, point) < RETRACED_WIDTH * gap);
}
