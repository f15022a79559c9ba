import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { type ChannelRef, channelKey } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import { atMost } from '../core/concurrency.ts';
import type { Log } from '../core/log.ts';
import type { App, RequestChannel } from '../dispatch/contract.ts';
import { type Posted, postedSchema } from '../dispatch/poster.ts';
import {
  dateSchema,
  parsePuzzle,
  puzzleSchema,
  readBoard,
  sourceSchema,
  typedPuzzle,
} from '../puzzle/repository.ts';
import type { ChannelDay, ChannelDays } from '../puzzle/service.ts';
import { isSameBoard, type Puzzle } from '../puzzle/types.ts';
import { makeBoard } from '../solver/board.ts';
import type { Board } from '../solver/types.ts';
import type { Store } from '../store/store.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import { DAY_STEPS } from './plan/schedule.ts';
import { parseStored } from './settings/settings.ts';

/** The thread of a channel's day while it is open; otherwise undefined. */
export async function dayThread(
  { store, log }: Pick<App, 'store' | 'log'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  date: PuzzleDate,
): Promise<Posted | undefined> {
  const { deliveries } = store.tenant(tenant);
  const opening = await deliveries.get(channel, date, 'opening');
  if (opening?.state !== 'sent') return undefined;
  const closing = await deliveries.get(channel, date, 'closing');
  const isClosed = closing !== undefined && closing.state !== 'due' && closing.state !== 'sending';
  return isClosed ? undefined : postedOf(recordOf(opening, log));
}

/** Days to look back: more than ten years. */
const MAX_LOOK_BACK_DAYS = 4_000;

/** The puzzles of channels and days that are cached. */
const MAX_CACHED_PUZZLES = 20_000;

/** The store of deliveries, and the log for records that can't be read. */
export interface ThreadTools {
  readonly store: Store;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * A day whose thread is open has the puzzle that the thread was opened with. If a channel got the house's board at eight and
 * the newspaper answers at nine, the buttons and commands still refer to the board in the thread.
 */
export class StoredChannelDays implements ChannelDays {
  readonly #tools: ThreadTools;
  /** The puzzle of a thread never changes. Reading those of all channels of a large server takes milliseconds. */
  readonly #recorded = new LRUCache<string, RecordedPuzzle>(atMost(MAX_CACHED_PUZZLES));

  constructor(tools: ThreadTools) {
    this.#tools = tools;
  }

  async of(date: PuzzleDate, { tenant, channel }: ChannelRef): Promise<ChannelDay> {
    const { store, log } = this.#tools;
    const { opening, settings, board } = await store.tenant(tenant).channelDay(channel, date);
    const recorded = recordedPuzzleIn(this.#tools, opening);
    return {
      opened: recorded && (await readRecordedPuzzle(this.#tools, recorded)),
      typed: board && typedPuzzle(board, log, tenant),
      wanted: parseStored(settings),
    };
  }

  async openDayOf(board: Pick<Board, 'sides'>, { tenant }: ChannelRef): Promise<PuzzleDate | undefined> {
    for (const opening of await this.#tools.store.tenant(tenant).deliveries.openThreads()) {
      const key = channelKey(opening, opening.date);
      const recorded = this.#recorded.get(key) ?? recordedPuzzleIn(this.#tools, opening);
      if (recorded === undefined) continue;
      this.#recorded.set(key, recorded);
      if (isSameBoard(recorded, board)) return recorded.date;
    }
    return undefined;
  }

  openedBefore(date: PuzzleDate, { tenant, channel }: ChannelRef): Promise<PuzzleDate[]> {
    return this.#tools.store.tenant(tenant).deliveries.datesOf(channel, 'opening', date, MAX_LOOK_BACK_DAYS);
  }
}

/** The puzzle of a day's thread, once its opening has begun. */
export async function puzzleOfThread(
  tools: ThreadTools,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<Puzzle | undefined> {
  const opening = await tools.store.tenant(tenant).deliveries.get(channel, date, 'opening');
  const recorded = recordedPuzzleIn(tools, opening);
  return recorded && readRecordedPuzzle(tools, recorded);
}

function recordedPuzzleIn({ log }: ThreadTools, opening: Delivery | undefined): RecordedPuzzle | undefined {
  if (opening === undefined || (opening.state !== 'sent' && !opening.outcomeUnknown)) return undefined;
  return recordOf(opening, log).puzzle;
}

export async function readRecordedPuzzle(
  { store, log }: ThreadTools,
  recorded: RecordedPuzzle,
): Promise<Puzzle> {
  if (recorded.whole !== undefined) return recorded.whole;
  const { date, source } = recorded;
  const kept = parsePuzzle(await store.puzzles.get(date, source), log, { date, source });
  // The source no longer has it; the board alone still allows hints.
  return kept ?? { date, source, board: makeBoard(recorded.sides) };
}

/** The puzzle of a thread in the record of its opening. Only a typed board, which may be replaced, is there as a whole. */
const recordedPuzzleSchema = v.object({
  date: dateSchema,
  source: sourceSchema,
  sides: v.pipe(
    v.array(v.string()),
    v.check((sides) => readBoard(sides) !== undefined),
  ),
  whole: v.exactOptional(puzzleSchema),
});
export type RecordedPuzzle = Readonly<Omit<v.InferOutput<typeof recordedPuzzleSchema>, 'whole'>> & {
  readonly whole?: Puzzle;
};

const recordSchema = v.object({
  ...postedSchema.entries,
  /** Openings only: the puzzle of the thread, even if its source changes later in the day. */
  puzzle: v.exactOptional(recordedPuzzleSchema),
  /** Openings only: the kind of what it says about its board, so that the channel does not hear it again soon. */
  remark: v.exactOptional(v.string()),
  /** Changes of an opening only: what the message says about who plays. */
  players: v.exactOptional(v.string()),
  /** Merged messages only: the other steps in it. */
  merged: v.exactOptional(v.array(v.picklist(DAY_STEPS))),
  /** The person who manages the channel was notified that there is no board. */
  notified: v.exactOptional(v.literal(true)),
  /** Openings only: when it began to wait for a board. */
  waitsSince: v.exactOptional(v.number()),
});

/** What a delivery's row remembers: the platform's ids, and what later posts of the day need. */
export type DeliveryRecord = Readonly<Omit<v.InferOutput<typeof recordSchema>, 'puzzle'>> & {
  readonly puzzle?: RecordedPuzzle;
};

export function recordedPuzzle(puzzle: Puzzle): RecordedPuzzle {
  const { date, source, board } = puzzle;
  const recorded = { date, source, sides: [...board.sides] };
  if (source !== 'hand') return recorded;
  // Who typed a board is stored in one place only, where it can be erased.
  const { typedBy: _, ...whole } = puzzle;
  return { ...recorded, whole };
}

/**
 * The record of a delivery; empty if nothing was ever noted. Invalid fields are left out with a warning. The others are
 * kept: the ids of a message keep it from being posted twice even when the puzzle beside them can't be read.
 */
export function recordOf({ posted, ...row }: Delivery, log: Pick<Log, 'warn'>): DeliveryRecord {
  if (posted === undefined || posted === null) return {};
  const { success, output, issues } = v.safeParse(recordSchema, posted);
  if (success) return output;
  const { tenant, channel, date, step } = row;
  log.warn(
    { tenant, channel, date, step, issues: v.summarize(issues) },
    'parts of what a delivery posted cannot be read: they are ignored',
  );
  const invalid = issues.map(({ path }) => path?.[0].key);
  const valid = Object.entries(posted).filter(([name]) => !invalid.includes(name));
  return v.parse(recordSchema, Object.fromEntries(valid));
}

/** Whether the whole record can be read, for the check of a database. */
export function isReadableRecord(posted: unknown): boolean {
  return v.is(recordSchema, posted);
}

/** The platform's part of it, as doors know it; undefined before anything was posted. */
export function postedOf({ message, thread, kind }: DeliveryRecord): Posted | undefined {
  if (message === undefined && thread === undefined && kind === undefined) return undefined;
  return { message, thread, kind };
}

/** Doors take at most 25 plain characters. */
const POST_KEY_LENGTH = 24;

/** What identifies a post: a step of a date in a channel, or something that a person started at a moment. */
interface PostName extends ChannelRef {
  readonly date: string;
  readonly step: string;
}

/**
 * The key of a delivery, or of another post, in the form that platforms accept. It is the same at every attempt and in
 * every process, and reveals nothing about the channel or the puzzle.
 */
export function postKey({ tenant, channel, date, step }: PostName): string {
  const name = JSON.stringify([tenant, channel, date, step]);
  return createHash('sha256').update(name).digest('hex').slice(0, POST_KEY_LENGTH);
}
