import { counted } from '../../core/text.ts';
import { BoardPanel } from '../board/board.js';
import { find, tellTrouble } from '../board/dom.js';
import { helper } from '../board/game.js';
import { ask, keepFiles } from './ask.js';
import { KEPT_GAMES, keepDay, keepGame, readGame, streakLine } from './kept.js';

/** @import { Ask, Board, Referee } from '../board/game.js' */

/** The origin of the page around this one, as docs/hosting.md describes it, once it is known to be allowed. @type {string | undefined} */
let around;

/** Throws a sentence for people in a frame of an origin that the operator has not allowed. */
async function allowFrame() {
  if (window.parent === window) return;
  const response = await fetch('embed.json').catch(() => undefined);
  /** @type {string[]} */
  const allowed = response?.ok ? await response.json() : [];
  // Where browsers don't tell all pages around this one, the nearest is where its address was loaded from.
  const origins = location.ancestorOrigins
    ? [...location.ancestorOrigins]
    : [URL.parse(document.referrer)?.origin ?? ''];
  if (!origins.every((origin) => allowed.includes(origin)))
    throw new Error('This page may not show the board inside of it. Open the board by itself.');
  [around] = origins;
  for (const link of document.links) link.target = '_blank';
}

/** @param {{ day?: string, words: number, hints: number, isRevealed: boolean }} result */
function tellFrame(result) {
  if (around !== undefined) window.parent.postMessage({ type: 'letterboxed-solved', ...result }, around);
}

/** @param {Board} board @param {string} [day] */
function playBoard(board, day) {
  const sides = board.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join('-');
  /** The result that may be shown to others. */
  let result = '';

  /** The worker judges each word, and this browser keeps the game. @type {Referee} */
  async function play(moves, version) {
    const before = readGame(sides);
    // Another tab may have gone on with this game: nothing is played over what it kept.
    const isElsewhere = version !== undefined && version !== before.version;
    const made = isElsewhere ? '' : moves;
    const { saved: kept, isRevealed: isShown } = before;
    const { game, saved, isLate, days } = await ask('play', { moves: made, saved: kept, isShown }, day);
    if (readGame(sides).version !== before.version) return play('', -1);
    const next = made === '' ? before.version : before.version + 1;
    const isSolved = game.solved !== undefined;
    if (made !== '') keepGame(sides, { saved, version: next });
    if (day !== undefined && game.words.length > 0)
      keepDay(day, { words: game.words.length, isSolved, isLate });
    if (made !== '' && isSolved) {
      const { hints = 0, isRevealed = false } = readGame(sides);
      tellFrame({ day, words: game.words.length, hints, isRevealed });
    }
    if (days !== undefined) game.solved?.lines.push(streakLine(days));
    // With how much help, after the line that names the board.
    result = (game.solved?.share ?? '').replace('\n', ` · ${helpText()}\n`);
    return { ...game, version: next, isElsewhere };
  }

  const askHelp = helper((what, fields) => ask(what, fields, day));
  /** @param {'hint' | 'reveal'} what @returns {Ask} */
  const help = (what) => async (words) => {
    const answer = await askHelp(what)(words);
    if (!played.isSolved) {
      const { hints = 0 } = readGame(sides);
      keepGame(sides, what === 'hint' && !answer?.isAll ? { hints: hints + 1 } : { isRevealed: true });
    }
    return answer;
  };

  /** The help that was used on this board. */
  function helpText() {
    const { hints = 0, isRevealed } = readGame(sides);
    if (isRevealed) return 'all hints';
    return hints === 0 ? 'no hints' : counted(hints, 'hint');
  }

  /** Gives the result to another program or to the clipboard; otherwise shows it to be copied by hand. */
  async function shareResult() {
    if (navigator.share !== undefined) {
      // A visitor who closes the list of programs has changed their mind.
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

  const played = new BoardPanel(board, play, {
    hint: help('hint'),
    reveal: help('reveal'),
    share: shareResult,
    level: 2,
  });
  find(document, '#board', HTMLElement).replaceChildren(played.panel);
  // In another tab.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) played.refresh();
  });
  addEventListener('storage', ({ key }) => {
    if (key === KEPT_GAMES) played.refresh();
  });
}

/** Fills in the parts that a server would write into the page, and plays the board as there. */
try {
  await allowFrame();
  const { title, par, day, view } = await ask('board');
  document.title = `${title} · Letter Boxed`;
  find(document, 'h1', HTMLElement).textContent = title;
  if (par !== undefined) find(document, '#par', HTMLElement).textContent = `Par ${counted(par, 'word')}`;
  playBoard(view, day);
} catch (error) {
  tellTrouble(error);
}
void keepFiles();
