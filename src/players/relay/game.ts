import * as v from 'valibot';
import { HOUR } from '../../core/clock.ts';
import { dayThread, postKey } from '../../daily/day-thread.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { type Posted, PostFailure, postedSchema, threadId, UNLEASED } from '../../dispatch/poster.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { NamedBoard } from '../../reply/model/named-board.ts';
import { type RelayShown, relayInvitation, relayReply } from '../../reply/replies/relay.ts';
import type { Broken, CheckResult } from '../../solver/check.ts';
import {
  hasPublicMessages,
  KEPT_AFTER_END_MS,
  LONG_WAIT_MS,
  POSTING_MS,
  postOrFind,
  updateInTurn,
} from '../public-messages.ts';

/** A game that people play together, one word each: plain data. */
const relaySchema = v.object({
  /** The options that select the game's board again, such as a date. */
  about: v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
  /** The board as it was when the game began; see `formatBoard`. */
  board: v.string(),
  /** Nobody adds two words in a row. */
  turns: v.boolean(),
  startedBy: v.string(),
  startedAt: v.number(),
  legs: v.array(v.object({ word: v.string(), by: v.string() })),
  /** Hints that players asked for. */
  hints: v.number(),
  /** When the game ends unless somebody makes another move. */
  timesOutAt: v.number(),
  end: v.optional(v.picklist(['solved', 'stopped', 'timed-out'])),
});
export type Relay = Readonly<v.InferOutput<typeof relaySchema>>;

/** Milliseconds without a move after which a game ends. */
export const RELAY_TIMEOUT_MS = 6 * HOUR;
/** More words than this are not readable on one picture. */
export const MAX_RELAY_WORDS = 20;

export type Move =
  | { readonly kind: 'add'; readonly word: string; readonly by: string }
  | { readonly kind: 'undo'; readonly by: string; readonly mayManage: boolean }
  | { readonly kind: 'hint'; readonly by: string }
  | { readonly kind: 'stop'; readonly by: string; readonly mayManage: boolean };

/** Only `moved` changes the game. */
export type MoveResult =
  | { readonly outcome: 'moved'; readonly relay: Relay }
  | { readonly outcome: 'wrong'; readonly broken: Broken }
  | {
      readonly outcome:
        | 'used'
        | 'dead-end'
        | 'not-your-turn'
        | 'full'
        | 'nothing-to-undo'
        | 'not-yours'
        | 'over';
    };

/** Judges words in the order they are played. */
export type Check = (words: readonly string[]) => Pick<CheckResult, 'words' | 'solved' | 'isDeadEnd'>;

export function startRelay(game: Pick<Relay, 'about' | 'board' | 'turns' | 'startedBy'>, now: number): Relay {
  return { ...game, startedAt: now, legs: [], hints: 0, timesOutAt: now + RELAY_TIMEOUT_MS };
}

/** How the game has ended by now, including by timeout; undefined while it is on. */
export function endOf(relay: Relay, now: number): Relay['end'] {
  return relay.end ?? (now >= relay.timesOutAt ? 'timed-out' : undefined);
}

/**
 * Makes one move of one person.
 *
 * @example move(relay, { kind: 'add', word: 'forum', by: '5' }, now, check).outcome // 'moved'
 */
export function move(relay: Relay, requested: Move, now: number, check: Check): MoveResult {
  if (endOf(relay, now) !== undefined) return { outcome: 'over' };
  const extended = { ...relay, timesOutAt: now + RELAY_TIMEOUT_MS };
  switch (requested.kind) {
    case 'add':
      return add(extended, requested, check);
    case 'undo':
      return undo(extended, requested);
    case 'hint':
      return { outcome: 'moved', relay: { ...extended, hints: relay.hints + 1 } };
    case 'stop':
      return requested.mayManage || peopleOf(relay).includes(requested.by)
        ? { outcome: 'moved', relay: { ...relay, end: 'stopped' } }
        : { outcome: 'not-yours' };
  }
}

function add(relay: Relay, { word, by }: Extract<Move, { kind: 'add' }>, check: Check): MoveResult {
  const words = wordsOf(relay);
  if (relay.turns && relay.legs.at(-1)?.by === by) return { outcome: 'not-your-turn' };
  if (words.includes(word)) return { outcome: 'used' };
  if (words.length >= MAX_RELAY_WORDS) return { outcome: 'full' };
  const result = check([...words, word]);
  const broken = result.words.at(-1)?.broken;
  if (broken !== undefined) return { outcome: 'wrong', broken };
  if (result.isDeadEnd) return { outcome: 'dead-end' };
  const legs = [...relay.legs, { word, by }];
  return { outcome: 'moved', relay: { ...relay, legs, end: result.solved ? 'solved' : undefined } };
}

/** The last word may be taken back by the person who added it, by the person who started the game, and by managers. */
function undo(relay: Relay, { by, mayManage }: Extract<Move, { kind: 'undo' }>): MoveResult {
  const last = relay.legs.at(-1);
  if (last === undefined) return { outcome: 'nothing-to-undo' };
  if (last.by !== by && relay.startedBy !== by && !mayManage) return { outcome: 'not-yours' };
  return { outcome: 'moved', relay: { ...relay, legs: relay.legs.slice(0, -1) } };
}

export function wordsOf({ legs }: Pick<Relay, 'legs'>): string[] {
  return legs.map(({ word }) => word);
}

/** Everyone who takes part: the person who started it and everyone who added a word. */
function peopleOf({ startedBy, legs }: Pick<Relay, 'startedBy' | 'legs'>): string[] {
  const people = new Set([startedBy, ...legs.map(({ by }) => by)]);
  people.delete(NOBODY);
  return [...people];
}

/** Replaces people who asked to be forgotten. */
const NOBODY = '';

/**
 * A game without somebody who asked to be forgotten. Their words at its end are taken back; those that others built on stay,
 * without a name. It ends if nobody else is in it.
 */
export function withoutPerson(stored: StoredRelay, person: string): StoredRelay {
  const { relay } = stored;
  const isOver = relay.end !== undefined;
  const kept = isOver ? relay.legs.length : relay.legs.findLastIndex(({ by }) => by !== person) + 1;
  const without = {
    ...relay,
    startedBy: relay.startedBy === person ? NOBODY : relay.startedBy,
    legs: relay.legs.slice(0, kept).map(({ word, by }) => ({ word, by: by === person ? NOBODY : by })),
  };
  const isEmpty = peopleOf(without).length === 0;
  return { ...stored, relay: { ...without, end: relay.end ?? (isEmpty ? 'stopped' : undefined) } };
}

/** The message that shows a game. */
const messageSchema = v.object({
  posted: postedSchema,
  thread: postedSchema,
  /** The number of the message in this game, counted from 1. */
  number: v.number(),
});
type RelayMessage = Readonly<v.InferOutput<typeof messageSchema>>;

const storedSchema = v.object({ relay: relaySchema, message: v.optional(messageSchema) });
export type StoredRelay = Readonly<v.InferOutput<typeof storedSchema>>;

/** Where a game is played; each has at most one game. */
export interface RelayThread {
  readonly tenant: string;
  readonly channel: string;
  /** Names the game in the store: the channel, and in a thread also its id, as in `C1 1770000000.000100`. */
  readonly key: string;
  /** The thread; undefined in the channel itself, where a game opens a thread of its own, and in private. */
  readonly posted: Posted | undefined;
}

/** A game with the version that a change to it must name. */
export interface LoadedRelay {
  readonly stored: StoredRelay;
  readonly version: number;
}

export interface FoundRelay {
  readonly thread: RelayThread;
  readonly game: LoadedRelay | undefined;
}

export function parseStoredRelay(state: unknown): StoredRelay | undefined {
  const { success, output } = v.safeParse(storedSchema, state);
  return success ? output : undefined;
}

/**
 * The game that a request means: the first one that is under way, or else the ended game of the first thread, if it has one.
 * A new game would start there.
 */
export async function findRelay(request: Request, app: App): Promise<FoundRelay> {
  const now = app.clock.now();
  let first: FoundRelay | undefined;
  for (const thread of await threadsOf(request, app)) {
    const stored = await readRelay(app, thread);
    const found = { thread, game: isMeant(request, thread, stored) ? stored : undefined };
    if (found.game !== undefined && endOf(found.game.stored.relay, now) === undefined) return found;
    first ??= found;
  }
  return first!;
}

/** In a thread, a game of the channel is meant only if it opened that thread. */
function isMeant({ where }: Request, { posted }: RelayThread, game: LoadedRelay | undefined): boolean {
  if (where.thread === undefined || posted !== undefined) return true;
  const opened = game?.stored.message?.thread;
  return opened !== undefined && threadId(opened) === where.thread;
}

/**
 * Where the game may be, the likeliest place first. From the day's thread: only there. From another thread: there, or in the
 * channel. From the channel: in the day's thread, or in the channel; while today has no open thread, in the channel, or in the
 * thread of the day before if that is open.
 */
async function threadsOf({ where }: Request, app: App): Promise<RelayThread[]> {
  const { tenant, channel, thread } = where;
  const today = dateAt(app.clock.now());
  const day = await dayThread(app, where, today);
  const own: RelayThread = { tenant, channel, key: channel, posted: undefined };
  const inThread = (posted: Posted): RelayThread => ({
    ...own,
    key: `${channel} ${threadId(posted)}`,
    posted,
  });
  if (thread !== undefined)
    return day !== undefined && threadId(day) === thread ? [inThread(day)] : [inThread({ thread }), own];
  if (day !== undefined) return [inThread(day), own];
  const before = await dayThread(app, where, addDays(today, -1));
  return before === undefined ? [own] : [own, inThread(before)];
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
export function saveRelay(
  app: App,
  { tenant, key }: RelayThread,
  stored: StoredRelay,
  version: number,
): Promise<boolean> {
  const now = app.clock.now();
  const { relay } = stored;
  return app.store.tenant(tenant).games.save(key, {
    state: stored,
    version,
    people: peopleOf(relay),
    expiresAt: (relay.end === undefined ? relay.timesOutAt : now) + KEPT_AFTER_END_MS,
    now,
  });
}

/** Bounds the messages of one game when each is deleted or can't be edited. */
const MAX_MESSAGES = 5;
export interface RelayContext {
  readonly app: App;
  readonly request: Request;
}

export interface MessageContext extends RelayContext {
  readonly thread: RelayThread;
  readonly namedBoard: NamedBoard;
}

export function shownOf(relay: Relay, namedBoard: NamedBoard, now: number): RelayShown {
  return { ...relay, namedBoard, end: endOf(relay, now) };
}

/**
 * Posts the game's message, and returns its thread. Undefined if it could not be posted: answers show the game then.
 *
 * @param options.mayExist whether a process ended, or the store failed, before the message was stored
 */
export async function postMessage(
  context: MessageContext,
  { mayExist = false } = {},
): Promise<Posted | undefined> {
  const { app, request, thread, namedBoard } = context;
  const poster = app.posterOf(request.door);
  const game = await readRelay(app, thread);
  if (poster === undefined || game === undefined || !hasPublicMessages(request, app)) return undefined;
  const { relay, message } = game.stored;
  const number = (message?.number ?? 0) + 1;
  if (number > MAX_MESSAGES) return undefined;
  const attempt: typeof postOrFind = mayExist ? (post) => post({ outcomeUnknown: true }) : postOrFind;
  try {
    const now = app.clock.now();
    const event = `relay:${postOf(thread, relay, 'relay').key}`;
    if (mayExist && !(await app.store.events.mark(event, now, now + POSTING_MS))) return undefined;
    // If no thread is open, the game opens one, which keeps its words out of the channel.
    const first = relayInvitation(namedBoard);
    const opening = { ...postOf(thread, relay, 'relay'), reply: first, threadName: first.title, ping: null };
    const openThread =
      message?.thread ??
      thread.posted ??
      (await attempt(({ outcomeUnknown }) => poster.open({ ...opening, outcomeUnknown })));
    const reply = relayReply(shownOf(relay, namedBoard, app.clock.now()), 'everyone');
    const post = { ...postOf(thread, relay, `relay ${number}`), reply, thread: openThread };
    const version = await attempt(async ({ outcomeUnknown }) => {
      const posted = await poster.post({ ...post, outcomeUnknown });
      return storeMessage(context, relay, { posted, thread: openThread, number });
    });
    if (version !== undefined && version !== game.version)
      void updateMessage(context).catch((error) => warnOfUpdate(context, error));
    return version === undefined ? undefined : openThread;
  } catch (error) {
    warn(context, error, 'A relay’s message could not be posted. Answers show the game instead.');
    return undefined;
  }
}

function postOf({ tenant, channel, key }: RelayThread, { startedAt }: Relay, step: string) {
  return {
    channel: { tenant, channel },
    key: postKey({ tenant, channel: key, date: String(startedAt), step }),
    ...UNLEASED,
    since: startedAt,
  };
}

/** Adds the message to the game as it is now: others may have moved. Returns the version read, undefined for another game. */
async function storeMessage(
  { app, thread }: MessageContext,
  { startedAt }: Relay,
  message: RelayMessage,
): Promise<number | undefined> {
  for (;;) {
    const game = await readRelay(app, thread);
    if (game?.stored.relay.startedAt !== startedAt) return undefined;
    if (await saveRelay(app, thread, { ...game.stored, message }, game.version)) return game.version;
  }
}

/**
 * Shows the current game in its message. Posts a new one when the old one was deleted, or can't be edited for long. Throws where
 * that may work later.
 *
 * @param options.wasOver whether the game was over already, for which nothing is posted again
 */
export async function updateMessage(context: MessageContext, { wasOver = false } = {}): Promise<void> {
  const { app, request, thread, namedBoard } = context;
  const { tenant, channel, key } = thread;
  const poster = app.posterOf(request.door);
  if (poster === undefined) return;
  await updateInTurn(
    app,
    { tenant, channel: key },
    {
      read: () => readRelay(app, thread),
      async edit({ stored: { message, relay } }) {
        if (message === undefined) return;
        const reply = relayReply(shownOf(relay, namedBoard, app.clock.now()), 'everyone');
        await poster.edit({ tenant, channel }, message.posted, reply);
      },
      async onFailure(error) {
        if (wasOver) return;
        const { kind, retryAfter = 0 } = error instanceof PostFailure ? error : {};
        const isLasting = kind === 'closed' || kind === 'invalid' || kind === 'refused';
        const isReplaced =
          (isLasting || retryAfter > LONG_WAIT_MS) && (await postMessage(context)) !== undefined;
        if (!isLasting && !isReplaced) throw error;
      },
    },
  );
}

export function warnOfUpdate(context: MessageContext, error: unknown): void {
  warn(context, error, 'A relay’s message could not be updated. The next move tries again.');
}

function warn({ app, request, thread }: MessageContext, error: unknown, text: string): void {
  app.log.warn({ err: error, door: request.door, tenant: thread.tenant }, text);
}
