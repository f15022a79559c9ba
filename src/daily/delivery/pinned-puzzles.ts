import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Puzzle, PuzzleDate, PuzzleService } from '../../puzzle/types.ts';
import { makeBoard } from '../../solver/board.ts';
import type { Store } from '../../store/types.ts';
import { type PinnedPuzzle, parseRecord } from './record.ts';

/**
 * A book that stays with the puzzle a place's thread was opened with. When the house's board stood in at
 * eight and the newspaper can be reached at nine, buttons and commands of that place still speak of the
 * board people see in their thread.
 */
export function withPins(book: PuzzleService, store: Store): PuzzleService {
  return {
    ...book,
    async puzzleOf(date, asker) {
      return (await pinnedPuzzle(store, asker, date)) ?? book.puzzleOf(date, asker);
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
  const kept = (await store.puzzles.get(pin.date, pin.source)) as Puzzle | undefined;
  // Without the source's copy there is still the board: hints of it are better than none.
  return kept ?? { date: pin.date, source: pin.source, board: makeBoard(pin.sides) };
}
