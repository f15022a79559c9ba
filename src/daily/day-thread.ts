import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { ChannelRef } from '../core/channel-ref.ts';
import type { PuzzleDate } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { App, RequestChannel } from '../dispatch/contract.ts';
import { type Posted, postedSchema, VERDICTS } from '../dispatch/poster.ts';
import { dateAt, spanOf } from '../puzzle/calendar.ts';
import {
  boardOfSides,
  dateSchema,
  parsePuzzle,
  puzzleSchema,
  sourceSchema,
  typedPuzzle,
} from '../puzzle/repository.ts';
import type { ChannelDays } from '../puzzle/service.ts';
import { boardKey, dayGameKey, type Puzzle } from '../puzzle/types.ts';
import { makeBoard } from '../solver/board.ts';
import { reasonSchema } from '../store/schema.ts';
import type { ReadingStore } from '../store/store.ts';
import type { Delivery } from '../store/tables/deliveries.ts';
import { DAY_STEPS, type DayStep } from './plan/schedule.ts';
import { parseStored } from './settings/settings.ts';

/** How a step of a day ended. */
const endSchema = v.object({
  state: v.picklist(['sent', 'skipped', 'given-up']),
  at: v.number(),
  /** The platform's id of the message in the thread. */
  message: v.exactOptional(v.string()),
  /** If one message has several steps, in the end of each: the first of them, whose key is the message's. */
  with: v.exactOptional(v.string()),
  reason: v.exactOptional(reasonSchema),
  /** It was given up without an answer, so it may be there. */
  unknown: v.exactOptional(v.literal(true)),
});
export type StepEnd = Readonly<v.InferOutput<typeof endSchema>>;
export type StepEnds = Readonly<Partial<Record<DayStep, StepEnd>>>;

/** The puzzle of a thread in the record of its opening. Only a typed board, which may be replaced, is there as a whole. */
const recordedPuzzleSchema = v.object({
  date: dateSchema,
  source: sourceSchema,
  sides: v.pipe(
    v.array(v.string()),
    v.check((sides) => boardOfSides(sides) !== undefined),
  ),
  isFallback: v.exactOptional(v.literal(true)),
  whole: v.exactOptional(
    v.pipe(
      puzzleSchema,
      v.transform((puzzle): Puzzle => puzzle),
    ),
  ),
});
export type RecordedPuzzle = Readonly<v.InferOutput<typeof recordedPuzzleSchema>>;

const recordSchema = v.object({
  /** Of a day: its message in the channel, and its thread. */
  ...postedSchema.entries,
  /** By the day's step, or by the reminder's date. If an end can't be read, its message is not posted again. */
  ends: v.exactOptional(v.record(v.string(), v.fallback(endSchema, { state: 'given-up', at: 0 }))),
  /** The steps of the message that was begun last. It has no end while the row says that a post is begun. */
  posting: v.exactOptional(v.array(v.string())),
  /** Only of deliveries that change a day's message: what that message says about who plays. */
  players: v.exactOptional(v.string()),

  // All others are of days only.
  /** The puzzle of the thread, even if its source changes later in the day. */
  puzzle: v.exactOptional(recordedPuzzleSchema),
  /** What kind of remark the opening makes about its board, so that the channel does not hear it again soon. */
  remark: v.exactOptional(v.string()),
  /** What kind of remark the closing makes about people. */
  told: v.exactOptional(v.string()),
  /** A person's answer whether the message in `posting` is there, for its next attempt. */
  verdict: v.exactOptional(v.picklist(VERDICTS)),
  /** The thread has refused its last message once. */
  refusedClosing: v.exactOptional(v.literal(true)),
  /** The person who manages the channel was notified that there is no board. */
  notified: v.exactOptional(v.literal(true)),
  /** When the opening began to wait for a board. */
  waitsSince: v.exactOptional(v.number()),
});

/** What a delivery's row remembers: the platform's ids, and what later posts of the day need. */
export type DeliveryRecord = Readonly<v.InferOutput<typeof recordSchema>>;

export function recordedPuzzle(puzzle: Puzzle): RecordedPuzzle {
  const { date, source, board, isFallback } = puzzle;
  const recorded = { date, source, sides: [...board.sides], ...(isFallback && { isFallback }) };
  if (source !== 'hand') return recorded;
  // Who typed a board is stored in one place only, where it can be erased.
  const { typedBy: _, ...whole } = puzzle;
  return { ...recorded, whole };
}

/**
 * The record of a delivery; empty if nothing was ever noted. Invalid fields are left out with a warning. The others are
 * kept: the ids of a message keep it from being posted twice even when the puzzle beside them can't be read.
 */
export function recordOf({ record, ...row }: Delivery, log: Pick<Log, 'warn'>): DeliveryRecord {
  if (record === undefined || record === null) return {};
  const { success, output, issues } = v.safeParse(recordSchema, record);
  if (success) return output;
  const { tenant, channel, date, kind } = row;
  log.warn(
    { tenant, channel, date, kind, issues: v.summarize(issues) },
    'parts of what a delivery posted cannot be read: they are ignored',
  );
  const invalid = issues.map(({ path }) => path?.[0].key);
  const valid = Object.entries(record).filter(([name]) => !invalid.includes(name));
  return v.parse(recordSchema, Object.fromEntries(valid));
}

/** The platform's part of it, as doors know it; undefined before anything was posted. */
export function postedOf({ message, thread, kind }: DeliveryRecord): Posted | undefined {
  if (message === undefined && thread === undefined && kind === undefined) return undefined;
  return { message, thread, kind };
}

const openingSchema = v.pick(recordSchema, ['message', 'thread', 'kind', 'remark', 'told']);

/** What a later opening or closing needs of a day that was opened: cheaper than its whole record, whose puzzle is checked. */
export function openingOf({ record }: Delivery): v.InferOutput<typeof openingSchema> {
  const { success, output } = v.safeParse(openingSchema, record);
  return success ? output : {};
}

/** A channel's day as far as it has come: what plans need of its row and its record. */
export interface Day extends Readonly<Pick<Delivery, 'date' | 'opensAt' | 'openedAt' | 'reason'>> {
  readonly ends: StepEnds;
  /** The steps of the message that was begun and has no end. */
  readonly posting?: readonly DayStep[] | undefined;
}

/** A day of which nothing has been posted. */
export function newDay(date: PuzzleDate): Day {
  return { date, opensAt: null, openedAt: null, reason: null, ends: {} };
}

/**
 * The day by the clock of now. What was noted at a later moment was noted by a clock that was ahead: a thread opened at such a
 * moment counts as opened in time, and a step that ended at one has its end only if it was posted or may have been.
 */
export function dayOf(row: Delivery, record: DeliveryRecord, now: number): Day {
  const { date, opensAt, begun, reason } = row;
  const isAhead = row.openedAt !== null && row.openedAt > now;
  const openedAt = isAhead ? (opensAt ?? now) : row.openedAt;
  const ends = Object.fromEntries(
    Object.entries(record.ends ?? {}).filter(([, { state, unknown, at }]) => {
      return state === 'sent' || unknown || at <= now;
    }),
  );
  const posting = begun ? DAY_STEPS.filter((step) => record.posting?.includes(step)) : [];
  return { date, opensAt, openedAt, reason, ends, posting: posting.length > 0 ? posting : undefined };
}

/** Whether a day's thread is closed; not if it was closed by a clock that was ahead, since steps may be left. */
export function isClosed({ ends }: { readonly ends?: StepEnds }, now: number): boolean {
  return ends?.closing !== undefined && ends.closing.at <= now;
}

/** The ends of a day's steps alone. Whoever posts in the day warns of a record that can't be read. */
export function endsOf(row: Delivery | undefined): StepEnds {
  return (row && recordOf(row, { warn() {} }).ends) ?? {};
}

/** Whether a channel's day is closed, so that what comes to it is late there. Without a thread, that is when the day ends. */
export async function isDayClosed(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  { date, now }: { readonly date: PuzzleDate; readonly now: number },
): Promise<boolean> {
  const { deliveries } = store.tenant(tenant);
  const row = await deliveries.day(channel, date);
  if (row === undefined || row.openedAt === null) return now >= spanOf(date).to;
  if (isClosed({ ends: endsOf(row) }, now)) return true;
  // The opening of a later day names the winners of this one.
  const nextThreadAt = await deliveries.nextThreadAt(channel, date);
  return nextThreadAt !== undefined && nextThreadAt <= now;
}

/** The record of a channel's day. Whoever posts in the day warns of one that can't be read. */
export async function recordOfDay(
  store: ReadingStore,
  { tenant, channel }: ChannelRef,
  date: PuzzleDate,
): Promise<DeliveryRecord> {
  const row = await store.tenant(tenant).deliveries.day(channel, date);
  return row === undefined ? {} : recordOf(row, { warn() {} });
}

/** How the steps of a channel's day have ended. */
export async function endsOfDay(store: ReadingStore, at: ChannelRef, date: PuzzleDate): Promise<StepEnds> {
  return (await recordOfDay(store, at, date)).ends ?? {};
}

/** When a step was posted, if that was by a moment, such as when a board was solved. */
export function postedBy(
  ends: StepEnds,
  step: DayStep,
  moment = Number.POSITIVE_INFINITY,
): number | undefined {
  const end = ends[step];
  return end?.state === 'sent' && end.at <= moment ? end.at : undefined;
}

/** Whether a channel may know how many words a day's board takes: its thread has said so, or the day is over. */
export async function isCountPublic(
  store: ReadingStore,
  channel: ChannelRef,
  { date, now }: { readonly date: PuzzleDate; readonly now: number },
): Promise<boolean> {
  if (date !== dateAt(now)) return true;
  return postedBy(await endsOfDay(store, channel, date), 'count', now) !== undefined;
}

/** All steps of the message that a step is in. */
export function stepsTogether(ends: StepEnds, step: DayStep): DayStep[] {
  const first = ends[step]?.with;
  if (first === undefined) return [step];
  return DAY_STEPS.filter((other) => ends[other]?.with === first);
}

/**
 * The thread of a channel's day while it is open; otherwise undefined.
 *
 * @param board if given, undefined also if the thread was opened with another one: its `dayGameKey`
 */
export async function dayThread(
  { store, log, clock }: Pick<App, 'store' | 'log' | 'clock'>,
  { tenant, channel }: Pick<RequestChannel, 'tenant' | 'channel'>,
  date: PuzzleDate,
  board?: string,
): Promise<Posted | undefined> {
  const row = await store.tenant(tenant).deliveries.day(channel, date);
  if (row === undefined || row.openedAt === null) return undefined;
  const record = recordOf(row, log);
  const { puzzle } = record;
  if (board !== undefined && puzzle !== undefined && dayGameKey({ date, board: puzzle }) !== board)
    return undefined;
  return isClosed(record, clock.now()) ? undefined : postedOf(record);
}

/** The most days with a thread that are listed: those of more than ten years. */
const MAX_LOOK_BACK_DAYS = 4_000;

type ThreadTools = Pick<App, 'store' | 'log'>;

/**
 * A day whose thread is open has the puzzle that the thread was opened with. If a channel got the house's board at eight and
 * the newspaper answers at nine, the buttons and commands still refer to the board in the thread.
 */
export function storedChannelDays(tools: ThreadTools): ChannelDays {
  const { store, log } = tools;
  return {
    async of(date, { tenant, channel }) {
      const { day, settings, board } = await store.tenant(tenant).channelDay(channel, date);
      const isBegun = day !== undefined && (day.openedAt !== null || day.begun);
      const recorded = isBegun ? recordOf(day, log).puzzle : undefined;
      return {
        opened: recorded && (await readRecordedPuzzle(tools, recorded)),
        typed: board && typedPuzzle(board, log, tenant),
        wanted: parseStored(settings),
        played: () => store.tenant(tenant).channelResults.boardOf(channel, date),
      };
    },

    async openPuzzles({ tenant }) {
      const recorded = new Map<string, RecordedPuzzle>();
      for (const day of await store.tenant(tenant).deliveries.openThreads()) {
        const { puzzle } = recordOf(day, log);
        if (puzzle !== undefined)
          recorded.set(`${puzzle.date} ${puzzle.source} ${boardKey(puzzle.sides)}`, puzzle);
      }
      return Promise.all([...recorded.values()].map((puzzle) => readRecordedPuzzle(tools, puzzle)));
    },

    openedBefore: (date, { tenant, channel }) =>
      store.tenant(tenant).deliveries.datesOpened(channel, date, MAX_LOOK_BACK_DAYS),
  };
}

export async function readRecordedPuzzle(
  { store, log }: ThreadTools,
  recorded: RecordedPuzzle,
): Promise<Puzzle> {
  if (recorded.whole !== undefined) return recorded.whole;
  const { date, source, isFallback } = recorded;
  const kept = parsePuzzle(await store.puzzles.get(date, source), log, { date, source });
  // The store has no readable copy; the board alone still allows hints.
  const puzzle = kept ?? { date, source, board: makeBoard(recorded.sides) };
  return isFallback ? { ...puzzle, isFallback } : puzzle;
}

/** Doors take at most 25 plain characters. */
const POST_KEY_LENGTH = 24;

/**
 * The key of a post in the form that platforms accept: of a step of a date in a channel, or of something that a person started
 * at a moment. It is the same at every attempt and in every process, and reveals nothing about the channel or the puzzle.
 */
export function postKey({
  tenant,
  channel,
  date,
  step,
}: ChannelRef & { readonly date: string; readonly step: string }): string {
  const name = JSON.stringify([tenant, channel, date, step]);
  return createHash('sha256').update(name).digest('hex').slice(0, POST_KEY_LENGTH);
}
