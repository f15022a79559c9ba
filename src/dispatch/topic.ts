import { UserError } from '../core/errors.ts';
import type { Puzzle, WordSource } from '../puzzle/types.ts';
import { jobKeysOf } from '../reply/model/action.ts';
import { type Subject, subjectOfBoard, subjectOfDay } from '../reply/model/subject.ts';
import type { Reply } from '../reply/model/types.ts';
import { HINT_STEPS, type HintStep } from '../reply/replies/hint-steps.ts';
import { parseBoard } from '../solver/board.ts';
import type { SearchOptions } from '../solver/search.ts';
import type { Board } from '../solver/types.ts';
import type { JobAsker } from '../work/job.ts';
import {
  type App,
  actionAskerOf,
  flagOf,
  type Option,
  type ReadingApp,
  type Request,
  textOf,
  wordsOf,
} from './contract.ts';

/** The board a request is about, and what its words are judged by. */
export interface Topic {
  readonly board: Board;
  readonly subject: Subject;
  /** The puzzle of a day; none for sides that were typed. */
  readonly puzzle?: Puzzle;
  readonly source: WordSource;
  /** Names the board in the store, where shown hints are recorded: the day, or the sides. */
  readonly key: string;
}

/** Options that several commands share. */
export const SIDES: Option = {
  name: 'sides',
  description: 'Any board; left out, today’s',
  kind: 'sides',
  positional: true,
  example: 'ozu nri lfa mbt',
};
export const DATE: Option = {
  name: 'date',
  description: 'Yesterday, or a date',
  kind: 'date',
  positional: true,
  example: 'yesterday',
};

export const EVERYDAY: Option = {
  name: 'everyday',
  description: 'Only well-known words',
  kind: 'flag',
};
export const PAGE: Option = {
  name: 'page',
  description: 'Page of a long list',
  kind: 'whole',
  min: 1,
  max: 10_000,
  example: '2',
  inPlace: true,
};

/** The sides that were typed, else the board whose thread this is, else the day's puzzle of the asker's channel. */
export async function topicOf(request: Request, app: ReadingApp): Promise<Topic> {
  const sides = textOf(request, 'sides') ?? (await sidesOfThread(request, app));
  if (sides === undefined) return topicOfDay(await puzzleOf(request, app), app);
  if (request.options.date !== undefined) {
    throw new UserError('topic.both', 'Give sides or a date, not both.');
  }
  const board = parseBoard(sides);
  const subject = subjectOfBoard(board);
  const source = await app.puzzles.wordSource({ board });
  return { board, subject, source, key: String(subject.options.sides) };
}

/** The sides of the board that somebody made and that the thread of a request belongs to. */
export async function sidesOfThread(
  { where, options }: Pick<Request, 'where' | 'options'>,
  { store, clock }: Pick<ReadingApp, 'store' | 'clock'>,
): Promise<string | undefined> {
  const { tenant, channel, thread } = where;
  if (thread === undefined || options.date !== undefined) return undefined;
  return (await store.tenant(tenant).madeBoards.ofThread(channel, thread, clock.now()))?.sides;
}

/** The puzzle of the date asked for, or of today. */
export async function puzzleOf(request: Request, { puzzles, clock }: ReadingApp): Promise<Puzzle> {
  const { tenant, channel } = request.where;
  const now = clock.now();
  const asked = textOf(request, 'date');
  const date = asked === undefined ? puzzles.dateAt(now) : puzzles.readDate(asked, now);
  return puzzles.puzzleOf(date, { tenant, channel });
}

async function topicOfDay(puzzle: Puzzle, { puzzles }: ReadingApp): Promise<Topic> {
  const { board, date } = puzzle;
  const source = await puzzles.wordSource(puzzle);
  return { board, subject: subjectOfDay(puzzle), puzzle, source, key: date };
}

/** Who the jobs of a request are for. */
export function jobAskerOf(request: Pick<Request, 'door' | 'who' | 'where'>): JobAsker {
  return jobKeysOf(actionAskerOf(request));
}

/** The words that a hint or the next word continues from, and the words it may use. */
export function onwardsOf(request: Request): SearchOptions {
  const played = wordsOf(request, 'words');
  return {
    ...(played.length > 0 && { played }),
    ...(flagOf(request, 'everyday') && { tier: 'everyday' as const }),
  };
}

/** The hints that a whole solution gives away: all of them. */
export const WHOLE_SOLUTION: readonly HintStep[] = HINT_STEPS;
/** The hints that `next` gives away: how many more words are needed, and one of them. */
export const WAY_ON: readonly HintStep[] = ['count', 'first'];

/** Records that the asker has seen these steps of a board if the reply has anything to reveal. */
export async function recordShown(
  request: Pick<Request, 'who' | 'where' | 'recordsHints'>,
  app: Pick<App, 'store' | 'clock' | 'limits'>,
  { key }: Pick<Topic, 'key'>,
  { reply, steps }: { readonly reply: Reply; readonly steps: readonly HintStep[] },
): Promise<void> {
  if (reply.blocks.some(({ kind }) => kind === 'spoiler')) await recordSeen(request, app, key, steps);
}

/** The only function that records hints as seen. It does nothing if the request says so. */
export async function recordSeen(
  { who, where, recordsHints = true }: Pick<Request, 'who' | 'where' | 'recordsHints'>,
  { store, clock, limits }: Pick<App, 'store' | 'clock' | 'limits'>,
  key: string,
  steps: readonly string[],
): Promise<void> {
  if (!recordsHints) return;
  await store
    .tenant(where.tenant)
    .hints.see(who.id, key, steps, { at: clock.now(), most: limits.hintsPerPerson });
}
