import { UserError } from '../../core/errors.ts';
import type { Judge, Puzzle } from '../../puzzle/types.ts';
import { type Subject, subjectOfBoard, subjectOfDay } from '../../reply/model/subject.ts';
import { parseBoard } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';
import { type App, type Option, type Request, textOf } from '../contract.ts';

/** The board a request is about, and the words that count on it. */
export interface Topic {
  readonly board: Board;
  readonly subject: Subject;
  /** Of a day; none for sides that were typed. */
  readonly puzzle?: Puzzle;
  readonly judge: Judge;
  /** Under which hints seen are kept: the day, or the sides. */
  readonly key: string;
}

/** Options that several commands share. */
export const SIDES: Option = {
  name: 'sides',
  description: "The sides of any board; left out, it is the day's board",
  kind: 'sides',
  positional: true,
  example: 'ozu nri lfa mbt',
};
export const DATE: Option = {
  name: 'date',
  description: 'The board of another day: yesterday, or a date',
  kind: 'date',
  example: 'yesterday',
};

export const EVERYDAY: Option = {
  name: 'everyday',
  description: 'Only words most people know',
  kind: 'flag',
};
export const PAGE: Option = {
  name: 'page',
  description: 'Which part of a long list',
  kind: 'whole',
  min: 1,
  max: 10_000,
  example: '2',
};

/** The sides that were typed, else the day's puzzle of the asker's place. */
export async function topicOf(request: Request, app: App): Promise<Topic> {
  const sides = textOf(request, 'sides');
  if (sides === undefined) return topicOfDay(await puzzleOf(request, app), app);
  if (request.options.date !== undefined) {
    throw new UserError('topic.both', 'A board has either sides or a date. Leave one of the two out.');
  }
  const board = parseBoard(sides);
  const subject = subjectOfBoard(board);
  return { board, subject, judge: await app.puzzles.judge({ board }), key: String(subject.options.sides) };
}

/** The puzzle of the date asked for, or of today. */
export async function puzzleOf(request: Request, { puzzles, clock }: App): Promise<Puzzle> {
  const { tenant, channel } = request.where;
  const now = clock.now();
  const asked = textOf(request, 'date');
  const date = asked === undefined ? puzzles.dateAt(now) : puzzles.readDate(asked, now);
  return puzzles.puzzleOf(date, { tenant, channel });
}

async function topicOfDay(puzzle: Puzzle, { puzzles }: App): Promise<Topic> {
  const { board, date } = puzzle;
  return { board, subject: subjectOfDay(puzzle), puzzle, judge: await puzzles.judge(puzzle), key: date };
}
