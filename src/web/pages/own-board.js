import { BoardPanel } from '../board/board.js';
import { announce, announceError, find, post, working } from '../board/dom.js';
import { helper } from '../board/game.js';
import { showOnce } from '../board/how.js';
import { takePictures } from '../board/picture.js';
import { RacePanel } from './race.js';

const FOR_ONE_BOARD = 'This page is for its own board. Send the picture in the chat, with solve.';
// Every page that imports this refuses pictures: the browser would leave the page for one that is dropped on it.
takePictures(() => announceError(FOR_ONE_BOARD), announceError);

/**
 * Posts to a page's address, such as `/play/ID/help`.
 *
 * @param {string} page
 * @param {string} what
 * @param {Record<string, unknown>} fields
 * @returns {Promise<any>} As the routes of personal-pages.ts answer.
 */
export async function ask(page, what, fields) {
  const answer = await post(`${page}/${what}`, fields);
  // Clears the error of an earlier try.
  announce('');
  return answer;
}

/**
 * Shows the race of a page's channel, whose board takes the place of the page's own.
 *
 * @param {string} page @param {HTMLElement} place of the board
 */
export function addRace(page, place) {
  const panel = new RacePanel(page, (racePage, view) => {
    const board = ownBoard(racePage, view);
    place.replaceChildren(board);
    // The button Start, which had the focus, is gone.
    board.focus({ preventScroll: true });
    find(document, 'h1', HTMLElement).textContent = 'Race';
    find(document, '#par', HTMLElement).textContent = '';
    // The button Start is below the board, and the race's board is to be seen whole.
    scrollTo(0, 0);
  });
  find(document, '#race', HTMLElement).replaceChildren(panel.element);
  return panel;
}

/**
 * The board of a person of a chat, whose game the server keeps.
 *
 * @param {string} page The address of their page of this board.
 * @param {import('../board/view.ts').BoardView} board
 * @param {(game: import('../board/view.ts').GameView) => void} [onGame] gets each state of the game
 */
export function ownBoard(page, board, onGame) {
  /** @type {import('../board/game.js').MakeMoves} */
  const own = async (moves, version, sent) => {
    const { game } = await working(ask(page, 'play', { moves, version, sent }));
    onGame?.(game);
    return game;
  };
  const help = helper((what, fields) => working(ask(page, what, fields)));
  const { element } = new BoardPanel(board, own, { ask: help, level: 2 });
  showOnce(element, board);
  return element;
}
