import { UserError } from '../../core/errors.ts';
import { type Topic, topicOf } from '../../dispatch/board/topic.ts';
import type { App, Handler, Request } from '../../dispatch/contract.ts';
import type { Reply } from '../../reply/model/types.ts';
import { type RelayShown, relayReply } from '../../reply/replies/relay.ts';
import { formatBoard } from '../../solver/board.ts';
import { endOf, type Relay } from './game.ts';
import { type Game, type RelayThread, readRelay, type StoredRelay, saveRelay } from './game-store.ts';
import { drawMessage, hasMessages, type MessageUpdater } from './message.ts';

/** What every move of a relay works with. */
export interface RelayContext {
  readonly request: Request;
  readonly app: App;
  readonly easel: MessageUpdater;
  readonly alarm: RelayTimers;
  /** The hint command: a hint in a relay is one like any other. */
  readonly hint: Handler;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

/** The board that a game began on, should the day's have been replaced since, or be no longer to be had. */
export async function topicFor({ request, app }: RelayContext, { about, board }: Relay): Promise<Topic> {
  const topic = await topicOf({ ...request, options: about }, app).catch((error: unknown) => {
    if (error instanceof UserError) return undefined;
    throw error;
  });
  if (topic !== undefined && formatBoard(topic.board) === board) return topic;
  return topicOf({ ...request, options: { sides: board } }, app);
}

/** Shows in the game's message what has become of it. False where it has none. */
export async function draw(
  tools: RelayContext,
  { kept, topic, table }: { readonly kept: StoredRelay; readonly topic: Topic; readonly table: RelayThread },
): Promise<boolean> {
  const { app, request, easel } = tools;
  if (kept.message === undefined || app.posterOf(request.door) === undefined) return false;
  watch(tools, table, kept);
  await easel.draw(keyOf(table), (isFollowed) =>
    drawMessage({ ...tools, table, subject: topic.subject }, isFollowed),
  );
  return true;
}

/** The game itself as the answer; where it should have had a message, only who asked sees it. */
export function withoutMessage({ request, app }: RelayContext, shown: RelayShown): Reply {
  if (!hasMessages(request, app)) return relayReply(shown, 'everyone');
  const reply = relayReply(shown, 'asker');
  return { ...reply, blocks: [...reply.blocks, { kind: 'note', line: UNPOSTED }] };
}

const UNPOSTED =
  'The game’s message could not be posted here, so only you see this. I may lack the right to post in threads: whoever manages this place can give it to me.';

/** When nobody moves any more, the message is to say so, without anybody coming by. */
export function watch(tools: RelayContext, table: RelayThread, { relay }: StoredRelay): void {
  const { alarm, app } = tools;
  if (relay.end !== undefined) {
    alarm.clear(keyOf(table));
    return;
  }
  alarm.set(keyOf(table), relay.restsAt - app.clock.now(), () => {
    restIfDue(tools, table).catch((error: unknown) => {
      app.log.warn({ err: error, tenant: table.tenant }, 'a relay could not be put to rest');
    });
  });
}

async function restIfDue(tools: RelayContext, table: RelayThread): Promise<void> {
  const { app } = tools;
  const game = await readRelay(app, table);
  if (game === undefined || game.kept.relay.end !== undefined) return;
  if (endOf(game.kept.relay, app.clock.now()) === 'timed-out') await rest(tools, table, game);
  // Somebody has moved in another process.
  else watch(tools, table, game.kept);
}

function keyOf({ tenant, key }: RelayThread): string {
  return `${tenant}\n${key}`;
}

/** Ends a game whose time ran out. */
export async function rest(tools: RelayContext, table: RelayThread, { kept, version }: Game): Promise<void> {
  const ended: StoredRelay = { ...kept, relay: { ...kept.relay, end: 'timed-out' } };
  if (!(await saveRelay(tools.app, table, ended, version))) return;
  await draw(tools, { kept: ended, table, topic: await topicFor(tools, kept.relay) });
}

/** Does something later, unless the function returned is called before. */
export type After = (milliseconds: number, act: () => void) => () => void;

/** Keeps no process alive: what a restart forgets is noticed by the next who comes by. */
const afterwards: After = (milliseconds, act) => {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
};

/** One time a key, at which something is to be looked after. */
export class RelayTimers {
  readonly #after: After;
  readonly #set = new Map<string, () => void>();

  constructor(after: After = afterwards) {
    this.#after = after;
  }

  set(key: string, milliseconds: number, ring: () => void): void {
    this.clear(key);
    const cancel = this.#after(milliseconds, () => {
      this.#set.delete(key);
      ring();
    });
    this.#set.set(key, cancel);
  }

  clear(key: string): void {
    this.#set.get(key)?.();
    this.#set.delete(key);
  }
}
