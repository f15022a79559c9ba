import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { type Dialect, Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { postgresDialect } from '../../src/store/engines/postgres.ts';
import { openDatabase, sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { FIRST_SCHEMA, MIGRATIONS, type Migration, migrate } from '../../src/store/migrations.ts';
import type { DatabaseEngine, Db } from '../../src/store/schema.ts';
import { makeFolder } from '../fakes/folder.ts';
import { makeDatabase, postgresNeeded } from './real-postgres.ts';

describe('migrations on sqlite', () =>
  contract('sqlite', async () =>
    sqliteDialect(openDatabase(join(makeFolder(), 'old.db')), (error) => error),
  ));

describe('migrations on postgres', postgresNeeded, () =>
  contract('postgres', async () => postgresDialect({ databaseUrl: await makeDatabase() })),
);

/** @param make a dialect for a new database */
function contract(engine: DatabaseEngine, make: () => Promise<Dialect>): void {
  let db: Db;
  beforeEach(async () => {
    db = new Kysely({ dialect: await make() });
  });
  afterEach(() => db.destroy());

  const runs: string[] = [];
  const one: Migration = async (on) => {
    runs.push('one');
    await sql`create table note (body text not null)`.execute(on);
    await sql`insert into note values ('kept')`.execute(on);
  };
  const two: Migration = async (on) => {
    runs.push('two');
    await sql`alter table note add column at bigint`.execute(on);
  };
  const broken: Migration = async (on) => {
    await sql`drop table note`.execute(on);
    throw new Error('half way');
  };
  const notes = async () => (await sql`select * from note`.execute(db)).rows;

  test('run once each, in order, and keep what is there', async () => {
    runs.length = 0;
    await migrate(db, engine, [one]);
    await migrate(db, engine, [one]);
    expect(await notes()).toEqual([{ body: 'kept' }]);
    await migrate(db, engine, [one, two]);
    expect(await notes()).toEqual([{ body: 'kept', at: null }]);
    expect(runs).toEqual(['one', 'two']);
  });

  test('one that fails leaves everything as it was, and can be run again', async () => {
    await migrate(db, engine, [one]);
    await expect(migrate(db, engine, [one, two, broken])).rejects.toThrow('half way');
    expect(await notes()).toEqual([{ body: 'kept' }]);
    await migrate(db, engine, [one, two]);
    expect(await notes()).toEqual([{ body: 'kept', at: null }]);
  });

  test('a database with another first one is refused', async () => {
    await migrate(db, engine);
    await migrate(db, engine);
    await sql`update schema_version set "schema" = 'other'`.execute(db);
    await expect(migrate(db, engine)).rejects.toMatchObject({ code: 'store.version' });
  });

  test('FIRST_SCHEMA is the checksum of the first one', async () => {
    await migrate(db, engine, MIGRATIONS.slice(0, 1));
    const tables = await db.introspection.getTables();
    const columns = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`));
    const own = columns.filter((column) => !column.startsWith('schema_version.')).sort();
    expect(createHash('sha256').update(own.join()).digest('hex').slice(0, 8)).toBe(FIRST_SCHEMA);
  });

  test('one that is added after a release is applied to the databases of that release', async () => {
    const added: Migration = async (on) => {
      await sql`alter table puzzle add column added text`.execute(on);
    };
    await migrate(db, engine);
    await migrate(db, engine, [...MIGRATIONS, added]);
    await migrate(db, engine, [...MIGRATIONS, added]);
    expect((await sql`select added from puzzle`.execute(db)).rows).toEqual([]);
  });

  test('a database that has seen more of them is refused', async () => {
    await migrate(db, engine, [one, two]);
    await expect(migrate(db, engine, [one])).rejects.toMatchObject({
      code: 'store.version',
      message: expect.stringContaining('at version 2, and this program knows only up to 1'),
    });
    expect(await notes()).toEqual([{ body: 'kept', at: null }]);
  });
}
