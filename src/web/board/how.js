import { element, shape } from './dom.js';

/** @import { BoardView } from './view.ts' */

const SEEN_KEY = 'letterboxed-seen';
const CAPTIONS = ['A word goes from side to side.', 'The next begins where it ends.'];

/**
 * The spots of two words that follow the rules. The second begins where the first ends, and they give nothing of a board away.
 *
 * @param {Pick<BoardView, 'sides'>} board
 */
export function waysOver({ sides }) {
  const first = (/** @type {number} */ side) =>
    sides.slice(0, side % sides.length).reduce((sum, { spots }) => sum + spots.length, 0);
  // The nth spot of a side, or its last one. Sides are counted around the box, so side 4 of a square is side 0.
  const at = (/** @type {number} */ side, nth = 0) =>
    first(side) + Math.min(nth, (sides[side % sides.length]?.spots.length ?? 1) - 1);
  return [
    [at(0), at(1, 1), at(2), at(3, 1)],
    [at(3, 1), at(4, 2), at(5), at(6, 2)],
  ];
}

/** How to play, as a loop of five seconds over a box. @param {BoardView} board @param {number[][]} shown spots of two words */
export function howToPlay({ size, sides }, shown = waysOver({ sides })) {
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

/** Shows it over the box on a first visit, until a tap or a key. @param {HTMLElement} panel @param {BoardView} board */
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
