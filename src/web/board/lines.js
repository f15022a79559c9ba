import { shape } from './dom.js';

/** @import { BoardView, WordLine } from './view.ts' */

/** Different looks of words, which repeat after that. */
const WORD_LOOKS = 8;
const BADGE = 19;
/** Numbers the masks, whose names must be unique in the page. */
let masks = 0;

/** The class for a word's colour and dashes, which are the same as in pictures. @param {number} nth */
export function lookOf(nth) {
  return `w${nth % WORD_LOOKS}`;
}

/** Which word was the first to use each spot, in the order of the path. @param {readonly WordLine[]} lines */
export function ownersOf(lines) {
  /** @type {Map<number, number>} */
  const owners = new Map();
  for (const [nth, { spots }] of lines.entries())
    for (const spot of spots) if (!owners.has(spot)) owners.set(spot, nth);
  return owners;
}

/**
 * A played word: its line, arrows along it, and its number. A mask uncovers the line as it is drawn, since the line itself
 * may be dashed.
 *
 * @param {WordLine} line @param {number} nth
 */
export function drawWord({ path, badge, arrows }, nth) {
  masks += 1;
  const id = `word-${masks}`;
  const heads = arrows.map(({ x, y, angle }) =>
    shape('path', {
      class: 'arrow',
      d: 'M-13-14L15 0L-13 14L-7 0Z',
      transform: `translate(${x} ${y}) rotate(${angle})`,
    }),
  );
  const cover = shape(
    'mask',
    { id, maskUnits: 'userSpaceOnUse', x: 0, y: 0, width: '100%', height: '100%' },
    shape('path', { class: 'cover', d: path, pathLength: 1 }),
  );
  const circle = shape('circle', { class: 'badge', cx: badge.x, cy: badge.y, r: BADGE });
  const place = { x: badge.x, y: badge.y + 9, 'font-size': 26 };
  const number = shape('text', place, document.createTextNode(String(nth + 1)));
  return shape(
    'g',
    { class: lookOf(nth) },
    cover,
    shape('path', { class: 'line', d: path, mask: `url(#${id})` }),
    shape('g', { class: 'marks' }, ...heads, circle, number),
  );
}

/**
 * Sets when the style sheet animates each of these parts, such as the words of a solution or the dots that they touch: one
 * after the other.
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

/**
 * The box of a board with its dots, as the content of an SVG element: the same from a server and from a script.
 *
 * @param {BoardView} board
 */
export function boxMarkup({ corners, radius, sides }) {
  const points = corners.map(({ x, y }) => `${x},${y}`).join(' ');
  const dots = sides
    .flatMap(({ spots }) => spots)
    .map(({ dot }) => `<circle cx="${dot.x}" cy="${dot.y}" r="${radius}"/>`);
  return `<polygon class="inside" points="${points}"/><polygon class="edge" points="${points}"/>${dots.join('')}`;
}

/** The letters of a board as text, as they are drawn where they are no buttons. @param {BoardView} board */
export function lettersMarkup({ letterSize, sides }) {
  return sides
    .flatMap(({ spots }) => spots)
    .map(
      ({ letter, at }) =>
        `<text class="name" x="${at.x}" y="${Math.round(at.y + letterSize * 0.35)}" font-size="${letterSize}">${letter.toUpperCase()}</text>`,
    )
    .join('');
}

/**
 * The box of a board over what is drawn inside of it.
 *
 * @param {BoardView} board @param {readonly Node[]} inside
 */
export function drawBox(board, inside) {
  const { size } = board;
  const box = shape('svg', { viewBox: `0 0 ${size} ${size}`, 'aria-hidden': 'true' });
  box.innerHTML = boxMarkup(board);
  box.firstElementChild?.after(...inside);
  return box;
}
