import { closeSync, existsSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MIGRATIONS } from '../../../src/store/migrations.ts';
import { openStore, SQLITE_FILE, type Store } from '../../../src/store/store.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { ask, describeOnPostgres, makeDatabase } from '../../store/real-postgres.ts';
import { type Run, run } from './run.ts';

describe('db check', () => {
  let folder: string;
  let store: Store;
  const file = () => join(folder, 'data', SQLITE_FILE);

  beforeEach(async () => {
    folder = makeFolder();
    store = await openStore({ dataDir: join(folder, 'data') });
  });
  afterEach(() => store.close());

  const check = (...more: string[]): Promise<Run> => run(['db', 'check', ...more], { folder });
  const change = (...statements: string[]) => {
    const database = new DatabaseSync(file(), { defensive: false });
    for (const statement of statements) database.exec(statement);
    database.close();
  };

  it('says that a database is intact, while the bot runs', async () => {
    const { code, out } = await check();
    expect(out).toBe(`data/letterboxed.db is intact, at version ${MIGRATIONS.length}.\n`);
    expect(code).toBe(0);
    expect(JSON.parse((await check('--json')).out)).toMatchObject({ intact: true });
  });

  it('finds an index that does not fit its table', async () => {
    await store.tenant('web:a').hints.record('ada', '2026-11-20', ['start', 'count'], { at: 5 });
    change(
      `pragma writable_schema = on; update sqlite_schema set sql = 'create index hint_at on hint (step)' where name = 'hint_at'`,
    );
    const damaged = await check();
    expect(damaged.out).toMatch(/ is damaged: .*hint_at/);
    expect(damaged.code).toBe(1);
  });

  it.each<[string, () => void]>([
    [
      'is partly overwritten',
      () => {
        const handle = openSync(file(), 'r+');
        const { size } = statSync(file());
        for (let at = 8_192; at < size; at += 4_096) writeSync(handle, Buffer.alloc(64, 0xee), 0, 64, at);
        closeSync(handle);
      },
    ],
    ['is no database', () => writeFileSync(file(), 'a letter '.repeat(1_000))],
    ['is empty', () => writeFileSync(file(), '')],
  ])('says to restore a backup when the file %s', async (_, damage) => {
    await store.close();
    damage();
    for (const end of ['-wal', '-shm']) rmSync(file() + end, { force: true });
    const { code, out } = await check();
    expect(out).toMatch(/ is damaged: .*Restore a backup: docs\/hosting\.md says how\./);
    expect(code).toBe(1);
    for (const end of ['', '.made']) rmSync(file() + end);
    store = await openStore({ dataDir: join(folder, 'data') });
  });

  it('says which version a database has', async () => {
    change('update schema_version set version = 0');
    expect((await check()).out).toMatch(/is intact, at version 0\. The next start of the bot migrates it/);
    for (const other of ['version = 99', `version = 1, "schema" = 'earlier'`]) {
      change(`update schema_version set ${other}`);
      const { code, out } = await check();
      expect(out).toMatch(
        /^Another version of the bot .* is at version \d+, and this program knows only up to .* names begin with letterboxed\.db away/,
      );
      expect(code).toBe(1);
    }
  });

  it('gives the database to another Discord application, whose token the bot then starts with', async () => {
    const id = '123456789012345678';
    const { code, out } = await run(['db', 'application', id], { folder });
    expect(code).toBe(0);
    expect(out).toContain(`Discord application ${id} now`);
    expect(await store.applications.get('discord')).toBe(id);
  });

  it('erases what is stored about a person who is gone, in their workspace alone', async () => {
    for (const [tenant, person] of [
      ['slack:T1', 'U1'],
      ['slack:T1', 'U2'],
      ['slack:T2', 'U1'],
    ] as const)
      await store.tenant(tenant).hints.record(person, '2026-11-20', ['start'], { at: 5 });
    const { code, out } = await run(['db', 'erase', 'slack:T1/U1'], { folder });
    expect({ code, out }).toEqual({ code: 0, out: 'What was stored about U1 is erased: in slack:T1.\n' });
    const left = (scope: string, person: string) => store.allPeople.tenantsOf(scope, person);
    expect(
      await Promise.all([left('slack:T1', 'U1'), left('slack:T1', 'U2'), left('slack:T2', 'U1')]),
    ).toEqual([[], ['slack:T1'], ['slack:T2']]);
    const again = await run(['db', 'erase', 'slack:T1/U1'], { folder });
    expect(again).toMatchObject({ code: 0, out: 'Nothing is stored about U1 in slack:T1.\n' });
  });

  it.each([
    ['db', 'erase', 'web:local/@ada:host'],
    ['db', 'application', '123456789012345678'],
    ['db', 'check'],
    ['backup', 'copy.db'],
    ['daily', 'plan'],
  ])('leaves nothing open after %s %s %s', async (...typed) => {
    await store.close();
    expect((await run(typed, { folder })).code).toBe(0);
    // SQLite deletes its log when the last connection is closed.
    expect(existsSync(`${file()}-wal`)).toBe(false);
    store = await openStore({ dataDir: join(folder, 'data') });
    expect(existsSync(`${file()}-wal`)).toBe(true);
  });
});

describeOnPostgres('db check on PostgreSQL', () => {
  it('says which version it has', async () => {
    const url = await makeDatabase();
    const check = () => run(['db', 'check'], { settings: { DATABASE_URL: url } });
    await (await openStore({ databaseUrl: url })).close();
    expect((await check()).out).toMatch(/is intact, at version/);
    await ask('update schema_version set version = 99', url);
    expect((await check()).code).toBe(1);
  });
});

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = makeFolder();
  store = await openStore({ dataDir: join(folder, 'data') });
});

afterEach(() => store.close());

function backup(typed: readonly string[], settings: Record<string, string> = {}): Promise<Run> {
  return run(['backup', ...typed], { settings, folder });
}

describe('backup', () => {
  it('copies the database while it is in use', async () => {
    const { code, out } = await backup(['copy.db']);
    expect(code).toBe(0);
    expect(out).toMatch(/^data\/letterboxed\.db is copied to copy\.db: [\d,]+ bytes\.\n$/);
  });

  it('reads the settings in .env, which the environment overrides', async () => {
    writeFileSync(join(folder, '.env'), 'DATA_DIR=elsewhere\n');
    expect((await backup(['copy.db'])).err).toContain(
      "There is no elsewhere/letterboxed.db. Run this as the bot's user,",
    );
    expect((await backup(['copy.db'], { DATA_DIR: 'data' })).code).toBe(0);
    expect(JSON.parse((await backup(['other.db', '--json'], { DATA_DIR: 'data' })).out)).toMatchObject({
      to: 'other.db',
    });
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['onto a file that is there', ['data/letterboxed.db'], {}, 'is there already'],
    ['into a folder that is not', ['no/where.db'], {}, 'where.db'],
    ['of PostgreSQL', ['copy.db'], { DATABASE_URL: 'postgres://u:pass-word-1@h/d' }, 'pg_dump'],
  ])('%s says what is wrong and copies nothing', async (_, typed, settings, expected) => {
    const { code, out, err } = await backup(typed, settings);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toContain(expected);
    expect(err).not.toContain('pass-word-1');
    expect(existsSync(join(folder, 'copy.db'))).toBe(false);
  });
});
