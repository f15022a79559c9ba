import { element, folded, shape } from './dom.js';

/** @import { EndingView } from './view.ts' */

/** The radius of the ring of points. */
const RADIUS = 42;
/** What the dots of the week mean, for screen readers. */
const SPOKEN_DAYS = { solved: 'solved', late: 'solved after its day', begun: 'begun', none: 'not played' };

/**
 * What is shown below a solved board.
 *
 * @param {Pick<EndingView, 'week' | 'untilNext' | 'onwards'>} solved
 * @param {{ main: HTMLElement[], more: HTMLElement[] }} buttons what can be done now, and what is asked for less often
 */
export function renderEnding({ week, untilNext, onwards }, { main, more }) {
  const next = [
    ...(untilNext === undefined ? [] : [countdown(untilNext)]),
    ...(onwards === undefined ? [] : [element('a', { href: onwards.href }, onwards.label)]),
  ];
  return [
    ...(week === undefined ? [] : [weekRow(week)]),
    element('div', { class: 'buttons' }, ...main),
    ...(next.length === 0 ? [] : [element('p', { class: 'next' }, ...next)]),
    folded('More', more),
  ];
}

/** The points of a solution, beside its rank. @param {number} points */
export function ring(points) {
  const circle = { cx: 50, cy: 50, r: RADIUS, pathLength: 100 };
  return element(
    'span',
    { class: 'score' },
    shape(
      'svg',
      { viewBox: '0 0 100 100', 'aria-hidden': 'true' },
      shape('circle', circle),
      shape('circle', { ...circle, class: 'part', 'stroke-dasharray': `${points} 100` }),
      shape('text', { x: 50, y: 64 }, document.createTextNode(String(points))),
    ),
    element('span', { class: 'unseen' }, `${points} of 100 points`),
  );
}

/** @param {NonNullable<EndingView['week']>} week */
function weekRow({ days, streak }) {
  const dots = days.map(({ name, is }) =>
    element(
      'li',
      { class: `is-${is}` },
      element('span', { 'aria-hidden': 'true' }, name.slice(0, 1)),
      element('span', { class: 'unseen' }, `${name}: ${SPOKEN_DAYS[is]}`),
    ),
  );
  const said = streak === 1 ? 'A streak begins' : `${streak} days in a row`;
  return element(
    'div',
    { class: 'week' },
    element('ol', { 'aria-label': 'Your week' }, ...dots),
    ...(streak > 0 ? [element('strong', {}, said)] : []),
  );
}

/** @param {number} untilNext Milliseconds from now: this device's clock may be wrong. */
function countdown(untilNext) {
  const until = Date.now() + untilNext;
  const shown = element('span', { 'aria-live': 'off' });
  const show = () => {
    const minutes = Math.ceil((until - Date.now()) / 60_000);
    const hours = Math.floor(minutes / 60);
    shown.textContent =
      minutes > 0
        ? `Next board in ${hours > 0 ? `${hours} h ` : ''}${minutes % 60} min`
        : 'The next board is here.';
    if (shown.isConnected && minutes > 0) setTimeout(show, 20_000);
  };
  show();
  // By then it is on the page, where it goes on by itself.
  setTimeout(show, 1_000);
  return shown;
}
