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
  contract('sqlite', async () => {
    const file = join(makeFolder(), 'old.db');
    const advice = `${file} was made by an earlier version of the bot, from before the first release. To begin with an empty database, delete it and the files beside it that begin with its name. To keep it, start that version.`;
    return { advice, dialect: sqliteDialect(openDatabase(file), (error) => error) };
  }));

describe('migrations on postgres', postgresNeeded, () =>
  contract('postgres', async () => {
    const databaseUrl = await makeDatabase();
    const advice = `The database ${new URL(databaseUrl).pathname.slice(1)} was made by an earlier version of the bot, from before the first release. To begin with an empty database, make one and set DATABASE_URL to it. To keep it, start that version.`;
    return { advice, dialect: postgresDialect({ databaseUrl }) };
  }),
);

/** @param make a dialect for a new database, and the sentences about it if an earlier version made it */
function contract(engine: DatabaseEngine, make: () => Promise<{ dialect: Dialect; advice: string }>): void {
  let db: Db;
  let advice: string;
  beforeEach(async () => {
    const made = await make();
    advice = made.advice;
    db = new Kysely({ dialect: made.dialect });
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

  test('a database that an earlier version made is named, and refused with advice', async () => {
    await sql`create table schema_version (version integer not null)`.execute(db);
    await sql`insert into schema_version values (1)`.execute(db);
    const refused = { code: 'store.earlier', message: advice };
    await expect(migrate(db, engine)).rejects.toMatchObject(refused);
    await sql`drop table schema_version`.execute(db);
    await migrate(db, engine);
    await migrate(db, engine);
    await sql`update schema_version set "schema" = 'other'`.execute(db);
    await expect(migrate(db, engine)).rejects.toMatchObject(refused);
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
      code: 'store.newer',
      message: expect.stringContaining('at version 2, and this program knows only up to 1'),
    });
    expect(await notes()).toEqual([{ body: 'kept', at: null }]);
  });
}
