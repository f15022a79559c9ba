import { ask } from './ask.js';
import { BoardPanel } from './board.js';
import { find, tellTrouble } from './element.js';
import { helper } from './help.js';

/** A person of a chat, whose game the server keeps. @type {import('./game.js').Referee} */
const own = {
  async play(moves, version) {
    const { game } = await ask('play', { moves, ...(version !== undefined && { version }) });
    // In this tab a visitor may have played the board, whose letters are not this person's.
    return { ...game, game: `own ${game.game}` };
  },
  tellTrouble,
};

// A link that was opened here before.
if (location.hash !== '') history.replaceState(null, '', location.pathname);
/** @type {(what: 'hint' | 'hunt' | 'review' | 'reveal' | 'share') => import('./board.js').Ask} */
const help = helper(ask);
const place = find(document, '#board', HTMLElement);
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
