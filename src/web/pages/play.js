import { announce, announceError, find, Unreachable } from '../board/dom.js';
import { addRace, ask, ownBoard } from './own-board.js';

const NEEDS_COOKIE =
  'Your browser keeps no cookies here, and this page needs one. Allow it, and reload the page.';

/** Exchanges the token of a personal link for a session. @param {string} token */
async function arrive(token) {
  announce('Opening your board.');
  try {
    // A link works only once.
    if (!navigator.cookieEnabled) throw new Unreachable(NEEDS_COOKIE);
    await ask(location.pathname, 'open', { token });
    location.reload();
  } catch (error) {
    // A reload tries again.
    if (error instanceof Unreachable) history.replaceState(null, '', `#${token}`);
    announceError(error);
  }
}

const token = location.hash.slice(1);
// A newer link of this page in the same tab changes only this.
addEventListener('hashchange', () => location.reload());
// Removed from the address even if the session exists already.
if (token !== '') history.replaceState(null, '', location.pathname);
if (document.querySelector('#board') !== null) {
  const place = find(document, '#board', HTMLElement);
  place.replaceChildren(ownBoard(location.pathname, JSON.parse(place.dataset.board ?? '')));
  addRace(location.pathname, place);
} else if (token !== '') void arrive(token);
else announceError(find(document, '#status', HTMLElement).dataset.trouble);
