import type { PuzzleDate } from '../../core/clock.ts';
import { Random } from '../../core/random.ts';
import { letterCount } from '../../core/text.ts';
import { endsOfDay, isDayClosed, postedBy, type StepEnds } from '../../daily/day-thread.ts';
import type { App, Asker } from '../../dispatch/contract.ts';
import { readHintRecord } from '../../dispatch/hint-record.ts';
import type { Target } from '../../dispatch/target.ts';
import { spanOf } from '../../puzzle/calendar.ts';
import { boardKey, type Puzzle } from '../../puzzle/types.ts';
import type { DrawnPath } from '../../reply/model/types.ts';
import { pathOf } from '../../reply/picture/path.ts';
import { solutionChecksum } from '../../reply/replies/chosen-solutions.ts';
import { hintPoints } from '../../reply/replies/hint-steps.ts';
import type { ListedNow, ResultShown } from '../../reply/replies/result-line.ts';
import type { Board } from '../../solver/types.ts';
import type { AnonymizedPath, Result } from '../../store/tables/results.ts';
import { planDayPost } from '../day-post.ts';
import { ownResult } from './own-result.ts';
import type { Report } from './read-message.ts';
import { hasSameNumbers, inheritChoices, isSolvedOnItsDay } from './stats.ts';

export type DayTarget = Target & { readonly puzzle: Puzzle };

export interface RecordedSolution {
  readonly result: Result;
  /** The person's result of the board, if it was better and is stored. */
  readonly better?: Result;
  /** The person's earlier result, if `result` is better. */
  readonly beaten?: Result;
}

/** Records the words that solve a day's board as the asker's result of that day, unless their stored result is as good. */
export async function recordSolution(
  asker: Asker,
  app: App,
  target: DayTarget,
  words: readonly string[],
): Promise<RecordedSolution> {
  return recordResult(asker, app, target, {
    ...(await baseOf(asker, app, target)),
    words: words.length,
    letters: letterCount(words),
    path: anonymizePath(target.board, pathOf(target.board, words), new Random(app.randomSeed())),
    solution: solutionChecksum(words),
  });
}

/** Records a result that somebody only reported, unless their stored result is as good or was played. */
export async function recordReport(
  asker: Asker,
  app: App,
  target: DayTarget,
  { words, letters, hints, afterSolution }: Report,
): Promise<RecordedSolution> {
  const base = await baseOf(asker, app, target);
  const report: Result = {
    ...base,
    words,
    letters,
    hints: Math.max(hints, base.hints),
    afterSolution: afterSolution ?? base.afterSolution,
    reported: true,
  };
  await correctShared(asker, app, report);
  return recordResult(asker, app, target, report);
}

/** Changes what an earlier form of a message reported in other channels, where it was shared, unless their day is closed. */
async function correctShared({ who, where }: Asker, { store, clock }: App, report: Result): Promise<void> {
  const { date, board, message, words, letters, hints, afterSolution } = report;
  if (message === undefined || !isSolvedOnItsDay(report)) return;
  for (const { tenant, ...shared } of await store.allPeople.resultsOf(where.tenant, who.id, date)) {
    const isHere = tenant === where.tenant && shared.channel === where.channel;
    if (isHere || shared.message !== message || shared.board !== board || !shared.reported) continue;
    // Stored again, it would be ranked again.
    if (shared.replaced) continue;
    const channel = { tenant, channel: shared.channel };
    if (await isDayClosed(store, channel, { date, now: clock.now() })) continue;
    const ends = await endsOfDay(store, channel, date);
    const isToldThere = postedBy(ends, 'solution', shared.solvedAt) !== undefined;
    const seen = isToldThere ? shared.afterSolution : afterSolution;
    await store.tenant(tenant).results.record({ ...shared, words, letters, hints, afterSolution: seen });
  }
}

/**
 * Records a result unless the person has a better one, here or elsewhere at this door. After the day, a result that was solved
 * on it changes no more, except that entered words take the place of a report of as many words.
 */
async function recordResult(
  asker: Asker,
  app: App,
  { puzzle }: DayTarget,
  entered: Result,
): Promise<RecordedSolution> {
  const before = (await ownResult(asker, app, puzzle))?.result;
  const result = before === undefined ? entered : await asReported(asker, app, before, entered);
  if (before !== undefined && isSolvedOnItsDay(before) && !isSolvedOnItsDay(result))
    return { result, better: before };
  const stored = await storeResult(asker, app, result);
  // What was just stored is gone already if it was erased meanwhile, or is beyond the results that a person may have.
  const own = (await ownResult(asker, app, puzzle))?.result ?? result;
  if (stored === undefined || !hasSameNumbers(own, result)) return { result, better: own };
  return { result: stored, beaten: before && !hasSameNumbers(before, result) ? before : undefined };
}

/**
 * Joins entered words with an earlier report: hints and the solution count if either of the two has them. Words that prove
 * the report after its day count as solved when it was made.
 */
async function asReported(
  asker: Asker,
  app: App,
  { reported, words, solvedAt, hints, afterSolution }: Result,
  proof: Result,
): Promise<Result> {
  if (!reported || proof.reported) return proof;
  const proven = {
    ...proof,
    hints: Math.max(hints, proof.hints),
    afterSolution: afterSolution ?? proof.afterSolution,
  };
  if (isSolvedOnItsDay(proof) || words !== proof.words) return proven;
  const ends = await endsOfDay(app.store, asker.where, proof.date);
  const sinceOpening = sinceOpeningOf(ends, proof.date, solvedAt);
  return { ...proven, solvedAt, sinceOpening };
}

/** The result as it is stored; undefined if the channel has one of the person that is as good. */
async function storeResult({ who, where }: Asker, app: App, entered: Result): Promise<Result | undefined> {
  const day = { date: entered.date, now: app.clock.now() };
  const isLate = !where.direct && isSolvedOnItsDay(entered) && (await isDayClosed(app.store, where, day));
  const result: Result = { ...entered, late: isLate ? true : undefined };
  // Somebody who hides or is calm in another workspace is so here from the first result on.
  await inheritChoices(app.store, { tenant: where.tenant, person: who.id });
  const { results, channelResults } = app.store.tenant(where.tenant);
  const isStored = await results.record(result);
  // Records which board the day has here now: until the newspaper answered, it may have had the house's.
  if (isStored && isSolvedOnItsDay(result) && !isLate) {
    await channelResults.setBoard(where.channel, result.date, result.board);
    await planDayPost({ where }, app, result.date);
  }
  return isStored ? result : undefined;
}

/** A result as people see it: without the time it took if there was no thread to count from. */
export async function resultToShow(
  { where: { tenant } }: Asker,
  { store }: App,
  result: Result,
): Promise<Omit<Result, 'sinceOpening'> & Pick<ResultShown, 'sinceOpening'>> {
  if (result.sinceOpening === null) return result;
  const { channel, date, solvedAt } = result;
  const opened = postedBy(await endsOfDay(store, { tenant, channel }, date), 'opening', solvedAt);
  return { ...result, sinceOpening: opened === undefined ? undefined : solvedAt - opened };
}

/** The common parts of every result: its person, its day, when the board was solved, and what had been seen before. */
async function baseOf(
  { who, where, message }: Asker,
  app: App,
  { puzzle: { date, board }, namedBoard }: DayTarget,
) {
  const { channel } = where;
  const solvedAt = Math.min(message?.at ?? Number.POSITIVE_INFINITY, app.clock.now());
  const ends = await endsOfDay(app.store, where, date);
  const solutionPostedAt = postedBy(ends, 'solution', solvedAt);
  // Once everybody may read the solution, hints cost nothing.
  const shown = { ...namedBoard, before: solutionPostedAt };
  const { countedSteps, isSolutionSeen } = await readHintRecord({ who, where }, app, shown);
  return {
    person: who.id,
    channel,
    date,
    board: boardKey(board.sides),
    solvedAt,
    sinceOpening: sinceOpeningOf(ends, date, solvedAt),
    message: message?.id,
    hints: hintPoints(countedSteps),
    afterSolution: isSolutionSeen || solutionPostedAt !== undefined ? (true as const) : undefined,
  };
}

/** Milliseconds since the day's thread of the asker's channel opened, or else since the day began. Null after its day. */
function sinceOpeningOf(ends: StepEnds, date: PuzzleDate, solvedAt: number): number | null {
  const { from, to } = spanOf(date);
  if (solvedAt >= to) return null;
  return solvedAt - (postedBy(ends, 'opening', solvedAt) ?? from);
}

/**
 * A path with the sides of the board, and the letters of each side, in another order. Otherwise anyone with the board could
 * read the words from the drawing.
 */
export function anonymizePath(board: Board, path: DrawnPath, random: Random): AnonymizedPath {
  const order = random.shuffle(board.sides.map((_, side) => side));
  const sides = order.map((side) => board.sides[side]!.length);
  /** The new index of each spot. */
  const moved = new Map<number, number>();
  for (const side of order) {
    const spots = [...board.sideOf.keys()].filter((spot) => board.sideOf[spot] === side);
    for (const spot of random.shuffle(spots)) moved.set(spot, moved.size);
  }
  return { sides, words: path.map((word) => word.map((spot) => moved.get(spot)!)) };
}

export interface ResultToShare {
  readonly result: Result;
  /** Whether it is stored in this channel from now on. */
  readonly isBrought?: boolean;
  readonly isAfterSolutionHere?: boolean;
  /** Set if it is on this channel's leaderboard from now on. */
  readonly listedNow?: ListedNow | undefined;
}

/**
 * The result that a person shares in a channel: their best of this board, wherever they solved it. From then on it is on
 * the channel's leaderboard, unless they hide from it.
 */
export async function resultToShare(
  asker: Asker,
  app: App,
  puzzle: Puzzle,
): Promise<ResultToShare | undefined> {
  const { tenant, channel, direct } = asker.where;
  const own = await ownResult(asker, app, puzzle);
  if (own === undefined || direct || own.isHere || !isSolvedOnItsDay(own.result)) return own;
  const { result } = own;
  // When they solved the board, and with which hints, stays as it was.
  const ends = await endsOfDay(app.store, asker.where, result.date);
  const sinceOpening = sinceOpeningOf(ends, result.date, result.solvedAt);
  const stored = await storeResult(asker, app, { ...result, channel, sinceOpening });
  const isRanked = await app.store.tenant(tenant).people.isRanked(asker.who.id);
  if (stored === undefined) return { result };
  const listedNow = stored.late ? 'late' : 'counting';
  return {
    result: stored,
    isBrought: true,
    isAfterSolutionHere: own.isAfterSolutionHere,
    listedNow: isRanked ? listedNow : undefined,
  };
}
