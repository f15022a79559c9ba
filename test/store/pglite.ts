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

let shared: Promise<PGlite> | undefined;

/** An empty database: one instance serves all tests of a worker, one test after the other. */
export async function emptyPglite(): Promise<PGlite> {
  shared ??= PGlite.create();
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
