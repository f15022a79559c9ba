import { BoardPanel } from '../board/board.js';
import { find, post, tell, tellTrouble } from '../board/dom.js';
import { helper } from '../board/game.js';

/**
 * Posts to the page's own address.
 *
 * @param {'play' | 'open' | 'help'} what
 * @param {Record<string, unknown>} fields
 * @returns {Promise<any>} As the routes of board-pages.ts answer.
 */
async function ask(what, fields) {
  const address = `${location.pathname}/${what}`;
  const answer = await post(address, fields, 'There is no connection to the server. Try again.');
  tell('');
  return answer;
}

/** A personal link: its token is exchanged for a session, and then gone from the address. @param {string} token */
async function arrive(token) {
  tell('Opening your board.');
  try {
    await ask('open', { token });
    location.reload();
  } catch (error) {
    tellTrouble(error);
  }
}

/** A person of a chat, whose game the server keeps. @param {HTMLElement} place */
function play(place) {
  /** @type {(what: 'hint' | 'hunt' | 'review' | 'reveal' | 'share') => import('../board/game.js').Ask} */
  const help = helper(ask);
  /** @type {import('../board/game.js').Referee} */
  const own = async (moves, version) => {
    const { game } = await ask('play', { moves, version });
    // In this tab a visitor may have played the board, whose letters are not this person's.
    return { ...game, game: `own ${game.game}` };
  };
  const played = new BoardPanel(JSON.parse(place.dataset.board ?? ''), own, {
    hint: help('hint'),
    reveal: help('reveal'),
    price: 'In your result, it counts as all hints.',
    share: help('share'),
    review: help('review'),
    hunt: help('hunt'),
    level: 2,
  });
  place.replaceChildren(played.panel);
  // In another tab, or in the chat.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) played.refresh();
  });
}

const token = location.hash.slice(1);
// It is gone from the address, also where it was opened before.
if (token !== '') history.replaceState(null, '', location.pathname);
if (document.querySelector('#board') !== null) play(find(document, '#board', HTMLElement));
else if (token !== '') void arrive(token);
