import * as v from 'valibot';
import { DAY } from '../../core/clock.ts';
import type { App, RequestChannel } from '../../dispatch/contract.ts';
import type { Posted } from '../../dispatch/poster.ts';
import { boardKey } from '../../puzzle/types.ts';
import type { Appraisal } from '../../solver/appraise.ts';
import { parseBoard } from '../../solver/board.ts';
import { DIFFICULTIES } from '../../solver/difficulty.ts';
import type { Board } from '../../solver/types.ts';
import type { StoredChallenge } from '../../store/tables/challenges.ts';

/** For so long results of a board that somebody made count. */
export const OPEN_FOR = 30 * DAY;
/** For so long it is listed; then it is deleted with its results. */
export const LISTED_FOR = 60 * DAY;

export const appraisalSchema = v.object({
  fewest: v.number(),
  everyday: v.exactOptional(v.number()),
  difficulty: v.exactOptional(v.picklist(DIFFICULTIES)),
  par: v.number(),
});

export const postedSchema = v.object({
  message: v.exactOptional(v.string()),
  thread: v.exactOptional(v.string()),
  kind: v.exactOptional(v.string()),
});

/** A board that somebody made for a channel, as it is used. */
export interface Challenge extends Omit<StoredChallenge, 'appraisal' | 'posted' | 'board'> {
  /** Names it in the store. */
  readonly key: string;
  readonly board: Board;
  readonly appraisal: Appraisal | undefined;
  readonly posted: Posted | undefined;
}

export function readChallenge({ board: key, appraisal, posted, ...stored }: StoredChallenge): Challenge {
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
export function endOf({ madeAt, closedAt }: Pick<StoredChallenge, 'madeAt' | 'closedAt'>): number {
  return closedAt ?? madeAt + OPEN_FOR;
}

/** The one of a channel that plays the same as this board. */
export async function challengeOn(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  { sides }: Board,
): Promise<Challenge | undefined> {
  const found = await store.tenant(tenant).challenges.get(channel, boardKey(sides), clock.now());
  return found && readChallenge(found);
}
