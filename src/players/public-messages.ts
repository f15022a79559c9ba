import { setTimeout as sleep } from 'node:timers/promises';
import { type ChannelRef, channelKey } from '../core/channel-ref.ts';
import { DAY, MINUTE } from '../core/clock.ts';
import { KeyedQueue } from '../core/concurrency.ts';
import { postKey } from '../daily/day-thread.ts';
import { settingsOf } from '../daily/settings/settings.ts';
import type { App, Request } from '../dispatch/contract.ts';
import { type Posted, PostFailure, threadId, UNLEASED } from '../dispatch/poster.ts';
import { dateAt, spanOf } from '../puzzle/calendar.ts';
import type { NamedBoard } from '../reply/model/named-board.ts';
import { notes, sentenceReply } from '../reply/model/text.ts';
import type { Reply } from '../reply/model/types.ts';
import {
  noWordsReply,
  type SharedAs,
  type SharedNote,
  type SharedResult,
  sharedNoteReply,
  sharedPart,
  sharedReply,
} from '../reply/replies/result.ts';
import type { Store } from '../store/store.ts';

/**
 * Whether a relay, a race or a board that somebody starts here gets a message for everybody. If so, the answer
 * is for the asker alone; otherwise the answer itself is the message.
 */
export function hasPublicMessages({ door, where }: Pick<Request, 'door' | 'where'>, app: App): boolean {
  return !where.direct && app.posterOf(door) !== undefined;
}

/**
 * Counts one more message for everybody today, toward the limits of the asker and of the channel, or toward neither: if a
 * limit is reached, returns the answer that says so.
 */
export async function refuseTooMany(
  request: Request,
  app: App,
  what: 'relay' | 'race' | 'board',
): Promise<Reply | undefined> {
  if (!hasPublicMessages(request, app)) return undefined;
  const { limits } = app;
  const { tenant, channel } = request.where;
  const [perPerson, perChannel] = [limits[`${what}sPerPerson`], limits[`${what}sPerChannel`]];
  const full = await countToday(app, tenant, what, [
    [`person ${request.who.id}`, perPerson],
    [`channel ${channel}`, perChannel],
  ]);
  if (full === undefined) return undefined;
  const whose = full === 0 ? `You’ve had ${perPerson}` : `This channel has had ${perChannel}`;
  return sentenceReply(`Enough ${what}s for today`, [
    `${whose} today. The next one can start `,
    { moment: spanOf(dateAt(app.clock.now())).to, style: 'relative' },
    what === 'board' ? '.' : '. You can still play in one that is on.',
  ]);
}

/**
 * Posts a message that no delivery would look for later: if the answer to its request is lost, or the store fails after it, the
 * message is looked for right away.
 *
 * @param post posts it and stores its ids; looks for it first if its outcome is unknown
 */
export function postOrFind<Result>(
  post: (attempt: { readonly outcomeUnknown: boolean }) => Promise<Result>,
): Promise<Result> {
  return post({ outcomeUnknown: false }).catch((error: unknown) => {
    if (error instanceof PostFailure && error.kind !== 'unknown') throw error;
    return post({ outcomeUnknown: true });
  });
}

/** Counts one more today toward each limit, as one of its `most` marks, or toward none: returns the index of a full one. */
export function countToday(
  { store, clock }: Pick<App, 'store' | 'clock'>,
  tenant: string,
  what: string,
  limits: readonly (readonly [whose: string, most: number])[],
): Promise<number | undefined> {
  const date = dateAt(clock.now());
  const marks = limits.map(([whose, most]) =>
    Array.from({ length: most }, (_, index) => {
      return `${what}:${postKey({ tenant, channel: whose, date, step: `${what} ${index + 1}` })}`;
    }),
  );
  return store.events.markEach(marks, clock.now(), spanOf(date).to);
}

/** The key under which a result is posted in a thread; a better result, or another way to show it, has its own key. */
function shareKey({ who, where }: Request, { board, result, as }: Share): string {
  const { tenant, channel } = where;
  const { words, letters, hints, reported, afterSolution } = result;
  // Part of what is shared, too: a reported result can be shared again once it is played with the same numbers.
  const marks = [reported && 'reported', afterSolution && 'after'].filter((mark) => mark !== undefined);
  const what = [who.id, words, letters, hints, sharedPart(result, as), ...marks];
  return postKey({ tenant, channel, date: board, step: `share ${JSON.stringify(what)}` });
}

/** Milliseconds within which sharing the same result again gets a sentence instead of a second post. */
const SHARE_MEMORY_MS = 60 * DAY;
/** Milliseconds after which a share that has not ended was interrupted. */
const SHARING_MS = 5 * MINUTE;

/** A result of the asker for everybody, and the thread that it belongs to. */
export interface Share {
  readonly namedBoard: NamedBoard;
  /** The day of the board, or a name for a board that somebody made. */
  readonly board: string;
  readonly result: SharedResult;
  readonly as: SharedAs;
  /** Undefined if the channel has no thread for the result. */
  readonly thread: Posted | undefined;
  readonly note: Omit<SharedNote, 'outcome'>;
}

/**
 * Posts a result in its thread, once in each way to show it. If the request comes from that thread, if there is no thread, or
 * if posting fails, the answer shows the result instead.
 */
export async function postShared(request: Request, app: App, share: Share): Promise<Reply> {
  const { door, who, where } = request;
  const { namedBoard, result, as, thread, note } = share;
  if (as.format === 'notation' && as.words === undefined) return noWordsReply(namedBoard, result);
  const reply = sharedReply(namedBoard, who.id, result, as);
  const poster = app.posterOf(door);
  const isHere = thread === undefined || poster === undefined || threadId(thread) === where.thread;
  const mayShare = isHere && where.thread === undefined ? who.mayPost : who.mayPostInThreads;
  if (mayShare === false) {
    const note = 'Only you see this, because you may not write there.';
    return { ...reply, audience: 'asker', blocks: [...reply.blocks, ...notes(note)] };
  }
  if (isHere) return reply;
  const { tenant, channel } = where;
  const now = app.clock.now();
  const { events } = app.store;
  const key = shareKey(request, share);
  /** Marked for some minutes while the result is being posted, and for long once it is there. */
  const sharedMark = `share:${key}`;
  const answer = (outcome: SharedNote['outcome']) => sharedNoteReply(reply.title, { ...note, outcome });
  if (!(await events.mark(sharedMark, now, now + SHARING_MS))) {
    const until = await events.markedUntil(sharedMark, now);
    return answer(until !== undefined && until > now + SHARING_MS ? 'shared-before' : 'unconfirmed');
  }
  /** Stays marked where nobody knows whether the result is there: the next share then looks for it first. */
  const attemptMark = `sharing:${key}`;
  const isFirst = await events.mark(attemptMark, now, now + SHARE_MEMORY_MS);
  const attemptMarkedUntil = await events.markedUntil(attemptMark, now);
  const firstAttemptAt = attemptMarkedUntil === undefined ? now : attemptMarkedUntil - SHARE_MEMORY_MS;
  try {
    await poster.post({
      channel: { tenant, channel },
      key,
      reply,
      thread,
      quiet: (await settingsOf(app.store, where)).quiet,
      // Only this request posts it, as the mark above shows, so there is no delivery with a lease to check.
      ...UNLEASED,
      outcomeUnknown: !isFirst,
      since: firstAttemptAt,
    });
    await events.extend(sharedMark, now + SHARE_MEMORY_MS);
    return answer('posted');
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'a result could not be posted in the thread');
    const mayBePosted = !(error instanceof PostFailure) || error.kind === 'unknown' || !isFirst;
    if (!mayBePosted) await events.unmark(attemptMark);
    await events.unmark(sharedMark);
    return mayBePosted ? answer('unconfirmed') : reply;
  }
}

/** Milliseconds for which only one process may post the message of a relay or race. If its ids are not stored by then, another may. */
export const POSTING_MS = MINUTE;
/** Milliseconds for which a relay or race can be shown after its end; then its words are deleted. */
export const KEPT_AFTER_END_MS = DAY;
/** Milliseconds between two edits of one message: platforms allow about one a second. */
const EDIT_INTERVAL_MS = 1000;
const MAX_FAILED_EDITS = 3;
/** No edit is tried again if a platform asks for a longer pause, as Discord does where an old message was edited often. */
export const LONG_WAIT_MS = MINUTE;

/** The updates of the messages of relays and races, by the store of these games. */
const updaters = new WeakMap<Store, MessageUpdater>();

/**
 * Runs the updates of each message one after the other, so that an older state never replaces a newer one. Requests during
 * an update share one more update after it, which shows everything that has happened by then.
 */
export class MessageUpdater {
  readonly #turns = new KeyedQueue();
  readonly #waiting = new Map<string, Promise<void>>();

  update(key: string, update: Update): Promise<void> {
    const shared = this.#waiting.get(key);
    if (shared !== undefined) return shared;
    const isFirst = !this.#turns.isBusy(key);
    const next = this.#turns.run(key, async () => {
      if (!isFirst) await sleep(EDIT_INTERVAL_MS);
      this.#waiting.delete(key);
      await update(() => this.#waiting.has(key));
    });
    this.#waiting.set(key, next);
    return next;
  }

  async done(key?: string): Promise<void> {
    if (key === undefined) await this.#turns.done();
    else if (this.#turns.isBusy(key)) await this.#turns.run(key, async () => undefined);
  }
}

/** @param isAnotherWaiting whether another update already waits, which will show the moves made since this one began */
type Update = (isAnotherWaiting: () => boolean) => Promise<void>;

interface ShownGame<Game> {
  readonly read: () => Promise<Game | undefined>;
  readonly edit: (game: Game) => Promise<void>;
  /** Called with the failure after which the update gives up. */
  readonly onFailure: (error: unknown) => Promise<void>;
}

/**
 * Updates the message of a game in its turn, and again if the game has changed in the meantime, perhaps in another process.
 * Resolves when an update that began after this call is done, which can take minutes: players don't wait for it. If the process
 * ends before, the next press, move or planned end of the game updates it.
 */
export function updateInTurn<Game extends { readonly version: number }>(
  { store }: Pick<App, 'store'>,
  key: ChannelRef,
  game: ShownGame<Game>,
): Promise<void> {
  const updater = updaters.get(store) ?? new MessageUpdater();
  updaters.set(store, updater);
  return updater.update(channelKey(key), (isAnotherWaiting) => editUntilCurrent(game, isAnotherWaiting));
}

/**
 * Resolves when no message of a relay or race is being updated any more, or that of one game: before the next game takes its
 * place, after which nothing would show its end.
 */
export async function messagesUpdated({ store }: Pick<App, 'store'>, game?: ChannelRef): Promise<void> {
  await updaters.get(store)?.done(game && channelKey(game));
}

async function editUntilCurrent<Game extends { readonly version: number }>(
  { read, edit, onFailure }: ShownGame<Game>,
  isAnotherWaiting: () => boolean,
): Promise<void> {
  for (let failures = 0; ; ) {
    const game = await read();
    if (game === undefined) return;
    const error: unknown = await edit(game).catch((failed) => failed);
    if (error === undefined) {
      const after = await read();
      if (after === undefined || after.version === game.version || isAnotherWaiting()) return;
      await sleep(EDIT_INTERVAL_MS);
      continue;
    }
    failures += 1;
    const { mayPass = false, retryAfter = 0 } = error instanceof PostFailure ? error : {};
    if (!mayPass || failures === MAX_FAILED_EDITS || retryAfter > LONG_WAIT_MS) return onFailure(error);
    await sleep(Math.max(retryAfter, EDIT_INTERVAL_MS));
  }
}
