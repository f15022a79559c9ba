import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { addDays } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { HuntInChannel, HuntOfWeek } from '../../reply/replies/hunt.ts';
import type { ReadingStore } from '../../store/store.ts';
import type { Find } from '../../store/tables/games.ts';
import { dayGameKey } from '../solo/results-elsewhere.ts';

/** The solutions that can be found on a board; each is its words. */
export type ToFind = readonly (readonly string[])[];

/** Of a day's board that somebody typed, until its source has said which board it is. */
const typedKey = (board: string) => `${board} typed`;

async function listOf({ hunts }: Pick<ReadingStore, 'hunts'>, board: string): Promise<ToFind | undefined> {
  return (await hunts.get(board)) ?? hunts.get(typedKey(board));
}

/**
 * The solutions that can be found on a board: stored by the first who needs them, and the same from then on, even if words
 * are learned. A typed board has a list of its own, because the newspaper's game may not take some of its words.
 */
export async function toFindOn(
  { store }: Pick<App, 'store'>,
  { board, isTyped }: { readonly board: string; readonly isTyped: boolean },
  { now, find }: { readonly now: number; readonly find: () => Promise<ToFind> },
): Promise<ToFind> {
  const known = await (isTyped ? listOf(store, board) : store.hunts.get(board));
  return known ?? store.hunts.keep(isTyped ? typedKey(board) : board, await find(), now);
}

/** Fixes the solutions that can be found on the board of a day that begins. */
export async function openHunt(
  app: Pick<App, 'store'> & {
    readonly work: Pick<App['work'], 'run'>;
    readonly puzzles: Pick<App['puzzles'], 'wordSource'>;
  },
  puzzle: Puzzle,
  now: number,
): Promise<void> {
  const find = async () => {
    const source = await app.puzzles.wordSource(puzzle);
    return app.work.run('toFind', { board: puzzle.board, source }, { channel: 'daily' });
  };
  await toFindOn(app, { board: dayGameKey(puzzle), isTyped: puzzle.source === 'hand' }, { now, find });
}

const solutionOf = (words: readonly string[]) => words.join(' ');

/** How the hunt of a board goes in a channel. Undefined where nobody has found anything. */
export async function huntIn(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  board: string,
): Promise<HuntInChannel | undefined> {
  const toFind = await listOf(store, board);
  const finds = await store.tenant(tenant).finds.ofBoard(channel, board);
  return toFind === undefined || finds.length === 0 ? undefined : { ...summed(toFind, finds), toFind };
}

/** @param finds of one board, the first one first */
function summed(toFind: ToFind, finds: readonly Find[]): Omit<HuntInChannel, 'toFind'> {
  const listed = new Set(toFind.map(solutionOf));
  const found = Map.groupBy(finds, ({ solution }) => solution);
  const firsts = new Map<string, number>();
  for (const [solution, [first]] of found)
    if (listed.has(solution)) firsts.set(first!.person, (firsts.get(first!.person) ?? 0) + 1);
  return {
    found: [...found.keys()].filter((solution) => listed.has(solution)),
    others: [...found.keys()].filter((solution) => !listed.has(solution)).length,
    firsts: [...firsts]
      .map(([person, count]) => ({ person, count }))
      .sort((a, b) => b.count - a.count || (a.person < b.person ? -1 : 1)),
  };
}

/** The hunts of the days of a week in a channel. Undefined where nobody has found anything. */
export async function huntsOfWeek(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  { from, to }: { readonly from: PuzzleDate; readonly to: PuzzleDate },
): Promise<HuntOfWeek | undefined> {
  const all = await store.tenant(tenant).finds.between(channel, from, addDays(to, 1));
  const counts = new Map<string, number>();
  const complete: PuzzleDate[] = [];
  let rarest: HuntOfWeek['rarest'];
  for (const [board, finds] of Map.groupBy(all, ({ board }) => board)) {
    const toFind = await listOf(store, board);
    if (toFind === undefined) continue;
    const order = toFind.map(solutionOf);
    const date = board.slice(0, from.length) as PuzzleDate;
    if (summed(toFind, finds).found.length === toFind.length) complete.push(date);
    for (const [solution, [first, ...more]] of Map.groupBy(finds, (find) => find.solution)) {
      const place = order.indexOf(solution);
      if (place < 0) continue;
      for (const { person } of [first!, ...more]) counts.set(person, (counts.get(person) ?? 0) + 1);
      // The farther down the list, the fewer people know its words.
      if (more.length === 0 && place > (rarest?.place ?? -1))
        rarest = { place, date, person: first!.person, words: toFind[place]! };
    }
  }
  const [best] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  return best && { best: { person: best[0], finds: best[1] }, complete: complete.sort(), rarest };
}
