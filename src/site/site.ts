import { makeJobs } from '../answers/jobs.ts';
import { Searches, timeLimit } from '../answers/searches.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { type BoardView, boardView } from '../pages/game-view.ts';
import {
  archivePage,
  boardOfDay,
  boardOfSides,
  type HelpRequest,
  helpVisitor,
  type PublicBoard,
  playAsVisitor,
  type VisitorWorld,
} from '../pages/visitor-games.ts';
import { parseMoves } from '../play/game.ts';
import { addDays, dateAt, readDate, spanOf, stillToCome } from '../puzzle/calendar.ts';
import { wordSourceOf } from '../puzzle/judge.ts';
import type { Puzzle } from '../puzzle/types.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import type { readDays } from './days.ts';

/** The oldest board of the archive. */
export const FIRST_DAY: PuzzleDate = '2026-01-01';
/** Milliseconds that a person waits for an answer about a large board. */
const LONGEST = 2_000;

/** The parameters of a page's address: `board` with sides, or `day`; without either it is today's. */
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
  /** The boards that need not be made; may throw as well. */
  readonly days: () => ReturnType<typeof readDays>;
  readonly now: () => number;
  /** Of the page that plays boards. */
  readonly address: string;
}

/** What a server answers the pages of visitors, without one. */
export class Site {
  readonly #world: VisitorWorld;
  readonly #address: string;
  readonly #lexicon: () => Lexicon;

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
    this.#lexicon = lexicon;
    this.#world = {
      clock: { now },
      work,
      puzzles: {
        dateAt,
        readDate,
        spanOf,
        wordSource: (puzzle) => wordSourceOf(puzzle, async () => new Map()),
        async houseOf(date) {
          const today = dateAt(now());
          if (date > today) throw stillToCome(date, today);
          const puzzle =
            days()(date) ?? houses.get(date) ?? (await work.run('house', date, { channel: 'site' }));
          houses.set(date, puzzle);
          return puzzle;
        },
        async houseDays() {
          const days: PuzzleDate[] = [];
          for (let day = addDays(dateAt(now()), -1); day >= FIRST_DAY; day = addDays(day, -1)) days.push(day);
          return days;
        },
      },
    };
  }

  /** @throws UserError if there is no such board */
  async board(asked: Asked): Promise<BoardPage> {
    const { subject, par } = await this.#boardOf(asked);
    return { title: subject.name, par, day: subject.date, view: boardView(subject.board) };
  }

  async play(asked: Asked, { moves, ...made }: Moves): ReturnType<typeof playAsVisitor> {
    const board = await this.#boardOf(asked);
    const { date, sides } = board.subject.options;
    const link = `${this.#address}?${date === undefined ? `board=${sides}` : `day=${date}`}`;
    const parsed = parseMoves(moves);
    if (parsed === undefined) throw new TypeError('the page has sent no moves');
    return playAsVisitor(this.#world, board, { ...made, moves: parsed }, { address: 'site', link });
  }

  async help(asked: Asked, help: HelpRequest & { readonly ask: 'hint' | 'reveal' }) {
    return helpVisitor(this.#world, await this.#boardOf(asked), help, 'site');
  }

  archive({ page }: Asked): ReturnType<typeof archivePage> {
    return archivePage(this.#world, /^[1-9]\d{0,3}$/.test(page ?? '') ? Number(page) : 1);
  }

  /** Once the word list is there. */
  async ready(): Promise<void> {
    this.#lexicon();
  }

  #boardOf({ board, day = 'today' }: Asked): Promise<PublicBoard> {
    return board === undefined ? boardOfDay(day, this.#world) : boardOfSides(board, this.#world);
  }
}
