import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { openStore } from '../../store/open.ts';
import { botFile, explainStoreErrors } from './database.ts';
import { settingOf } from './environment.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

/** Works while the bot runs: the copy is of one moment, whatever is written meanwhile. */
export const backup: Subcommand = {
  usage: 'backup <file>',
  about: 'Copy the database to a new file, while the bot runs or not',
  options: [],
  async run({ bare: [file, ...more] }) {
    if (file === undefined || more.length > 0) {
      throw new UserError(
        'terminal.backup',
        'Name one new file for the copy, like: backup letterboxed-copy.db',
      );
    }
    if (settingOf('DATABASE_URL') !== undefined) {
      throw new UserError(
        'terminal.backup',
        'DATABASE_URL is set: PostgreSQL is backed up with its own tools, such as pg_dump.',
      );
    }
    const source = botFile();
    await explainStoreErrors(async () => {
      const store = await openStore({ dataDir: dirname(source) });
      await store.backup(file).finally(() => store.close());
    });
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
