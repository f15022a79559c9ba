import * as v from 'valibot';
import { DAY } from '../../core/clock.ts';
import { letterCount } from '../../core/text.ts';
import type { App, Asker, ReadingApp, Request, RequestChannel } from '../../dispatch/contract.ts';
import { readHintRecord } from '../../dispatch/hint-record.ts';
import { type Posted, postedSchema } from '../../dispatch/poster.ts';
import { storedBoardOfThread, type Target } from '../../dispatch/target.ts';
import type { Appraisal } from '../../puzzle/house.ts';
import { boardKey } from '../../puzzle/types.ts';
import { hintPoints } from '../../reply/replies/hint-steps.ts';
import type { MadeBoardShown } from '../../reply/replies/made-boards.ts';
import type { SolvedShown } from '../../reply/replies/solved.ts';
import { parseBoard } from '../../solver/board.ts';
import { type Board, GRADES } from '../../solver/types.ts';
import type { StoredMadeBoard } from '../../store/tables/made-boards.ts';
import { inheritChoices } from '../results/stats.ts';

/** Milliseconds for which results of a board that somebody made count. */
export const OPEN_MS = 30 * DAY;
/** Milliseconds for which the board is listed; then it is deleted with its results. */
export const LISTED_MS = 60 * DAY;

const appraisalSchema = v.object({
  fewest: v.number(),
  everyday: v.exactOptional(v.number()),
  difficulty: v.exactOptional(v.picklist(GRADES)),
  par: v.number(),
});

/** A board that somebody made for a channel, with its parsed parts. */
export interface MadeBoard extends Omit<StoredMadeBoard, 'appraisal' | 'posted' | 'board'> {
  /** Its key in the store, see `boardKey`. */
  readonly key: string;
  readonly board: Board;
  readonly appraisal: Appraisal | undefined;
  readonly posted: Posted | undefined;
}

export function readMadeBoard({ board: key, appraisal, posted, ...stored }: StoredMadeBoard): MadeBoard {
  const read = v.safeParse(appraisalSchema, appraisal);
  const known = v.safeParse(postedSchema, posted);
  return {
    ...stored,
    key,
    board: parseBoard(stored.sides),
    appraisal: read.success ? read.output : undefined,
    posted: known.success ? known.output : undefined,
  };
}

/** The moment from which results no longer count. */
export function endOf({ madeAt, closedAt }: Pick<StoredMadeBoard, 'madeAt' | 'closedAt'>): number {
  return closedAt ?? madeAt + OPEN_MS;
}

/** The made board to which the thread of a request belongs, unless the request names a day. */
export async function madeBoardOfThread(
  request: Pick<Request, 'where' | 'options'>,
  app: Pick<ReadingApp, 'store' | 'clock'>,
): Promise<MadeBoard | undefined> {
  const found = await storedBoardOfThread(request, app);
  return found && readMadeBoard(found);
}

/** The made board of a channel with the sides of this board, in any order of sides and letters. */
export async function madeBoardOn(
  { store, clock }: Pick<ReadingApp, 'store' | 'clock'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  { sides }: Board,
): Promise<MadeBoard | undefined> {
  const found = await store.tenant(tenant).madeBoards.get(channel, boardKey(sides), clock.now());
  return found && readMadeBoard(found);
}

export function shownOf(
  { clock, publicPage }: Pick<ReadingApp, 'clock' | 'publicPage'>,
  madeBoard: MadeBoard,
): MadeBoardShown {
  const until = endOf(madeBoard);
  return { ...madeBoard, until, isOpen: clock.now() < until, page: publicPage({ sides: madeBoard.sides }) };
}

/** These boards without their makers' ids where a maker hides from leaderboards. */
export async function withoutHiddenMakers<Row extends { readonly madeBy: string | null }>(
  { store }: Pick<ReadingApp, 'store'>,
  tenant: string,
  boards: readonly Row[],
): Promise<Row[]> {
  const makers = new Set(boards.flatMap(({ madeBy }) => madeBy ?? []));
  const hidden = await store.tenant(tenant).people.hiddenAmong([...makers]);
  return boards.map((board) =>
    board.madeBy !== null && hidden.has(board.madeBy) ? { ...board, madeBy: null } : board,
  );
}

export interface SolvingWords {
  readonly words: readonly string[];
  /** Whether they were just entered, and so are a result to record. */
  readonly isToRecord: boolean;
}

/** What a person sees of a made board that they have solved. */
type SolvedMadeBoard = NonNullable<SolvedShown['madeBoard']> & Pick<SolvedShown, 'par' | 'isAfterSolution'>;

/**
 * Records a solution as the asker's result of the board that somebody made for this channel, if there is one and it is still
 * open. Such results count for that board only, and for no day.
 */
export async function solveMadeBoard(
  asker: Asker,
  app: App,
  target: Target,
  { words, isToRecord }: SolvingWords,
): Promise<SolvedMadeBoard | undefined> {
  const madeBoard = await madeBoardOn(app, asker.where, target.board);
  if (madeBoard === undefined) return undefined;
  const { tenant, channel } = asker.where;
  const { id: person } = asker.who;
  const { madeBoards } = app.store.tenant(tenant);
  const own = () => madeBoards.resultOf(channel, madeBoard.key, person);
  const resultBefore = await own();
  const isOpen = app.clock.now() < endOf(madeBoard);
  // A board may have been solved before somebody made it for the channel.
  const isRecorded = isOpen && (isToRecord || resultBefore === undefined);
  const { countedSteps, isSolutionSeen } = await readHintRecord(asker, app, target.namedBoard);
  if (isRecorded) {
    const score = {
      words: words.length,
      letters: letterCount(words),
      hints: hintPoints(countedSteps),
      afterSolution: isSolutionSeen || undefined,
    };
    // A person who hides from leaderboards, or is calm, in another tenant is so here, too.
    await inheritChoices(app.store, { tenant, person });
    await madeBoards.record({ channel, board: madeBoard.key, person, ...score, solvedAt: app.clock.now() });
  }
  const best = isRecorded ? await own() : resultBefore;
  const results = await madeBoards.results(channel, madeBoard.key);
  const rank = results.find((one) => one.person === person)?.rank;
  const { name, note, appraisal } = madeBoard;
  return {
    name,
    note,
    isOpen,
    par: appraisal?.par,
    isAfterSolution: isRecorded ? isSolutionSeen : best?.afterSolution,
    best,
    rank: rank !== undefined && results.length > 1 ? { rank, of: results.length } : undefined,
  };
}
