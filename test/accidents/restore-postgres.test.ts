import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '../../src/store/open.ts';
import { makeFolder } from '../store/folders.ts';
import { ask, describeOnPostgres, makeDatabase } from '../store/real-postgres.ts';
import { restoreContract } from './restore.ts';

/** Debian keeps them outside of PATH, in a folder for each version. */
function program(name: string): string {
  const folder = '/usr/lib/postgresql';
  const [version] = readdirSync(folder).sort().reverse();
  return join(folder, version ?? '', 'bin', name);
}

describeOnPostgres('a PostgreSQL database restored from a dump', () => {
  restoreContract(async () => {
    const databaseUrl = await makeDatabase();
    const dump = join(makeFolder(), 'dump.sql');
    return {
      open: () => openStore({ databaseUrl }),
      async backup() {
        execFileSync(program('pg_dump'), ['--file', dump, databaseUrl]);
      },
      async restore() {
        await ask('drop schema public cascade; create schema public', databaseUrl);
        execFileSync(program('psql'), ['--quiet', '--file', dump, databaseUrl], { stdio: 'ignore' });
      },
    };
  });
});
