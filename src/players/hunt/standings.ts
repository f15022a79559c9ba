import type { ChannelRef } from '../../core/channel-ref.ts';
import type { PuzzleDate } from '../../core/clock.ts';
import type { App } from '../../dispatch/contract.ts';
import { addDays } from '../../puzzle/calendar.ts';
import type { Puzzle } from '../../puzzle/types.ts';
import type { HuntInChannel, HuntOfWeek } from '../../reply/replies/hunt.ts';
import type { ReadingStore } from '../../store/store.ts';
import type { Find } from '../../store/tables/hunts.ts';
import { dayGameKey } from '../solo/results-elsewhere.ts';

/**
 * Names a day's board in hunts. A typed board is judged by other words than the newspaper's board of the same sides, so
 * they are two hunts: what is to be found on each can be played there.
 */
export function huntKey(puzzle: Pick<Puzzle, 'date' | 'board' | 'source'>): string {
  return puzzle.source === 'hand' ? `${dayGameKey(puzzle)} typed` : dayGameKey(puzzle);
}

/** The solutions that can be found on a board; each is its words. */
export type ToFind = readonly (readonly string[])[];

/**
 * The solutions that can be found on a board: stored by the first who needs them, and the same from then on, even if words
 * are learned.
 */
export async function toFindOn(
  { store }: Pick<App, 'store'>,
  board: string,
  { now, find }: { readonly now: number; readonly find: () => Promise<ToFind> },
): Promise<ToFind> {
  return (await store.hunts.get(board)) ?? store.hunts.keep(board, await find(), now);
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
  await toFindOn(app, huntKey(puzzle), { now, find });
}

const solutionOf = (words: readonly string[]) => words.join(' ');

/** How the hunt of a board goes in a channel. Undefined where nobody has found anything. */
export async function huntIn(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  board: string,
): Promise<HuntInChannel | undefined> {
  const toFind = await store.hunts.get(board);
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
    const toFind = await store.hunts.get(board);
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
