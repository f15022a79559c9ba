import { counted, longDate } from '../../core/text.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { BoardPanel } from '../board/board.js';
import { announceError, element, find } from '../board/dom.js';
import { helper } from '../board/game.js';
import { boardView } from '../pages/game-view.ts';
import { ask, cacheFiles } from './ask.js';
import { fetchGzip } from './download.ts';
import { readDays as readBoards } from './site.ts';
import { GAMES_KEY, readDays, readGame, storeDay, storeGame, streakOf, weekOf } from './storage.js';

/** @import { Ask, Board, Game, MakeMoves } from '../board/game.js' */

/** The origin of the page that frames this one, as docs/hosting.md describes it, once it is known to be allowed. @type {string | undefined} */
let around;

/** Throws a sentence for people if this page is framed by an origin that the operator has not allowed. */
async function allowFrame() {
  if (window.parent === window) return;
  const response = await fetch('embed.json').catch(() => undefined);
  /** @type {string[]} */
  const allowed = response?.ok ? await response.json() : [];
  // Browsers that don't list all framing pages tell at least where the nearest was loaded from.
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

/** The most solutions of a board to keep. */
const MAX_FOUND = 60;

/** @param {Board} board @param {string} [day] */
function playBoard(board, day) {
  const sides = board.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join('-');
  /** The result, as text to show to others. */
  let result = '';

  /** The worker judges each word, and this browser stores the game. @type {MakeMoves} */
  async function play(moves, version) {
    const before = readGame(sides);
    // Another tab may have continued this game: nothing is played over its moves.
    const isElsewhere = version !== undefined && version !== before.version;
    const made = isElsewhere ? '' : moves;
    const { saved: kept, isRevealed: isShown, hints, found = [] } = before;
    // Nothing was played yet, so letters can be entered before the word list arrives.
    if (kept === undefined && made === '') return fresh(before.version, isElsewhere);
    const asked = { moves: made, saved: kept, isShown, hints, found };
    const { game, saved, isLate, days } = await ask('play', asked, day);
    if (readGame(sides).version !== before.version) return play('', -1);
    const next = made === '' ? before.version : before.version + 1;
    const isSolved = game.solved !== undefined;
    if (made !== '') storeGame(sides, { saved, version: next });
    const { points } = game.solved?.score ?? {};
    if (day !== undefined && game.words.length > 0)
      storeDay(day, { words: game.words.length, isSolved, isLate, points });
    const solution = game.words.join(' ');
    if (isSolved && !found.includes(solution))
      storeGame(sides, { found: [...found, solution].slice(-MAX_FOUND) });
    if (made !== '' && isSolved) {
      const { hints = 0, isRevealed = false } = readGame(sides);
      tellFrame({ day, words: game.words.length, hints, isRevealed });
    }
    let streakText = '';
    if (game.solved !== undefined && days !== undefined) {
      const streak = streakOf(days);
      game.solved.week = { days: weekOf(days), streak };
      if (streak > 1) streakText = ` · ${streak} days in a row`;
      const [, yesterday] = days;
      if (!readDays().has(yesterday)) game.solved.yesterday = `./?day=${yesterday}`;
    }
    // Only this browser knows the streak.
    result = (game.solved?.share ?? '').replace('\n', `${streakText}\n`);
    return { ...game, game: sides, version: next, isElsewhere };
  }

  /** @param {number} version @param {boolean} isElsewhere @returns {Game} */
  function fresh(version, isElsewhere) {
    const left = board.sides.flatMap(({ spots }) => spots.map(({ letter }) => letter));
    const next = 2 ** left.length - 1;
    return {
      game: sides,
      version,
      words: [],
      lines: [],
      word: '',
      reached: [],
      next,
      used: 0,
      left,
      isElsewhere,
    };
  }

  const askHelp = helper((what, fields) => ask(what, fields, day));
  /** @param {'hint' | 'reveal'} what @returns {Ask} */
  const help = (what) => async (words) => {
    const answer = await askHelp(what)(words);
    if (played.solved === undefined) {
      const { hints = 0 } = readGame(sides);
      storeGame(sides, what === 'hint' && !answer?.isAll ? { hints: hints + 1 } : { isRevealed: true });
    }
    return answer;
  };

  /** Gives the result to another program or to the clipboard; otherwise shows it for copying by hand. */
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

  /** @type {Ask} */
  async function hunt() {
    const { hunt: progress } = played.solved ?? {};
    if (progress === undefined) return undefined;
    const { found, of } = progress;
    const lines =
      found < of
        ? [`${counted(of, 'solution')} can be found. Play again, and find another.`]
        : ['You have found every solution on the list.'];
    return { title: `The hunt: ${found} of ${of}`, parts: [{ lines }] };
  }

  const played = new BoardPanel(board, play, {
    hint: help('hint'),
    reveal: help('reveal'),
    share: shareResult,
    hunt,
    level: 2,
  });
  find(document, '#board', HTMLElement).replaceChildren(played.panel);
  find(document, '#print', HTMLButtonElement).addEventListener('click', async () => {
    find(document, '#printed', HTMLElement).textContent = await solutionToPrint();
    window.print();
  });

  /** The solution, printed upside down: the visitor's own, or that of a day that is over. Nothing else is given away on paper. */
  async function solutionToPrint() {
    if (played.solved !== undefined) return played.words.join(' – ').toUpperCase();
    if (day === undefined || day >= dateAt(Date.now())) return '';
    /** @type {import('../board/game.js').Answer} */
    const { parts } = await ask('help', { ask: 'reveal', words: [] }, day);
    const lines = parts.flatMap((part) => part.lines).filter((line) => /^[A-Z]{3,}/.test(line));
    return lines[0] ?? '';
  }

  // The game may have been played in another tab.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) played.refresh();
  });
  addEventListener('storage', ({ key }) => {
    if (key === GAMES_KEY) played.refresh();
  });
}

/**
 * Reads the day's board from the file of all days, which arrives long before the worker. The worker makes boards that are
 * not in the file.
 */
async function boardOfDays() {
  const { day = dateAt(Date.now()), board } = Object.fromEntries(new URLSearchParams(location.search));
  if (board !== undefined || day > dateAt(Date.now())) return undefined;
  const bytes = await fetchGzip('days.bin').catch(() => undefined);
  const date = /** @type {import('../../core/clock.ts').PuzzleDate} */ (day);
  const puzzle = bytes && readBoards(new TextDecoder().decode(bytes))(date);
  return puzzle && { title: longDate(date), par: puzzle.par, day, view: boardView(puzzle.board) };
}

/** Fills in what a server would write into the page, and starts the board. */
try {
  await allowFrame();
  const { title, par, day, view } = (await boardOfDays()) ?? (await ask('board'));
  document.title = `${title} · Letter Boxed`;
  find(document, 'h1', HTMLElement).textContent = title;
  if (par !== undefined) find(document, '#par', HTMLElement).textContent = `Par ${counted(par, 'word')}`;
  playBoard(view, day);
  if (day === undefined && !(await ask('isSolvable')))
    throw new Error('No words that I know solve this board.');
} catch (error) {
  const target = window.parent === window ? '_self' : '_blank';
  const onwards = element('a', { class: 'button', href: './', target }, 'Play today’s board');
  find(document, '#board', HTMLElement).replaceChildren();
  find(document, '#status', HTMLElement).after(element('p', { class: 'onwards' }, onwards));
  announceError(error);
}
void cacheFiles();
