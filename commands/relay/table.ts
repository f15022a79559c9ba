import type { Posted } from '../../src/daily/types.ts';
import { peopleOf, type Relay } from '../../src/players/relay.ts';
import type { Games } from '../../src/store/types.ts';
import { dayThread, threadId } from '../board/day-thread.ts';
import type { App, Request } from '../types.ts';

/** A game as it is kept: beside the game itself, the message that shows it. */
export interface Kept {
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
export interface Table {
  readonly tenant: string;
  readonly channel: string;
  readonly key: string;
  /** Undefined in a channel without a day's thread, and in private. */
  readonly thread: Posted | undefined;
}

export interface Found {
  readonly kept: Kept;
  readonly version: number;
}

/** So long can it be told that a game is over; then its words are forgotten. */
const AFTERMATH = 24 * 60 * 60_000;

/** The thread the request comes from, else the day's thread, else the channel itself. */
export async function tableOf({ where }: Request, app: App): Promise<Table> {
  const { tenant, channel } = where;
  const today = await dayThread(app, where, app.puzzles.dateAt(app.clock.now()));
  const isToday = today !== undefined && (where.thread ?? threadId(today)) === threadId(today);
  const thread = isToday ? today : where.thread === undefined ? undefined : { thread: where.thread };
  const id = thread && threadId(thread);
  return { tenant, channel, key: id === undefined ? channel : `${channel} ${id}`, thread };
}

export async function readTable(app: App, { tenant, key }: Table): Promise<Found | undefined> {
  const game = await app.store.tenant(tenant).games.get(key, app.clock.now());
  return game && { kept: game.state as Kept, version: game.version };
}

/** False when somebody else changed the game since that version was read. */
export async function saveTable(
  app: App,
  { tenant, key }: Table,
  kept: Kept,
  version: number,
): Promise<boolean> {
  const { games }: { games: Games } = app.store.tenant(tenant);
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
