import { announce, find, post, send } from '../board/dom.js';

/** @import { Answer } from './views.ts' */

const UNREACHED_NOTE = 'The bot is not running. Start it again: this page comes back by itself.';

/** Chooses who uses the page. */
export const people = find(document, '#person', HTMLSelectElement);

/**
 * Asks the server, in the name of who uses the page. A refusal is thrown as an error with a sentence for people.
 *
 * @param {string} path @param {Record<string, unknown>} fields @returns {Promise<Answer>}
 */
export async function ask(path, fields) {
  const { timeZone: zone } = Intl.DateTimeFormat().resolvedOptions();
  const answer = await post(path, { person: people.value, zone, ...fields }, UNREACHED_NOTE);
  // A suggestion, requested while typing, must not remove the note before it is read.
  if (path !== '/suggest' && find(document, '#status', HTMLElement).textContent === UNREACHED_NOTE)
    announce('');
  return answer;
}

/** Sends a picture. @param {HTMLCanvasElement} canvas @param {string | undefined} thread @returns {Promise<Answer>} */
export async function askWithPicture(canvas, thread) {
  /** @type {Blob | null} */
  const picture = await new Promise((resolve) => canvas.toBlob(resolve, 'image/png'));
  const asker = new URLSearchParams({ person: people.value, ...(thread !== undefined && { thread }) });
  return send(`/see?${asker}`, 'image/png', picture ?? '', UNREACHED_NOTE);
}
