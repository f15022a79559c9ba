import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, describe, expect, test } from 'vitest';
import { explainSqlite, openDatabase, sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { assembleStore, openStore, SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { makeFolder } from '../fakes/folder.ts';
import { needs } from '../fakes/needs.ts';
import { checkIntegrity, readRows, writeRow } from './rows.ts';

/** Small disks of our own: a full disk and a read-only one as they really are. */
const mounted: string[] = [];
function mountDisk(size: string): string {
  const folder = makeFolder();
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', folder], { stdio: 'ignore' });
  mounted.push(folder);
  return folder;
}
function unmountAll(): void {
  for (const folder of mounted.splice(0)) execFileSync('umount', ['--lazy', folder]);
}
afterEach(unmountAll);

const disksNeeded = needs('a user who may mount a small disk', mayMount());
function mayMount(): boolean {
  try {
    mountDisk('64k');
    unmountAll();
    return true;
  } catch {
    return false;
  }
}

describe('a full disk', () => {
  const FULL = {
    code: 'store.full',
    message: expect.stringMatching(/^No room left to write .*letterboxed\.db\. Free some space .*DATA_DIR/),
  };

  /** Writes rows until no more fit; every row that was acknowledged is there. */
  async function fill(store: Store): Promise<number> {
    for (let number = 1; ; number++) {
      const trouble = await writeRow(store, 'p', number).catch((error: unknown) => error);
      if (trouble === undefined) continue;
      expect(trouble).toMatchObject(FULL);
      expect(await readRows(store, 'p')).toBe(number - 1);
      return number;
    }
  }

  test(
    'is reported with advice, loses nothing, and the store goes on once there is room',
    disksNeeded,
    async () => {
      const dataDir = mountDisk('1m');
      const store = await openStore({ dataDir });
      await store.ping();
      const ballast = join(dataDir, 'ballast');
      const free = () => {
        const { bavail, bsize } = statfsSync(dataDir);
        return bavail * bsize;
      };
      writeFileSync(ballast, Buffer.alloc(free() - 64 * 1024));
      const number = await fill(store);
      await expect(store.ping()).rejects.toMatchObject(FULL);
      rmSync(ballast);
      for (let next = number; next < number + 10; next++) await writeRow(store, 'p', next);
      expect(await readRows(store, 'p')).toBe(number + 9);
      await store.close();
      checkIntegrity(dataDir);
    },
  );

  test('found at the start is reported the same way', disksNeeded, async () => {
    const dataDir = mountDisk('64k');
    writeFileSync(join(dataDir, 'ballast'), Buffer.alloc(48 * 1024));
    await expect(openStore({ dataDir })).rejects.toMatchObject(FULL);
  });

  test('of a backup names the backup, not the database', disksNeeded, async () => {
    const store = await openStore({ dataDir: makeFolder() });
    const copy = join(mountDisk('64k'), 'copy.db');
    await expect(store.backup(copy)).rejects.toMatchObject({
      code: 'store.full',
      message: `No room left to write the copy ${copy}. Free some space on that disk.`,
    });
    await store.close();
  });

  test('as SQLite tells it with its own limit of pages', async () => {
    const dataDir = makeFolder();
    const file = join(dataDir, SQLITE_FILE);
    const database = openDatabase(file);
    const dialect = sqliteDialect(database, (error) => explainSqlite(error, file));
    const store = await assembleStore('sqlite', dialect);
    const { page_count } = database.prepare('pragma page_count').get() as { page_count: number };
    database.exec(`pragma max_page_count = ${page_count + 2}`);
    const number = await fill(store);
    database.exec('pragma max_page_count = 100000');
    await writeRow(store, 'p', number);
    expect(await readRows(store, 'p')).toBe(number);
    await store.close();
    checkIntegrity(dataDir);
  });
});

describe('a folder that can’t be written', () => {
  const DENIED = {
    code: 'store.denied',
    message: expect.stringMatching(/letterboxed\.db can't be opened for writing\. DATA_DIR must be a folder/),
  };

  test('is reported when it is on a read-only disk', disksNeeded, async () => {
    const dataDir = mountDisk('1m');
    await (await openStore({ dataDir })).close();
    execFileSync('mount', ['-o', 'remount,ro', dataDir]);
    await expect(openStore({ dataDir })).rejects.toMatchObject(DENIED);
    await expect(openStore({ dataDir: join(dataDir, 'new') })).rejects.toMatchObject(DENIED);
  });

  test('is reported for a backup without advice about DATA_DIR', async () => {
    const store = await openStore({ dataDir: makeFolder() });
    const file = join(makeFolder(), 'file');
    writeFileSync(file, '');
    // Below a file nothing can be removed, either, as in a folder that others may not enter.
    for (const copy of [join(makeFolder(), 'not made', 'copy.db'), join(file, 'copy.db')])
      await expect(store.backup(copy)).rejects.toMatchObject({
        code: 'store.denied',
        message: `The copy ${copy} can't be written. Its folder must exist, and the user who copies must be allowed to write there.`,
      });
    await store.close();
  });

  // Root may write anything; the read-only disk above holds for root too.
  const othersNeeded = needs('another user than root', process.getuid?.() !== 0);
  test('is reported when the file itself is read-only', othersNeeded, async () => {
    const dataDir = makeFolder();
    await (await openStore({ dataDir })).close();
    chmodSync(join(dataDir, SQLITE_FILE), 0o400);
    await expect(openStore({ dataDir })).rejects.toMatchObject(DENIED);
  });

  test('matters only for the database, not for the mark beside it that root made', async () => {
    const dataDir = makeFolder();
    await (await openStore({ dataDir })).close();
    const mark = join(dataDir, `${SQLITE_FILE}.made`);
    rmSync(mark);
    // Root, too, can't write a folder.
    mkdirSync(mark);
    await (await openStore({ dataDir })).close();
  });

  test('is reported when it is a file, or nothing can be made there', async () => {
    const folder = makeFolder();
    writeFileSync(join(folder, 'file'), '');
    await expect(openStore({ dataDir: join(folder, 'file') })).rejects.toMatchObject(DENIED);
    await expect(openStore({ dataDir: join(folder, 'file', 'in it') })).rejects.toMatchObject(DENIED);
    await expect(openStore({ dataDir: '/proc/letterboxed' })).rejects.toMatchObject(DENIED);
    mkdirSync(join(folder, SQLITE_FILE));
    await expect(openStore({ dataDir: folder })).rejects.toMatchObject(DENIED);
  });
});

test('a file that is no database, or a damaged one, is reported and left as it is', async () => {
  const dataDir = makeFolder();
  const file = join(dataDir, SQLITE_FILE);
  const damaged = { code: 'store.damaged', message: expect.stringContaining('restore a backup') };
  writeFileSync(file, 'a letter to the editor, which is no database at all');
  await expect(openStore({ dataDir })).rejects.toMatchObject(damaged);
  rmSync(file);
  await (await openStore({ dataDir })).close();
  const database = new DatabaseSync(file);
  database.exec('pragma journal_mode = delete');
  const { page_size } = database.prepare('pragma page_size').get() as { page_size: number };
  database.close();
  const bytes = readFileSync(file);
  bytes.fill(0x5a, 200, page_size);
  writeFileSync(file, bytes);
  await expect(openStore({ dataDir })).rejects.toMatchObject(damaged);
});
