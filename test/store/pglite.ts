import { existsSync, openAsBlob, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { describe } from 'vitest';
import { IS_LONG } from '../fakes/sample.ts';
import { SERVER } from './real-postgres.ts';

/**
 * Tests on PostgreSQL inside the test process. Starting it takes seconds of processor time, so `npm test` runs them
 * only where the same tests have no real server.
 */
export function describeOnPglite(name: string, body: () => void): void {
  describe.skipIf(SERVER !== undefined && !IS_LONG)(name, body);
}

/** Making the files of a new database takes four of the five seconds of a start. `npm ci` removes the copy. */
const NEW_DATABASE = join(process.env.NODE_COMPILE_CACHE!, 'new-database.tar');

async function start(): Promise<PGlite> {
  if (existsSync(NEW_DATABASE)) return PGlite.create({ loadDataDir: await openAsBlob(NEW_DATABASE) });
  const pglite = await PGlite.create();
  const files = await pglite.dumpDataDir('none');
  const unfinished = `${NEW_DATABASE}.${process.pid}.${Math.random()}`;
  writeFileSync(unfinished, await files.bytes());
  renameSync(unfinished, NEW_DATABASE);
  return pglite;
}

let shared: Promise<PGlite> | undefined;

/** An empty database: one instance serves all tests of a worker, one test after the other. */
export async function emptyPglite(): Promise<PGlite> {
  shared ??= start();
  const pglite = await shared;
  await pglite.exec('reset all; drop schema public cascade; create schema public');
  return new Proxy(pglite, {
    get(target, name) {
      if (name === 'close') return async () => {};
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
