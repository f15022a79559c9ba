import { ask, tellTrouble } from './ask.js';
import { BoardPanel } from './board.js';
import { element, find } from './element.js';

/** @import { Board, Referee } from './game.js' */

/** Boards that a browser keeps for a visitor; the oldest is forgotten first. */
const MOST_KEPT = 30;
const KEPT = 'letterboxed-games';

const place = find(document, '#board', HTMLElement);
/** @type {Board} */
const board = JSON.parse(place.dataset.board ?? '');
const sides = board.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join('-');

/** Where browsers keep nothing, a game lasts as long as its page. @type {[string, unknown][]} */
let games = [];

/** @returns {[string, unknown][]} */
function readGames() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEPT) ?? '[]');
    if (Array.isArray(kept)) games = kept;
  } catch {
    // Storage is switched off, or holds something else.
  }
  return games;
}

/** @param {unknown} saved */
function keep(saved) {
  /** @type {[string, unknown]} */
  const latest = [sides, saved];
  games = [latest, ...readGames().filter(([other]) => other !== sides)].slice(0, MOST_KEPT);
  try {
    localStorage.setItem(KEPT, JSON.stringify(games));
  } catch {
    // The game lasts as long as its page.
  }
}

/** Nobody in particular: the server judges each word, and this browser keeps the game. @type {Referee} */
const visitor = {
  async play(moves) {
    const saved = readGames().find(([one]) => one === sides)?.[1];
    const answer = await ask('play', { moves, ...(saved !== undefined && { saved }) });
    if (moves !== '') keep(answer.saved);
    return answer.game;
  },
  tellTrouble,
};

/** A person of a chat, whose game the server keeps. @type {Referee} */
const own = {
  async play(moves, version) {
    const { game } = await ask('play', { moves, ...(version !== undefined && { version }) });
    return game;
  },
  tellTrouble,
};

const answer = element('section', { class: 'answer', 'aria-live': 'polite', 'aria-label': 'Help' });
/** The hints that are shown, and the words that they go on from. */
let shown = { words: '', hints: '' };

/** @param {'hint' | 'reveal'} what @returns {import('./board.js').Ask} */
const help = (what) => async (words) => {
  const hints = shown.words === words.join() ? shown.hints : '';
  const {
    title,
    parts,
    shown: next,
  } = await ask('help', {
    ask: what,
    words,
    ...(hints !== '' && { shown: hints }),
  });
  if (what === 'hint') shown = { words: words.join(), hints: next ?? '' };
  answer.replaceChildren(
    element('h2', {}, title),
    ...parts.map((/** @type {Part} */ part) => renderPart(part, what === 'hint')),
  );
  answer.scrollIntoView({ block: 'nearest' });
};

/** @typedef {{ label?: string, lines: string[] }} Part */

/** Who asks for a hint sees it; a solution is opened part by part. @param {Part} part @param {boolean} isOpen */
function renderPart({ label, lines }, isOpen) {
  const shownLines = lines.map((line) => element('p', {}, line));
  if (label === undefined) return element('div', { class: 'note' }, ...shownLines);
  return element('details', isOpen ? { open: '' } : {}, element('summary', {}, label), ...shownLines);
}

// A personal link that was opened here before.
if (location.hash !== '') history.replaceState(null, '', location.pathname);
const referee = place.dataset.kind === 'own' ? own : visitor;
const { panel } = new BoardPanel(board, referee, { hint: help('hint'), reveal: help('reveal') });
place.replaceChildren(panel, answer);
