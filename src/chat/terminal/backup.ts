import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Mistake } from '../../solver/mistake.ts';
import { openStore, SQLITE_FILE } from '../../store/open.ts';
import { StoreError } from '../../store/store-error.ts';
import { settingOf } from './environment.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

const DATA_DIR = 'data';

/** Works while the bot runs: the copy is of one moment, whatever is written meanwhile. */
export const backup: Subcommand = {
  usage: 'backup <file>',
  about: 'Copy the database to a new file, while the bot runs or not',
  options: [],
  async run({ bare: [file, ...more] }) {
    if (file === undefined || more.length > 0) {
      throw new Mistake(
        'terminal.backup',
        'Name one new file for the copy, like: backup letterboxed-copy.db',
      );
    }
    if (settingOf('DATABASE_URL') !== undefined) {
      throw new Mistake(
        'terminal.backup',
        'DATABASE_URL is set: PostgreSQL is backed up with its own tools, such as pg_dump.',
      );
    }
    const source = join(settingOf('DATA_DIR') ?? DATA_DIR, SQLITE_FILE);
    if (!existsSync(source)) {
      throw new Mistake(
        'terminal.backup',
        `There is no ${source} to copy. Run this in the bot's folder, or set DATA_DIR as the bot has it.`,
      );
    }
    await copy(source, file);
    const { size } = statSync(file);
    return {
      exit: EXIT.answered,
      json: () => ({ from: source, to: file, bytes: size }),
      *lines() {
        yield `${source} is copied to ${file}: ${size} bytes.`;
      },
    };
  },
};

async function copy(source: string, file: string): Promise<void> {
  try {
    const store = await openStore({ dataDir: join(source, '..') });
    await store.backup(file).finally(() => store.close());
  } catch (error) {
    if (error instanceof StoreError) throw new Mistake('terminal.backup', error.message);
    throw error;
  }
}
