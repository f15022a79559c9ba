import { counted } from '../../core/text.ts';
import { BoardPanel } from '../../pages/browser/board.js';
import { find, tellTrouble } from '../../pages/browser/element.js';
import { helper } from '../../pages/browser/help.js';
import { ask } from './ask.js';
import { tellFrame } from './embed.js';
import { KEPT_GAMES, keepDay, keepGame, readGame, streakLine } from './kept.js';

/** @import { Board, Referee } from '../../pages/browser/game.js' */

const place = find(document, '#board', HTMLElement);
/** @type {Board} */
const board = JSON.parse(place.dataset.board ?? '');
const sides = board.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join('-');
const { day } = place.dataset;
/** The result that may be shown to others. */
let result = '';

/** The worker judges each word, and this browser keeps the game. @type {Referee} */
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
    if (made !== '' && game.solved !== undefined) {
      const { hints = 0, isRevealed = false } = readGame(sides);
      tellFrame({ ...(day !== undefined && { day }), words: game.words.length, hints, isRevealed });
    }
    if (days !== undefined) game.solved?.lines.push(streakLine(days));
    // With how much help, after the line that names the board.
    result = (game.solved?.share ?? '').replace('\n', ` · ${helpText()}\n`);
    return { ...game, version: next, isElsewhere };
  },
  tellTrouble,
};

const askHelp = helper(ask);
/** @param {'hint' | 'reveal'} what @returns {import('../../pages/browser/board.js').Ask} */
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

const played = new BoardPanel(board, visitor, {
  hint: help('hint'),
  reveal: help('reveal'),
  share: shareResult,
  level: 2,
});
place.replaceChildren(played.panel);
// In another tab.
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) played.refresh();
});
addEventListener('storage', ({ key }) => {
  if (key === KEPT_GAMES) played.refresh();
});
