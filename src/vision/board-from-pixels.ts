import { findArrangements, NEWSPAPER } from './arrangement.ts';
import { type Component, findComponents, type Grey, greyOf, type Pixels } from './components.ts';
import { type Reading, readShape, shapeOf } from './letters.ts';
import { straighten } from './straighten.ts';

export interface SeenLetter {
  /** In small letters, as in the sides of a board. */
  readonly letter: string;
  /** From 0 to 1: below `SURE`, somebody should look at it. */
  readonly certainty: number;
}

/** The board of a picture: its sides clockwise from the upper one, all with as many letters. */
export interface SeenBoard {
  readonly sides: readonly (readonly SeenLetter[])[];
}

export const SURE = 0.5;
/** Components that are looked at: a screenshot full of small text has about 3,000. */
const MAX_COMPONENTS = 12_000;
const MAX_READINGS = 1_500;
/** How unlike its template a letter may be, and a board's letters on average: other things are less like any letter. */
const MAX_DIFFERENCE = 0.14;
const MAX_MEAN_DIFFERENCE = 0.065;
/** How much unevenness counts beside the mean difference of the letters. */
const UNEVENNESS_WEIGHT = 0.005;
/** The share of different letters: one may be misread for another, but equal marks are the spots of a box. */
const MIN_DISTINCT = 0.75;
/** Marks in a newspaper's board, or in line with a side, that may look like letters: more are of a grid or a larger board. */
const MAX_OTHERS = 2;
/** How unlike their templates those may be. */
const MAX_DIFFERENCE_OTHERS = 0.06;
/** The `margin` and the `difference` of a reading at which its letter has the certainty `SURE`. */
const SURE_MARGIN = 0.22;
const SURE_DIFFERENCE = 0.07;
/**
 * The margin for letters that another letter may look like: a T without its line like an I, a Q like an O, an M with a filled
 * notch like an H, and a blurred O like a Q.
 */
const SURE_MARGINS: Readonly<Record<string, number>> = { I: 0.6, O: 0.3, H: 0.4, Q: 0.4 };
/** The height of a letter, as a share of the median height. Of 12,000 letters, one in 800 was outside. */
const MIN_RATIO = 0.9;
const MAX_RATIO = 1.06;
/** A higher O may be a Q with a short tail. */
const MAX_RATIO_OF_O = 1.04;
/** In some fonts, these have a tail, so their height says nothing. */
const TAILED = 'JQ';
/** The certainty of a letter that a board seems to have twice, or of another height. */
const UNLIKELY = 0.1;
/** With a larger share of uncertain letters, the font is unlike the known ones: no certainty is above `UNKNOWN_FONT`. */
const MAX_UNCERTAIN = 0.25;
const UNKNOWN_FONT = 0.4;

/**
 * The board in a picture, such as a screenshot: capital letters around a box or a polygon, as many on each side. Undefined if
 * there is none. Whatever the picture holds, this takes at most a few seconds, mostly a tenth of one.
 *
 * @example boardFromPixels(context.getImageData(0, 0, width, height))?.sides // [[{ letter: 'o', certainty: 0.9 }, …], …]
 */
export function boardFromPixels(pixels: Pixels): SeenBoard | undefined {
  if (pixels.width < 1 || pixels.height < 1) return undefined;
  const grey = greyOf(pixels);
  const seen = boardIn(grey);
  if (seen !== undefined) return seen;
  const straight = straighten(grey);
  return straight && boardIn(straight);
}

function boardIn(grey: Grey): SeenBoard | undefined {
  const all = findComponents(grey, MAX_COMPONENTS);
  const readings = new Map<Component, Reading>();
  const read = memoize(readings, (component) => readShape(shapeOf(grey, component)));
  const readLetter = memoize(new Map(), (component) => readWhole(component, all, read));
  for (const { form, arrangements } of findArrangements(all)) {
    let best: { readonly letters: readonly Reading[]; readonly unlikeness: number } | undefined;
    // The letters of a text lie like a board of another form more often, but then have other letters around them.
    const mostOthers = form === NEWSPAPER ? MAX_OTHERS : 0;
    for (const { components, others, unevenness } of arrangements) {
      if (readings.size > MAX_READINGS) break;
      const letters = components.map(readLetter);
      const mean = letters.reduce((sum, { difference }) => sum + difference, 0) / letters.length;
      const isBoard =
        mean <= MAX_MEAN_DIFFERENCE &&
        letters.every(({ difference }) => difference <= MAX_DIFFERENCE) &&
        new Set(letters.map(({ letter }) => letter)).size >= MIN_DISTINCT * letters.length;
      if (!isBoard || others().filter((other) => isLetter(read(other))).length > mostOthers) continue;
      const unlikeness = mean + unevenness * UNEVENNESS_WEIGHT;
      if (best === undefined || unlikeness < best.unlikeness) best = { letters, unlikeness };
    }
    if (best !== undefined) return boardOf(best.letters, form.letters);
  }
  return undefined;
}

type Read = (component: Component) => Reading;

function memoize(known: Map<Component, Reading>, read: Read): Read {
  return (component) => {
    const reading = known.get(component) ?? read(component);
    known.set(component, reading);
    return reading;
  };
}

/** A letter is at most this many times as high as a part of it, such as a stem, or the hole of a D. */
const MAX_WHOLE = 2;
/** The contrast of a ring that scaling left around a letter, as a share of the letter's: a tenth, mostly. */
const MAX_RING = 0.4;

/**
 * The letter of a component: that of the whole if it is a part of what clearly is a letter, such as the hole of a Q, or a stem
 * whose thin lines are too faint at some level, and that of a letter in it if it is the ring around one. A part of what is only
 * somewhat like another letter is uncertain.
 */
function readWhole(component: Component, all: readonly Component[], read: Read): Reading {
  const own = read(component);
  const height = component.bottom - component.top;
  const ringed = all.find(
    (inner) =>
      inner.isDark !== component.isDark &&
      MAX_WHOLE * (inner.bottom - inner.top) > height &&
      holds(component, inner) &&
      own.contrast < MAX_RING * read(inner).contrast,
  );
  if (ringed !== undefined) return readWhole(ringed, all, read);
  const most = MAX_WHOLE * height;
  let best = own;
  for (const outer of all) {
    if (outer === component || outer.bottom - outer.top > most || !holds(outer, component)) continue;
    const whole = read(outer);
    const isRing = whole.contrast < MAX_RING * own.contrast;
    if (isRing || whole.letter === own.letter || whole.difference > MAX_DIFFERENCE) continue;
    if (whole.difference <= MAX_MEAN_DIFFERENCE) best = whole;
    else if (best === own) best = { ...own, margin: 0 };
  }
  return best;
}

/** Whether a component is within another one, give or take a pixel at each edge. */
function holds(outer: Component, inner: Component): boolean {
  return (
    outer.left <= inner.left + 1 &&
    outer.right >= inner.right - 1 &&
    outer.top <= inner.top + 1 &&
    outer.bottom >= inner.bottom - 1
  );
}

/** Whether something that may be a letter surely is one: lines are read as an I or a J, and spots as an O. */
function isLetter({ letter, difference }: Reading): boolean {
  return difference <= MAX_DIFFERENCE_OTHERS && !'IJO'.includes(letter);
}

function boardOf(readings: readonly Reading[], sideLength: number): SeenBoard {
  const letters = readings.map(({ letter }) => letter);
  const heights = readings.map(({ height }) => height).toSorted((one, other) => one - other);
  const median = heights[heights.length >> 1]!;
  const seen = readings.map(({ letter, margin, difference, height }): SeenLetter => {
    // The game has no letter twice: one of the two is misread.
    const isTwice = letters.indexOf(letter) !== letters.lastIndexOf(letter);
    const sure = SURE_MARGINS[letter] ?? SURE_MARGIN;
    const certainty = Math.min(1, (margin / sure) * SURE, (SURE_DIFFERENCE / difference) * SURE);
    const ratio = height / median;
    const isOff = ratio < MIN_RATIO || ratio > (letter === 'O' ? MAX_RATIO_OF_O : MAX_RATIO);
    const isUnlikely = isTwice || (isOff && !TAILED.includes(letter));
    return {
      letter: letter.toLowerCase(),
      certainty: isUnlikely ? Math.min(certainty, UNLIKELY) : certainty,
    };
  });
  const isUnknown = seen.filter(({ certainty }) => certainty < SURE).length > MAX_UNCERTAIN * seen.length;
  const most = isUnknown ? UNKNOWN_FONT : 1;
  const sides = Array.from({ length: seen.length / sideLength }, (_, side) =>
    seen
      .slice(side * sideLength, (side + 1) * sideLength)
      .map(({ letter, certainty }) => ({ letter, certainty: Math.min(most, certainty) })),
  );
  return { sides };
}
