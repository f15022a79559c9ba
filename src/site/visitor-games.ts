import type { PuzzleDate } from '../core/clock.ts';
import { counted, lettersIn, longDate, shortDate } from '../core/text.ts';
import type { App } from '../dispatch/contract.ts';
import { copiesOf, type GameView, gameView } from '../pages/game-view.ts';
import { type HelpRequest, type HelpView, viewOf } from '../pages/help-view.ts';
import type { Move } from '../play/game.ts';
import type { SavedGame } from '../play/saved-game.ts';
import { isSameBoard, type Puzzle, type WordSource } from '../puzzle/types.ts';
import { pageLine, pageOf, type Subject, subjectOfBoard, subjectOfDay } from '../reply/model/action.ts';
import { parLines, type SolvedShown, solvedTitle } from '../reply/replies/game.ts';
import { HINT_STEPS } from '../reply/replies/hint.ts';
import { squaresOf } from '../reply/replies/result-line.ts';
import { parseBoard } from '../solver/board.ts';

/** The parts of an app that games need; a browser has no more. */
export interface VisitorWorld extends Pick<App, 'clock'> {
  readonly puzzles: Pick<App['puzzles'], 'dateAt' | 'readDate' | 'spanOf' | 'wordSource'> & {
    /** @throws UserError for a day to come */
    houseOf(date: PuzzleDate): Promise<Puzzle>;
    /** The days before today that have a board, newest first. */
    houseDays(): Promise<PuzzleDate[]>;
  };
  readonly work: Pick<App['work'], 'run'>;
}

const ASKER = { channel: 'site' };

/** A board that everybody may see: the house's of a day, or sides in an address. */
export interface PublicBoard {
  readonly subject: Subject;
  readonly source: WordSource;
  readonly par?: number;
  /** Of a day's board: when its day ends. */
  readonly until?: number;
}

/**
 * @param sides that an address names: a later version of the generator may make another board of that day
 * @throws UserError if there is no such board
 */
export async function boardOfDay(
  day: string,
  sides: string | undefined,
  { puzzles, clock }: VisitorWorld,
): Promise<PublicBoard> {
  const date = puzzles.readDate(day, clock.now());
  const house = await puzzles.houseOf(date);
  const board = sides === undefined ? house.board : parseBoard(sides);
  const puzzle: Puzzle = isSameBoard(board, house.board) ? house : { date, source: 'house', board };
  return {
    subject: subjectOfDay(puzzle),
    source: await puzzles.wordSource(puzzle),
    par: puzzle.par,
    until: puzzles.spanOf(date).to,
  };
}

/** @throws UserError if these are no sides of a board */
export async function boardOfSides(text: string, { puzzles }: VisitorWorld): Promise<PublicBoard> {
  const board = parseBoard(text);
  return { subject: subjectOfBoard(board), source: await puzzles.wordSource({ board }) };
}

export interface VisitorMoves {
  /** The game as the visitor's browser has kept it. It counts for nobody, so it may claim what it likes. */
  readonly saved?: unknown;
  readonly moves: readonly Move[];
  /** Whether the visitor has opened the solution of this board, or had all hints. */
  readonly isShown?: boolean | undefined;
}

/**
 * Makes moves for a visitor without a name: nothing is stored. Once the day's board is solved, the answer has the days by
 * which their browser counts the streak.
 *
 * @param link to the board, for people who share a result
 */
export async function playAsVisitor(
  { work, clock, puzzles }: VisitorWorld,
  { subject, source, par, until }: PublicBoard,
  { saved, moves, isShown }: VisitorMoves,
  link: string,
): Promise<{ game: GameView; saved: SavedGame; isLate: boolean; days?: PuzzleDate[] }> {
  const input = { board: subject.board, source, saved, input: { moves } };
  const state = await work.run('play', input, ASKER);
  const letters = lettersIn(state.words);
  const solved = { words: state.words.length, letters, par, isShown };
  const isLate = until !== undefined && clock.now() >= until;
  const view = gameView({ subject, state, version: 0, isElsewhere: false });
  return {
    game: state.isSolved
      ? {
          ...view,
          solved: {
            title: solvedTitle(solved),
            lines: [`${counted(letters, 'letter')}.`, ...parLines(solved)],
            counts: false,
            share: shareText(subject, solved, link),
            copies: copiesOf(subject.name, solved, state.words),
          },
        }
      : view,
    saved: state.saved,
    isLate,
    ...(state.isSolved &&
      subject.date !== undefined &&
      !isLate && { days: knownDays(subject.date, await puzzles.houseDays()) }),
  };
}

/** A result without words or letters. */
function shareText({ name, date }: Subject, { words, par }: SolvedShown, link: string): string {
  const board = date === undefined ? name : shortDate(date);
  return [`Letter Boxed, ${board} · ${counted(words, 'word')}`, squaresOf({ words, par }), link].join('\n');
}

/** For a visitor without a name. */
export async function helpVisitor(
  { work }: VisitorWorld,
  { subject, source }: PublicBoard,
  { ask, words, shown = '' }: HelpRequest & { readonly ask: 'hint' | 'reveal' },
): Promise<HelpView> {
  if (ask === 'reveal') return viewOf(await work.run('reveal', { subject, source }, ASKER));
  const seen = HINT_STEPS.filter((step) => shown.split(',').includes(step));
  const step = HINT_STEPS.find((one) => !seen.includes(one)) ?? HINT_STEPS.at(-1)!;
  const onwards = words.length > 0 ? { played: [...words] } : {};
  return viewOf(await work.run('hint', { subject, source, onwards, step, isNext: true, shown: seen }, ASKER));
}

/** Four weeks. */
const PAGE = 28;
/** More than a year. */
const MOST_KNOWN = 400;

export interface ArchivePage {
  /** Newest first. */
  readonly days: readonly { readonly date: string; readonly name: string }[];
  readonly note?: string | undefined;
  /** Other pages of the list. */
  readonly links: readonly { readonly label: string; readonly page: number }[];
  /** The newest days that had a board, today first: the streak goes by them. */
  readonly known: readonly string[];
}

/** A page of the days that had a house board, with today first. The newspaper's days are on no page. */
export async function archivePage(
  { puzzles, clock }: Pick<VisitorWorld, 'puzzles' | 'clock'>,
  page: number,
): Promise<ArchivePage> {
  const dates = await puzzles.houseDays();
  const shown = pageOf(dates, page, PAGE);
  const { items, number, hasMore } = shown;
  const note = pageLine('Day', shown);
  const today = puzzles.dateAt(clock.now());
  return {
    days: [
      ...(number === 1 ? [{ date: today, name: `Today, ${longDate(today)}` }] : []),
      ...items.map((date) => ({ date, name: longDate(date) })),
    ],
    note,
    links: [
      ...(number > 1 ? [{ label: 'Newer', page: number - 1 }] : []),
      ...(hasMore ? [{ label: 'Older', page: number + 1 }] : []),
    ],
    known: knownDays(today, dates),
  };
}

/** The days by which a browser counts its streak. @param past days that had a board, newest first */
function knownDays(today: PuzzleDate, past: readonly PuzzleDate[]): PuzzleDate[] {
  return [today, ...past.slice(0, MOST_KNOWN)];
}
