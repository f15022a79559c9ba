import { setTimeout as sleep } from 'node:timers/promises';
import { postKey } from '../../daily/delivery/post-key.ts';
import type { App, Request } from '../../dispatch/contract.ts';
import { type Posted, type Poster, PostFailure } from '../../dispatch/poster.ts';
import type { Subject } from '../../reply/model/subject.ts';
import { type RelayShown, relayInvitation, relayReply } from '../../reply/replies/relay.ts';
import { endOf, type Relay } from './game.ts';
import { type RelayThread, readRelay, type Shown, saveRelay } from './game-store.ts';

/** After this long some platforms let a message be edited only now and then. */
const YOUNG = 60 * 60_000;
const TRIES = 3;
/** One game's messages that vanish or can't be changed, one after the other, are not to flood a thread. */
const MOST_MESSAGES = 5;
const LONGEST_WAIT = 5000;
const SHORTEST_WAIT = 1000;

/** A game's one message: posted, changed in place, and posted anew where it can't be changed any more. */
export interface MessageTools {
  readonly app: App;
  readonly request: Request;
  readonly table: RelayThread;
  readonly subject: Subject;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

export function shownOf(relay: Relay, subject: Subject, now: number): RelayShown {
  const { legs, turns, hints, restsAt } = relay;
  return { subject, legs, turns, hints, timesOutAt: restsAt, end: endOf(relay, now) };
}

/** Whether games here have a message of their own: then answers are for the asker alone. */
export function hasMessages({ door, where }: Request, app: App): boolean {
  return !where.direct && app.posterOf(door) !== undefined;
}

/** True when the message is posted and noted; else there is none, and answers show the game instead. */
export async function postMessage(tools: MessageTools): Promise<boolean> {
  const { app, request, table, subject } = tools;
  const poster = app.posterOf(request.door);
  const game = await readRelay(app, table);
  if (poster === undefined || game === undefined || !hasMessages(request, app)) return false;
  const { relay, message } = game.kept;
  const number = (message?.number ?? 0) + 1;
  if (number > MOST_MESSAGES) return false;
  try {
    const thread = message?.thread ?? table.thread ?? (await openThread(tools, poster, relay));
    const reply = relayReply(shownOf(relay, subject, app.clock.now()), 'everyone');
    const posted = await poster.post({ ...postOf(table, relay, `relay ${number}`), reply, thread });
    const version = await noteMessage(tools, relay, { posted, thread, at: app.clock.now(), number });
    if (version !== undefined && version !== game.version) await drawMessage(tools, () => false);
    return version !== undefined;
  } catch (error) {
    warn(tools, error, 'a relay could not be posted');
    return false;
  }
}

/** In a channel where no thread is open, the game gets one, so that the words played stay out of the channel. */
function openThread({ table, subject }: MessageTools, poster: Poster, relay: Relay): Promise<Posted> {
  const reply = relayInvitation(subject);
  return poster.open({ ...postOf(table, relay, 'relay'), reply, threadName: reply.title, ping: null });
}

function postOf({ tenant, channel, key }: RelayThread, { startedAt }: Relay, step: string) {
  return {
    channel: { tenant, channel },
    key: postKey({ tenant, channel: key, date: String(startedAt), step }),
    posted: undefined,
    outcomeUnknown: false,
    note: async () => true,
  };
}

/** The version it was added to, for others may move meanwhile; undefined when the game is another by now. */
async function noteMessage(
  { app, table }: MessageTools,
  { startedAt }: Relay,
  message: Shown,
): Promise<number | undefined> {
  for (;;) {
    const game = await readRelay(app, table);
    if (game?.kept.relay.startedAt !== startedAt) return undefined;
    if (await saveRelay(app, table, { ...game.kept, message }, game.version)) return game.version;
  }
}

/**
 * Shows the game as it is now. When it has gone on by the time it is drawn, in another process perhaps, it
 * is drawn once more.
 */
export async function drawMessage(tools: MessageTools, isFollowed: () => boolean): Promise<void> {
  const { app, request, table } = tools;
  const poster = app.posterOf(request.door);
  if (poster === undefined) return;
  for (;;) {
    const game = await readRelay(app, table);
    if (game?.kept.message === undefined) return;
    const { message, relay } = game.kept;
    if (!(await edit(tools, poster, message, relay))) {
      await postMessage(tools);
      return;
    }
    const after = await readRelay(app, table);
    if (after === undefined || after.version === game.version || isFollowed()) return;
    await tools.wait(SHORTEST_WAIT);
  }
}

/** False when the message is there no more, or too old to be changed as often. */
async function edit(tools: MessageTools, poster: Poster, message: Shown, relay: Relay): Promise<boolean> {
  const { app, subject, wait } = tools;
  const { tenant, channel } = tools.table;
  const reply = relayReply(shownOf(relay, subject, app.clock.now()), 'everyone');
  for (let tried = 1; ; tried++) {
    try {
      await poster.edit({ tenant, channel }, message.posted, reply);
      return true;
    } catch (error) {
      const failure = error instanceof PostFailure ? error : undefined;
      if (failure?.kind === 'invalid' || failure?.kind === 'refused') return false;
      const isOld = app.clock.now() - message.at > YOUNG;
      if (isOld && failure?.kind === 'later') return false;
      if (failure === undefined || failure.kind === 'removed' || tried === TRIES) {
        warn(tools, error, 'a relay could not be drawn');
        return true;
      }
      await wait(Math.min(Math.max(failure.retryAfter ?? SHORTEST_WAIT, SHORTEST_WAIT), LONGEST_WAIT));
    }
  }
}

function warn({ app, request, table }: MessageTools, error: unknown, text: string): void {
  app.log.warn({ err: error, door: request.door, tenant: table.tenant }, text);
}

/** Between two drawings of one message: platforms allow about one edit a second. */
const GAP = 1000;

export type Paint = (isFollowed: () => boolean) => Promise<void>;

/**
 * Draws a message one drawing after the other, so that an older state never comes to lie over a newer one.
 * Of many asked for while one is under way, one follows, for it shows all that has happened until it begins.
 */
export class MessageUpdater {
  readonly #wait: (milliseconds: number) => Promise<unknown>;
  readonly #running = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, Promise<void>>();

  constructor(wait: (milliseconds: number) => Promise<unknown> = (milliseconds) => sleep(milliseconds)) {
    this.#wait = wait;
  }

  /**
   * Resolves when a drawing that began after this call is done.
   *
   * @param paint is told whether another drawing follows, which will show whatever it misses itself
   */
  draw(key: string, paint: Paint): Promise<void> {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) return waiting;
    const before = this.#running.get(key);
    if (before === undefined) return this.#begin(key, paint);
    const next = before
      .catch(() => undefined)
      .then(() => this.#wait(GAP))
      .then(() => {
        this.#waiting.delete(key);
        return this.#begin(key, paint);
      });
    this.#waiting.set(key, next);
    return next;
  }

  #begin(key: string, paint: Paint): Promise<void> {
    const drawing = paint(() => this.#waiting.has(key)).finally(() => {
      if (this.#running.get(key) === drawing) this.#running.delete(key);
    });
    this.#running.set(key, drawing);
    return drawing;
  }
}
