import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { UserError } from '../../core/errors.ts';
import { StoreError } from '../../store/store-error.ts';

/** As in `src/store/open.ts`, which takes longer to load than most commands take to run. */
const SQLITE_FILE = 'letterboxed.db';
const DATA_DIR = 'data';

/** The data folder of the bot that runs in this folder. It is never made here: it would be empty. */
export function botFolder(store: Config['store']): string {
  const folder = store.kind === 'folder' ? store.dataDir : DATA_DIR;
  const file = join(folder, SQLITE_FILE);
  if (existsSync(file)) return folder;
  throw new UserError(
    'terminal.store',
    `There is no ${file}. Run this in the bot's folder once the bot has run, or set DATA_DIR as the bot has it.`,
  );
}

/** The operator sits here, so what is wrong with a store is shown as a sentence instead of a fault. */
export async function explainStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new UserError('terminal.store', error.message);
    throw error;
  }
}
