import { existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStore, SQLITE_FILE } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { type Run, run } from './run.ts';

let folder: string;
let store: Store;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'letterboxed-backup-'));
  store = await openStore({ dataDir: join(folder, 'data') });
  await store.puzzles.keep({ date: '2026-11-20', source: 'house', puzzle: { kept: true }, at: 1 });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true, force: true });
});

function backup(typed: readonly string[], settings: Record<string, string> = {}): Promise<Run> {
  return run(['backup', ...typed], { settings, folder });
}

describe('backup', () => {
  it('copies the database while it is in use, and the copy can replace it', async () => {
    const { code, out } = await backup(['copy.db']);
    expect(code).toBe(0);
    expect(out).toMatch(/^data\/letterboxed\.db is copied to copy\.db: [\d,]+ bytes\.\n$/);
    expect(statSync(join(folder, 'copy.db')).mode & 0o777).toBe(0o600);
    await store.puzzles.keep({ date: '2026-11-21', source: 'house', puzzle: {}, at: 1 });

    // As docs/hosting.md says: stop, replace the database and remove the files beside the old one, start.
    await store.close();
    for (const end of ['', '-wal', '-shm']) rmSync(join(folder, 'data', SQLITE_FILE + end), { force: true });
    renameSync(join(folder, 'copy.db'), join(folder, 'data', SQLITE_FILE));
    store = await openStore({ dataDir: join(folder, 'data') });
    expect(await store.puzzles.get('2026-11-20', 'house')).toEqual({ kept: true });
    expect(await store.puzzles.get('2026-11-21', 'house')).toBeUndefined();
  });

  it('reads the settings in .env, which the environment overrides', async () => {
    writeFileSync(join(folder, '.env'), 'DATA_DIR=elsewhere\n');
    expect((await backup(['copy.db'])).err).toContain('There is no elsewhere/letterboxed.db.');
    expect((await backup(['copy.db'], { DATA_DIR: 'data' })).code).toBe(0);
    expect(JSON.parse((await backup(['other.db', '--json'], { DATA_DIR: 'data' })).out)).toMatchObject({
      to: 'other.db',
    });
  });

  it.each<[string, string[], Record<string, string>, string]>([
    ['without a file', [], {}, 'Name one new file'],
    ['with two', ['a.db', 'b.db'], {}, 'Name one new file'],
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
