import * as v from 'valibot';
import { type ChannelRef, doorOf } from '../../core/channel-ref.ts';
import { DAY, HOUR } from '../../core/clock.ts';
import { threadId } from '../../daily/day-thread.ts';
import {
  type BegunAttempt,
  beginPost,
  type Deliverer,
  type Ending,
  LEASE,
  later,
} from '../../daily/delivery/attempt.ts';
import { deliverNow } from '../../daily/delivery/deliver.ts';
import { isRestored } from '../../daily/delivery/look.ts';
import type { App, Ownership } from '../../dispatch/contract.ts';
import { claimedThing } from '../../dispatch/dispatcher.ts';
import { type Posted, PostFailure } from '../../dispatch/poster.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import type { Reply } from '../../reply/model/types.ts';
import { huntBlocks } from '../../reply/replies/hunt.ts';
import { closedReply, madeBoardReply } from '../../reply/replies/made-boards.ts';
import type { NewDelivery } from '../../store/tables/deliveries.ts';
import { huntIn } from '../hunt/standings.ts';
import { reviewSettings } from '../reviews.ts';
import {
  endOf,
  type MadeBoard,
  OPEN_FOR,
  readMadeBoard,
  shownOf,
  withoutHiddenMakers,
} from './made-board.ts';

/** The steps of the two deliveries of a board: its message with a thread, and the change of the message at its end. */
const POST_STEP = 'made-board';
const END_STEP = 'made-board-end';

const DETAIL = v.object({ channel: v.string(), board: v.string(), madeAt: v.number() });

/** How long a board that could not be posted at once is posted later; then its maker may ask again. */
const TAKEN_UP_FOR = HOUR;

/**
 * `threadless`: posted, but its thread could not be opened; `unposted`: nothing was posted; `unknown`: nobody knows, or
 * another request is at it.
 */
export type PostOutcome = 'posted' | 'threadless' | 'unposted' | 'unknown';

/** Posts a board and opens its thread, both once: posts of an earlier attempt are looked for first. */
export async function postMadeBoard(
  app: App,
  channel: ChannelRef,
  madeBoard: MadeBoard,
): Promise<PostOutcome> {
  const poster = app.posterOf(doorOf(channel.tenant));
  if (poster === undefined) return 'unposted';
  const now = Math.floor(app.clock.now());
  const rows = deliveriesOf(channel.tenant, madeBoard, now);
  const [post] = rows;
  const isFirst = (await app.store.allDeliveries.plan(rows)).some(({ step }) => step === POST_STEP);
  const { deliveries } = app.store.tenant(channel.tenant);
  if (!isFirst) await deliveries.revive(post.channel, post.date, post.step, now);
  const ending = await deliverNow(app, poster, post, madeBoardPost(app), isFirst ? post.dueAt : now);
  if (ending?.end === 'sent') return 'posted';
  if (ending === undefined || ending.end === 'lost') return 'unknown';
  const current = await app.store.tenant(channel.tenant).madeBoards.get(channel.channel, madeBoard.key, now);
  if (current?.posted != null) return 'threadless';
  return ending.end === 'later' ? 'unknown' : 'unposted';
}

/** Whether a board's message and thread are there, as far as they were posted. */
export async function isWhole({ store }: App, tenant: string, madeBoard: MadeBoard): Promise<boolean> {
  const [{ channel, date, step }] = deliveriesOf(tenant, madeBoard, 0);
  return (await store.tenant(tenant).deliveries.get(channel, date, step))?.state === 'sent';
}

function deliveriesOf(
  tenant: string,
  { channel, key, madeAt }: MadeBoard,
  now: number,
): [NewDelivery, NewDelivery] {
  // A key for each making: a board that was removed may be made again on the same day.
  const place = { tenant, channel: `${channel} ${key} ${madeAt}`, date: dateAt(madeAt) };
  const detail = { channel, board: key, madeAt };
  return [
    // During the first lease, the maker's own request posts it.
    { ...place, step: POST_STEP, dueAt: now + LEASE, detail },
    { ...place, step: END_STEP, dueAt: madeAt + OPEN_FOR, detail },
  ];
}

/** The deliveries of boards that people make, which nobody asks for. */
export function madeBoardDeliveries(app: App): Record<string, Deliverer> {
  return { [POST_STEP]: madeBoardPost(app), [END_STEP]: madeBoardEnd(app) };
}

async function boardOf(
  { store, clock }: App,
  { claimed: { delivery } }: BegunAttempt,
): Promise<MadeBoard | undefined> {
  const { channel, board, madeAt } = v.parse(DETAIL, delivery.detail);
  const found = await store.tenant(delivery.tenant).madeBoards.get(channel, board, clock.now());
  return found?.madeAt === madeAt ? readMadeBoard(found) : undefined;
}

const GONE: Ending = { end: 'skipped', reason: { code: 'board-gone' } };

function madeBoardPost(app: App): Deliverer {
  return async (begun) => {
    const { claimed, poster, tools, journal } = begun;
    const { tenant } = claimed.lease;
    const madeBoard = await boardOf(app, begun);
    if (madeBoard === undefined) return GONE;
    const { channel, key, name, madeAt } = madeBoard;
    const reply = await madeBoardMessage(app, tenant, madeBoard);
    const post = await beginPost(begun, { channel: { tenant, channel }, reply });
    if (post === undefined) return { end: 'lost' };
    const note = async (posted: Posted) => {
      await app.store.tenant(tenant).madeBoards.notePosted(channel, key, posted, threadId(posted) ?? null);
      return post.note(posted);
    };
    const outcomeUnknown =
      claimed.lease.attempt > 1 || isRestored(claimed.delivery, await tools.store.restoredUntil(tools.now()));
    const opening = { ...post, note, outcomeUnknown, since: madeAt, threadName: name, ping: null };
    try {
      const posted = await poster.open(opening);
      await note(posted);
      return { end: 'sent', posted };
    } catch (error) {
      const fields = { err: error, door: poster.door, tenant };
      tools.log.warn(fields, 'a board that somebody made could not be posted');
      const kind = error instanceof PostFailure ? error.kind : 'unknown';
      const isPosted = journal.record.message !== undefined;
      const isOver = tools.now() >= madeAt + TAKEN_UP_FOR;
      // A post that may exist is completed later; one that surely does not, when its maker asks again.
      if (!isOver && (isPosted || kind === 'unknown'))
        return later(begun, { code: 'unexpected' }, { unknown: true });
      return { end: 'given-up', reason: { code: 'unexpected' } };
    }
  };
}

/** The message is changed first: a process that ends in between leaves it to the next one, which does it again. */
function madeBoardEnd(app: App): Deliverer {
  return async (begun) => {
    const { tenant } = begun.claimed.lease;
    const madeBoard = await boardOf(app, begun);
    if (madeBoard === undefined || madeBoard.closedAt !== null) return GONE;
    const closedAt = endOf(madeBoard);
    const { channel, key } = madeBoard;
    const outcome = await showClosed(app, { tenant, channel }, { ...madeBoard, closedAt });
    if (outcome === 'later' && app.clock.now() < closedAt + DAY) return later(begun, { code: 'unexpected' });
    await app.store.tenant(tenant).madeBoards.close(channel, key, closedAt);
    return { end: 'sent', posted: {} };
  };
}

/** The message under which a board is played. */
export async function madeBoardMessage(app: App, tenant: string, madeBoard: MadeBoard): Promise<Reply> {
  const [named = madeBoard] = await withoutHiddenMakers(app, tenant, [madeBoard]);
  return madeBoardReply(shownOf(app, named), 'everyone');
}

/** Results stop counting from now on, and the board's message shows the best ones. */
export async function closeNow(app: App, own: Ownership, madeBoard: MadeBoard): Promise<void> {
  const { channel, thing } = claimedThing(own);
  const closed = { ...madeBoard, closedAt: app.clock.now() };
  await app.store.tenant(channel.tenant).madeBoards.close(channel.channel, thing, closed.closedAt);
  await showClosed(app, channel, closed);
}

async function showClosed(app: App, channel: ChannelRef, closed: MadeBoard) {
  const best = await app.store.tenant(channel.tenant).madeBoards.results(channel.channel, closed.key);
  const hunt = await huntIn(app.store, channel, closed.key);
  const { names } = await reviewSettings(app.store, channel);
  return editMessage(app, channel, closed, closedReply(shownOf(app, closed), best, huntBlocks(hunt, names)));
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
