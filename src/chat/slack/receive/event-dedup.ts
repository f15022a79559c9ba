import type { AnyMiddlewareArgs, Middleware } from '@slack/bolt';
import type { App } from '../../../dispatch/contract.ts';

/** Slack retries an event for a day at most. */
const REMEMBERED = 26 * 60 * 60_000;

/** Bolt's middleware that stops an event which was processed before. Commands and buttons have no event id. */
export function skipRepeatedEvents(app: Pick<App, 'store' | 'clock' | 'log'>): Middleware<AnyMiddlewareArgs> {
  return async ({ body, context, next }) => {
    const id = 'event_id' in body ? body.event_id : undefined;
    const retry = context.retryNum ?? 0;
    if (typeof id === 'string' && (await isRepeat(app, { id, retry }))) return;
    await next();
  };
}

/**
 * Marks the event, and waits for the mark only when Slack says that this is a retry: so a first delivery is not
 * slowed down by the store, and a retry after a first delivery that was lost is processed. When the store
 * fails, the event is processed: answering twice is better than never.
 */
async function isRepeat(
  { store, clock, log }: Pick<App, 'store' | 'clock' | 'log'>,
  event: { readonly id: string; readonly retry: number },
): Promise<boolean> {
  const now = clock.now();
  const marking = store.events.mark(`slack:${event.id}`, now, now + REMEMBERED).catch((error: unknown) => {
    log.warn({ door: 'slack', err: error }, 'an event could not be marked');
    return true;
  });
  return event.retry > 0 && !(await marking);
}
