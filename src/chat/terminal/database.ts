import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { SQLITE_FILE } from '../../store/open.ts';
import { StoreError } from '../../store/store-error.ts';
import { settingOf } from './environment.ts';

const DATA_DIR = 'data';

/** The file of the bot that runs in this folder. It is never made here: what would be in it? */
export function botFile(): string {
  const file = join(settingOf('DATA_DIR') ?? DATA_DIR, SQLITE_FILE);
  if (existsSync(file)) return file;
  throw new UserError(
    'terminal.store',
    `There is no ${file}. Run this in the bot's folder once the bot has run, or set DATA_DIR as the bot has it.`,
  );
}

/** What goes wrong with a store is told in a sentence: it is the operator who sits here. */
export async function explainStoreErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreError) throw new UserError('terminal.store', error.message);
    throw error;
  }
}
