import { DAY, HOUR } from '../../core/clock.ts';
import { type Log, logFault } from '../../core/log.ts';
import { addDays, dateAt } from '../../puzzle/calendar.ts';
import type { Store } from '../../store/store.ts';
import type { ClockWatch } from './clock-watch.ts';

/** How long the data of a server or workspace is kept after the bot's removal from it. */
const KEPT_AFTER_REMOVAL = 7 * DAY;
/** Days for which deliveries are kept: longer than plans look back, and than any can still be posted. */
const DELIVERIES_KEPT_DAYS = 60;
/** Under which the store keeps for how long the clock ran evenly: a process may end each day. */
const STEADY_KEY = 'clock steady';

/** Milliseconds for which the clock ran evenly in earlier processes. */
export async function steadyBefore({ actions }: Store): Promise<number> {
  return Number(await actions.get(STEADY_KEY, 0)) || 0;
}

/**
 * Erases what is old enough: the data of tenants that removed the bot at least a week ago, rescue copies of that age, and rows
 * that have expired. Now, then every hour, until the returned function is called; never by a clock that can't be trusted.
 */
export function eraseHourly(store: Store, log: Log, watch: ClockWatch): () => void {
  const erase = async () => {
    try {
      const steady = String(Math.floor(watch.steadyFor()));
      await store.actions.put(STEADY_KEY, steady, Number.MAX_SAFE_INTEGER);
      const now = watch.erasingTime();
      if (now !== undefined) await eraseOld(store, log, Math.floor(now));
    } catch (error) {
      logFault(log, error, {}, 'erasing old data failed; the next attempt is in an hour');
    }
  };
  void erase();
  const timer = setInterval(erase, HOUR);
  return () => clearInterval(timer);
}

async function eraseOld(store: Store, log: Log, now: number): Promise<void> {
  const before = now - KEPT_AFTER_REMOVAL;
  const erased = await store.allTenants.eraseRemoved(before);
  for (const tenant of erased) log.info({ tenant }, 'erased the data of a tenant that removed the bot');
  const day = new Date(before).toISOString().slice(0, 10);
  for (const file of store.deleteRescueCopies(day)) log.info({ file }, 'deleted an old rescue copy');
  await store.allTenants.deleteExpired(now, addDays(dateAt(now), -DELIVERIES_KEPT_DAYS));
}
