import fs, { copyFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { openStore, SQLITE_FILE, type Store } from '../../src/store/store.ts';
import { makeFolder } from '../fakes/folder.ts';
import { readRows, writeRow } from './rows.ts';

const START_WITHOUT = { code: 'store.lost', message: expect.stringContaining('is missing') };

/** What an operator does by the advice in the messages. */
function putBack(folder: string, copy: string): void {
  const file = join(folder, SQLITE_FILE);
  for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
  renameSync(copy, file);
}

async function openWith(rows: number): Promise<{ folder: string; file: string; store: Store }> {
  const folder = join(makeFolder(), 'data');
  const store = await openStore({ dataDir: folder });
  for (let row = 1; row <= rows; row++) await writeRow(store, 'p', row);
  return { folder, file: join(folder, SQLITE_FILE), store };
}

async function rowsIn(folder: string): Promise<number> {
  const store = await openStore({ dataDir: folder });
  return readRows(store, 'p').finally(() => store.close());
}

const HARMS: readonly [string, (folder: string) => void][] = [
  ['deleted', (folder) => rmSync(join(folder, SQLITE_FILE))],
  ['deleted with its folder', (folder) => rmSync(folder, { recursive: true })],
  [
    'replaced',
    (folder) => {
      const file = join(folder, SQLITE_FILE);
      copyFileSync(file, `${file}.other`);
      renameSync(`${file}.other`, file);
    },
  ],
];

describe.each(HARMS)('a database that is %s while the bot uses it', (_, harm) => {
  test('is copied at the next check, says where to and what to do, and is whole when that was done', async () => {
    const { folder, file, store } = await openWith(3);
    harm(folder);
    const trouble = await store.ping().catch((error: Error) => error.message);
    const copy = store.rescueCopy();
    expect(trouble).toBe(
      `${file} was replaced or deleted while the bot uses it. Do not restart the bot yet: ${copy} is a copy of what it has ` +
        `stored. Stop the bot, delete what is left of ${file}, ${file}-wal and ${file}-shm, rename the copy to ${file}, and ` +
        'start the bot.',
    );
    expect(statSync(copy!).mode & 0o777).toBe(0o600);
    // The last one has what was written since.
    await writeRow(store, 'p', 4);
    await expect(store.ping()).rejects.toThrow(trouble as string);
    await store.close();
    putBack(folder, copy!);
    expect(await rowsIn(folder)).toBe(4);
  });

  test('is copied before the process ends, although nothing has checked it', async () => {
    const { folder, store } = await openWith(3);
    harm(folder);
    await store.close();
    putBack(folder, store.rescueCopy()!);
    expect(await rowsIn(folder)).toBe(3);
  });
});

test('a check waits for the transaction under way before it copies', async () => {
  const { file, store } = await openWith(3);
  rmSync(file);
  const writing = Array.from({ length: 9 }, (_, row) => writeRow(store, `q${row}`, 3));
  const checks = [store.ping(), store.ping(), ...writing];
  const trouble = (await Promise.allSettled(checks)).flatMap((one) =>
    one.status === 'rejected' ? [String(one.reason.message)] : [],
  );
  expect(trouble).toHaveLength(2);
  expect(trouble[0]).toContain(store.rescueCopy());
  await store.close();
});

test('a copy that can not be written is written at a later check', async () => {
  const { folder, store } = await openWith(1);
  rmSync(folder, { recursive: true });
  writeFileSync(folder, 'no folder');
  await expect(store.ping()).rejects.toThrow(
    'Do not restart the bot yet: what it has stored is nowhere else.',
  );
  rmSync(folder);
  await expect(store.ping()).rejects.toThrow('is a copy of what it has stored');
  await store.close();
});

test('a copy that was cut short is not taken for one, nor the next start for a fresh one', async () => {
  const { folder, store } = await openWith(3);
  rmSync(folder, { recursive: true });
  // As if the process ended right before the copy gets its name.
  const ends = [
    vi.spyOn(fs, 'renameSync').mockImplementation(() => {
      throw new Error('ended');
    }),
    vi.spyOn(fs, 'rmSync').mockImplementation(() => {}),
  ];
  syncBuiltinESMExports();
  await expect(store.ping()).rejects.toThrow('is tried again each minute. ended');
  for (const end of ends) end.mockRestore();
  syncBuiltinESMExports();
  expect(readdirSync(folder)).toContainEqual(expect.stringMatching(/^letterboxed-rescue\.db\.part-/));
  expect(store.rescueCopy()).toBeUndefined();
  const start = openStore({ dataDir: folder });
  await expect(start).rejects.toMatchObject({
    ...START_WITHOUT,
    message: expect.stringContaining('Restore a backup'),
  });
  await store.close();
  expect(store.rescueCopy()).toBeDefined();
});

describe('a start without the database', () => {
  test('ends where its folder has had one, and changes nothing', async () => {
    const { folder, file, store } = await openWith(1);
    await store.close();
    rmSync(file);
    const before = readdirSync(folder);
    for (let attempt = 0; attempt < 2; attempt++)
      await expect(openStore({ dataDir: folder })).rejects.toMatchObject(START_WITHOUT);
    expect(readdirSync(folder)).toEqual(before);
    // As the message says, to begin with an empty database.
    for (const name of readdirSync(folder)) if (name.startsWith(SQLITE_FILE)) rmSync(join(folder, name));
    await (await openStore({ dataDir: folder })).close();
  });

  test('names the rescue copy, and is no fresh start while there is one', async () => {
    const { folder, file, store } = await openWith(1);
    rmSync(folder, { recursive: true });
    await store.close();
    const copy = store.rescueCopy();
    rmSync(`${file}.made`);
    await expect(openStore({ dataDir: folder })).rejects.toMatchObject({
      ...START_WITHOUT,
      message: expect.stringContaining(`${copy} is a copy of it: delete ${file} and`),
    });
    // As the message says, to begin with an empty database.
    renameSync(copy!, join(folder, '..', 'away.db'));
    for (const name of readdirSync(folder)) if (name.startsWith(SQLITE_FILE)) rmSync(join(folder, name));
    await (await openStore({ dataDir: folder })).close();
  });
});
