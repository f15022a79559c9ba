import * as v from 'valibot';
import { type ChannelRef, channelKey, doorOf } from '../../core/channel-ref.ts';
import { DAY, MINUTE } from '../../core/clock.ts';
import { UserError } from '../../core/errors.ts';
import {
  type Attempt,
  beginPost,
  type DeliveryHandler,
  type DeliveryHandlers,
  deliverNow,
  type Ending,
  LEASE_MS,
  retryLater,
} from '../../daily/delivery/deliver.ts';
import { settingsOf } from '../../daily/settings/settings.ts';
import { type App, type Ownership, type Request, textOf } from '../../dispatch/contract.ts';
import { claimedThing } from '../../dispatch/dispatcher.ts';
import { factsOfDays } from '../../dispatch/hint-record.ts';
import { PostFailure, threadId } from '../../dispatch/poster.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { boardKey } from '../../puzzle/types.ts';
import { solutionFacts } from '../../reply/model/facts.ts';
import { sidesOption } from '../../reply/model/named-board.ts';
import type { Reply } from '../../reply/model/types.ts';
import { huntBlocks } from '../../reply/replies/hunt.ts';
import {
  alreadyMadeReply,
  closedReply,
  madeBoardReply,
  madeReply,
  postingReply,
  refuseUnsolved,
} from '../../reply/replies/made-boards.ts';
import { parseBoard } from '../../solver/board.ts';
import type { Board } from '../../solver/types.ts';
import type { StoredMadeBoard } from '../../store/tables/made-boards.ts';
import { huntIn } from '../hunt.ts';
import { hasPublicMessages, refuseTooMany } from '../public-messages.ts';
import { inheritChoices } from '../results/stats.ts';
import {
  endOf,
  LISTED_MS,
  type MadeBoard,
  OPEN_MS,
  readMadeBoard,
  shownOf,
  withoutHiddenMakers,
} from './made-board.ts';
import { madeName, readWritten, refuseOffensiveBoard, sameNameAs } from './names.ts';

/**
 * Makes a board for the channel and posts it, with a thread of its own. A board that was made before but not posted,
 * because the process was killed in between, is posted now; nothing is posted twice.
 */
export async function makeBoardHere(request: Request, app: App): Promise<Reply> {
  const board = parseBoard(textOf(request, 'sides') ?? '');
  refuseOffensiveBoard(board);
  refuseWithoutRights(request, app);
  const { tenant, channel } = request.where;
  const { madeBoards } = app.store.tenant(tenant);
  const known = await madeBoards.get(channel, boardKey(board.sides), app.clock.now());
  if (known !== undefined) return goOn(request, app, readMadeBoard(known));
  // A day's board would be solved under another name, and its solutions shown to everybody when it is closed.
  if ((await app.puzzles.dayOf(board, request.where)) !== undefined)
    throw new UserError(
      'board.of-day',
      'This is the board of a day that people are playing now, so it can’t be a challenge. Make another one.',
    );
  const isWord = (word: string) => app.lexicon.find(word) !== undefined;
  const name = await nameOf(request, app, board, isWord);
  const given = textOf(request, 'note');
  const note = given === undefined ? null : readWritten('note', given, isWord);
  const source = await app.puzzles.wordSource({ board });
  const appraisal = refuseUnsolved(await app.work.run('appraise', { board, source }, request));
  // The bot posts a message for it, and opens a thread.
  const refusal = await refuseTooMany(request, app, 'board');
  if (refusal !== undefined) return refusal;
  // A maker who hides from leaderboards, or is calm, in another tenant is so here, too.
  await inheritChoices(app.store, { tenant, person: request.who.id });
  const now = app.clock.now();
  const made: StoredMadeBoard = {
    name,
    note,
    appraisal,
    channel,
    board: boardKey(board.sides),
    sides: sidesOption(board).sides,
    madeBy: request.who.id,
    madeAt: now,
    closedAt: null,
    expiresAt: now + LISTED_MS,
    posted: undefined,
    thread: null,
  };
  if (await madeBoards.add(made)) return postHere(request, app, readMadeBoard(made));
  // Somebody has made the same board in the meantime.
  return makeBoardHere(request, app);
}

/** Posts the board and answers its maker; where nothing can be posted, the board itself is the answer. */
async function postHere(request: Request, app: App, madeBoard: MadeBoard): Promise<Reply> {
  if (!hasPublicMessages(request, app)) return madeBoardMessage(app, request.where.tenant, madeBoard);
  const outcome = await postMadeBoard(app, request.where, madeBoard);
  const shown = shownOf(app, madeBoard);
  return outcome === 'unknown' ? postingReply(shown) : madeReply(shown, outcome);
}

/** Answers with a board that exists already. Its maker may post it again if it was not posted, or only in part. */
async function goOn(request: Request, app: App, madeBoard: MadeBoard): Promise<Reply> {
  const isOpen = app.clock.now() < endOf(madeBoard);
  const mayPost = isOpen && madeBoard.madeBy === request.who.id && hasPublicMessages(request, app);
  const { tenant } = request.where;
  const { channel, date, kind } = deliveryKey(tenant, madeBoard, POST_KIND);
  const { deliveries } = app.store.tenant(tenant);
  if (mayPost && (await deliveries.get(channel, date, kind))?.state !== 'sent')
    return postHere(request, app, madeBoard);
  return alreadyMadeReply(shownOf(app, madeBoard));
}

/** Refuses people who may not post themselves what the bot would post for them. */
function refuseWithoutRights(request: Request, app: App): void {
  if (!hasPublicMessages(request, app)) return;
  const { mayPost, mayOpenThreads } = request.who;
  if (mayPost === false) {
    const line = 'You can’t make a board here, because you may not write in this channel.';
    throw new UserError('board.silenced', line);
  }
  if (mayOpenThreads === false) {
    const line =
      'A board needs a thread, and you may not open one in this channel. Make it in another channel.';
    throw new UserError('board.threads', line);
  }
}

async function nameOf(
  request: Request,
  app: App,
  board: Board,
  isWord: (word: string) => boolean,
): Promise<string> {
  const { tenant, channel } = request.where;
  const others = await app.store.tenant(tenant).madeBoards.ofChannel(channel, app.clock.now());
  const isTaken = (name: string) => others.map((other) => other.name).some(sameNameAs(name));
  const given = textOf(request, 'name');
  if (given === undefined) return madeName(board, isWord, isTaken);
  const name = readWritten('name', given, isWord);
  if (!isTaken(name)) return name;
  throw new UserError(
    'board.name-taken',
    `This channel has a board of that name: ${name}. Choose another one.`,
  );
}

/** The kinds of the two deliveries of a board: its message with a thread, and the change of the message at its end. */
const POST_KIND = 'made-board';
const END_KIND = 'made-board-end';

const DETAIL = v.object({ channel: v.string(), board: v.string(), madeAt: v.number() });

/**
 * `threadless`: posted, but its thread could not be opened; `unposted`: nothing was posted; `unknown`: nobody knows, or
 * another request is posting it.
 */
type PostOutcome = 'posted' | 'threadless' | 'unposted' | 'unknown';

/** Posts a board and opens its thread, each once: posts of an earlier attempt are looked for first. */
async function postMadeBoard(app: App, channel: ChannelRef, madeBoard: MadeBoard): Promise<PostOutcome> {
  const poster = app.posterOf(doorOf(channel.tenant));
  if (poster === undefined) return 'unposted';
  const now = Math.floor(app.clock.now());
  const { key, madeAt } = madeBoard;
  const detail = { channel: madeBoard.channel, board: key, madeAt };
  // Due for the queue only after the first lease, during which the maker's own request posts it.
  const dueAt = now + LEASE_MS;
  const postRow = { ...deliveryKey(channel.tenant, madeBoard, POST_KIND), dueAt, detail };
  const endRow = { ...deliveryKey(channel.tenant, madeBoard, END_KIND), dueAt: madeAt + OPEN_MS, detail };
  const newRows = await app.store.allDeliveries.plan([postRow, endRow]);
  const isFirst = newRows.some(({ kind }) => kind === POST_KIND);
  const { deliveries } = app.store.tenant(channel.tenant);
  if (!isFirst) await deliveries.revive(postRow, now);
  // A new row is claimed as if the lease for which the queue leaves it alone were over.
  const claimedAt = isFirst ? dueAt : now;
  const ending = await deliverNow(app, poster, postRow, madeBoardPost(app), claimedAt);
  if (ending?.end === 'sent') return 'posted';
  if (ending === undefined || ending.end === 'lost') return 'unknown';
  const current = await app.store.tenant(channel.tenant).madeBoards.get(channel.channel, key, now);
  if (current?.posted != null) return 'threadless';
  return ending.end === 'later' ? 'unknown' : 'unposted';
}

function deliveryKey(
  tenant: string,
  { channel, key, madeAt }: MadeBoard,
  kind: typeof POST_KIND | typeof END_KIND,
) {
  // A removed board may be made again on the same day.
  return { tenant, channel: `${channel} ${key} ${madeAt}`, date: dateAt(madeAt), kind } as const;
}

/** The deliveries of made boards that run without a request. */
export function madeBoardHandlers(app: App) {
  return {
    [POST_KIND]: madeBoardPost(app),
    [END_KIND]: madeBoardEnd(app),
  } satisfies Partial<DeliveryHandlers>;
}

async function boardOf(
  { store, clock }: App,
  { claimed: { delivery } }: Attempt,
): Promise<MadeBoard | undefined> {
  const { channel, board, madeAt } = v.parse(DETAIL, delivery.detail);
  const found = await store.tenant(delivery.tenant).madeBoards.get(channel, board, clock.now());
  return found?.madeAt === madeAt ? readMadeBoard(found) : undefined;
}

const NOTHING_TO_SHOW: Ending = { end: 'skipped', reason: { code: 'board-gone' } };

function madeBoardPost(app: App): DeliveryHandler {
  return async (attempt) => {
    const { claimed, poster } = attempt;
    const { tenant } = claimed.lease;
    const madeBoard = await boardOf(app, attempt);
    if (madeBoard === undefined || app.clock.now() >= endOf(madeBoard)) return NOTHING_TO_SHOW;
    const { channel, key, name, madeAt } = madeBoard;
    const reply = await madeBoardMessage(app, tenant, madeBoard);
    const post = await beginPost(attempt, {
      channel: { tenant, channel },
      reply,
      quiet: false,
      question: null,
      onPosted: (posted) =>
        app.store.tenant(tenant).madeBoards.recordPosted(channel, key, posted, threadId(posted) ?? null),
    });
    const posted = await poster.open({ ...post, since: madeAt, threadName: name, ping: null });
    return { end: 'sent', posted };
  };
}

/** Closes a board when its time is over. Its message is changed first: if the process ends in between, both are done again. */
function madeBoardEnd(app: App): DeliveryHandler {
  return async (attempt) => {
    const { tenant } = attempt.claimed.lease;
    const madeBoard = await boardOf(app, attempt);
    if (madeBoard === undefined) return NOTHING_TO_SHOW;
    const closedAt = endOf(madeBoard);
    const { channel, key, madeAt } = madeBoard;
    // `closeNow` brings this delivery forward only if it can't show itself that a board is closed early.
    const isBroughtForward = attempt.claimed.delivery.dueAt !== madeAt + OPEN_MS;
    if (madeBoard.closedAt !== null && !isBroughtForward) return NOTHING_TO_SHOW;
    const isDone = await showClosed(app, { tenant, channel }, { ...madeBoard, closedAt });
    if (!isDone && app.clock.now() < closedAt + DAY) return retryLater(attempt, { code: 'unexpected' });
    await app.store.tenant(tenant).madeBoards.close(channel, key, closedAt);
    return { end: 'sent', posted: {} };
  };
}

/** The message under which a board is played. */
async function madeBoardMessage(app: App, tenant: string, madeBoard: MadeBoard): Promise<Reply> {
  const [named = madeBoard] = await withoutHiddenMakers(app, tenant, [madeBoard]);
  return madeBoardReply(shownOf(app, named));
}

/** Closes a board: results stop counting from now on, and its message shows the best ones as soon as the platform allows. */
export async function closeNow(app: App, own: Ownership, madeBoard: MadeBoard): Promise<void> {
  const { channel, key } = claimedThing(own);
  const closed = { ...madeBoard, closedAt: app.clock.now() };
  await app.store.tenant(channel.tenant).madeBoards.close(channel.channel, key, closed.closedAt);
  if (await showClosed(app, channel, closed)) return;
  const endKey = deliveryKey(channel.tenant, closed, END_KIND);
  await app.store
    .tenant(channel.tenant)
    .deliveries.bringForward(endKey, Math.floor(app.clock.now()) + MINUTE);
}

async function showClosed(app: App, channel: ChannelRef, closed: MadeBoard) {
  const { madeBoards } = app.store.tenant(channel.tenant);
  const best = await madeBoards.results(channel.channel, closed.key);
  const calm = await madeBoards.calmSolvers(channel.channel, closed.key);
  // A board may have become a day's after it was made: nothing of its hunt is then shown.
  const isOfDay = (await app.puzzles.dayOf(closed.board, channel)) !== undefined;
  const hunt = isOfDay ? undefined : await huntIn(app.store, channel, { board: closed.key });
  // If solutions tell something about a day that is on, none is shown. Such a board is not refused when it is made, since that
  // would tell its maker that words of it solve the day's.
  const facts = hunt === undefined ? [] : [solutionFacts(closed, hunt.solutions)];
  const boardsOn = () => app.puzzles.boardsOn(channel);
  const isSecret = (await factsOfDays(boardsOn, app, facts, { channel: channelKey(channel) })).length > 0;
  const { names } = await settingsOf(app.store, channel);
  const found = huntBlocks(closed.board, hunt, names).filter(({ kind }) => !isSecret || kind !== 'spoiler');
  return editMessage(app, channel, closed, closedReply(shownOf(app, closed), { best, calm }, found));
}

/** Edits the message of a board, which may be gone. False if it may work at another time. */
export async function editMessage(
  app: App,
  { tenant, channel }: ChannelRef,
  { posted }: MadeBoard,
  reply: Reply,
): Promise<boolean> {
  const door = doorOf(tenant);
  const poster = app.posterOf(door);
  if (posted === undefined || poster === undefined) return true;
  try {
    await poster.edit({ tenant, channel }, posted, reply);
    return true;
  } catch (error) {
    app.log.warn({ err: error, door, tenant }, 'the message of a board could not be edited');
    return !(error instanceof PostFailure && error.mayPass);
  }
}
