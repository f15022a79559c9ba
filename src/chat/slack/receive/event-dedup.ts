import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { Clock } from '../../../core/clock.ts';
import type { SeenOnce } from './seen-once.ts';

/** Slack retries an event for a day at most. */
const REMEMBERED = 26 * 60 * 60_000;

/**
 * Bolt's middleware that stops an event which was processed before: Slack's own retry, or a copy that somebody
 * recorded. Commands and buttons have no event id, and Slack never retries them.
 */
export function skipRepeatedEvents(clock: Clock, seen: SeenOnce): Middleware<AnyMiddlewareArgs> {
  return async ({ body, next }) => {
    const id = 'event_id' in body ? body.event_id : undefined;
    if (typeof id === 'string' && (await seen.isRepeat(id, clock.now() + REMEMBERED))) return;
    await next();
  };
}
