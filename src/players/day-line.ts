import type { PuzzleDate } from '../puzzle/types.ts';
import { counted } from '../reply/markup.ts';
import { hintsUsed } from '../reply/result-line.ts';
import type { Line } from '../reply/types.ts';
import type { Store } from '../store/types.ts';
import { compareScores, isOnTime } from './result.ts';

/**
 * How a day went in a place, for its thread's last message: how many solved it, and the best result, without
 * a word of it. Nobody is named, and who stays off the board is not even counted. Undefined if nobody solved it.
 *
 * @example await dayLine(store)('discord:123', '456', '2026-11-20') // '3 people solved it; the best took 2 words and no hints.'
 */
export function dayLine(
  store: Pick<Store, 'tenant'>,
): (tenant: string, channel: string, date: PuzzleDate) => Promise<Line | undefined> {
  return async (tenant, channel, date) => {
    const results = await store.tenant(tenant).results.ofPlace(channel, date, date);
    const counting = results.filter((result) => !result.hidden && isOnTime(result));
    const [best] = counting.toSorted(compareScores);
    if (best === undefined) return undefined;
    const how = `${counted(best.words, 'word')} and ${hintsUsed(best.hints)}`;
    return counting.length === 1
      ? `One person solved it, with ${how}.`
      : `${counting.length} people solved it; the best took ${how}.`;
  };
}
