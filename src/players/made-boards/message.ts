import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import { threadId } from '../../daily/day-thread.ts';
import { postKey } from '../../daily/delivery/record.ts';
import type { App } from '../../dispatch/contract.ts';
import { type Posted, PostFailure } from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import { closedReply, madeBoardReply } from '../../reply/replies/made-board.ts';
import { eachMinute } from '../each-minute.ts';
import {
  endOf,
  LISTED_FOR,
  type MadeBoard,
  OPEN_FOR,
  readMadeBoard,
  shownOf,
  withoutHiddenMakers,
} from './made-board.ts';

/** For so long a process may take to post a board. Whatever it left half done is taken up after that. */
const POSTING = 2 * MINUTE;

/**
 * `threadless`: posted, but its thread could not be opened; `unposted`: nothing was posted; `unknown`: nobody knows;
 * `taken`: another request is at it.
 */
export type PostOutcome = 'posted' | 'threadless' | 'unposted' | 'unknown' | 'taken';

/**
 * Posts a board and opens its thread, both once: what an attempt before this one has posted is looked for first, and
 * only the rest is done.
 *
 * @param attempt `first` if nobody can have posted it before
 */
export async function postMadeBoard(
  app: App,
  { tenant, channel }: ChannelRef,
  madeBoard: MadeBoard,
  attempt: 'first' | 'again',
): Promise<PostOutcome> {
  const door = doorOf(tenant);
  const { key, madeAt } = madeBoard;
  const { madeBoards } = app.store.tenant(tenant);
  const poster = app.posterOf(door);
  const now = app.clock.now();
  if (poster === undefined) return 'unposted';
  if (!(await madeBoards.claimPost(channel, key, now, now + POSTING))) return 'taken';
  // What another request has posted since this one read the board.
  const current = attempt === 'first' ? undefined : await madeBoards.get(channel, key, now);
  let posted = current === undefined ? madeBoard.posted : readMadeBoard(current).posted;
  const note = async (known: Posted) => {
    posted = known;
    await madeBoards.notePosted(channel, key, known, threadId(known) ?? null);
    return true;
  };
  try {
    await note(
      await poster.open({
        channel: { tenant, channel },
        key: postKey({ tenant, channel, date: String(madeAt), step: `board ${key}` }),
        reply: await madeBoardMessage(app, tenant, madeBoard),
        posted,
        outcomeUnknown: attempt === 'again',
        since: madeAt,
        note,
        threadName: madeBoard.name,
        ping: null,
      }),
    );
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'a board that somebody made could not be posted');
    // Where something may have been posted, its claim stays until it ends by itself: then it is taken up again.
    if (posted?.message !== undefined) return 'threadless';
    if (error instanceof PostFailure && error.kind === 'unknown') return 'unknown';
    await madeBoards.endPost(channel, key);
    return 'unposted';
  }
  await madeBoards.endPost(channel, key);
  return 'posted';
}

/** The message under which a board is played. */
export async function madeBoardMessage(app: App, tenant: string, madeBoard: MadeBoard): Promise<Reply> {
  const [named = madeBoard] = await withoutHiddenMakers(app, tenant, [madeBoard]);
  return madeBoardReply(shownOf(app, named), 'everyone');
}

/** Of the boards whose message can't be changed now, about this many are tried before the next minute. */
const MOST_LEFT = 100;

/** Results stop counting from now on, and the board's message shows the best ones. */
export async function closeNow(app: App, channel: ChannelRef, madeBoard: MadeBoard): Promise<void> {
  const closed = { ...madeBoard, closedAt: app.clock.now() };
  await app.store.tenant(channel.tenant).madeBoards.close(channel.channel, closed.key, closed.closedAt);
  await showClosed(app, channel, closed);
}

/**
 * The same for boards whose time is over, where this process posts. The message is changed first: a process that ends in
 * between leaves it to the next one, and to show it twice does no harm.
 */
export async function closeEnded(app: App, door: string): Promise<void> {
  const now = app.clock.now();
  let left = 0;
  while (left < MOST_LEFT) {
    const ended = await app.store.allTenants.unclosed(door, now + LISTED_FOR - OPEN_FOR, left);
    if (ended.length === 0) return;
    for (const { tenant, ...stored } of ended) {
      const madeBoard = readMadeBoard(stored);
      const { channel, key } = madeBoard;
      const closedAt = endOf(madeBoard);
      const outcome = await showClosed(app, { tenant, channel }, { ...madeBoard, closedAt });
      if (outcome === 'later' && now < closedAt + DAY) left++;
      else await app.store.tenant(tenant).madeBoards.close(channel, key, closedAt);
    }
  }
}

async function showClosed(app: App, channel: ChannelRef, closed: MadeBoard) {
  const best = await app.store.tenant(channel.tenant).madeBoards.results(channel.channel, closed.key);
  return editMessage(app, channel, closed, closedReply(shownOf(app, closed), best));
}

/** A change counts even where its message can't be edited any more. `later`: it may work at another time. */
export async function editMessage(
  app: App,
  { tenant, channel }: ChannelRef,
  { posted }: MadeBoard,
  reply: Reply,
): Promise<'edited' | 'later' | 'never'> {
  const door = doorOf(tenant);
  const poster = app.posterOf(door);
  if (posted === undefined || poster === undefined) return 'never';
  try {
    await poster.edit({ tenant, channel }, posted, reply);
    return 'edited';
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'the message of a board could not be edited');
    const isLater = error instanceof PostFailure && (error.kind === 'later' || error.kind === 'unknown');
    return isLater ? 'later' : 'never';
  }
}

/** Boards older than this are posted only if their maker asks again. */
const TAKEN_UP_FOR = 60 * MINUTE;

/** Posts what processes that have ended left half posted at a door. */
export async function takeUpPosts(app: App, door: string): Promise<void> {
  const now = app.clock.now();
  const left = await app.store.allTenants.halfPosted(door, now - TAKEN_UP_FOR, now);
  for (const { tenant, ...stored } of left)
    await postMadeBoard(app, { tenant, channel: stored.channel }, readMadeBoard(stored), 'again');
}

/**
 * What is due for boards without anybody asking, each minute, at the doors where this process posts. Returns a function
 * that ends it.
 */
export function updateBoardsEachMinute(app: App, doors: readonly string[]): () => void {
  const update = async () => {
    for (const door of doors) {
      await takeUpPosts(app, door);
      await closeEnded(app, door);
    }
  };
  const line = 'boards that people made could not be posted or closed; the next minute tries again';
  return eachMinute(update, (err) => app.log.error({ err }, line));
}
