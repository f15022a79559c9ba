import type { PuzzleDate } from '../../core/clock.ts';
import { counted } from '../../core/text.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { housePuzzle } from '../../puzzle/house.ts';
import { BoardPanel } from '../board/board.js';
import { announce, announceError, copyText, element, find, Unreachable } from '../board/dom.js';
import { type Ask, helper } from '../board/game.js';
import { showOnce } from '../board/how.js';
import { type BoardView, boardView, type GameView } from '../board/view.ts';
import { ask, cacheFiles } from './ask.ts';
import { whenThere } from './download.ts';
import { type BoardPage, dayTitle, FIRST_DAY, type Played } from './site.ts';
import {
  GAMES_KEY,
  MAX_FOUND,
  readDays,
  readGame,
  storeDays,
  storeGame,
  streakOf,
  weekOf,
} from './storage.ts';

/** The origin of the page that frames this one, as docs/hosting.md describes it, once it is known to be allowed. */
let framingOrigin: string | undefined;

/** Throws a sentence for people if this page is framed by an origin that the operator has not allowed. */
async function allowFrame() {
  if (window.parent === window) return;
  const response = await fetch('embed.json').catch(() => undefined);
  const allowed: string[] = response?.ok ? await response.json() : [];
  // Browsers that don't list all framing pages tell at least where the nearest was loaded from.
  const origins = location.ancestorOrigins
    ? [...location.ancestorOrigins]
    : [URL.parse(document.referrer)?.origin ?? ''];
  if (!origins.every((origin) => allowed.includes(origin)))
    throw new Error('This page may not show the board inside of it. Open the board by itself.');
  framingOrigin = origins[0];
  document.documentElement.classList.add('is-framed');
  for (const link of document.links) link.target = '_blank';
}

/** A version that no stored game has, so that the game of another tab is loaded. */
const OUTDATED = -1;

/** A visitor's game on the page: a worker judges the words, and this browser keeps the game. */
class SiteGame {
  readonly panel;
  readonly #board;
  readonly #day;
  readonly #sides;
  readonly #askHelp;
  /** The names of the hints that were shown. */
  readonly #taken;
  /** The result, as text to show to others. */
  #result = '';

  constructor(board: BoardView, day?: string) {
    this.#board = board;
    this.#day = day;
    this.#sides = board.sides.map(({ spots }) => spots.map(({ letter }) => letter).join('')).join('-');
    this.#taken = new Set(readGame(this.#sides).taken);
    this.#askHelp = helper((what, fields) => ask(what, fields, day), this.#taken);
    this.panel = new BoardPanel(board, (moves, version) => this.#play(moves, version), {
      ask: (what, words, step) => this.#help(what, words, step),
      isVisitor: true,
      level: 2,
    });
    // What is played in another tab is shown in this one, too.
    addEventListener('storage', ({ key }) => {
      if (key === GAMES_KEY) this.panel.game.refresh();
    });
  }

  /** Makes moves, or only loads the game: if there are none, or if another tab has continued the game since `version`. */
  async #play(moves: string, version?: number): Promise<GameView> {
    const before = readGame(this.#sides);
    const { saved, isRevealed, taken, found = [] } = before;
    const isElsewhere = version !== undefined && version !== before.version;
    const isLoading = isElsewhere || moves === '';
    // Nothing was played yet, so letters can be entered before the word list arrives.
    if (saved === undefined && isLoading) return this.#newGame(before.version, isElsewhere);
    const fields = { moves: isLoading ? '' : moves, saved, isShown: isRevealed, taken, found };
    const played = await ask('play', fields, this.#day);
    // Another tab has played while the worker judged: its game is loaded.
    if (readGame(this.#sides).version !== before.version) return this.#play('', OUTDATED);
    const nextVersion = isLoading ? before.version : before.version + 1;
    if (!isLoading) storeGame(this.#sides, { saved: played.saved, version: nextVersion });
    this.#storeResult(played, found);
    if (!isLoading && played.game.solved !== undefined) this.#tellFrame(played.game.words.length);
    return { ...this.#withStreak(played), game: this.#sides, version: nextVersion, isElsewhere };
  }

  #newGame(version: number, isElsewhere: boolean): GameView {
    const left = this.#board.sides.flatMap(({ spots }) => spots.map(({ letter }) => letter));
    // A bit for each spot that may come next: all of them.
    const next = 2 ** left.length - 1;
    const game = { game: this.#sides, version, isElsewhere, left, next };
    return { ...game, words: [], lines: [], word: '', reached: [], used: 0 };
  }

  /** Stores the result of a day, and a solution that is new. */
  #storeResult({ game, isLate }: Played, found: string[]) {
    const { words, lines, solved } = game;
    const isSolved = solved !== undefined;
    const result = { words: words.length, isSolved, isLate, points: solved?.points };
    if (this.#day !== undefined && words.length > 0)
      storeDays([[this.#day, { ...result, ...(isSolved && { path: tinyPath(this.#board, lines) }) }]]);
    const solution = words.join(' ');
    if (isSolved && !found.includes(solution))
      storeGame(this.#sides, { found: [...found, solution].slice(-MAX_FOUND) });
  }

  #tellFrame(words: number) {
    if (framingOrigin === undefined) return;
    const { taken = [], isRevealed = false } = readGame(this.#sides);
    const result = { day: this.#day, words, hints: taken.length, isRevealed };
    window.parent.postMessage({ type: 'letterboxed-solved', ...result }, framingOrigin);
  }

  /** Adds to a solved board what only this browser knows: the streak, and which board to play next. */
  #withStreak({ game, days }: Played): GameView {
    const { solved } = game;
    this.#result = solved?.share ?? '';
    if (solved === undefined) return game;
    const isPlayed = (day: string) => readDays().has(day);
    if (days === undefined) {
      const onwards = isPlayed(dateAt(Date.now())) ? undefined : { href: './', label: 'Play today’s board' };
      return { ...game, solved: { ...solved, onwards } };
    }
    const streak = streakOf(days);
    if (streak > 1) this.#result = this.#result.replace('\n', ` · ${streak} days in a row\n`);
    // `days` are those that have a board, from today backwards.
    const yesterday = days[1] ?? '';
    const onwards = isPlayed(yesterday)
      ? undefined
      : { href: `./?day=${yesterday}`, label: 'Play yesterday’s board' };
    return { ...game, solved: { ...solved, week: { days: weekOf(days), streak }, onwards } };
  }

  async #help(...[what, words, step]: Parameters<Ask>): ReturnType<Ask> {
    const { solved } = this.panel.game.view;
    if (what === 'share') return this.#share();
    if (what === 'hunt') return this.#showHunt();
    if (what === 'review') return { title: 'How you did', parts: [{ lines: solved?.how ?? [] }] };
    const answer = await this.#askHelp(what, words, step);
    if (solved === undefined) {
      // A hint that is shown again, such as after a reload, counts once.
      const taken = [...new Set([...(readGame(this.#sides).taken ?? []), ...this.#taken])];
      // All hints together count like the solution.
      const isRevealed = what === 'reveal' || answer?.isAll === true;
      storeGame(this.#sides, isRevealed ? { isRevealed } : { taken });
    }
    return answer;
  }

  /** Gives the result to another program or to the clipboard; otherwise shows it for copying by hand. */
  async #share() {
    const text = this.#result;
    if (navigator.share !== undefined) {
      const refusal = await navigator.share({ text }).catch((error: DOMException) => error);
      // A visitor who closes the list of programs has changed their mind. A frame may not be allowed to show it.
      if (refusal === undefined || refusal.name === 'AbortError') return undefined;
    }
    const title = (await copyText(text)) ? 'Copied: paste it where you like' : 'Copy your result';
    return { title, parts: [{ lines: text.split('\n') }] };
  }

  #showHunt() {
    const { hunt } = this.panel.game.view.solved ?? {};
    if (hunt === undefined) return undefined;
    const { found, of } = hunt;
    const line =
      found < of
        ? `${counted(of, 'solution')} can be found. Play again, and find another.`
        : 'You have found every solution on the list.';
    return { title: `The hunt: ${found} of ${of}`, parts: [{ lines: [line] }] };
  }

  /** The solution to print upside down: the visitor's own, or that of a day that is over; no other, as others may see it. */
  async solutionToPrint() {
    const { solved, words } = this.panel.game.view;
    if (solved !== undefined) return words.join(' – ').toUpperCase();
    if (this.#day === undefined || this.#day >= dateAt(Date.now())) return '';
    const { parts } = await ask('help', { ask: 'reveal', words: [] }, this.#day);
    // Solutions begin in capitals; the other lines are sentences.
    const lines = parts.flatMap((part) => part.lines).filter((line) => /^[A-Z]{3,}/.test(line));
    return lines[0] ?? '';
  }
}

/** The points of a path, in hundredths of the board. */
function tinyPath({ size, sides }: BoardView, lines: GameView['lines']) {
  const dots = sides.flatMap(({ spots }) => spots.map(({ dot }) => dot));
  const points = lines.flatMap(({ spots }) => spots.flatMap((spot) => dots[spot] ?? []));
  return points.map(({ x, y }) => [x, y].map((at) => Math.round((100 * at) / size)).join()).join(' ');
}

function showGame(board: BoardView, day?: string) {
  const game = new SiteGame(board, day);
  find(document, '#board', HTMLElement).replaceChildren(game.panel.element);
  showOnce(game.panel.element, board);
  find(document, '#print', HTMLButtonElement).addEventListener('click', async () => {
    // Where the word list can't be downloaded, the board is printed alone.
    find(document, '#printed', HTMLElement).textContent = await game.solutionToPrint().catch(() => '');
    window.print();
  });
  // A phone shows an app as it was left, perhaps yesterday. Only a game under way goes on.
  document.addEventListener('visibilitychange', () => {
    const { word, solved } = game.panel.game.view;
    const isUnderWay = word !== '' && solved === undefined;
    const isOver = day !== undefined && day < dateAt(Date.now());
    if (!document.hidden && location.search === '' && isOver && !isUnderWay) location.reload();
  });
}

/** Reads the day's board from its file, which arrives long before the worker. */
async function boardOfDays(): Promise<BoardPage | undefined> {
  const { day = dateAt(Date.now()), board } = Object.fromEntries(new URLSearchParams(location.search));
  if (board !== undefined || day < FIRST_DAY || day > dateAt(Date.now())) return undefined;
  const date = day as PuzzleDate;
  const puzzle = await whenThere(() => housePuzzle(date)).catch(() => undefined);
  return puzzle && { title: dayTitle(date), par: puzzle.par, day: date, view: boardView(puzzle.board) };
}

/** Marks the tab of the board: *Today*, or *Past* for the board of another day. Boards that people made are on no tab. */
function markTab(day: string | undefined) {
  const [today, past] = document.querySelectorAll('nav a');
  if (day === dateAt(Date.now())) today?.setAttribute('aria-current', 'page');
  else if (day !== undefined) past?.setAttribute('aria-current', 'true');
}

// The document marks *Today*. An address with parameters may be that of another board.
if (location.search !== '') document.querySelector('nav a')?.removeAttribute('aria-current');
// Fills in what a server would write into the page, and starts the board.
try {
  await allowFrame();
  const { title, par, day, view, doubt } = (await boardOfDays()) ?? (await ask('board'));
  document.title = `${title} · Letter Boxed`;
  markTab(day);
  find(document, 'h1', HTMLElement).textContent = title;
  if (par !== undefined) find(document, '#par', HTMLElement).textContent = `Par ${counted(par, 'word')}`;
  showGame(view, day);
  // Without the word list, which play asks for again, nobody knows.
  if (day === undefined && (await ask('isSolvable').catch(announceError)) === false)
    throw new Error('No words that I know solve this board.');
  if (doubt !== undefined) announce(doubt);
} catch (error) {
  const target = window.parent === window ? '_self' : '_blank';
  const onwards = element('a', { class: 'button', href: './', target }, 'Play today’s board');
  if (!(error instanceof Unreachable))
    find(document, 'h1', HTMLElement).textContent = 'This board can’t be played';
  find(document, '#board', HTMLElement).replaceChildren();
  find(document, '#status', HTMLElement).after(element('p', { class: 'onwards' }, onwards));
  announceError(error);
}
void cacheFiles();
