import { BoardPanel } from '../board/board.js';
import { announceError, button, element, factList, find } from '../board/dom.js';
import { helper } from '../board/game.js';
import { ask, people } from './ask.js';

/** @import { Cell, Inline, Line, Table } from '../../reply/model/types.ts' */
/** @import { BlockView as Block, ButtonView, MessageView as Message, Thread } from './views.ts' */

/** @typedef {(message: Message, value: string) => void} Press A button's value, or a choice's, with its message. */

/**
 * One message as an item of the list.
 *
 * @param {Message} message @param {Press} press
 * @param {(block: number) => Element | null} boardThere the board that a block has shown until now
 */
export function renderMessage(message, press, boardThere = () => null) {
  const at = new Date(message.at);
  const time = element(
    'time',
    { datetime: at.toISOString() },
    at.toLocaleString([], { weekday: 'short', hour: 'numeric', minute: '2-digit' }),
  );
  const article = element('article', {
    'aria-label': `${message.title}${message.private ? ', only you can see this' : ''}`,
  });
  if (message.asker !== undefined) {
    const { name, asked } = message.asker;
    article.append(element('p', { class: 'asked' }, `${name} asked: `, element('code', {}, asked)));
  }
  article.append(
    element(
      'p',
      { class: 'by' },
      element('strong', {}, 'Letter Boxed'),
      element('span', { class: 'badge' }, 'bot'),
      time,
    ),
    element('h2', {}, message.title),
    ...message.blocks.map(
      (block) => (block.kind === 'board' && boardThere(block.block)) || renderBlock(block, message, press),
    ),
  );
  if (message.private) article.append(element('p', { class: 'private' }, 'Only you can see this'));
  return element(
    'li',
    { id: message.id, class: message.private ? 'message is-private' : 'message' },
    article,
  );
}

/** The link from a message to its thread. @param {Thread} thread @param {number} count @param {() => void} open */
export function renderThreadLink(thread, count, open) {
  const said = count === 1 ? '1 message' : `${count} messages`;
  const label = `${thread.title} · ${said}${thread.closed ? ' · closed' : ''}`;
  return button(label, open, 'thread-link');
}

/** @param {Block} block @param {Message} message @param {Press} press */
function renderBlock(block, message, press) {
  switch (block.kind) {
    case 'text':
      return element('div', { class: 'text' }, ...paragraphs(block.lines));
    case 'facts':
      return factList(block.facts.map(({ label, value }) => [label, renderInline(value)]));
    case 'table':
      return table(block.table);
    case 'picture':
      return block.spoiler ? hiddenPicture(block) : picture(block);
    case 'board':
      return board(block, message, press);
    case 'spoiler':
      return spoiler(block, message);
    case 'opened':
      return element('div', { class: 'opened' }, element('h3', {}, block.label), ...paragraphs(block.lines));
    case 'menu':
      return menu(block, message, press);
    case 'buttons':
      return element('div', { class: 'buttons' }, ...pressable(block.buttons, message, press));
    case 'note':
      return element('p', { class: 'note' }, ...renderLine(block.line));
    case 'file':
      return element(
        'p',
        {},
        element('a', { href: block.source, download: block.name, class: 'file' }, block.name),
      );
  }
}

/** @param {readonly ButtonView[]} buttons @param {Message} message @param {Press} press */
function pressable(buttons, message, press) {
  return buttons.map(({ label, value, look }) => {
    // The second click of a double one may meet a button that has taken the place of this one.
    const act = (/** @type {MouseEvent} */ { detail }) => detail < 2 && press(message, value);
    return button(label, act, look);
  });
}

/** @param {Table} shown */
function table({ caption, columns, rows }) {
  /** @returns {Record<string, string>} */
  const lookOf = ({ isNumber = false }) => (isNumber ? { class: 'number' } : {});
  const looks = columns.map(lookOf);
  const heads = columns.map(({ label, short = label }, at) =>
    element(
      'th',
      { scope: 'col', ...looks[at] },
      element('span', { class: 'wide' }, label),
      element('span', { class: 'narrow' }, short),
    ),
  );
  return element(
    'div',
    { class: 'data-table' },
    element(
      'table',
      {},
      element('caption', {}, caption),
      element('thead', {}, element('tr', {}, ...heads)),
      element('tbody', {}, ...rows.map((row) => element('tr', {}, ...row.map(renderCell)))),
    ),
  );

  /** The cell that names the row's person is its heading. @param {Cell} cell @param {number} at */
  function renderCell(cell, at) {
    if (typeof cell === 'object') return element('th', { scope: 'row' }, renderInline(cell));
    return element(
      'td',
      looks[at] ?? {},
      typeof cell === 'number' ? String(Math.round(cell * 10) / 10) : cell,
    );
  }
}

/** A board to play. @param {Block & { kind: 'board' }} shown @param {Message} message @param {Press} press */
function board({ block, board: sides, controls }, message, press) {
  // The board belongs to this person: letters may be saved after the page switched to somebody else.
  const person = people.value;
  const address = { person, thread: message.thread, message: message.id, block };
  const help = helper((_, fields) => ask('/help', { ...address, ...fields }));
  /** @type {import('../board/game.js').MakeMoves} */
  const play = async (moves, version, sent) => {
    const { game, trouble } = await ask('/play', { ...address, moves, version, sent });
    if (game === undefined) throw new Error(trouble);
    // Boards with the same `game` share moves; two people's must not.
    return { ...game, game: `${person} ${game.game}` };
  };
  const more = pressable(controls, message, press);
  const { element: made } = new BoardPanel(sides, play, { ask: help, more });
  made.dataset.block = String(block);
  return made;
}

/**
 * A picture in the page's colours. An unsolved board, such as a relay's, is small, so as not to look playable.
 *
 * @param {Block & { kind: 'picture' }} block
 */
function picture({ source, alt, spoiler, isEnding }) {
  return element(
    'picture',
    {},
    element('source', { media: '(prefers-color-scheme: dark)', srcset: `${source}&look=dark` }),
    element('img', {
      src: source,
      alt,
      width: '800',
      height: '800',
      class: spoiler || isEnding ? 'picture' : 'picture is-small',
    }),
  );
}

/** A picture that is requested from the server only when it is opened. @param {Block & { kind: 'picture' }} block */
function hiddenPicture(block) {
  const cover = button(
    'Hidden picture: show it',
    () => {
      const shown = picture(block);
      cover.replaceWith(shown);
      const image = shown.querySelector('img');
      image?.setAttribute('tabindex', '-1');
      image?.focus();
    },
    'cover',
  );
  cover.setAttribute('aria-expanded', 'false');
  return cover;
}

/**
 * A spoiler whose content stays on the server until somebody opens it.
 *
 * @param {{ label: string, block: number }} block @param {Message} message
 */
function spoiler({ label, block }, message) {
  const hidden = element('div', { class: 'hidden-lines' });
  const shown = element(
    'details',
    { class: 'spoiler' },
    element(
      'summary',
      {},
      element('span', {}, label),
      element('span', { class: 'veil', 'aria-hidden': 'true' }),
    ),
    hidden,
  );
  /** @type {Promise<void> | undefined} */
  let filled;
  async function fill() {
    const { lines = [] } = await ask('/open', { message: message.id, block });
    hidden.append(...paragraphs(lines));
  }
  shown.addEventListener('toggle', async () => {
    if (!shown.open) return;
    try {
      filled ??= fill();
      await filled;
      shown.closest('li')?.scrollIntoView({ block: 'nearest' });
    } catch (error) {
      filled = undefined;
      shown.open = false;
      announceError(error);
    }
  });
  return shown;
}

/** @param {Block & { kind: 'menu' }} block @param {Message} message @param {Press} press */
function menu({ label, choices }, message, press) {
  const select = element(
    'select',
    { 'aria-label': label },
    element('option', { value: '' }, label),
    ...choices.map((choice) =>
      element('option', { value: choice.value }, `${choice.label}: ${choice.description}`),
    ),
  );
  select.addEventListener('change', () => {
    if (select.value !== '') press(message, select.value);
    select.value = '';
  });
  return element('p', { class: 'menu' }, select);
}

/** The bot's time minus the machine's: the bot's clock can be moved. */
let ahead = 0;

/** @param {number} now */
export function setClock(now) {
  ahead = now - Date.now();
}

export function botNow() {
  return Date.now() + ahead;
}

/** @param {readonly Line[]} lines */
function paragraphs(lines) {
  return lines.map((line) => element('p', {}, ...renderLine(line)));
}

/** @param {Line} line */
function renderLine(line) {
  const pieces = Array.isArray(line) ? line : [line];
  return pieces.map(renderInline);
}

/** Everything becomes the text of an element, so typed text is never parsed as HTML. @param {Inline} inline */
function renderInline(inline) {
  if (typeof inline === 'string') return document.createTextNode(inline);
  if ('bold' in inline) return element('strong', {}, inline.bold);
  if ('code' in inline) return element('code', {}, inline.code);
  if ('command' in inline) return commandButton(inline.command);
  if ('person' in inline) return element('span', { class: 'mention' }, `@${nameOf(inline.person)}`);
  if ('channel' in inline) return document.createTextNode(`#${inline.channel}`);
  // A link to a thread of this page opens the thread.
  if ('link' in inline && inline.link.startsWith('#'))
    return element('a', { href: inline.link }, inline.label);
  if ('link' in inline)
    return element('a', { href: inline.link, rel: 'noreferrer', target: '_blank' }, inline.label);
  const moment = new Date(inline.moment);
  const title = moment.toLocaleString([], { dateStyle: 'full', timeStyle: 'short' });
  // In the log, screen readers would read out each change of a time.
  const attributes = { datetime: moment.toISOString(), title, 'aria-live': 'off' };
  return inline.style === 'relative'
    ? element('time', { ...attributes, class: 'relative' }, relative(moment.getTime() - botNow()))
    : element('time', attributes, moment.toLocaleString([], MOMENTS[inline.style] ?? WHOLE_MOMENT));
}

/** Puts the command into the input line, where it can be completed, as Discord does. @param {string} command */
function commandButton(command) {
  const made = button(`/letterboxed ${command}`, complete, 'command');
  return made;

  function complete() {
    const input = find(made.closest('.pane') ?? document, '.composer input', HTMLInputElement);
    input.value = command;
    input.focus();
    input.dispatchEvent(new Event('input'));
  }
}

/** Updates relative times as time passes. */
export function renewMoments() {
  for (const time of document.querySelectorAll('time.relative')) {
    const text = relative(Date.parse(/** @type {HTMLTimeElement} */ (time).dateTime) - botNow());
    if (time.textContent !== text) time.textContent = text;
  }
}

/** @param {string} id */
function nameOf(id) {
  const option = [...people.options].find(({ value }) => value === id);
  return option?.textContent?.split(' ')[0] ?? id;
}

/** @type {Intl.DateTimeFormatOptions} */
const WHOLE_MOMENT = { dateStyle: 'long', timeStyle: 'short' };
/** The formats of styles; WHOLE_MOMENT is that of `full`. @type {Record<string, Intl.DateTimeFormatOptions>} */
const MOMENTS = {
  date: { dateStyle: 'long' },
  time: { timeStyle: 'short' },
  weekday: { dateStyle: 'full', timeStyle: 'short' },
};

/** @param {number} milliseconds */
function relative(milliseconds) {
  const format = new Intl.RelativeTimeFormat([], { numeric: 'auto' });
  if (Math.abs(milliseconds) < 60_000) return format.format(Math.round(milliseconds / 1_000), 'second');
  const minutes = Math.round(milliseconds / 60_000);
  if (Math.abs(minutes) < 60) return format.format(minutes, 'minute');
  const hours = Math.round(minutes / 60);
  return Math.abs(hours) < 36 ? format.format(hours, 'hour') : format.format(Math.round(hours / 24), 'day');
}
