import { peopleScope } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import { Random } from '../../core/random.ts';
import { lettersIn } from '../../core/text.ts';
import type { App, Asker, ReadingApp } from '../../dispatch/contract.ts';
import { toldTo } from '../../dispatch/told.ts';
import type { Topic } from '../../dispatch/topic.ts';
import { savedWords } from '../../play/saved-game.ts';
import { spanOf } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import { pathOf } from '../../reply/picture/layout.ts';
import type { ThreadStep } from '../../reply/replies/board.ts';
import { solutionChecksum } from '../../reply/replies/chosen-solutions.ts';
import { hintPoints } from '../../reply/replies/hint.ts';
import type { ToShare } from '../../reply/replies/result-line.ts';
import type { Board } from '../../solver/types.ts';
import type { AnonymizedPath, Result } from '../../store/tables/results.ts';
import { inheritHiding } from '../privacy.ts';
import type { Report } from './read-message.ts';
import { bestFirst, isOnTime } from './stats.ts';

/** Words that solve a board. */
export interface SolvingWords {
  readonly words: readonly string[];
  /** Whether they were just entered, and so are a result to record. */
  readonly isToRecord: boolean;
}

/** The board of a day. */
export type DayTopic = Topic & { readonly puzzle: Puzzle };

export interface RecordedSolution {
  readonly result: Result;
  /** The stored result, if it stays. */
  readonly better?: Result;
  /** The stored result that was replaced. */
  readonly beaten?: Result;
}

/** Records the words that solve a day's board as the asker's result of that day, unless theirs is as good. */
export async function recordSolution(
  asker: Asker,
  app: App,
  topic: DayTopic,
  words: readonly string[],
): Promise<RecordedSolution> {
  return recordResult(asker, app, {
    ...(await baseOf(asker, app, topic)),
    words: words.length,
    letters: lettersIn(words),
    path: anonymizePath(topic.board, pathOf(topic.board, words).words, new Random(app.randomSeed())),
    solution: solutionChecksum(words),
  });
}

/**
 * Records a result that the asker has from another channel or from private messages as theirs in this channel. When they
 * solved the board, and with which hints, stays as it was.
 */
export async function recordFromElsewhere(asker: Asker, app: App, result: Result): Promise<RecordedSolution> {
  const { channel } = asker.where;
  const here = { ...result, channel };
  const sinceOpening = await sinceOpeningOf(asker, app, result.date, result.solvedAt);
  const isShown = (await postedBefore(app.store, asker.where.tenant, here, 'solution')) !== undefined;
  return recordResult(asker, app, { ...here, sinceOpening, ...(isShown && { afterSolution: true }) });
}

/** Records a result that somebody only reported, unless theirs is as good or was played. */
export async function recordReport(
  asker: Asker,
  app: App,
  topic: DayTopic,
  { words, letters, hints, afterSolution }: Report,
): Promise<RecordedSolution> {
  const base = await baseOf(asker, app, topic);
  return recordResult(asker, app, {
    ...base,
    words,
    letters,
    hints: Math.max(hints, base.hints),
    afterSolution: afterSolution ?? base.afterSolution,
    reported: true,
  });
}

/** Records a result unless the stored one is better. A result on time is never replaced by a late one. */
async function recordResult({ who, where }: Asker, app: App, result: Result): Promise<RecordedSolution> {
  await inheritHiding(app.store, { tenant: where.tenant, person: who.id });
  const { results } = app.store.tenant(where.tenant);
  const stored = () => results.get(who.id, where.channel, result.date);
  const before = await stored();
  if (before !== undefined && isOnTime(before) && !isOnTime(result)) return { result, better: before };
  return (await results.record(result)) ? { result, beaten: before } : { result, better: await stored() };
}

/** A result as people see it: without the time that it took where there was no thread to count from. */
export async function resultToShow(
  { where: { tenant } }: Asker,
  { store }: App,
  result: Result,
): Promise<Omit<Result, 'sinceOpening'> & { readonly sinceOpening: number | null | undefined }> {
  if (result.sinceOpening === null) return result;
  const opened = await postedBefore(store, tenant, result, 'opening');
  return { ...result, sinceOpening: opened === undefined ? undefined : result.solvedAt - opened };
}

/** When a step of the day's thread was posted in the channel of a result, if that was before the board was solved. */
async function postedBefore(
  store: App['store'],
  tenant: string,
  { channel, date, solvedAt }: Pick<Result, 'channel' | 'date' | 'solvedAt'>,
  step: 'opening' | Extract<ThreadStep, 'solution'>,
): Promise<number | undefined> {
  const posted = await store.tenant(tenant).deliveries.get(channel, date, step);
  const doneAt = posted?.state === 'sent' ? posted.doneAt : null;
  return doneAt !== null && doneAt <= solvedAt ? doneAt : undefined;
}

/** The parts of every result: its person, its day, when the board was solved, and what had been told before. */
async function baseOf({ who, where, message }: Asker, app: App, { puzzle: { date }, subject }: DayTopic) {
  const { channel } = where;
  const solvedAt = Math.min(message?.at ?? Number.POSITIVE_INFINITY, app.clock.now());
  const { charged, isSolutionTold } = await toldTo({ who, where }, app, subject);
  const isPosted = await postedBefore(app.store, where.tenant, { channel, date, solvedAt }, 'solution');
  return {
    person: who.id,
    channel,
    date,
    solvedAt,
    sinceOpening: await sinceOpeningOf({ where }, app, date, solvedAt),
    message: message?.id,
    hints: hintPoints(charged),
    afterSolution: isSolutionTold || isPosted !== undefined ? (true as const) : undefined,
  };
}

/** Milliseconds since the day's thread of the asker's channel was opened, or else since the day began. Null after its day. */
async function sinceOpeningOf(
  { where: { tenant, channel } }: Pick<Asker, 'where'>,
  { store }: Pick<App, 'store'>,
  date: PuzzleDate,
  solvedAt: number,
): Promise<number | null> {
  const { from, to } = spanOf(date);
  if (solvedAt >= to) return null;
  return solvedAt - ((await postedBefore(store, tenant, { channel, date, solvedAt }, 'opening')) ?? from);
}

/** The points of the hints that a person was told about a board. */
export async function countHints(asker: Asker, app: App, { subject }: Topic): Promise<number> {
  return hintPoints((await toldTo(asker, app, subject)).charged);
}

/**
 * A path with the sides of the board, and the letters of each side, in another order. Without that,
 * anyone who has the board could read the words from the drawing.
 *
 * @param path the spots of each word
 */
export function anonymizePath(
  board: Board,
  path: readonly (readonly number[])[],
  random: Random,
): AnonymizedPath {
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

/** A person's best result of a day, as a channel sees it. */
export interface SeenResult {
  readonly result: Result;
  readonly toShare?: ToShare;
}

/** The best result of this channel, or else the best from anywhere at this door. */
export async function seenResult(
  { door, who, where }: Asker,
  app: Pick<App, 'store' | 'posterOf'>,
  date: PuzzleDate,
): Promise<SeenResult | undefined> {
  const here = await app.store.tenant(where.tenant).results.get(who.id, where.channel, date);
  if (here !== undefined && !where.direct) return { result: here };
  const all = await app.store.allPeople.resultsOf(peopleScope(where.tenant), who.id, date);
  const result = here ?? all.toSorted(bestFirst)[0];
  if (result === undefined) return undefined;
  const isToShare = !where.direct || (here !== undefined && all.length === 1);
  const mayCount = isOnTime(result) && hasPrivateChats(door, app);
  if (!isToShare || !mayCount || (await app.store.allPeople.isHidden(peopleScope(where.tenant), who.id)))
    return { result };
  return { result, toShare: where.direct ? 'in-a-channel' : 'here' };
}

/** Whether people can play outside of channels there, where nothing counts on a channel's leaderboard. */
export function hasPrivateChats(door: string, { posterOf }: Pick<ReadingApp, 'posterOf'>): boolean {
  const poster = posterOf(door);
  return poster !== undefined && !poster.isPrivateInChannel;
}

/** What somebody shares. */
export interface ResultToShare {
  readonly result: Result;
  /**
   * `now`: it counts on this channel's leaderboard from now on. `not`: it can't, since it was of another board, or its words
   * are gone. Left out if nothing has changed.
   */
  readonly counts?: 'now' | 'not';
}

/**
 * The result that a person shares in a channel: their best of this board, wherever they solved it. From then on it counts
 * in this channel, where they have chosen to appear.
 */
export async function resultToShare(
  asker: Asker,
  app: App,
  puzzle: Puzzle,
): Promise<ResultToShare | undefined> {
  const { who, where } = asker;
  const { date } = puzzle;
  const here = await app.store.tenant(where.tenant).results.get(who.id, where.channel, date);
  const all = (await app.store.allPeople.resultsOf(peopleScope(where.tenant), who.id, date)).toSorted(
    bestFirst,
  );
  if (!where.direct) {
    for (const result of all.filter(isOnTime)) {
      if (here !== undefined && bestFirst(here, result) <= 0) break;
      if (result.reported || (await wordsOf(asker, app, puzzle, result)) !== undefined)
        return bring(asker, app, result);
    }
  }
  const [best] = all;
  if (here !== undefined) return { result: here };
  return best && { result: best, counts: !where.direct && isOnTime(best) ? 'not' : undefined };
}

async function bring(asker: Asker, app: App, elsewhere: Result): Promise<ResultToShare> {
  const { result, better } = await recordFromElsewhere(asker, app, elsewhere);
  if (better !== undefined) return { result: better };
  const isHidden = await app.store.tenant(asker.where.tenant).people.isHidden(asker.who.id);
  return { result, counts: isHidden ? undefined : 'now' };
}

/** The words of a day's result, from any place at this door where the person played: results of a day can be brought along. */
export async function wordsOf(
  { where, who }: Asker,
  app: App,
  puzzle: Puzzle,
  result: Result,
): Promise<readonly string[] | undefined> {
  const tenants = await app.store.allPeople.tenantsOf(peopleScope(where.tenant), who.id);
  return wordsOfResult(app, { person: who.id, board: dayGameKey(puzzle), tenants }, result);
}

/** The key of a person's game of a day's board. Two channels may have different boards on one day. */
export function dayGameKey({ date, board }: Pick<Puzzle, 'date' | 'board'>): string {
  return `${date} ${board.sides.join('-')}`;
}

/** What is stored about the words of a result; of a board that somebody made only the numbers. */
type SolvedWith = Pick<Result, 'words' | 'letters'> & Partial<Pick<Result, 'solution'>>;

/** Where the game of a result is: one person's game of one board, in any of these tenants. */
interface WhoseGame {
  readonly person: string;
  readonly board: string;
  readonly tenants: readonly string[];
}

/** The words of a result, as long as a saved game of its board still has them. */
export async function wordsOfResult(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  { person, board, tenants }: WhoseGame,
  result: SolvedWith,
): Promise<readonly string[] | undefined> {
  for (const tenant of tenants) {
    const game = await store.tenant(tenant).soloGames.get(person, board, clock.now());
    const words = game && savedWords(game.state);
    if (words !== undefined && areOf(words, result)) return words;
  }
  return undefined;
}

function areOf(words: readonly string[], { words: number, letters, solution }: SolvedWith): boolean {
  if (words.length !== number || lettersIn(words) !== letters) return false;
  return solution === undefined || solution === solutionChecksum(words);
}
