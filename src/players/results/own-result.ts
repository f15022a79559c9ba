/** A person's result of a board. Every answer that shows a number of a result gets it from here. */

import type { ChannelRef } from '../../core/channel-ref.ts';
import { unlessMistake } from '../../core/errors.ts';
import { counted, grouped, letterCount } from '../../core/text.ts';
import { endsOfDay, isCountPublic, isDayClosed, postedBy, type StepEnds } from '../../daily/day-thread.ts';
import type { App, Asker, ReadingApp } from '../../dispatch/contract.ts';
import type { Target } from '../../dispatch/target.ts';
import type { SolutionNumbers } from '../../play/review.ts';
import { savedWords } from '../../play/saved-game.ts';
import { dateAt, spanOf } from '../../puzzle/calendar.ts';
import { boardKey, type DayBoard, dayGameKey, type Puzzle } from '../../puzzle/types.ts';
import type { AskerRef } from '../../reply/model/action.ts';
import { stepsOf } from '../../reply/model/facts.ts';
import { factsBlock, present } from '../../reply/model/text.ts';
import type { Block } from '../../reply/model/types.ts';
import { solutionChecksum } from '../../reply/replies/chosen-solutions.ts';
import { HINTS } from '../../reply/replies/hint-steps.ts';
import { titleOf } from '../../reply/replies/praise.ts';
import { replacedText, SOLVED_REPLACED, type ToShare } from '../../reply/replies/result-line.ts';
import type { SolvedScore } from '../../reply/replies/solved.ts';
import type { DayScore, PlacedResult, Result } from '../../store/tables/results.ts';
import type { JobAsker } from '../../work/job.ts';
import { type MadeBoard, madeBoardOn } from '../made-boards/made-board.ts';
import { bestFirst, hasSameNumbers, isCalm, isSolvedOnItsDay } from './stats.ts';

export interface OwnResult {
  readonly result: Result;
  /** Whether it counts in the asker's channel: if not, a worse result is ranked there, or none. */
  readonly isHere: boolean;
  /** Whether it is one after the solution only because the asker's channel had seen that before. */
  readonly isAfterSolutionHere: boolean;
  /** Whether the person has no other of this board. */
  readonly isOnly: boolean;
}

/**
 * A person's result of a day's board: their best one from anywhere at this door. A result that was solved on its day is better
 * than any other, and of equal results, the one of the asker's channel wins. If that channel had seen the solution before, a
 * result from elsewhere counts as one after the solution, as on the leaderboard.
 *
 * @param ends of the day's steps in the asker's channel, if they are known
 */
export async function ownResult(
  asker: Asker,
  { store }: Pick<ReadingApp, 'store'>,
  { date, board }: DayBoard,
  ends?: StepEnds,
): Promise<OwnResult | undefined> {
  const { who, where } = asker;
  const key = boardKey(board.sides);
  const all = (await store.allPeople.resultsOf(where.tenant, who.id, date)).filter(
    (one) => one.board === key,
  );
  if (all.length === 0) return undefined;
  const isFromHere = (one: PlacedResult) => one.tenant === where.tenant && one.channel === where.channel;
  const here = all.find(isFromHere);
  const solutionPostedAt = postedBy(ends ?? (await endsOfDay(store, where, date)), 'solution');
  const seen = all.map(
    (one): PlacedResult =>
      isFromHere(one) || solutionPostedAt === undefined || one.solvedAt < solutionPostedAt
        ? one
        : { ...one, afterSolution: true },
  );
  const best = seen.toSorted(bestFirst)[0]!;
  const isHere = here !== undefined && hasSameNumbers(here, best);
  // `late` is about the channel of a result.
  const { tenant: _, ...result } = isHere ? here : { ...best, late: undefined };
  // Marked here only: where it was played, the same result counts as one before the solution.
  const isMarkedHere = (one: DayScore) =>
    !one.afterSolution && hasSameNumbers({ ...one, afterSolution: true }, result);
  const isAfterSolutionHere = result.afterSolution === true && all.some(isMarkedHere);
  return { result, isHere, isAfterSolutionHere, isOnly: all.length === 1 };
}

/**
 * Where to share a result so that it counts in a channel; undefined if there is no need, or it is too late for that. In
 * private, a person can share their only result until its day ends. In a channel, they can share a better one from elsewhere
 * until the channel's day is closed.
 */
export async function toShareOf(
  { door, who, where }: Asker,
  app: Pick<ReadingApp, 'store' | 'clock' | 'posterOf'>,
  { result, isHere, isOnly }: OwnResult,
): Promise<ToShare | undefined> {
  const { date } = result;
  const mayShare = where.direct ? isHere && isOnly : !isHere;
  if (!mayShare || !isSolvedOnItsDay(result) || !hasPrivateChats(door, app)) return undefined;
  if (await app.store.allPeople.isHidden(where.tenant, who.id)) return undefined;
  if (await isCalm({ who, where }, app)) return undefined;
  const now = app.clock.now();
  if (where.direct) return now >= spanOf(date).to ? undefined : 'in-a-channel';
  return (await isDayClosed(app.store, where, { date, now })) ? undefined : 'here';
}

/**
 * A person's result of the board that a day's board replaced, if it is their best of the day: their stats count it, and
 * answers with their result of the day name it.
 */
export async function resultOfReplaced(
  { who, where }: Pick<Asker, 'who' | 'where'>,
  { store }: Pick<ReadingApp, 'store'>,
  { date, board, source }: DayBoard & Pick<Puzzle, 'source'>,
): Promise<Result | undefined> {
  const key = boardKey(board.sides);
  const all = await store.allPeople.resultsOf(where.tenant, who.id, date);
  const [best] = all.toSorted(bestFirst);
  if (best === undefined || best.board === key) return undefined;
  const isFromHere = best.tenant === where.tenant && best.channel === where.channel;
  // A typed board replaces the one that people have elsewhere. Otherwise, another channel still has theirs.
  return source === 'hand' || best.replaced || isFromHere ? best : undefined;
}

/** Whether people can play outside of channels at this door, where nothing counts for a leaderboard. */
export function hasPrivateChats(door: string, { posterOf }: Pick<ReadingApp, 'posterOf'>): boolean {
  const poster = posterOf(door);
  return poster !== undefined && !poster.isPrivateInChannel;
}

export function gameKey({ namedBoard, puzzle }: Pick<Target, 'namedBoard' | 'puzzle'>): string {
  return puzzle === undefined ? String(namedBoard.options.sides) : dayGameKey(puzzle);
}

/** The numbers of words and letters of a result, and the checksum of its words if the board is of a day. */
type SolvedWith = Pick<Result, 'words' | 'letters'> & Partial<Pick<Result, 'solution' | 'reported'>>;

/** A person's result of any board, with the places that keep its words: their game, and their finds. */
export interface KeptResult {
  readonly result: SolvedWith & Pick<Result, 'hints'>;
  readonly game: string;
  readonly finds: string;
}

/** A person's result of the board of a day, or of one that somebody made for the channel. */
export async function ownResultOf(
  asker: Asker,
  app: App,
  { puzzle, board }: Pick<Target, 'puzzle' | 'board'>,
): Promise<KeptResult | undefined> {
  if (puzzle === undefined) {
    const madeBoard = await madeBoardOn(app, asker.where, board);
    return madeBoard && ownResultOfMade(asker, app, madeBoard);
  }
  const own = await ownResult(asker, app, puzzle);
  return own && { result: own.result, game: dayGameKey(puzzle), finds: dayGameKey(puzzle) };
}

export async function ownResultOfMade(
  { who, where }: Asker,
  { store }: App,
  { key, sides }: Pick<MadeBoard, 'key' | 'sides'>,
): Promise<KeptResult | undefined> {
  const result = await store.tenant(where.tenant).madeBoards.resultOf(where.channel, key, who.id);
  return result && { result, game: sides, finds: key };
}

/**
 * The words of a result while they are kept: among the person's finds, or in their game. Words of a reported result are not
 * known.
 */
export async function wordsOfResult(
  { where, who }: Pick<Asker, 'where' | 'who'>,
  { store, clock }: Pick<App, 'store' | 'clock'>,
  { result, game, finds }: KeptResult,
): Promise<readonly string[] | undefined> {
  if (result.reported) return undefined;
  const found = await store.allPeople.findsOf(where.tenant, who.id, finds);
  const saved = await store.allPeople.soloGame(where.tenant, who.id, game, clock.now());
  const played = saved && savedWords(saved.state);
  const words = [...found.map((find) => find.split(' ')), ...(played === undefined ? [] : [played])];
  const { solution } = result;
  return words
    .filter((some) => some.length === result.words && letterCount(some) === result.letters)
    .find((some) => solution === undefined || solution === solutionChecksum(some));
}

/**
 * How close solutions of one board come to the best, in the order of `solutions`. Empty after a failure: replies are sent
 * without points then.
 */
export async function scoresOf(
  { log, work }: Pick<ReadingApp, 'log' | 'work'>,
  { board, source }: Pick<Target, 'board' | 'source'>,
  solutions: readonly SolutionNumbers[],
  asker: AskerRef | JobAsker,
): Promise<SolvedScore[]> {
  try {
    const numbers = solutions.map(({ words, letters, hints }) => ({ words, letters, hints }));
    return await work.run('scores', { board, source, solutions: numbers }, asker);
  } catch (error) {
    log.warn({ error: String(error) }, 'solutions were given no points');
    return [];
  }
}

/**
 * The titles of results of a day as everybody in a channel may see them, by person. A title reveals how close a result is to
 * the fewest words, so no result has a title before everybody may know how many words the board takes. Results after the
 * solution, self-reported results, and results of another board never have one.
 */
export async function publicTitles(
  app: ReadingApp,
  { now, asker, ...channel }: ChannelRef & { readonly now: number; readonly asker: AskerRef | JobAsker },
  puzzle: Puzzle,
  results: readonly Result[],
): Promise<ReadonlyMap<string, string>> {
  const { date, board } = puzzle;
  const key = boardKey(board.sides);
  const titled = results.filter((one) => !one.afterSolution && !one.reported && one.board === key);
  if (titled.length === 0 || !(await isCountPublic(app.store, channel, { date, now }))) return new Map();
  const source = await app.puzzles.wordSource(puzzle);
  const scores = await scoresOf(app, { board, source }, titled, asker);
  return new Map(scores.map(({ points }, index) => [titled[index]!.person, titleOf(points)]));
}

/** How far a person is with the board of the day, and what they have solved before. */
export async function progressBlock(asker: Asker, app: App): Promise<Block[]> {
  const { who, where } = asker;
  const { store, puzzles, clock } = app;
  const date = dateAt(clock.now());
  const seen = await store.allPeople.seenOn(where.tenant, who.id, date);
  const names = stepsOf(seen).map((step) => HINTS[step].name.toLowerCase());
  const puzzle = await unlessMistake(puzzles.puzzleOf(date, where));
  const own = puzzle && (await ownResult(asker, app, puzzle));
  const replaced = puzzle && (await resultOfReplaced(asker, app, puzzle));
  const solved = own && present([counted(own.result.words, 'word'), replaced && replacedText(replaced)]);
  return factsBlock({
    'Hints you’ve seen today': names.join(', ') || 'none',
    'Your result today': solved?.join(', ') ?? (replaced ? SOLVED_REPLACED : 'not solved yet'),
    'Boards you’ve solved here': grouped(await store.tenant(where.tenant).results.days(who.id)),
  });
}
