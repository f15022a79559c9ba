import { shape } from './dom.js';

/** @import { Board, Point, Spot, WordLine } from './game.js' */

/** Different looks of words, which repeat after that. */
const WORD_LOOKS = 8;
const BADGE = 19;
/** Legs shorter than this have no room for an arrowhead. */
const MIN_ARROW_LEG = 90;
/** Numbers the masks, whose names must be unique in the page. */
let masks = 0;

/** The class for a word's colour and dashes, which are the same as in pictures. @param {number} nth */
export function lookOf(nth) {
  return `w${nth % WORD_LOOKS}`;
}

/**
 * Which word was the first to use each spot, in the order of the path.
 *
 * @param {readonly WordLine[]} lines
 * @param {readonly Spot[]} spots
 */
export function ownersOf(lines, spots) {
  /** @type {Map<number, number>} */
  const owners = new Map();
  for (const [nth, legs] of lines.entries())
    for (const { x, y } of legs.flatMap(({ from, to }) => [from, to])) {
      const spot = spots.findIndex(({ dot }) => dot.x === x && dot.y === y);
      if (!owners.has(spot)) owners.set(spot, nth);
    }
  return owners;
}

/**
 * A played word: its line, arrows along it, and its number. A mask uncovers the line as it is drawn, since the line itself
 * may be dashed.
 *
 * @param {WordLine} legs @param {number} nth
 */
export function drawWord(legs, nth) {
  masks += 1;
  const id = `word-${masks}`;
  const start = legs.slice(0, 1).map(({ from }) => `M${from.x} ${from.y}`);
  // One path, so that the dashes go on around corners.
  const line = [...start, ...legs.map(({ bend, to }) => `Q${bend.x} ${bend.y} ${to.x} ${to.y}`)].join('');
  const badge = legs[0] && along(legs[0], 0.36);
  const arrows = legs
    .filter(({ from, to }) => Math.hypot(to.x - from.x, to.y - from.y) >= MIN_ARROW_LEG)
    .map((leg) => {
      const { x, y, angle } = along(leg, 0.62);
      return shape('path', {
        class: 'arrow',
        d: 'M-13-14L15 0L-13 14L-7 0Z',
        transform: `translate(${x} ${y}) rotate(${angle})`,
      });
    });
  const cover = shape(
    'mask',
    { id, maskUnits: 'userSpaceOnUse', x: 0, y: 0, width: '100%', height: '100%' },
    shape('path', { class: 'cover', d: line, pathLength: 1 }),
  );
  const number = badge
    ? [
        shape('circle', { class: 'badge', cx: badge.x, cy: badge.y, r: BADGE }),
        shape(
          'text',
          { x: badge.x, y: badge.y + 9, 'font-size': 26 },
          document.createTextNode(String(nth + 1)),
        ),
      ]
    : [];
  return shape(
    'g',
    { class: lookOf(nth) },
    cover,
    shape('path', { class: 'line', d: line, mask: `url(#${id})` }),
    shape('g', { class: 'marks' }, ...arrows, ...number),
  );
}

/**
 * Sets when the parts of a path are drawn once more, one after the other, where the style sheet moves them.
 *
 * @param {readonly (Element | undefined)[]} parts
 * @param {number} seconds for all of them
 */
export function replay(parts, seconds) {
  for (const [nth, part] of parts.entries()) {
    if (!(part instanceof SVGElement)) continue;
    part.style.setProperty('--at', `${(seconds * nth) / parts.length}s`);
    part.style.setProperty('--for', `${seconds / parts.length}s`);
  }
}

/** The box of a board with its dots, over what is drawn inside of it. @param {Board} board @param {Node[]} inside */
export function drawBox({ size, corners, radius, sides }, ...inside) {
  const points = corners.map(({ x, y }) => `${x},${y}`).join(' ');
  const spots = sides.flatMap((side) => side.spots);
  return shape(
    'svg',
    { viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' },
    shape('polygon', { class: 'inside', points }),
    ...inside,
    shape('polygon', { class: 'edge', points }),
    ...spots.map(({ dot }) => shape('circle', { cx: dot.x, cy: dot.y, r: radius })),
  );
}

/** A board with words drawn across it, which can't be played. @param {Board} board @param {readonly WordLine[]} lines */
export function drawBoard(board, lines) {
  const { letterSize, sides } = board;
  const box = drawBox(board, ...lines.map(drawWord));
  for (const { letter, at } of sides.flatMap(({ spots }) => spots)) {
    const place = { x: at.x, y: Math.round(at.y + letterSize * 0.35), 'font-size': letterSize };
    box.append(shape('text', { class: 'name', ...place }, document.createTextNode(letter.toUpperCase())));
  }
  return box;
}

/** The point at a share of a leg's length, and its direction there. @param {WordLine[number]} leg @param {number} share */
function along({ from, bend, to }, share) {
  const [a, b] = [between(from, bend, share), between(bend, to, share)];
  const { x, y } = between(a, b, share);
  return {
    x: Math.round(x),
    y: Math.round(y),
    angle: Math.round((Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI),
  };
}

/** @param {Point} from @param {Point} to @param {number} share */
function between(from, to, share) {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}
