import pg from 'pg';
import { afterAll, describe } from 'vitest';

const SERVER = process.env.TEST_DATABASE_URL;

/** Tests that need a real server; without one they are left out, and the output says so. */
export function describeOnPostgres(name: string, body: () => void): void {
  if (SERVER === undefined || SERVER === '') {
    process.stdout.write(
      `\nLEFT OUT: ${name}. TEST_DATABASE_URL is not set; scripts/test-postgres.sh run npm test has it all.\n\n`,
    );
  }
  describe.skipIf(SERVER === undefined || SERVER === '')(name, body);
}

const databases: string[] = [];
afterAll(async () => {
  for (const name of databases) await ask(`drop database ${name} with (force)`);
});

/** A new database on the real server, dropped when the tests of this file are done. */
export async function makeDatabase(): Promise<string> {
  const name = `letterboxed_test_${process.pid}_${Math.random().toString(36).slice(2)}`;
  await ask(`create database ${name}`);
  databases.push(name);
  const url = new URL(SERVER!);
  url.pathname = `/${name}`;
  return url.href;
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
