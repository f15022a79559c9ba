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
import type { ChannelDays } from '../puzzle/service.ts';
import { boardKey, type Puzzle } from '../puzzle/types.ts';
import { makeBoard } from '../solver/board.ts';
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

/** The puzzles of threads that are cached. */
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
export function storedChannelDays(tools: ThreadTools): ChannelDays {
  const { store, log } = tools;
  /** Checking the boards of a large server takes longer than reading them. */
  const checked = new LRUCache<string, RecordedPuzzle>(atMost(MAX_CACHED_PUZZLES));
  return {
    async of(date, { tenant, channel }) {
      const { opening, settings, board } = await store.tenant(tenant).channelDay(channel, date);
      const isBegun = opening?.state === 'sent' || opening?.outcomeUnknown;
      const recorded = isBegun ? recordOf(opening, log).puzzle : undefined;
      return {
        opened: recorded && (await readRecordedPuzzle(tools, recorded)),
        typed: board && typedPuzzle(board, log, tenant),
        wanted: parseStored(settings),
      };
    },

    async openPuzzles({ tenant }) {
      const recorded = new Map<string, RecordedPuzzle>();
      for (const opening of await store.tenant(tenant).deliveries.openThreads()) {
        const key = channelKey(opening, opening.date);
        const puzzle = checked.get(key) ?? recordOf(opening, log).puzzle;
        if (puzzle === undefined) continue;
        checked.set(key, puzzle);
        recorded.set(`${puzzle.date} ${puzzle.source} ${boardKey(puzzle.sides)}`, puzzle);
      }
      return Promise.all([...recorded.values()].map((puzzle) => readRecordedPuzzle(tools, puzzle)));
    },

    openedBefore: (date, { tenant, channel }) =>
      store.tenant(tenant).deliveries.datesOf(channel, 'opening', date, MAX_LOOK_BACK_DAYS),
  };
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
  whole: v.exactOptional(
    v.pipe(
      puzzleSchema,
      v.transform((puzzle): Puzzle => puzzle),
    ),
  ),
});
export type RecordedPuzzle = Readonly<v.InferOutput<typeof recordedPuzzleSchema>>;

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
export type DeliveryRecord = Readonly<v.InferOutput<typeof recordSchema>>;

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
