import type { Log } from '../../../core/log.ts';
import type { App } from '../../../dispatch/contract.ts';

/** Slack tries an event for a day at most. */
const REMEMBERED = 26 * 60 * 60_000;

/**
 * Whether an event was taken on before. It is marked when it first comes, and looked up only when Slack says
 * that it sends it again: a first delivery that never arrived is then not lost. Without a store, twice is
 * better than never.
 */
export async function isRepeat(
  { store, clock, log }: Pick<App, 'store' | 'clock'> & { log: Log },
  event: { readonly id: string; readonly retry: number },
): Promise<boolean> {
  const now = clock.now();
  const marking = store.events.mark(`slack:${event.id}`, now, now + REMEMBERED).catch((error: unknown) => {
    log.warn({ door: 'slack', err: error }, 'an event could not be marked');
    return true;
  });
  return event.retry > 0 && !(await marking);
}
