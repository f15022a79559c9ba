import * as v from 'valibot';
import { DAY } from '../../core/clock.ts';
import { dayThread, threadId } from '../../daily/day-thread.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { type Posted, postedSchema } from '../../dispatch/poster.ts';
import { endOf, peopleOf, RELAY_ENDS, type Relay } from './game.ts';

/** A game as it is stored: the game itself, and the message that shows it. */
export interface StoredRelay {
  readonly relay: Relay;
  readonly message?: RelayMessage;
}

export interface RelayMessage {
  readonly posted: Posted;
  readonly thread: Posted;
  /** When it was posted. */
  readonly at: number;
  /** The number of the message in this game, counted from 1. */
  readonly number: number;
}

/** Where a game is played; each has at most one game. */
export interface RelayThread {
  readonly tenant: string;
  readonly channel: string;
  readonly key: string;
  /** Undefined in a channel without a day's thread, where a game opens a thread of its own, and in private. */
  readonly posted: Posted | undefined;
}

/** A game with the version that a change to it must name. */
export interface LoadedRelay {
  readonly stored: StoredRelay;
  readonly version: number;
}

/** A thread, and its game if there is one. */
export interface FoundRelay {
  readonly thread: RelayThread;
  readonly game: LoadedRelay | undefined;
}

/** How long a game can still be shown after its end; then its words are deleted. */
export const KEPT_AFTER_END = DAY;

const StoredRelaySchema = v.object({
  relay: v.object({
    about: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
    board: v.string(),
    turns: v.boolean(),
    startedBy: v.string(),
    startedAt: v.number(),
    legs: v.array(v.object({ word: v.string(), by: v.string() })),
    hints: v.number(),
    timesOutAt: v.number(),
    end: v.exactOptional(v.picklist(RELAY_ENDS)),
  }),
  message: v.exactOptional(
    v.object({ posted: postedSchema, thread: postedSchema, at: v.number(), number: v.number() }),
  ),
});

/** Reads the state of a stored game; undefined when it is not a relay. */
export function parseStoredRelay(state: unknown): StoredRelay | undefined {
  const parsed = v.safeParse(StoredRelaySchema, state);
  return parsed.success ? parsed.output : undefined;
}

/** The game that a request means: the one under way where it comes from, otherwise the last one there. */
export async function findRelay(request: Request, app: App): Promise<FoundRelay> {
  const candidates = await candidatesOf(request, app);
  const now = app.clock.now();
  let first: FoundRelay | undefined;
  for (const { thread, includes } of candidates) {
    const game = await readRelay(app, thread);
    const found = { thread, game: game !== undefined && includes(game.stored) ? game : undefined };
    if (found.game !== undefined && endOf(found.game.stored.relay, now) === undefined) return found;
    first ??= found;
  }
  return first!;
}

interface Candidate {
  readonly thread: RelayThread;
  /** Whether the game found there belongs to where the request comes from. */
  readonly includes: (stored: StoredRelay) => boolean;
}

/**
 * From a thread, its own game, or one that was started in the channel and opened this thread. From the
 * channel, the game of the day's thread, or the channel's own.
 */
async function candidatesOf({ where }: Request, app: App): Promise<Candidate[]> {
  const { tenant, channel, thread } = where;
  const day = await dayThread(app, where, app.puzzles.dateAt(app.clock.now()));
  const inThread = (posted: Posted): Candidate => ({
    thread: { tenant, channel, key: `${channel} ${threadId(posted)}`, posted },
    includes: () => true,
  });
  const inChannel = (includes: Candidate['includes']): Candidate => ({
    thread: { tenant, channel, key: channel, posted: undefined },
    includes,
  });
  if (thread === undefined) return [...(day === undefined ? [] : [inThread(day)]), inChannel(() => true)];
  if (day !== undefined && threadId(day) === thread) return [inThread(day)];
  return [
    inThread({ thread }),
    inChannel(({ message }) => message !== undefined && threadId(message.thread) === thread),
  ];
}

/** Throws when the stored game can't be read. */
export async function readRelay(app: App, { tenant, key }: RelayThread): Promise<LoadedRelay | undefined> {
  const game = await app.store.tenant(tenant).games.get(key, app.clock.now());
  if (game === undefined) return undefined;
  const stored = parseStoredRelay(game.state);
  if (stored === undefined) throw new Error(`The stored game of tenant ${tenant} is not a relay.`);
  return { stored, version: game.version };
}

/** False when somebody else changed the game since that version was read. */
export async function saveRelay(
  app: App,
  { tenant, key }: RelayThread,
  stored: StoredRelay,
  version: number,
): Promise<boolean> {
  const { games } = app.store.tenant(tenant);
  const now = app.clock.now();
  const { relay } = stored;
  const saved = await games.save(key, {
    state: stored,
    version,
    people: peopleOf(relay),
    expiresAt: (relay.end === undefined ? relay.timesOutAt : now) + KEPT_AFTER_END,
    now,
  });
  return saved !== undefined;
}
