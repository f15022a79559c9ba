import type { Log } from '../../core/log.ts';
import type { Store } from '../../store/types.ts';

const HOUR = 60 * 60_000;
/** How long the data of a server or workspace outlives the bot's removal from it. */
export const KEPT_AFTER_REMOVAL = 7 * 24 * HOUR;

/** Erases what is left of places the bot was removed from a week ago: now, and then each hour. */
export function keepHouse(store: Store, log: Log, now: () => number): () => void {
  const erase = async () => {
    try {
      const erased = await store.allTenants.eraseRemoved(now() - KEPT_AFTER_REMOVAL);
      for (const tenant of erased) log.info({ tenant }, 'removed a week ago, and now erased');
    } catch (error) {
      log.error({ err: error }, 'erasing what was removed failed; the next hour tries again');
    }
  };
  void erase();
  const timer = setInterval(erase, HOUR);
  return () => clearInterval(timer);
}
