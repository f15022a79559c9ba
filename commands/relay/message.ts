import { postKey } from '../../src/daily/key.ts';
import { type Poster, PostFailure } from '../../src/daily/types.ts';
import { endOf, type Relay } from '../../src/players/relay.ts';
import { type RelayShown, relayReply } from '../../src/reply/relay.ts';
import type { Subject } from '../../src/reply/subject.ts';
import type { App, Request } from '../types.ts';
import { readTable, type Shown, saveTable, type Table } from './table.ts';

/** After this long some platforms let a message be edited only now and then. */
const YOUNG = 60 * 60_000;
const TRIES = 3;
const LONGEST_WAIT = 5000;
const SHORTEST_WAIT = 1000;

/** A game's one message: posted, changed in place, and posted anew where it can't be changed any more. */
export interface MessageTools {
  readonly app: App;
  readonly request: Request;
  readonly table: Table;
  readonly subject: Subject;
  readonly wait: (milliseconds: number) => Promise<unknown>;
}

export function shownOf(relay: Relay, subject: Subject, now: number): RelayShown {
  const { legs, turns, hints, restsAt } = relay;
  return { subject, legs, turns, hints, restsAt, end: endOf(relay, now) };
}

/** True when the message is posted and noted; else there is none, and answers show the game instead. */
export async function postMessage(tools: MessageTools): Promise<boolean> {
  const { app, request, table } = tools;
  const poster = app.posterOf(request.door);
  const found = await readTable(app, table);
  if (poster === undefined || table.thread === undefined || found === undefined) return false;
  const { relay, message } = found.kept;
  const number = (message?.number ?? 0) + 1;
  try {
    const posted = await poster.post({
      spot: table,
      key: postKey({ tenant: table.tenant, place: table.key, date: String(relay.startedAt), step: `relay ${number}` }), // biome-ignore format: one line reads better
      reply: relayReply(shownOf(relay, tools.subject, app.clock.now()), 'everyone'),
      thread: table.thread,
      posted: undefined,
      outcomeUnknown: false,
      note: async () => true,
    });
    return await noteMessage(tools, relay.startedAt, {
      posted,
      thread: table.thread,
      at: app.clock.now(),
      number,
    });
  } catch (error) {
    warn(tools, error, 'a relay could not be posted');
    return false;
  }
}

/** Others may move meanwhile: the message is added to whatever the game has become. */
async function noteMessage(
  { app, table }: MessageTools,
  startedAt: number,
  message: Shown,
): Promise<boolean> {
  for (;;) {
    const found = await readTable(app, table);
    if (found?.kept.relay.startedAt !== startedAt) return false;
    if (await saveTable(app, table, { ...found.kept, message }, found.version)) return true;
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
    const found = await readTable(app, table);
    if (found?.kept.message === undefined) return;
    const { message, relay } = found.kept;
    if (!(await edit(tools, poster, message, relay))) {
      await postMessage(tools);
      return;
    }
    const after = await readTable(app, table);
    if (after === undefined || after.version === found.version || isFollowed()) return;
    await tools.wait(SHORTEST_WAIT);
  }
}

/** False when the message is there no more, or too old to be changed as often. */
async function edit(tools: MessageTools, poster: Poster, message: Shown, relay: Relay): Promise<boolean> {
  const { app, table, subject, wait } = tools;
  const reply = relayReply(shownOf(relay, subject, app.clock.now()), 'everyone');
  for (let tried = 1; ; tried++) {
    try {
      await poster.edit(table, message.posted, reply);
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
