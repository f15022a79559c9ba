import { HOUR } from '../../core/clock.ts';
import { postKey } from '../../daily/day-thread.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { type Posted, PostFailure, UNLEASED } from '../../dispatch/poster.ts';
import type { NamedBoard } from '../../reply/model/named-board.ts';
import { type RelayShown, relayInvitation, relayReply } from '../../reply/replies/relay.ts';
import { editUntilCurrent, hasPublicMessages } from '../public-messages.ts';
import { endOf, type Relay, type RelayMessage, type RelayThread, readRelay, saveRelay } from './game.ts';

/** Milliseconds: some platforms limit edits of older messages much more strictly. */
const OLD_MESSAGE_MS = HOUR;
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

/** Posts the game's message, and returns its thread. Undefined if it could not be posted: answers show the game then. */
export async function postMessage(context: MessageContext): Promise<Posted | undefined> {
  const { app, request, thread, namedBoard } = context;
  const poster = app.posterOf(request.door);
  const game = await readRelay(app, thread);
  if (poster === undefined || game === undefined || !hasPublicMessages(request, app)) return undefined;
  const { relay, message } = game.stored;
  const number = (message?.number ?? 0) + 1;
  if (number > MAX_MESSAGES) return undefined;
  try {
    // If no thread is open, the game opens one, which keeps its words out of the channel.
    const first = relayInvitation(namedBoard);
    const opening = { ...postOf(thread, relay, 'relay'), reply: first, threadName: first.title, ping: null };
    const openThread = message?.thread ?? thread.posted ?? (await poster.open(opening));
    const reply = relayReply(shownOf(relay, namedBoard, app.clock.now()), 'everyone');
    const posted = await poster.post({
      ...postOf(thread, relay, `relay ${number}`),
      reply,
      thread: openThread,
    });
    const stored = { posted, thread: openThread, at: app.clock.now(), number };
    const version = await storeMessage(context, relay, stored);
    if (version !== undefined && version !== game.version) await updateMessage(context, () => false);
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

/** Stores the message in the current version, since others may move meanwhile. Undefined when another game has started. */
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

/** Shows the current game in its message. Posts a new one when the old one was deleted, or is too old to be edited often. */
export async function updateMessage(context: MessageContext, isAnotherWaiting: () => boolean): Promise<void> {
  const { app, request, thread, namedBoard } = context;
  const poster = app.posterOf(request.door);
  if (poster === undefined) return;
  const { tenant, channel } = thread;
  let isOld = false;
  const error = await editUntilCurrent({
    read: () => readRelay(app, thread),
    async edit({ stored: { message, relay } }) {
      if (message === undefined) return;
      isOld = app.clock.now() - message.at > OLD_MESSAGE_MS;
      const reply = relayReply(shownOf(relay, namedBoard, app.clock.now()), 'everyone');
      await poster.edit({ tenant, channel }, message.posted, reply);
    },
    isAnotherWaiting,
    mayRetry: () => !isOld,
  });
  if (error === undefined) return;
  const kind = error instanceof PostFailure ? error.kind : undefined;
  if (kind === 'closed' || kind === 'invalid' || kind === 'refused' || (kind === 'later' && isOld))
    await postMessage(context);
  else warn(context, error, 'A relay’s message could not be updated. The next move tries again.');
}

function warn({ app, request, thread }: MessageContext, error: unknown, text: string): void {
  app.log.warn({ err: error, door: request.door, tenant: thread.tenant }, text);
}
