import { execFile, execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { describe, expect, onTestFinished } from 'vitest';
import { afterFile } from '../fakes/after-file.ts';
import { needs } from '../fakes/needs.ts';

const SERVER = process.env.TEST_DATABASE_URL || undefined;
const SCRIPT = fileURLToPath(new URL('../../scripts/test-postgres.sh', import.meta.url));

export const postgresNeeded = needs('PostgreSQL, see scripts/test-postgres.sh', SERVER !== undefined);

export function describeOnPostgres(name: string, body: () => void): void {
  describe(name, postgresNeeded, body);
}

/** A new database on the real server, dropped when the tests of this file are done. */
export async function makeDatabase(): Promise<string> {
  const name = `letterboxed_test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await ask(`create database ${name}`);
  afterFile(() => ask(`drop database ${name} with (force)`));
  const url = new URL(SERVER!);
  url.pathname = `/${name}`;
  return url.href;
}

/** A server of the current test's own, which may break it. */
export function startServer() {
  const url = execFileSync(SCRIPT, ['start'], { encoding: 'utf8' }).trim();
  onTestFinished(() => void execFileSync(SCRIPT, ['stop', url]));
  return {
    url,
    /** A command of scripts/test-postgres.sh, such as `restart`. */
    run: (command: string, ...more: string[]) => promisify(execFile)(SCRIPT, [command, url, ...more]),
  };
}

/** One statement on the real server, past the store. */
export async function ask(statement: string, databaseUrl = SERVER): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(statement)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Resolves when the server has ended all connections to a database: when a process was killed, its last statement has
 * then taken effect, or never will.
 */
export async function disconnected(databaseUrl: string): Promise<void> {
  const name = new URL(databaseUrl).pathname.slice(1);
  const connections = `select pid from pg_stat_activity where datname = '${name}' and backend_type = 'client backend'`;
  await expect.poll(() => ask(connections)).toEqual([]);
}
