import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { HOUR } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { type OnQuery, openStore, SQLITE_FILE, type Store } from '../../store/store.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Which store it is, for the log. */
  readonly where: string;
  /** Closes the store, and deletes it if it is temporary. */
  close(): Promise<void>;
}

/** Opens the store that the settings name. */
export async function openStoreOf(
  config: Config['store'],
  log: Log,
  onQuery?: OnQuery,
): Promise<OpenedStore> {
  if (config.kind === 'postgres') {
    const store = await openStore({
      databaseUrl: config.databaseUrl,
      onQuery,
      onTrouble: (error) => log.warn({ err: error }, 'an idle connection to PostgreSQL broke'),
    });
    return { store, where: `PostgreSQL on ${new URL(config.databaseUrl).host}`, close: () => store.close() };
  }
  if (config.kind === 'folder') {
    const store = await openStore({ dataDir: config.dataDir, onQuery });
    return { store, where: `SQLite in ${join(config.dataDir, SQLITE_FILE)}`, close: () => store.close() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'letterboxed-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  // Also after an uncaught error, but not when the process is killed.
  process.once('exit', remove);
  try {
    const store = await openStore({ dataDir, onQuery });
    const close = async () => {
      await store.close();
      remove();
      process.off('exit', remove);
    };
    return { store, where: 'a temporary folder: nothing is kept when this process ends', close };
  } catch (error) {
    remove();
    throw error;
  }
}

/** How long the data of a server or workspace is kept after the bot's removal from it. */
const KEPT_AFTER_REMOVAL = 7 * 24 * HOUR;

/** Erases the data of tenants that removed the bot at least a week ago: now, then every hour, until the returned function is called. */
export function eraseRemovedHourly(store: Store, log: Log, now: () => number): () => void {
  const erase = async () => {
    try {
      const erased = await store.allTenants.eraseRemoved(now() - KEPT_AFTER_REMOVAL);
      for (const tenant of erased) log.info({ tenant }, 'erased the data of a tenant that removed the bot');
    } catch (error) {
      log.error({ err: error }, 'erasing the data of removed tenants failed; the next attempt is in an hour');
    }
  };
  void erase();
  const timer = setInterval(erase, HOUR);
  return () => clearInterval(timer);
}
