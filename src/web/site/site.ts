import type { PuzzleDate } from '../../core/clock.ts';
import { counted, letterCount, shortDate, weekdayName } from '../../core/text.ts';
import { BoardJobs, type Jobs } from '../../jobs/jobs.ts';
import { parseMoves } from '../../play/game.ts';
import type { SavedGame } from '../../play/saved-game.ts';
import { addDays, dateAt, houseDifficulty, notOutYetError, readDate, spanOf } from '../../puzzle/calendar.ts';
import {
  type BoardToJudge,
  isSameBoard,
  type Puzzle,
  type WordSource,
  wordSourceOf,
} from '../../puzzle/types.ts';
import { HINT_STEPS, stepsOf } from '../../reply/model/facts.ts';
import { type NamedBoard, namedBoardOf, namedBoardOfDay } from '../../reply/model/named-board.ts';
import type { Action } from '../../reply/model/types.ts';
import type { GameState } from '../../reply/replies/game.ts';
import { hintPoints, nextStep } from '../../reply/replies/hint-steps.ts';
import { featsOf, praise, titleOf } from '../../reply/replies/praise.ts';
import { resultLine, type ScoreShown, squaresOf } from '../../reply/replies/result-line.ts';
import { boardInPixels, markedSides, sidesOfSeen } from '../../reply/replies/seen-board.ts';
import { BEST, belowHeadline, type SolvedShown } from '../../reply/replies/solved.ts';
import { parseBoard } from '../../solver/board.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { Pixels } from '../../vision/components.ts';
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
} from '../board/view.ts';
import { DownloadPending } from './download.ts';
import { type AnswerView, answerTo, answerView, drawTyped, type SiteApp } from './questions.ts';

/** The oldest board of the archive. */
export const FIRST_DAY: PuzzleDate = '2026-01-01';
/** Milliseconds that a person waits for an answer about a large board. */
const ANSWER_TIMEOUT_MS = 2_000;

/** The parameters of a page's address: `day`, `board` with sides and perhaps their `par`, or both; none for today's board. */
type Asked = Readonly<Record<string, string>>;

export interface BoardPage {
  readonly title: string;
  readonly par?: number;
  readonly day?: PuzzleDate;
  readonly view: BoardView;
  /** A sentence about a board that was perhaps not copied whole. */
  readonly doubt?: string | undefined;
}

/** What a visitor's page sends with moves. */
interface Moves {
  /** As the page's game writes them. */
  readonly moves: string;
  /** The game as the visitor's browser has stored it. It counts for nobody, so false claims do no harm. */
  readonly saved?: unknown;
  /** Whether the visitor has opened the solution of this board, or had all hints. */
  readonly isShown?: boolean;
  /** The names of the hints they had. */
  readonly taken?: readonly string[];
  /** Solutions that they found before, each as its words separated by spaces. */
  readonly found?: readonly string[];
}

export interface Played {
  readonly game: GameView;
  readonly saved: SavedGame;
  readonly isLate: boolean;
  /** Set when a day's board is solved on time: the days that had a board, the newest first, to count the streak by. */
  readonly days?: readonly PuzzleDate[] | undefined;
}

/** A board that everybody may see: the house's board of a day, or sides in an address. */
interface PublicBoard {
  readonly namedBoard: NamedBoard;
  readonly source: WordSource;
  readonly par?: number | undefined;
  /** When the day of a day's board ends. */
  readonly until?: number;
}

export interface SiteOptions {
  /** The whole word list. Throws `DownloadPending` while it has not arrived. */
  readonly lexicon: () => Lexicon;
  /** The everyday words of the list, which arrive first. Throws `DownloadPending` likewise. */
  readonly everyday: () => Lexicon;
  /** The house's board of a day. May throw `DownloadPending`. */
  readonly house: (date: PuzzleDate) => Puzzle;
  readonly now: () => number;
  /** The address of the page that plays boards. */
  readonly address: string;
}

const ASKER = { channel: 'site' };

/** Answers the pages of visitors, as a server would. Nothing is stored. */
export class Site {
  readonly #app: SiteApp;
  readonly #house: SiteOptions['house'];
  /** Runs jobs with everyday words alone, until the whole list has arrived. */
  readonly #everydayWork: SiteApp['work'];
  readonly #address: string;

  constructor({ lexicon, everyday, house, now, address }: SiteOptions) {
    this.#everydayWork = runJobs(everyday);
    this.#address = address;
    this.#house = house;
    const puzzles = {
      puzzleOf: async (date: PuzzleDate) => this.#houseOf(date),
      wordSource: async (puzzle: BoardToJudge) => wordSourceOf(puzzle),
    };
    // Browsers have `crypto.randomUUID` only on pages with TLS.
    const randomSeed = () => String(crypto.getRandomValues(new Uint32Array(2)));
    this.#app = { clock: { now }, work: runJobs(lexicon), puzzles, randomSeed };
  }

  /** The board in a picture, and the spots of letters that may be others. @throws UserError if there is none */
  see(_: Asked, pixels: Pixels) {
    const { sides, unsure } = sidesOfSeen(boardInPixels(pixels));
    const marked = markedSides({ sides: sides.split('-') }, unsure);
    return { sides: sides.replaceAll('-', ' '), unsure, marked };
  }

  /** @throws UserError if there is no such board */
  async board(asked: Asked): Promise<BoardPage> {
    const { namedBoard, par } = await this.#boardOf(asked);
    const { name, date, board } = namedBoard;
    const isHouseBoard = date !== undefined && par !== undefined;
    const doubt = doubtOf(board.sides.length);
    return { title: isHouseBoard ? dayTitle(date) : name, par, day: date, view: boardView(board), doubt };
  }

  async play(asked: Asked, moves: Moves): Promise<Played> {
    const board = await this.#boardOf(asked);
    try {
      return await this.#play(board, moves);
    } catch (error) {
      if (!(error instanceof DownloadPending)) throw error;
      const played = await this.#play(board, moves, this.#everydayWork);
      const { refused, deadEnd, solved } = played.game;
      // The whole word list could change only these three.
      if (refused === undefined && deadEnd === undefined && solved === undefined) return played;
      throw error;
    }
  }

  async help(asked: Asked, help: HelpRequest & { readonly ask: 'hint' | 'reveal' }): Promise<HelpView> {
    const { work } = this.#app;
    const { namedBoard, source } = await this.#boardOf(asked);
    if (help.ask === 'reveal') return helpView(await work.run('reveal', { namedBoard, source }, ASKER));
    const shown = stepsOf(help.shown?.split(',') ?? []);
    const taken = stepsOf(help.taken?.split(',') ?? []);
    const step = help.step ?? nextStep(shown);
    const isNext = help.step === undefined;
    const continuation = help.words.length > 0 ? { played: [...help.words] } : {};
    return helpView(
      await work.run('hint', { namedBoard, source, continuation, step, isNext, shown, taken }, ASKER),
    );
  }

  /** All days that have a board, today first. */
  async archive(): Promise<PuzzleDate[]> {
    const days: PuzzleDate[] = [];
    for (let day = dateAt(this.#app.clock.now()); day >= FIRST_DAY; day = addDays(day, -1)) days.push(day);
    return days;
  }

  /** Answers a question of the tools' page. */
  async answer(_: Asked, asked: Action): Promise<AnswerView> {
    const view = answerView(await answerTo(asked, this.#app), (board) => this.#linkTo(board));
    const { sides = '' } = asked.options;
    const doubt = doubtOf(String(sides).match(/[a-z]+/gi)?.length);
    return doubt === undefined ? view : { ...view, parts: [{ kind: 'note', line: doubt }, ...view.parts] };
  }

  /** Draws what somebody is typing, with words across it. */
  async draw(_: Asked, { sides, words }: { readonly sides: string; readonly words?: readonly string[] }) {
    return drawTyped(sides, words);
  }

  /** Whether the page's board may have a solution: on a slow phone, the time may run out before one is found. */
  async isSolvable(asked: Asked): Promise<boolean> {
    const { namedBoard, source } = await this.#boardOf(asked);
    return (await this.#app.work.run('fewest', { board: namedBoard.board, source }, ASKER)) !== 'none';
  }

  /** Resolves once the word list is there. Solving a small board compiles the code, so that nobody waits for that later. */
  async ready(): Promise<void> {
    await this.answer({}, { command: 'solve', options: { sides: 'oz nr la' } });
  }

  #houseOf(date: PuzzleDate): Puzzle {
    const now = this.#app.clock.now();
    if (date > dateAt(now)) throw notOutYetError(date, now);
    return this.#house(date);
  }

  /** @throws UserError if there is no such board */
  async #boardOf({ board: sides, day, par = '' }: Asked): Promise<PublicBoard> {
    const { puzzles, clock } = this.#app;
    if (sides !== undefined && day === undefined) {
      const board = parseBoard(sides);
      const source = await puzzles.wordSource({ board });
      return {
        namedBoard: namedBoardOf(board),
        source,
        par: Number(/^\d{1,2}$/.exec(par)?.[0]) || undefined,
      };
    }
    const date = readDate(day ?? 'today', clock.now());
    const house = this.#houseOf(date);
    // The sides in the address count: a later version of the generator may make another board of that day.
    const board = sides === undefined ? house.board : parseBoard(sides);
    const puzzle: Puzzle = isSameBoard(board, house.board) ? house : { date, source: 'house', board };
    return {
      namedBoard: namedBoardOfDay(puzzle),
      source: await puzzles.wordSource(puzzle),
      par: puzzle.par,
      until: spanOf(date).to,
    };
  }

  async #play(board: PublicBoard, made: Moves, work = this.#app.work): Promise<Played> {
    const { namedBoard, source, until } = board;
    const moves = parseMoves(made.moves);
    if (moves === undefined) throw new TypeError('the page has sent no moves');
    const input = { board: namedBoard.board, source, saved: made.saved, input: { moves } };
    const state = await work.run('play', input, ASKER);
    const isLate = until !== undefined && this.#app.clock.now() >= until;
    const game = gameView({ namedBoard, state, version: 0, isElsewhere: false });
    const { saved } = state;
    if (!state.isSolved) return { game, saved, isLate };
    const solved = { game: { ...game, solved: await this.#endingOf(board, state, made) }, saved, isLate };
    if (namedBoard.date === undefined || isLate) return solved;
    return { ...solved, days: await this.archive() };
  }

  async #endingOf(
    { namedBoard, source, par, until }: PublicBoard,
    { words, saved }: Pick<GameState, 'words' | 'saved'>,
    { isShown, taken = [], found = [] }: Moves,
  ): Promise<EndingView> {
    const { work, clock } = this.#app;
    const { board, date } = namedBoard;
    const hints = hintPoints(isShown ? HINT_STEPS : stepsOf(taken));
    const letters = letterCount(words);
    const numbers = { words: words.length, letters, hints };
    const [score] = await work.run('scores', { board, source, solutions: [numbers] }, ASKER);
    const hunted = await work.run('huntSolutions', { board, source }, ASKER);
    const foundByNow = [...found, words.join(' ')];
    // Nothing counts here, so the points may reveal how far the result is from the best.
    const openScore = score && { ...score, mayTellOfBetter: true };
    const solved = { words: words.length, letters, par, isAfterSolution: isShown, score: openScore };
    const title = score && titleOf(score.points);
    const link = this.#linkTo({
      ...namedBoardOf(board).options,
      ...namedBoard.options,
      ...(date === undefined && par !== undefined && { par }),
    });
    const isBest = words.length === score?.fewest;
    const feats = { ...numbers, ...featsOf(words, board.letters.length, saved), par };
    const praised = date === undefined || isShown ? [] : [belowHeadline(solved, praise({ ...feats, date }))];
    const counts = `${counted(words.length, 'word')}, ${counted(letters, 'letter')}.`;
    return {
      ...endingOf(namedBoard, solved, words),
      lines: [...praised, counts, ...(isBest && !isShown ? [BEST] : [])],
      how: score && [
        `${title}: ${score.points} of 100 points.`,
        isBest ? BEST : `The fewest are ${counted(score.fewest, 'word')}.`,
      ],
      hunt: {
        found: hunted.filter((solution) => foundByNow.includes(solution.join(' '))).length,
        of: hunted.length,
      },
      untilNext: until !== undefined && clock.now() < until ? until - clock.now() : undefined,
      counts: false,
      share: shareText(namedBoard, { ...numbers, par, afterSolution: isShown || undefined }, title, link),
    };
  }

  #linkTo({ date, sides, par }: Action['options']): string {
    const query = Object.entries({ board: sides, day: date, par }).filter(([, value]) => value !== undefined);
    return `${this.#address}?${query.map(([name, value]) => `${name}=${value}`).join('&')}`;
  }
}

function doubtOf(sides: number | undefined): string | undefined {
  return sides === 3 ? 'This board has three sides. Most have four: is one missing?' : undefined;
}

function runJobs(lexicon: () => Lexicon): SiteApp['work'] {
  // The types of a job and its input correspond, which is lost in the union of all jobs.
  const jobs: JobTable = new BoardJobs() as Jobs;
  return {
    async run(name, input) {
      const end = performance.now() + ANSWER_TIMEOUT_MS;
      return jobs[name]!(input, {
        get lexicon() {
          return lexicon();
        },
        stop: () => performance.now() > end,
      });
    },
  };
}

/** The text to share, which names no words or letters of the result. */
function shareText(
  namedBoard: NamedBoard,
  result: Pick<SolvedShown, 'words' | 'par'> & Pick<ScoreShown, 'hints' | 'afterSolution'>,
  title: string | undefined,
  link: string,
): string {
  const squares = squaresOf(result);
  return [resultLine(namedBoard, result), title === undefined ? squares : `${squares} ${title}`, link].join(
    '\n',
  );
}

/** Without the year, in one line of a phone. @example dayTitle('2026-11-28') // 'Saturday, November 28 · hard' */
export function dayTitle(date: PuzzleDate): string {
  return `${weekdayName(date)}, ${shortDate(date)} · ${houseDifficulty(date)}`;
}
