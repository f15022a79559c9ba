import { statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../core/errors.ts';
import { counted } from '../../core/text.ts';
import { SQLITE_FILE } from '../../store/open.ts';
import { botFolder, explainStoreErrors } from './database.ts';
import { EXIT, type Subcommand } from './subcommand.ts';

/** Works while the bot runs: the copy is of one moment, whatever is written meanwhile. */
export const backup: Subcommand = {
  usage: 'backup <file>',
  about: 'Copy the database to a new file, while the bot runs or not',
  options: [],
  async run({ bare: [file, ...more] }, world) {
    if (file === undefined || more.length > 0) {
      throw new UserError(
        'terminal.backup',
        'Name one new file for the copy, like: backup letterboxed-copy.db',
      );
    }
    const { store: config } = world.settings();
    if (config.kind === 'postgres') {
      throw new UserError(
        'terminal.backup',
        'DATABASE_URL is set: PostgreSQL is backed up with its own tools, such as pg_dump.',
      );
    }
    const source = join(botFolder(config), SQLITE_FILE);
    await explainStoreErrors(async () => {
      const store = await world.openBotStore();
      await store.backup(file).finally(() => store.close());
    });
    const { size } = statSync(file);
    return {
      exit: EXIT.answered,
      json: () => ({ from: source, to: file, bytes: size }),
      *lines() {
        yield `${source} is copied to ${file}: ${counted(size, 'byte')}.`;
      },
    };
  },
};
