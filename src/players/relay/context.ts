import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { channelKey } from '../../core/channel-ref.ts';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import type { Deliverer, Ending } from '../../daily/delivery/attempt.ts';
import type { App, DoorName, Request } from '../../dispatch/contract.ts';
import { type Topic, topicOf } from '../../dispatch/topic.ts';
import { dateAt } from '../../puzzle/calendar.ts';
import type { Reply } from '../../reply/model/types.ts';
import { type RelayShown, relayReply, unmovedReply } from '../../reply/replies/relay.ts';
import { formatBoard } from '../../solver/board.ts';
import { hasPublicMessages, takeDailySlot } from '../public-messages.ts';
import { endOf, type Relay } from './game.ts';
import { type LoadedRelay, type RelayThread, readRelay, type StoredRelay, saveRelay } from './game-store.ts';
import { MessageUpdater, updateMessage } from './message.ts';

/** What it takes to change a relay and its message. */
export interface RelayTools {
  readonly request: Request;
  readonly app: App;
  readonly updater: MessageUpdater;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
}

/** What every move of a relay needs. */
export interface RelayContext extends RelayTools {
  /** The hint command: a hint in a relay is one like any other. */
  readonly hint: (request: Request, app: App) => Promise<Reply>;
}

/** The board that a game started on, even if the day's board was replaced since or can't be fetched any more. */
export async function topicFor({ request, app }: RelayTools, { about, board }: Relay): Promise<Topic> {
  const topic = await topicOf({ ...request, options: about }, app).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (topic !== undefined && formatBoard(topic.board) === board) return topic;
  return topicOf({ ...request, options: { sides: board } }, app);
}

/** Shows the current game in its message. False when it has no message. */
export async function refreshMessage(
  context: RelayTools,
  game: { readonly stored: StoredRelay; readonly topic: Topic; readonly thread: RelayThread },
): Promise<boolean> {
  const { app, request, updater } = context;
  const { stored, topic, thread } = game;
  if (stored.message === undefined || app.posterOf(request.door) === undefined) return false;
  await updater.update(channelKey({ tenant: thread.tenant, channel: thread.key }), (isFollowed) =>
    updateMessage({ ...context, thread, subject: topic.subject }, isFollowed),
  );
  return true;
}

/** The game itself as the answer. Where it should have had a message, only the asker sees the answer. */
export function withoutMessage({ request, app }: RelayContext, shown: RelayShown): Reply {
  if (!hasPublicMessages(request, app)) return relayReply(shown, 'everyone');
  const reply = relayReply(shown, 'asker');
  return { ...reply, blocks: [...reply.blocks, { kind: 'note', line: UNPOSTED }] };
}

const UNPOSTED =
  'I couldn’t post the game’s message here, so only you see this. I may not be allowed to post in threads. Someone who manages this channel can change that.';

/** Stores the end of a game whose time ran out, and updates its message. */
export async function endTimedOut(
  context: RelayTools,
  thread: RelayThread,
  { stored, version }: LoadedRelay,
): Promise<void> {
  const ended: StoredRelay = { ...stored, relay: { ...stored.relay, end: 'timed-out' } };
  if (!(await saveRelay(context.app, thread, ended, version))) return;
  await refreshMessage(context, { stored: ended, thread, topic: await topicFor(context, stored.relay) });
}

/** A move of somebody who may not write there would be read by everybody all the same. */
export function refuseSilenced(request: Request, app: App): void {
  if (!hasPublicMessages(request, app) || request.who.mayPostInThreads !== false) return;
  throw new UserError(
    'relay.silenced',
    'You can’t play here, because you may not write in threads of this channel. You can watch: relay show',
  );
}

/**
 * Why this person may not start a relay here. Each start that is not refused counts for the day of the puzzle: the
 * bot posts a message for it, and perhaps opens a thread.
 */
export async function refuseStart(
  request: Request,
  app: App,
  { posted }: RelayThread,
): Promise<Reply | undefined> {
  if (!hasPublicMessages(request, app)) return undefined;
  if (posted === undefined && request.who.mayOpenThreads === false) {
    const line =
      'A relay needs a thread, and you may not open one in this channel. Start it in a thread you may write in.';
    return unmovedReply('There is no thread here yet', line);
  }
  const { relaysPerPerson: perPerson, relaysPerChannel: perChannel } = app.limits;
  const full = await takeDailySlot(request, app, { what: 'relay', perPerson, perChannel });
  if (full === 'person') return tooMany(app, `You started ${counted(perPerson, 'relay')} today.`);
  if (full === 'channel') return tooMany(app, `This channel started ${counted(perChannel, 'relay')} today.`);
  return undefined;
}

function tooMany({ clock, puzzles }: App, what: string): Reply {
  const { to } = puzzles.spanOf(puzzles.dateAt(clock.now()));
  return unmovedReply('Enough relays for today', [
    `${what} The next one can start `,
    { moment: to, style: 'relative' },
    '. You can still play in one that is on.',
  ]);
}

/** The step of a relay's end. */
const END_STEP = 'relay-end';
const DETAIL = v.object({ key: v.string(), startedAt: v.number() });
const OVER: Ending = { end: 'skipped', reason: { code: 'relay-over' } };

/** Plans the end of a game that nobody goes on with. With each move it comes later, which the delivery finds out. */
export async function planEnd(
  { store }: App,
  { tenant, key }: RelayThread,
  { startedAt, timesOutAt }: Relay,
): Promise<void> {
  const place = { tenant, channel: `${key} ${startedAt}`, date: dateAt(startedAt), step: END_STEP };
  await store.allDeliveries.plan([{ ...place, dueAt: timesOutAt, detail: { key, startedAt } }]);
}

/** Ends a game whose time is over, so that its message loses its buttons. What can't be read is ended by nobody. */
export function relayDeliveries(app: App): Record<string, Deliverer> {
  const updater = new MessageUpdater();
  return {
    async [END_STEP]({ claimed: { delivery }, poster }) {
      const { tenant } = delivery;
      const { key, startedAt } = v.parse(DETAIL, delivery.detail);
      const [channel = key] = key.split(' ');
      const thread = { tenant, channel, key, posted: undefined };
      const game = await readRelay(app, thread).catch((error: unknown) => {
        app.log.warn({ err: error, tenant }, 'A relay that timed out could not be ended.');
        return undefined;
      });
      if (game?.stored.message === undefined) return OVER;
      const { relay, message } = game.stored;
      if (relay.startedAt !== startedAt || relay.end !== undefined) return OVER;
      if (endOf(relay, app.clock.now()) === undefined) return { end: 'moved', to: relay.timesOutAt };
      const request = {
        door: poster.door as DoorName,
        who: { id: relay.startedBy, mayManage: false },
        where: { tenant, channel, direct: false },
        command: 'relay',
        options: {},
      };
      await endTimedOut({ app, request, updater, sleep: (pause) => setTimeout(pause) }, thread, game);
      return { end: 'sent', posted: message.posted };
    },
  };
}
