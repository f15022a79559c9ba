import { element } from '../../../pages/browser/element.js';

/** @import { Inline, Line } from './server.js' */

/** The bot's time minus the machine's: its clock can be moved. */
let ahead = 0;

/** @param {number} now */
export function setClock(now) {
  ahead = now - Date.now();
}

export function botNow() {
  return Date.now() + ahead;
}

/** @param {Line} line */
export function renderLine(line) {
  const pieces = Array.isArray(line) ? line : [line];
  return pieces.map(renderInline);
}

/** Everything becomes text of an element: nothing that was typed is ever read as HTML. @param {Inline} inline */
export function renderInline(inline) {
  if (typeof inline === 'string') return document.createTextNode(inline);
  if ('bold' in inline) return element('strong', {}, inline.bold);
  if ('code' in inline) return element('code', {}, inline.code);
  if ('command' in inline) return element('code', {}, `/letterboxed ${inline.command}`);
  if ('person' in inline) return element('span', { class: 'mention' }, `@${nameOf(inline.person)}`);
  if ('channel' in inline) return document.createTextNode(`#${inline.channel}`);
  if ('link' in inline)
    return element('a', { href: inline.link, rel: 'noreferrer', target: '_blank' }, inline.label);
  const moment = new Date(inline.moment);
  const full = moment.toLocaleString([], { dateStyle: 'full', timeStyle: 'short' });
  const attributes = { datetime: moment.toISOString(), title: full };
  return inline.style === 'relative'
    ? element('time', { ...attributes, class: 'relative' }, relative(moment.getTime() - botNow()))
    : element('time', attributes, formatMoment(moment, inline.style));
}

/** How long it is until a moment, or since, changes as time goes by. */
export function renewMoments() {
  for (const time of document.querySelectorAll('time.relative')) {
    const text = relative(Date.parse(/** @type {HTMLTimeElement} */ (time).dateTime) - botNow());
    if (time.textContent !== text) time.textContent = text;
  }
}

/** @param {string} id */
function nameOf(id) {
  const option = document.querySelector(`#person option[value="${CSS.escape(id)}"]`);
  return option?.textContent?.split(' ')[0] ?? id;
}

/** @param {Date} moment @param {string} style */
function formatMoment(moment, style) {
  switch (style) {
    case 'date':
      return moment.toLocaleDateString([], { dateStyle: 'long' });
    case 'time':
      return moment.toLocaleTimeString([], { timeStyle: 'short' });
    default:
      return moment.toLocaleString([], { dateStyle: 'long', timeStyle: 'short' });
  }
}

/** @param {number} milliseconds */
function relative(milliseconds) {
  const format = new Intl.RelativeTimeFormat([], { numeric: 'auto' });
  const minutes = Math.round(milliseconds / 60_000);
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 36 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day');
}
