import type { PuzzleDate } from '../core/clock.ts';
import { UserError } from '../core/errors.ts';
import { counted, lettersIn } from '../core/text.ts';
import type { App } from '../dispatch/contract.ts';
import type { Move } from '../play/moves.ts';
import type { SavedGame } from '../play/saved-game.ts';
import { longDate, shortDate } from '../puzzle/date-text.ts';
import type { WordSource } from '../puzzle/types.ts';
import { type Subject, subjectOfBoard, subjectOfDay } from '../reply/model/subject.ts';
import { parLines, solvedTitle } from '../reply/replies/game.ts';
import { squaresOf } from '../reply/replies/result-line.ts';
import { parseBoard } from '../solver/board.ts';
import { knownDays } from './archive-page.ts';
import { copiesOf, type GameView, gameView } from './game-view.ts';

/** A board that everybody may see: the house's of a day, or sides in an address. */
export interface PublicBoard {
  readonly subject: Subject;
  readonly source: WordSource;
  readonly par?: number;
  /** Of a day's board: when its day ends. */
  readonly until?: number;
}

/** @throws UserError if there is no such board, or none that everybody may see */
export async function boardOfDay(text: string, { puzzles, clock }: App): Promise<PublicBoard> {
  const date = puzzles.readDate(text, clock.now());
  const puzzle = await puzzles.houseOf(date);
  if (puzzle === undefined) {
    throw new UserError('pages.no-board', `There is no house board for ${longDate(date)}. Try today’s.`);
  }
  return {
    subject: subjectOfDay(puzzle),
    source: await puzzles.wordSource(puzzle),
    ...(puzzle.par !== undefined && { par: puzzle.par }),
    until: puzzles.spanOf(date).to,
  };
}

/** @throws UserError if these are no sides of a board */
export async function boardOfSides(text: string, { puzzles }: App): Promise<PublicBoard> {
  const board = parseBoard(text);
  return { subject: subjectOfBoard(board), source: await puzzles.wordSource({ board }) };
}

export interface VisitorMoves {
  /** The game as the visitor's browser has kept it. It counts for nobody, so it may claim what it likes. */
  readonly saved: unknown;
  readonly moves: readonly Move[];
}

/**
 * Makes moves for somebody without a name: nothing is stored. With the day's board solved, the days come along by
 * which their browser counts the streak.
 *
 * @param link to the board, for people who share a result
 */
export async function playAsVisitor(
  { work, clock, puzzles }: App,
  { subject, source, par, until }: PublicBoard,
  { saved, moves }: VisitorMoves,
  { address, link }: { readonly address: string; readonly link: string },
): Promise<{ game: GameView; saved: SavedGame; isLate: boolean; days?: PuzzleDate[] }> {
  const input = { board: subject.board, source, saved, input: { moves } };
  const state = await work.run('play', input, { channel: 'pages', person: `pages:${address}` });
  const letters = lettersIn(state.words);
  const solved = { words: state.words.length, letters, ...(par !== undefined && { par }) };
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
            share: shareText(subject, state.words, link),
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
function shareText({ name, date }: Subject, words: readonly string[], link: string): string {
  const board = date === undefined ? name : shortDate(date);
  const lengths = words.map((word) => word.length);
  return [`Letter Boxed, ${board} · ${counted(words.length, 'word')}`, squaresOf(lengths), link].join('\n');
}
