import { element, shape } from './dom.js';

/** @import { BoardView } from './view.ts' */

const SEEN_KEY = 'letterboxed-seen';
const CAPTIONS = ['A word goes from side to side.', 'The next begins where it ends.'];

/**
 * How to play, as a loop of five seconds over a box: two words, which share a letter. Without other ones, they are only ways from
 * side to side, which give nothing of a board away.
 *
 * @param {BoardView} board @param {number[][]} [words] the spots of each word
 */
export function howToPlay({ size, sides }, words) {
  const first = (/** @type {number} */ side) =>
    sides.slice(0, side % sides.length).reduce((sum, { spots }) => sum + spots.length, 0);
  const at = (/** @type {number} */ side, nth = 0) =>
    first(side) + Math.min(nth, (sides[side % sides.length]?.spots.length ?? 1) - 1);
  const shown = words ?? [
    [at(0), at(1, 1), at(2), at(3, 1)],
    [at(3, 1), at(0, 2), at(1), at(2, 2)],
  ];
  const dots = sides.flatMap(({ spots }) => spots.map(({ dot }) => dot));
  const lines = shown.map((spots, nth) => {
    const points = spots.map((spot) => dots[spot]).map((dot) => `${dot?.x} ${dot?.y}`);
    return shape('path', { class: `way w${nth}`, d: `M${points.join('L')}`, pathLength: 1 });
  });
  const { x, y } = dots[shown[1]?.[0] ?? 0] ?? { x: 0, y: 0 };
  const drawn = shape(
    'svg',
    { viewBox: `0 0 ${size} ${size}` },
    ...lines,
    shape('circle', { cx: x, cy: y, r: 24 }),
  );
  return element(
    'div',
    { class: 'how', 'aria-hidden': 'true' },
    drawn,
    ...CAPTIONS.map((said) => element('p', {}, said)),
  );
}

/** Shows it over the box on somebody's first visit, until their first touch. @param {HTMLElement} panel @param {BoardView} board */
export function showOnce(panel, board) {
  try {
    if (localStorage.getItem(SEEN_KEY) !== null) return;
    localStorage.setItem(SEEN_KEY, 'yes');
  } catch {
    // A browser that keeps nothing would show it each time.
    return;
  }
  const how = howToPlay(board);
  panel.querySelector('.box')?.append(how);
  for (const event of ['pointerdown', 'keydown'])
    document.addEventListener(event, () => how.remove(), { once: true });
}
