import { LRUCache } from 'lru-cache';
import { type ChannelRef, channelKey } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import { atMost } from '../core/turns.ts';
import type { App, RequestChannel } from '../dispatch/contract.ts';
import type { Posted } from '../dispatch/poster.ts';
import { parsePuzzle, typedPuzzle } from '../puzzle/repository.ts';
import type { Puzzle, PuzzleService } from '../puzzle/types.ts';
import { makeBoard } from '../solver/board.ts';
import type { Store } from '../store/store.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import { type PinnedPuzzle, postedOf, recordOf } from './delivery/record.ts';
import { parseStored } from './settings/settings.ts';

/** The thread of a day in a channel, while it is open; undefined where there is none. */
export async function dayThread(
  { store, log }: Pick<App, 'store' | 'log'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  date: PuzzleDate,
): Promise<Posted | undefined> {
  const { deliveries } = store.tenant(tenant);
  const opening = await deliveries.get(channel, date, 'opening');
  if (opening?.state !== 'sent') return undefined;
  const closing = await deliveries.get(channel, date, 'closing');
  return closing?.state === 'sent' ? undefined : postedOf(recordOf(opening, log));
}

/** The id that requests have for the thread: on some platforms, it is that of its first message. */
export function threadId({ thread, message }: Posted): string | undefined {
  return thread ?? message;
}

/** Days that are looked back on: more than ten years. */
const MOST_DAYS = 4_000;

/** Channels and days whose pins are remembered. */
const MOST_PINS = 20_000;

/** Where pins are read, and the log for pins that can't be read. */
export interface KeptIn {
  readonly store: Store;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * The same service, but for a day whose thread is open it returns the puzzle that the thread was opened with. When a
 * channel got the house's board at eight and the newspaper can be reached at nine, its buttons and commands still refer to
 * the board that people see in their thread.
 */
export function withPins(puzzles: PuzzleService, kept: KeptIn, now: () => number): PuzzleService {
  // A pin never changes, so it is kept and no press asks for it again.
  const pins = new LRUCache<string, PinnedPuzzle>(atMost(MOST_PINS));
  return {
    ...puzzles,
    async puzzleOf(date, asker) {
      const { tenant, channel } = asker;
      const key = channelKey({ tenant, channel }, date);
      const known = pins.get(key);
      if (known !== undefined) return unpin(kept, known);
      const { opening, settings, board } = await kept.store.tenant(tenant).channelDay(channel, date);
      const pin = pinIn(kept, opening);
      if (pin !== undefined) {
        if (opening?.state === 'sent') pins.set(key, pin);
        return unpin(kept, pin);
      }
      const typed = board && typedPuzzle(board, kept.log, tenant);
      return puzzles.puzzleOf(date, asker, { wanted: parseStored(settings), typed });
    },
    async daysOf(asker) {
      const today = puzzles.dateAt(now());
      const { deliveries } = kept.store.tenant(asker.tenant);
      const opened = await deliveries.datesOf(asker.channel, 'opening', today, MOST_DAYS);
      const others = await puzzles.daysOf(asker);
      return [...new Set([...opened, ...others])].sort().reverse();
    },
  };
}

/** The puzzle of a day's thread, once it was opened or began to be. */
export async function pinnedPuzzle(
  kept: KeptIn,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<Puzzle | undefined> {
  const pin = pinIn(kept, await kept.store.tenant(tenant).deliveries.get(channel, date, 'opening'));
  return pin && unpin(kept, pin);
}

function pinIn({ log }: KeptIn, opening: Delivery | undefined): PinnedPuzzle | undefined {
  if (opening === undefined || (opening.state !== 'sent' && !opening.outcomeUnknown)) return undefined;
  return recordOf(opening, log).puzzle;
}

export async function unpin({ store, log }: KeptIn, pin: PinnedPuzzle): Promise<Puzzle> {
  if (pin.whole !== undefined) return pin.whole;
  const { date, source } = pin;
  const kept = parsePuzzle(await store.puzzles.get(date, source), log, { date, source });
  // Without the source's copy, the board alone still allows hints.
  return kept ?? { date, source, board: makeBoard(pin.sides) };
}
