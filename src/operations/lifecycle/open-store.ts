import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { Log } from '../../core/log.ts';
import { openStore, SQLITE_FILE } from '../../store/open.ts';
import type { Store } from '../../store/types.ts';

export interface OpenedStore {
  readonly store: Store;
  /** For the start lines. */
  readonly where: string;
  close(): Promise<void>;
}

/** The store that the settings name. A temporary one is gone when it is closed. */
export async function openStoreOf(config: Config['store'], log: Log): Promise<OpenedStore> {
  if (config.kind === 'postgres') {
    const store = await openStore({
      databaseUrl: config.databaseUrl,
      onTrouble: (error) => log.warn({ err: error }, 'an idle connection to PostgreSQL broke'),
    });
    return { store, where: `PostgreSQL on ${new URL(config.databaseUrl).host}`, close: () => store.close() };
  }
  if (config.kind === 'folder') {
    const store = await openStore({ dataDir: config.dataDir });
    return { store, where: `SQLite in ${join(config.dataDir, SQLITE_FILE)}`, close: () => store.close() };
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'letterboxed-'));
  const remove = () => rmSync(dataDir, { recursive: true, force: true });
  // However the process ends, unless it is killed.
  process.once('exit', remove);
  try {
    const store = await openStore({ dataDir });
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
