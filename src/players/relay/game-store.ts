import { dayThread, threadId } from '../../daily/day-thread.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import type { Posted } from '../../dispatch/poster.ts';
import { endOf, peopleOf, type Relay } from './game.ts';

/** A game as it is kept: beside the game itself, the message that shows it. */
export interface StoredRelay {
  readonly relay: Relay;
  readonly message?: Shown;
}

export interface Shown {
  readonly posted: Posted;
  readonly thread: Posted;
  readonly at: number;
  /** How many messages this game has had. */
  readonly number: number;
}

/** Where a game is played: there is one at each. */
export interface RelayThread {
  readonly tenant: string;
  readonly channel: string;
  readonly key: string;
  /** Undefined in a channel without a day's thread, where a game opens one of its own, and in private. */
  readonly thread: Posted | undefined;
}

export interface Game {
  readonly kept: StoredRelay;
  readonly version: number;
}

/** A table, and the game at it if there is one. */
export interface Found {
  readonly table: RelayThread;
  readonly game: Game | undefined;
}

/** So long can it be told that a game is over; then its words are forgotten. */
const AFTERMATH = 24 * 60 * 60_000;

/** The game that a request means: the one under way where it comes from, else the last one there. */
export async function findRelayThread(request: Request, app: App): Promise<Found> {
  const tables = await tablesOf(request, app);
  const now = app.clock.now();
  let first: Found | undefined;
  for (const { table, isTheirs } of tables) {
    const game = await readRelay(app, table);
    const found = { table, game: game !== undefined && isTheirs(game.kept) ? game : undefined };
    if (found.game !== undefined && endOf(found.game.kept.relay, now) === undefined) return found;
    first ??= found;
  }
  return first!;
}

interface Candidate {
  readonly table: RelayThread;
  /** Whether the game found there belongs to where the request comes from. */
  readonly isTheirs: (kept: StoredRelay) => boolean;
}

/**
 * From a thread, its own game, or one that was begun in the channel and has opened this thread. From the
 * channel, the game of the day's thread, or the channel's own.
 */
async function tablesOf({ where }: Request, app: App): Promise<Candidate[]> {
  const { tenant, channel, thread } = where;
  const day = await dayThread(app, where, app.puzzles.dateAt(app.clock.now()));
  const inThread = (posted: Posted): Candidate => ({
    table: { tenant, channel, key: `${channel} ${threadId(posted)}`, thread: posted },
    isTheirs: () => true,
  });
  const inChannel = (isTheirs: Candidate['isTheirs']): Candidate => ({
    table: { tenant, channel, key: channel, thread: undefined },
    isTheirs,
  });
  if (thread === undefined) return [...(day === undefined ? [] : [inThread(day)]), inChannel(() => true)];
  if (day !== undefined && threadId(day) === thread) return [inThread(day)];
  return [
    inThread({ thread }),
    inChannel(({ message }) => message !== undefined && threadId(message.thread) === thread),
  ];
}

export async function readRelay(app: App, { tenant, key }: RelayThread): Promise<Game | undefined> {
  const game = await app.store.tenant(tenant).games.get(key, app.clock.now());
  return game && { kept: game.state as StoredRelay, version: game.version };
}

/** False when somebody else changed the game since that version was read. */
export async function saveRelay(
  app: App,
  { tenant, key }: RelayThread,
  kept: StoredRelay,
  version: number,
): Promise<boolean> {
  const { games } = app.store.tenant(tenant);
  const now = app.clock.now();
  const { relay } = kept;
  const saved = await games.save(key, {
    state: kept,
    version,
    people: peopleOf(relay),
    expiresAt: (relay.end === undefined ? relay.restsAt : now) + AFTERMATH,
    now,
  });
  return saved !== undefined;
}
