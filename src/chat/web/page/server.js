import { NotReached } from '../../../pages/browser/game.js';

/** @import { Board, Game } from '../../../pages/browser/game.js' */

/**
 * What the page asks of its server. The shapes are defined in view.ts, request-handlers.ts and autocomplete.ts beside this
 * folder.
 *
 * @typedef {{ bold: string } | { code: string } | { moment: number, style: string } | { link: string, label: string } | { command: string } | { person: string }} Piece
 * @typedef {string | Piece} Inline
 * @typedef {Inline | Inline[]} Line
 * @typedef {{ label: string, value: string, look: string }} Button
 * @typedef {string | number | { person: string }} Cell
 * @typedef {{ caption: string, columns: { label: string, short?: string, isNumber?: boolean }[], rows: Cell[][] }} Table
 * @typedef {{ kind: 'text', lines: Line[] } | { kind: 'facts', facts: { label: string, value: Inline }[] } | { kind: 'table', table: Table } | { kind: 'picture', source: string, alt: string, spoiler: boolean } | { kind: 'board', block: number, board: Board } | { kind: 'spoiler', label: string, block: number } | { kind: 'opened', label: string, lines: Line[] } | { kind: 'menu', label: string, choices: { label: string, description?: string, value: string }[] } | { kind: 'buttons', buttons: Button[] } | { kind: 'note', line: Line } | { kind: 'file', name: string, source: string }} Block
 * @typedef {{ id: string, at: number, thread?: string, title: string, blocks: Block[], private: boolean, asker?: { name: string, asked: string } }} Message
 * @typedef {{ id: string, title: string, opener: string, closed: boolean }} Thread
 * @typedef {{ name: string, label: string, hint?: string, placeholder?: string, required: boolean, value?: string, long?: boolean }} Field
 * @typedef {{ title: string, submit: string, fields: Field[], value: string }} Form
 * @typedef {{ line: string, label: string, about: string }} Suggestion
 */

/**
 * Posts to the server. What it refuses is thrown as an error with a sentence for people.
 *
 * @param {string} path
 * @param {Record<string, unknown>} fields
 * @returns {Promise<{ form?: Form, suggestions?: Suggestion[], lines?: Line[], game?: Game, trouble?: string, now?: number, moved?: boolean }>}
 */
export async function ask(path, fields) {
  let response;
  try {
    response = await fetch(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    });
  } catch {
    throw new NotReached('The bot is not running. Start it again: this page comes back by itself.');
  }
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.trouble);
  return answer;
}

const status = /** @type {HTMLElement} */ (document.querySelector('#status'));

/** Says something to the person, to screen readers too. @param {string} text */
export function tell(text) {
  status.textContent = text;
}

/** Takes back what was said, unless something else was said since. @param {string} text */
export function untell(text) {
  if (status.textContent === text) tell('');
}

/** @param {unknown} error */
export function tellTrouble(error) {
  tell(error instanceof Error ? error.message : String(error));
}
