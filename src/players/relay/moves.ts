import * as v from 'valibot';
import type { DoorName } from '../../core/channel-ref.ts';
import { UserError, unlessMistake } from '../../core/errors.ts';
import type { DeliveryHandlers, Ending } from '../../daily/delivery/deliver.ts';
import { type App, flagOf, type Request } from '../../dispatch/contract.ts';
import { threadId } from '../../dispatch/poster.ts';
import { type Target, targetOf } from '../../dispatch/target.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import { type NamedBoard, wordsOption } from '../../reply/model/named-board.ts';
import { sentenceReply } from '../../reply/model/text.ts';
import type { Line, Reply } from '../../reply/model/types.ts';
import { nothingStartsWith } from '../../reply/replies/hint.ts';
import {
  movedReply,
  noRelayReply,
  type RelayShown,
  relayReply,
  wrongWordReply,
} from '../../reply/replies/relay.ts';
import { formatBoard } from '../../solver/board.ts';
import { refuseOffensiveBoard } from '../made-boards/names.ts';
import { hasPublicMessages, messagesUpdated, POSTING_MS, refuseTooMany } from '../public-messages.ts';
import { channelOfRace, showRace } from '../race/game.ts';
import {
  endOf,
  findRelay,
  type LoadedRelay,
  MAX_RELAY_WORDS,
  type Move,
  type MoveResult,
  move,
  postMessage,
  type Relay,
  type RelayContext,
  type RelayThread,
  readRelay,
  type StoredRelay,
  saveRelay,
  shownOf,
  startRelay,
  updateMessage,
  warnOfUpdate,
  wordsOf,
} from './game.ts';

/** The board that a game started on, even if the day's board was replaced since or can't be fetched any more. */
async function targetFor({ request, app }: RelayContext, { about, board }: Relay): Promise<Target> {
  const target = await unlessMistake(targetOf({ ...request, options: about }, app));
  if (target !== undefined && formatBoard(target.board) === board) return target;
  return targetOf({ ...request, options: { sides: board } }, app);
}

/** Shows the current game in its message; undefined when it has none. Players don't wait for it. */
function refreshMessage(
  context: RelayContext,
  game: { readonly stored: StoredRelay; readonly target: Target; readonly thread: RelayThread },
  options?: { readonly wasOver: boolean },
): Promise<void> | undefined {
  const { app, request } = context;
  const { stored, target, thread } = game;
  if (stored.message === undefined || app.posterOf(request.door) === undefined) return undefined;
  const message = { ...context, thread, namedBoard: target.namedBoard };
  return updateMessage(message, options).catch((error) => warnOfUpdate(message, error));
}

/** The game as the asker sees it now. */
function shownTo({ request, app }: RelayContext, relay: Relay, namedBoard: NamedBoard): RelayShown {
  return { ...shownOf(relay, namedBoard, app.clock.now()), isAlone: !hasPublicMessages(request, app) };
}

/** The game itself as the answer. */
function unpostedReply(shown: RelayShown, note: string): Reply {
  const reply = relayReply(shown, 'asker');
  if (shown.isAlone) return reply;
  return { ...reply, blocks: [...reply.blocks, { kind: 'note', line: note }] };
}

const UNPOSTED_NOTE =
  'I couldn’t post the game’s message here, so only you see this. I may not be allowed to post in threads. Someone who manages this channel can change that.';
/** Of a message that may still be on its way. */
const MISSING_NOTE = 'The game’s message isn’t here, so only you see this.';

/** Stores the end of a game that has timed out, and updates its message. */
async function endTimedOut(
  context: RelayContext,
  thread: RelayThread,
  { stored, version }: LoadedRelay,
): Promise<void> {
  const ended: StoredRelay = { ...stored, relay: { ...stored.relay, end: 'timed-out' } };
  if (!(await saveRelay(context.app, thread, ended, version))) return;
  await refreshMessage(context, { stored: ended, thread, target: await targetFor(context, stored.relay) });
}

/** Refuses moves of people who may not write there, since everybody would read them. */
export function refuseSilenced(request: Request, app: App): void {
  if (!hasPublicMessages(request, app) || request.who.mayPostInThreads !== false) return;
  throw new UserError(
    'relay.silenced',
    'You can’t play here, because you may not write in threads of this channel. You can watch:',
    'relay show',
  );
}

/**
 * The reason why this person may not start a relay here, if any. Each allowed start counts toward the day's limit: the bot
 * posts a message for it, and perhaps opens a thread.
 */
async function refuseStart(request: Request, app: App, { posted }: RelayThread): Promise<Reply | undefined> {
  if (!hasPublicMessages(request, app)) return undefined;
  if (posted === undefined && request.who.mayOpenThreads === false) {
    const line =
      'A relay needs a thread, and you may not open one in this channel. Start it in a thread you may write in.';
    return sentenceReply('There is no thread here yet', line);
  }
  return refuseTooMany(request, app, 'relay');
}

/** Starts a game if none is on, and posts its message. */
export async function start(context: RelayContext): Promise<Reply> {
  const { request, app } = context;
  const { word: _, turns: __, ...options } = request.options;
  const now = app.clock.now();
  const target = await targetOf({ ...request, options }, app);
  const { namedBoard, board, puzzle } = target;
  if (puzzle === undefined && hasPublicMessages(request, app)) refuseOffensiveBoard(board);
  const turns = flagOf(request, 'turns') && hasPublicMessages(request, app);
  const about = { about: namedBoard.options, board: formatBoard(board), turns, startedBy: request.who.id };
  const relay = startRelay(about, now);
  for (;;) {
    const { thread, game } = await findRelay(request, app);
    if (game !== undefined && endOf(game.stored.relay, now) === undefined)
      return alreadyOnReply(context, thread, game, target);
    if (game !== undefined && game.stored.relay.end === undefined) {
      await endTimedOut(context, thread, game);
      continue;
    }
    const refusal = await refuseStart(request, app, thread);
    if (refusal !== undefined) return refusal;
    await messagesUpdated(app, { tenant: thread.tenant, channel: thread.key });
    if (!(await saveRelay(app, thread, { relay }, game?.version ?? 0))) continue;
    const shown = shownTo(context, relay, namedBoard);
    if (hasPublicMessages(request, app)) await planEnd(app, thread, relay);
    const openThread = await postMessage({ ...context, thread, namedBoard });
    if (openThread === undefined) return unpostedReply(shown, UNPOSTED_NOTE);
    const { where, door } = request;
    const isThere = threadId(openThread) === where.thread;
    const link = isThere ? undefined : app.posterOf(door)?.linkTo?.(where, openThread);
    return movedReply(shown, 'Relay started in the thread', link);
  }
}

/** @param wanted the board that the asker wanted to start one on */
async function alreadyOnReply(
  context: RelayContext,
  thread: RelayThread,
  { stored }: LoadedRelay,
  wanted: Target,
): Promise<Reply> {
  const { namedBoard } = await targetFor(context, stored.relay);
  const { request, app } = context;
  const isLost = stored.message === undefined && app.clock.now() >= stored.relay.startedAt + POSTING_MS;
  if (isLost && hasPublicMessages(request, app)) {
    await planEnd(app, thread, stored.relay);
    await postMessage({ ...context, thread, namedBoard }, { mayExist: true });
  }
  const shown = relayReply(shownTo(context, stored.relay, namedBoard), 'asker');
  const isOther = namedBoard.name !== wanted.namedBoard.name;
  const line = isOther
    ? `A relay is already on here, and only one can be. It’s not of ${wanted.namedBoard.name}:`
    : 'A relay is already on:';
  return { ...shown, blocks: [{ kind: 'text', lines: [line] }, ...shown.blocks] };
}

export async function addWord(context: RelayContext, word: string): Promise<Reply> {
  const made = await makeMove(context, { kind: 'add', word, by: context.request.who.id });
  if (made === undefined) return noRelayReply();
  const { result, target, isOvertaken } = made;
  if (result.outcome === 'moved')
    return moved(context, made, result.relay.end === 'solved' ? 'Solved together!' : 'Word added');
  if (result.outcome === 'wrong') return wrongWordReply(target.namedBoard, word, result.broken, isOvertaken);
  if (result.outcome === 'dead-end')
    return sentenceReply('That’s a dead end', `${nothingStartsWith(word)} Try another word.`);
  return refusedReply(context, made);
}

export async function undoOrStop(context: RelayContext, kind: 'undo' | 'stop'): Promise<Reply> {
  const { id: by, mayManage } = context.request.who;
  const made = await makeMove(context, { kind, by, mayManage });
  if (made === undefined) return noRelayReply();
  if (made.result.outcome !== 'moved') return refusedReply(context, made, kind);
  return moved(context, made, kind === 'undo' ? 'Last word taken back' : 'Relay ended');
}

/** The handler of the command `hint`, which this room can't import. */
type HintCommand = (request: Request, app: App) => Promise<Reply>;

/** A hint from the end of the path, for the asker alone. The game's message shows that there was one. */
export async function askHint(context: RelayContext, hint: HintCommand): Promise<Reply> {
  const { request, app } = context;
  const made = await makeMove(context, { kind: 'hint', by: request.who.id });
  if (made === undefined) return noRelayReply();
  if (made.result.outcome !== 'moved') return refusedReply(context, made);
  const { relay } = made.stored;
  const options = { ...made.target.namedBoard.options, ...wordsOption(wordsOf(relay)) };
  const reply = await hint({ ...request, command: 'hint', options }, app);
  void refreshMessage(context, made);
  return reply;
}

export async function showRelay(context: RelayContext): Promise<Reply> {
  const { request, app } = context;
  const { game } = await findRelay(request, app);
  if (game === undefined) return noRelayReply();
  const { namedBoard } = await targetFor(context, game.stored.relay);
  return relayReply(shownTo(context, game.stored.relay, namedBoard), 'asker');
}

/** The result of a move, and the game after it. */
type MadeMove = NonNullable<Awaited<ReturnType<typeof makeMove>>>;

/** Makes one move, and judges it again if somebody else changed the game before it was saved. Undefined without a game. */
async function makeMove(context: RelayContext, requested: Move) {
  const { request, app } = context;
  for (let isOvertaken = false; ; isOvertaken = true) {
    const { thread, game } = await findRelay(request, app);
    if (game === undefined) return undefined;
    const { stored, version } = game;
    const target = await targetFor(context, stored.relay);
    const { board, source } = target;
    // Only an added word needs judging.
    const words = requested.kind === 'add' ? [...wordsOf(stored.relay), requested.word] : undefined;
    const checked = words && (await app.work.run('check', { board, source, words }, request));
    const result = move(stored.relay, requested, app.clock.now(), () => checked!);
    if (result.outcome !== 'moved') return { result, stored, version, thread, target, isOvertaken };
    const after = { ...stored, relay: result.relay };
    if (await saveRelay(app, thread, after, version))
      return { result, stored: after, version: version + 1, thread, target, isOvertaken };
  }
}

/**
 * Shows the move in the game's message, with a short answer for the player. Without a message, the game is the answer, which
 * replaces the one whose button was pressed.
 */
function moved(context: RelayContext, made: MadeMove, title: string): Reply {
  const shown = shownTo(context, made.stored.relay, made.target.namedBoard);
  return refreshMessage(context, made) === undefined
    ? { ...unpostedReply(shown, MISSING_NOTE), replaces: true }
    : movedReply(shown, title);
}

const REFUSALS: Partial<Record<MoveResult['outcome'], readonly [title: string, line: Line]>> = {
  used: ['That word was played already', 'Try another one.'],
  full: [
    'No more words',
    [
      `A relay has ${MAX_RELAY_WORDS} words at most. Who added the last one can take it back: `,
      { command: 'relay undo', label: 'Take back' },
    ],
  ],
  'not-your-turn': ['Not your turn', 'You added the last word. Someone else goes next.'],
  'nothing-to-undo': ['Nothing to take back', 'Nobody has added a word yet.'],
  'not-yours': [
    'You can’t take this word back',
    'Only the person who added it, the one who started the game, and managers of this channel can.',
  ],
};

async function refusedReply(context: RelayContext, made: MadeMove, requested?: Move['kind']): Promise<Reply> {
  const { stored, result, thread, version } = made;
  if (result.outcome === 'not-yours' && requested === 'stop')
    return sentenceReply(
      'You can’t end this game',
      'Only the person who started it, people who have added a word, and managers of this channel can.',
    );
  const refusal = REFUSALS[result.outcome];
  if (refusal !== undefined) return sentenceReply(...refusal);
  if (stored.relay.end !== undefined) {
    // Its buttons are still there: a process ended before it removed them.
    void refreshMessage(context, made, { wasOver: true });
    return noRelayReply('The last relay here is over.');
  }
  await endTimedOut(context, thread, { stored, version });
  return noRelayReply('The relay here ended, because nobody added a word for a while.');
}

const END_KIND = 'relay-end';
const DETAIL = v.object({ key: v.string(), startedAt: v.number() });

async function planEnd({ store }: App, { tenant, key }: RelayThread, { startedAt, timesOutAt }: Relay) {
  // Each relay of a thread has a row of its own. Moves postpone the end, which the delivery notices.
  const place = { tenant, channel: `${key} ${startedAt}`, date: dateAt(startedAt), kind: END_KIND } as const;
  await store.allDeliveries.plan([{ ...place, dueAt: timesOutAt, detail: { key, startedAt } }]);
}

const RELAY_OVER: Ending = { end: 'skipped', reason: { code: 'game-over' } };

/**
 * Ends a game that has timed out, so that its message loses its buttons. The message is updated even if the end is stored
 * already, since an earlier update may have failed.
 */
export function relayHandlers(app: App) {
  return {
    async [END_KIND]({ claimed: { delivery }, poster }) {
      const { tenant } = delivery;
      const { key, startedAt } = v.parse(DETAIL, delivery.detail);
      const { thread, request } = requestByNobody(poster.door, { tenant, key });
      const game = await readRelay(app, thread);
      if (game === undefined) return RELAY_OVER;
      const { relay, message } = game.stored;
      const end = endOf(relay, app.clock.now());
      if (relay.startedAt !== startedAt) return RELAY_OVER;
      if (end === undefined) return { end: 'moved', to: relay.timesOutAt };
      if (end !== 'timed-out' || message === undefined) return RELAY_OVER;
      if (relay.end === undefined)
        await saveRelay(app, thread, { ...game.stored, relay: { ...relay, end } }, game.version);
      const { namedBoard } = await targetFor({ app, request }, relay);
      await updateMessage({ app, request, thread, namedBoard });
      return { end: 'sent', posted: message.posted };
    },
  } satisfies Partial<DeliveryHandlers>;
}

/**
 * The thread of a game, and a request by nobody, for changes that no one asked for. `posted` is left out: only
 * games with a message are changed, and the message knows its thread.
 */
function requestByNobody(door: DoorName, { tenant, key }: Pick<RelayThread, 'tenant' | 'key'>) {
  const [channel = ''] = key.split(' ');
  const thread: RelayThread = { tenant, channel, key, posted: undefined };
  const request: Request = {
    door,
    who: { id: '', mayManage: false },
    where: { tenant, channel, direct: false },
    command: 'relay',
    options: {},
  };
  return { thread, request };
}

/** Updates the messages of relays and races after somebody in them was forgotten. */
export async function showRelays(
  app: App,
  door: DoorName,
  games: readonly Pick<RelayThread, 'tenant' | 'key'>[],
): Promise<void> {
  for (const one of games) {
    const channel = channelOfRace(one.key);
    if (channel !== undefined) {
      await showRace(app, { tenant: one.tenant, channel });
      continue;
    }
    const { thread, request } = requestByNobody(door, one);
    const game = await readRelay(app, thread);
    if (game === undefined) continue;
    const context = { app, request };
    await refreshMessage(context, { ...game, thread, target: await targetFor(context, game.stored.relay) });
  }
}
