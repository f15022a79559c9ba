import { makeJobs, Searches, timeLimit } from '../answers/jobs.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { type BoardView, boardView } from '../pages/game-view.ts';
import type { HelpRequest } from '../pages/help-view.ts';
import { parseMoves } from '../play/game.ts';
import { addDays, dateAt, readDate, spanOf, stillToCome } from '../puzzle/calendar.ts';
import { wordSourceOf } from '../puzzle/judge.ts';
import type { BoardToJudge, Puzzle } from '../puzzle/types.ts';
import { subjectOfBoard } from '../reply/model/action.ts';
import type { Action } from '../reply/model/types.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import { type AnswerView, answerView } from './answer-view.ts';
import type { readDays } from './days.ts';
import { answerTo, type SiteApp } from './questions.ts';
import {
  archivePage,
  boardOfDay,
  boardOfSides,
  helpVisitor,
  type PublicBoard,
  playAsVisitor,
  type VisitorWorld,
} from './visitor-games.ts';

/** The oldest board of the archive. */
export const FIRST_DAY: PuzzleDate = '2026-01-01';
/** Milliseconds that a person waits for an answer about a large board. */
const LONGEST = 2_000;

/** The parameters of a page's address: `board` with sides, `day`, or both; without either it is today's. */
type Asked = Readonly<Record<string, string>>;

interface BoardPage {
  readonly title: string;
  readonly par?: number | undefined;
  readonly day?: PuzzleDate | undefined;
  readonly view: BoardView;
}

interface Moves {
  /** As the browser's game writes them. */
  readonly moves: string;
  readonly saved?: unknown;
  readonly isShown?: boolean;
}

export interface SiteOptions {
  /** May throw while the list has not arrived. */
  readonly lexicon: () => Lexicon;
  /** Boards that are made already; may throw as well. */
  readonly days: () => ReturnType<typeof readDays>;
  readonly now: () => number;
  /** Of the page that plays boards. */
  readonly address: string;
}

/** Answers the pages of visitors as a server would. */
export class Site {
  readonly #app: VisitorWorld & SiteApp;
  readonly #address: string;

  constructor({ lexicon, days, now, address }: SiteOptions) {
    const jobs = makeJobs(new Searches());
    const work: VisitorWorld['work'] = {
      run: (name, input) =>
        // The table and its input agree by their types, which the union of all jobs loses.
        (jobs[name] as (...given: unknown[]) => Promise<never>)(input, {
          get lexicon() {
            return lexicon();
          },
          stop: timeLimit(LONGEST),
        }),
    };
    const houses = new Map<PuzzleDate, Puzzle>();
    this.#address = address;
    const houseOf = async (date: PuzzleDate) => {
      const today = dateAt(now());
      if (date > today) throw stillToCome(date, today);
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
      dateAt,
      readDate,
      spanOf,
      houseOf,
      houseDays,
      puzzleOf: houseOf,
      wordSource: (puzzle: BoardToJudge) => wordSourceOf(puzzle, async () => new Map()),
    };
    this.#app = { clock: { now }, work, puzzles, randomSeed: () => crypto.randomUUID() };
  }

  /** @throws UserError if there is no such board */
  async board(asked: Asked): Promise<BoardPage> {
    const { subject, par } = await this.#boardOf(asked);
    return { title: subject.name, par, day: subject.date, view: boardView(subject.board) };
  }

  async play(asked: Asked, { moves, ...made }: Moves): ReturnType<typeof playAsVisitor> {
    const board = await this.#boardOf(asked);
    const parsed = parseMoves(moves);
    if (parsed === undefined) throw new TypeError('the page has sent no moves');
    const { subject } = board;
    const link = this.#linkTo({ ...subjectOfBoard(subject.board).options, ...subject.options });
    return playAsVisitor(this.#app, board, { ...made, moves: parsed }, link);
  }

  async help(asked: Asked, help: HelpRequest & { readonly ask: 'hint' | 'reveal' }) {
    return helpVisitor(this.#app, await this.#boardOf(asked), help);
  }

  archive({ page }: Asked): ReturnType<typeof archivePage> {
    return archivePage(this.#app, /^[1-9]\d{0,3}$/.test(page ?? '') ? Number(page) : 1);
  }

  /** Answers one of the questions of the solver's or the maker's page. */
  async answer(_: Asked, asked: Action): Promise<AnswerView> {
    return answerView(await answerTo(asked, this.#app), (board) => this.#linkTo(board));
  }

  /** Once the word list is there. A small board compiles what the first one would have to wait for. */
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
