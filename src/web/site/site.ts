import type { PuzzleDate } from '../../core/clock.ts';
import { counted, lettersIn } from '../../core/text.ts';
import type { App } from '../../dispatch/contract.ts';
import { BoardJobs, type Jobs, timeLimit } from '../../jobs/jobs.ts';
import { type Move, parseMoves } from '../../play/game.ts';
import type { SavedGame } from '../../play/saved-game.ts';
import { addDays, dateAt, notOutYetError, readDate, spanOf } from '../../puzzle/calendar.ts';
import { wordSourceOf } from '../../puzzle/judge.ts';
import { type BoardToJudge, isSameBoard, type Puzzle, type WordSource } from '../../puzzle/types.ts';
import { HINT_STEPS } from '../../reply/model/facts.ts';
import { type NamedBoard, namedBoardOf, namedBoardOfDay } from '../../reply/model/named-board.ts';
import type { Action } from '../../reply/model/types.ts';
import { type GameState, parLines, type SolvedShown } from '../../reply/replies/game.ts';
import { hintPoints } from '../../reply/replies/hint-steps.ts';
import { resultLine, squaresOf } from '../../reply/replies/result-line.ts';
import { titleOf } from '../../reply/replies/titles.ts';
import { formatBoard, parseBoard } from '../../solver/board.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { JobTable } from '../../work/job.ts';
import {
  type BoardView,
  boardView,
  type EndingView,
  endingOf,
  type GameView,
  gameView,
  type HelpRequest,
  type HelpView,
  helpView,
} from '../pages/game-view.ts';
import { DownloadPending } from './download.ts';
import { type AnswerView, answerTo, answerView, drawTyped, type SiteApp } from './questions.ts';

/** The oldest board of the archive. */
export const FIRST_DAY: PuzzleDate = '2026-01-01';
/** Milliseconds that a person waits for an answer about a large board. */
const ANSWER_TIMEOUT_MS = 2_000;

/** The parameters of a page's address: `board` with sides, `day`, or both; without either, it is today's board. */
type Asked = Readonly<Record<string, string>>;

interface BoardPage {
  readonly title: string;
  readonly par?: number;
  readonly day?: PuzzleDate;
  readonly view: BoardView;
}

/** The moves in the format of the browser's game. */
type Moves = Omit<VisitorMoves, 'moves'> & { readonly moves: string };

export interface SiteOptions {
  /** The whole word list. Throws `DownloadPending` while it has not arrived. */
  readonly lexicon: () => Lexicon;
  /** The everyday words of the list, which arrive first. Throws `DownloadPending` likewise. */
  readonly everyday: () => Lexicon;
  /** Boards that were made beforehand. May throw `DownloadPending`. */
  readonly days: () => ReturnType<typeof readDays>;
  readonly now: () => number;
  /** The address of the page that plays boards. */
  readonly address: string;
}

/** Answers the pages of visitors, as a server would. */
export class Site {
  readonly #app: VisitorServices & SiteApp;
  /** Runs jobs with everyday words alone. */
  readonly #first: VisitorServices['work'];
  readonly #address: string;

  constructor({ lexicon, everyday, days, now, address }: SiteOptions) {
    const work = runJobs(lexicon);
    const houses = new Map<PuzzleDate, Puzzle>();
    this.#first = runJobs(everyday);
    this.#address = address;
    const houseOf = async (date: PuzzleDate) => {
      const today = dateAt(now());
      if (date > today) throw notOutYetError(date, today);
      const puzzle = days()(date) ?? houses.get(date) ?? (await work.run('house', date, { channel: 'site' }));
      houses.set(date, puzzle);
      return puzzle;
    };
    const houseDays = async () => {
      const days: PuzzleDate[] = [];
      for (let day = addDays(dateAt(now()), -1); day >= FIRST_DAY; day = addDays(day, -1)) days.push(day);
      return days;
    };
    const puzzles = {
      houseOf,
      houseDays,
      puzzleOf: houseOf,
      wordSource: (puzzle: BoardToJudge) => wordSourceOf(puzzle, async () => new Map()),
    };
    this.#app = { clock: { now }, work, puzzles, randomSeed: () => crypto.randomUUID() };
  }

  /** @throws UserError if there is no such board */
  async board(asked: Asked): Promise<BoardPage> {
    const { namedBoard, par } = await this.#boardOf(asked);
    return { title: namedBoard.name, par, day: namedBoard.date, view: boardView(namedBoard.board) };
  }

  async play(asked: Asked, { moves, ...made }: Moves): ReturnType<typeof playAsVisitor> {
    const board = await this.#boardOf(asked);
    const parsed = parseMoves(moves);
    if (parsed === undefined) throw new TypeError('the page has sent no moves');
    const { namedBoard } = board;
    const link = this.#linkTo({ ...namedBoardOf(namedBoard.board).options, ...namedBoard.options });
    const visitor = { ...made, moves: parsed };
    try {
      return await playAsVisitor(this.#app, board, visitor, link);
    } catch (error) {
      if (!(error instanceof DownloadPending)) throw error;
      const played = await playAsVisitor({ ...this.#app, work: this.#first }, board, visitor, link);
      const { refused, deadEnd, solved } = played.game;
      // With more words, nothing else would be different.
      if (refused === undefined && deadEnd === undefined && solved === undefined) return played;
      throw error;
    }
  }

  async help(asked: Asked, help: HelpRequest & { readonly ask: 'hint' | 'reveal' }) {
    return helpVisitor(this.#app, await this.#boardOf(asked), help);
  }

  /** All days that have a board, today first. */
  async archive(): Promise<PuzzleDate[]> {
    return [dateAt(this.#app.clock.now()), ...(await this.#app.puzzles.houseDays())];
  }

  /** Answers one of the questions of the solver's or the maker's page. */
  async answer(_: Asked, asked: Action): Promise<AnswerView> {
    return answerView(await answerTo(asked, this.#app), (board) => this.#linkTo(board));
  }

  /** Draws what somebody is typing, with words across it. */
  async draw(_: Asked, { sides, words }: { readonly sides: string; readonly words?: readonly string[] }) {
    return drawTyped(sides, words);
  }

  /** Whether any words solve the page's board, as far as that is known. */
  async isSolvable(asked: Asked): Promise<boolean> {
    const { namedBoard, source } = await this.#boardOf(asked);
    return (await this.#app.work.run('fewest', { board: namedBoard.board, source }, ASKER)) !== undefined;
  }

  /**
   * Resolves once the word list is there. Solving a small board compiles the code that the first visitor would otherwise
   * wait for.
   */
  async ready(): Promise<void> {
    await this.answer({}, { command: 'solve', options: { sides: 'oz nr la' } });
  }

  #linkTo({ date, sides }: Action['options']): string {
    const board = sides === undefined ? [] : [`board=${sides}`];
    const day = date === undefined ? [] : [`day=${date}`];
    return `${this.#address}?${[...board, ...day].join('&')}`;
  }

  #boardOf({ board, day }: Asked): Promise<PublicBoard> {
    return board !== undefined && day === undefined
      ? boardOfSides(board, this.#app)
      : boardOfDay(day ?? 'today', board, this.#app);
  }
}

function runJobs(lexicon: () => Lexicon): VisitorServices['work'] {
  // The types of a job and its input correspond, which is lost in the union of all jobs.
  const jobs: JobTable = new BoardJobs() as Jobs;
  return {
    run: async (name, input) =>
      jobs[name]!(input, {
        get lexicon() {
          return lexicon();
        },
        stop: timeLimit(ANSWER_TIMEOUT_MS),
      }),
  };
}

/** The parts of an app that games need; a browser has no others. */
export interface VisitorServices extends Pick<App, 'clock'> {
  readonly puzzles: Pick<App['puzzles'], 'wordSource'> & {
    /** @throws UserError for a day to come */
    houseOf(date: PuzzleDate): Promise<Puzzle>;
    /** The days before today that have a board, newest first. */
    houseDays(): Promise<PuzzleDate[]>;
  };
  readonly work: Pick<App['work'], 'run'>;
}

const ASKER = { channel: 'site' };

/** A board that everybody may see: the house's board of a day, or sides in an address. */
export interface PublicBoard {
  readonly namedBoard: NamedBoard;
  readonly source: WordSource;
  readonly par?: number;
  /** When the day of a day's board ends. */
  readonly until?: number;
}

/**
 * @param sides in the address: a later version of the generator may make another board of that day
 *
 * @throws UserError if there is no such board
 */
export async function boardOfDay(
  day: string,
  sides: string | undefined,
  { puzzles, clock }: VisitorServices,
): Promise<PublicBoard> {
  const date = readDate(day, clock.now());
  const house = await puzzles.houseOf(date);
  const board = sides === undefined ? house.board : parseBoard(sides);
  const puzzle: Puzzle = isSameBoard(board, house.board) ? house : { date, source: 'house', board };
  return {
    namedBoard: namedBoardOfDay(puzzle),
    source: await puzzles.wordSource(puzzle),
    par: puzzle.par,
    until: spanOf(date).to,
  };
}

/** @throws UserError if these are no sides of a board */
export async function boardOfSides(text: string, { puzzles }: VisitorServices): Promise<PublicBoard> {
  const board = parseBoard(text);
  return { namedBoard: namedBoardOf(board), source: await puzzles.wordSource({ board }) };
}

export interface VisitorMoves {
  /** The game as the visitor's browser has stored it. It counts for nobody, so false claims do no harm. */
  readonly saved?: unknown;
  readonly moves: readonly Move[];
  /** Whether the visitor has opened the solution of this board, or had all hints. */
  readonly isShown?: boolean;
  /** How many hints they had. */
  readonly hints?: number;
  /** Solutions that they found before, each as its words separated by spaces. */
  readonly found?: readonly string[];
}

/**
 * Makes moves for an anonymous visitor: nothing is stored. Once the day's board is solved, the answer has the days by which
 * their browser counts the streak.
 *
 * @param link to the board, for people who share a result
 */
export async function playAsVisitor(
  services: VisitorServices,
  board: PublicBoard,
  { saved, moves, ...helped }: VisitorMoves,
  link: string,
): Promise<{ game: GameView; saved: SavedGame; isLate: boolean; days?: PuzzleDate[] }> {
  const { namedBoard, source, until } = board;
  const input = { board: namedBoard.board, source, saved, input: { moves } };
  const state = await services.work.run('play', input, ASKER);
  const isLate = until !== undefined && services.clock.now() >= until;
  const view = gameView({ namedBoard, state, version: 0, isElsewhere: false });
  return {
    game: state.isSolved ? { ...view, solved: await endingFor(services, board, state, helped, link) } : view,
    saved: state.saved,
    isLate,
    days:
      state.isSolved && namedBoard.date !== undefined && !isLate
        ? knownDays(namedBoard.date, await services.puzzles.houseDays())
        : undefined,
  };
}

/** Nothing counts here, so the points may reveal how far the result is from the best. */
async function endingFor(
  { work, clock }: VisitorServices,
  { namedBoard, source, par, until }: PublicBoard,
  { words }: Pick<GameState, 'words'>,
  { isShown, hints = 0, found = [] }: Omit<VisitorMoves, 'moves'>,
  link: string,
): Promise<EndingView> {
  const { board } = namedBoard;
  const points = hintPoints(isShown ? HINT_STEPS : HINT_STEPS.slice(0, hints));
  const letters = lettersIn(words);
  const numbers = { words: words.length, letters, hints: points };
  const [score] = await work.run('scores', { board, source, solutions: [numbers] }, ASKER);
  const huntSolutions = (await work.run('huntSolutions', { board, source }, ASKER)).map((solution) =>
    solution.join(' '),
  );
  const known = new Set([...found, words.join(' ')]);
  const solved = { words: words.length, letters, par, isShown, score };
  const title = score && titleOf(score.points);
  return {
    ...endingOf(namedBoard, solved, words),
    lines: [`${counted(solved.letters, 'letter')}.`, ...parLines(solved)],
    score: score && title ? { points: score.points, title } : undefined,
    hunt: { found: huntSolutions.filter((solution) => known.has(solution)).length, of: huntSolutions.length },
    untilNext: until !== undefined && clock.now() < until ? until - clock.now() : undefined,
    counts: false,
    share: shareText(namedBoard, { ...numbers, par }, title, link),
  };
}

/** A result without words or letters. */
function shareText(
  namedBoard: NamedBoard,
  result: Pick<SolvedShown, 'words' | 'par'> & { readonly hints: number },
  title: string | undefined,
  link: string,
): string {
  const squares = squaresOf(result);
  return [resultLine(namedBoard, result), title === undefined ? squares : `${squares} ${title}`, link].join(
    '\n',
  );
}

/** Helps an anonymous visitor. */
export async function helpVisitor(
  { work }: VisitorServices,
  { namedBoard, source }: PublicBoard,
  help: HelpRequest & { readonly ask: 'hint' | 'reveal' },
): Promise<HelpView> {
  if (help.ask === 'reveal') return helpView(await work.run('reveal', { namedBoard, source }, ASKER));
  const stepsIn = (list = '') => HINT_STEPS.filter((step) => list.split(',').includes(step));
  const [shown, taken] = [stepsIn(help.shown), stepsIn(help.taken)];
  const step = HINT_STEPS.find((one) => !shown.includes(one)) ?? HINT_STEPS.at(-1)!;
  const continuation = help.words.length > 0 ? { played: [...help.words] } : {};
  return helpView(
    await work.run('hint', { namedBoard, source, continuation, step, isNext: true, shown, taken }, ASKER),
  );
}

/** Days: more than a year. */
const MAX_CACHED_DAYS = 400;

/** The days by which a browser counts its streak. @param past days that had a board, newest first */
function knownDays(today: PuzzleDate, past: readonly PuzzleDate[]): PuzzleDate[] {
  return [today, ...past.slice(0, MAX_CACHED_DAYS)];
}

/** House boards made beforehand, as a file: a line for each day, such as `2026-11-24 ozu nri lfa mbt 4`. */
export function packDays(puzzles: readonly Puzzle[]): string {
  return puzzles.map(({ date, board, par }) => `${date} ${formatBoard(board)} ${par}`).join('\n');
}

/** @returns the house's puzzle of a day, if the file has it */
export function readDays(text: string): (date: PuzzleDate) => Puzzle | undefined {
  const lines = new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(' ')), line]));
  return (date) => {
    const [, ...sides] = lines.get(date)?.split(' ') ?? [];
    const par = Number(sides.pop());
    return sides.length === 0
      ? undefined
      : { date, source: 'house', board: parseBoard(sides.join(' ')), par };
  };
}
