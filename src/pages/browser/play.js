import { ask } from './ask.js';
import { BoardPanel } from './board.js';
import { find, tellTrouble } from './element.js';
import { KEPT_GAMES, keepDay, keepGame, readGame, streakLine } from './kept.js';

/** @import { Board, Referee } from './game.js' */

const place = find(document, '#board', HTMLElement);
/** @type {Board} */
const board = JSON.parse(place.dataset.board ?? '');
const sides = board.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join('-');
const { day } = place.dataset;
/** What a visitor may show to others. */
let result = '';

/** A visitor: the server judges each word, and this browser keeps the game. @type {Referee} */
const visitor = {
  async play(moves, version) {
    const before = readGame(sides);
    // Another tab may have gone on with this game: nothing is played over what it kept.
    const isElsewhere = version !== undefined && version !== before.version;
    const made = isElsewhere ? '' : moves;
    const { game, saved, isLate, days } = await ask('play', {
      moves: made,
      ...(before.saved !== undefined && { saved: before.saved }),
      ...(before.isRevealed && { isShown: true }),
    });
    if (readGame(sides).version !== before.version) return visitor.play('', -1);
    const next = made === '' ? before.version : before.version + 1;
    if (made !== '') keepGame(sides, { saved, version: next });
    if (day !== undefined && game.words.length > 0)
      keepDay(day, {
        words: game.words.length,
        isSolved: game.solved !== undefined,
        isLate,
      });
    if (days !== undefined) game.solved?.lines.push(streakLine(days));
    // With how much help, after the line that names the board.
    result = (game.solved?.share ?? '').replace('\n', ` · ${helpText()}\n`);
    return { ...game, version: next, isElsewhere };
  },
  tellTrouble,
};

/** A person of a chat, whose game the server keeps. @type {Referee} */
const own = {
  async play(moves, version) {
    const { game } = await ask('play', { moves, ...(version !== undefined && { version }) });
    // In this tab a visitor may have played the board, whose letters are not this person's.
    return { ...game, game: `own ${game.game}` };
  },
  tellTrouble,
};

/** The hints that are shown, and the words that they go on from. */
let shown = { words: '', hints: '' };

/** @param {'hint' | 'hunt' | 'review' | 'reveal' | 'share'} what @returns {import('./board.js').Ask} */
const help = (what) => async (words) => {
  const hints = shown.words === words.join() ? shown.hints : '';
  const answer = await ask('help', { ask: what, words, ...(hints !== '' && { shown: hints }) });
  if (what === 'hint') shown = { words: words.join(), hints: answer.shown ?? '' };
  if (!isOwn && !played.isSolved) {
    const { hints = 0 } = readGame(sides);
    keepGame(sides, what === 'hint' ? { hints: hints + 1 } : { isRevealed: true });
  }
  return answer;
};

/** What a visitor used on this board. */
function helpText() {
  const { hints = 0, isRevealed } = readGame(sides);
  if (isRevealed) return 'with the solution';
  return hints === 0 ? 'no hints' : hints === 1 ? '1 hint' : `${hints} hints`;
}

/** Gives a visitor's result to another program or the clipboard, else to be copied by hand. */
async function shareResult() {
  if (navigator.share !== undefined) {
    // Who closes the list of programs has changed their mind.
    await navigator.share({ text: result }).catch(() => undefined);
    return undefined;
  }
  const isCopied = await navigator.clipboard?.writeText(result).then(
    () => true,
    () => false,
  );
  const title = isCopied ? 'Copied: paste it where you like' : 'Copy your result';
  return { title, parts: [{ lines: result.split('\n') }] };
}

// A personal link that was opened here before.
if (location.hash !== '') history.replaceState(null, '', location.pathname);
const isOwn = place.dataset.kind === 'own';
const helps = {
  hint: help('hint'),
  reveal: help('reveal'),
  level: 2,
  share: isOwn ? help('share') : shareResult,
  ...(isOwn && { review: help('review'), hunt: help('hunt') }),
  ...(isOwn && { price: 'In your result, it counts as all hints.' }),
};
const played = new BoardPanel(board, isOwn ? own : visitor, helps);
place.replaceChildren(played.panel);
// In another tab, or in the chat.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) played.refresh();
});
addEventListener('storage', ({ key }) => {
  if (!isOwn && key === KEPT_GAMES) played.refresh();
});
