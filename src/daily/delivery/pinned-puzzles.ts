import type { ChannelRef } from '../../core/channel-ref.ts';
import { parsePuzzle } from '../../puzzle/repository.ts';
import type { Puzzle, PuzzleDate, PuzzleService } from '../../puzzle/types.ts';
import { makeBoard } from '../../solver/board.ts';
import type { Store } from '../../store/store.ts';
import { type PinnedPuzzle, parseRecord } from './record.ts';

/**
 * The same service, but of a day whose thread is open it returns the puzzle the thread was opened with. When a
 * channel got the house's board at eight and the newspaper can be reached at nine, its buttons and commands
 * still refer to the board that people see in their thread.
 */
export function withPins(puzzles: PuzzleService, store: Store): PuzzleService {
  return {
    ...puzzles,
    async puzzleOf(date, asker) {
      return (await pinnedPuzzle(store, asker, date)) ?? puzzles.puzzleOf(date, asker);
    },
  };
}

/** The puzzle of a day's thread, once it was opened or began to be. */
export async function pinnedPuzzle(
  store: Store,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<Puzzle | undefined> {
  const opening = await store.tenant(tenant).deliveries.get(channel, date, 'opening');
  if (opening === undefined || (opening.state !== 'sent' && !opening.outcomeUnknown)) return undefined;
  const pin = parseRecord(opening.posted).puzzle;
  return pin && unpin(store, pin);
}

export async function unpin(store: Store, pin: PinnedPuzzle): Promise<Puzzle> {
  if (pin.whole !== undefined) return pin.whole;
  const kept = parsePuzzle(await store.puzzles.get(pin.date, pin.source));
  // Without the source's copy, the board alone still allows hints.
  return kept ?? { date: pin.date, source: pin.source, board: makeBoard(pin.sides) };
}
