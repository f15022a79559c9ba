import type { SocketModeReceiver } from '@slack/bolt';
import * as v from 'valibot';
import { isWellFormed, kindOf } from './payloads.ts';

type Client = SocketModeReceiver['client'];
/** Receives the kind of a message that was dropped, and what was thrown. */
export type Drop = (kind: string, error?: unknown) => void;

/** What the library reads of a message without looking. */
export const Message = v.pipe(
  v.string(),
  v.parseJson(),
  v.variant('type', [
    v.object({ type: v.picklist(['hello', 'disconnect']) }),
    v.object({
      type: v.picklist(['slash_commands', 'interactive', 'options']),
      envelope_id: v.string(),
      payload: v.record(v.string(), v.unknown()),
    }),
    v.object({
      type: v.literal('events_api'),
      envelope_id: v.string(),
      payload: v.looseObject({ event: v.looseObject({ type: v.string() }) }),
    }),
  ]),
);

/**
 * Keeps malformed messages of Slack from the library, whose handlers would reject without anybody to catch it,
 * and catches what they throw all the same. The library also emits each event under the name that Slack gave it,
 * which must not be one of its own names, such as `error`.
 */
export function guardSocket(client: Client, drop: Drop): void {
  catchIn(client, 'ws_message', drop, (data: unknown) => {
    const text = typeof data === 'string' ? data : new TextDecoder().decode(data as Uint8Array);
    const { success, output } = v.safeParse(Message, text);
    if (!success) return 'message';
    if (output.type !== 'events_api') return undefined;
    const name = output.payload.event.type;
    return name === 'error' || client.listenerCount(name) > 0 ? 'event' : undefined;
  });
  catchIn(client, 'slack_event', drop, (given) => {
    const { body, ack } = given as { readonly body: unknown; readonly ack: () => Promise<void> };
    if (isWellFormed(body)) return undefined;
    const kind = kindOf(body);
    // Slack would send an event again and again, and in the end no more events at all.
    if (kind === 'event_callback') ack().catch((error: unknown) => drop(kind, error));
    return kind;
  });
}

/** @param problemOf what is wrong with the arguments of an event, which is then not passed on */
function catchIn(
  client: Client,
  event: string,
  drop: Drop,
  problemOf: (first: unknown) => string | undefined,
): void {
  const listeners = client.listeners(event) as ((...given: unknown[]) => unknown)[];
  client.removeAllListeners(event);
  client.on(event, async (...given: unknown[]) => {
    try {
      const problem = problemOf(given[0]);
      if (problem !== undefined) return drop(problem);
      await Promise.all(listeners.map((listener) => listener(...given)));
    } catch (error) {
      drop(event, error);
    }
  });
}
