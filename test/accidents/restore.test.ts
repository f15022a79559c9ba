import { copyFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openStore, SQLITE_FILE } from '../../src/store/open.ts';
import { beforeOpening, HOUR, MINUTE, makeGround, OPENING, subscribe } from '../daily/ground.ts';
import { makeFolder } from '../store/folders.ts';
import { restoreContract } from './restore.ts';

describe('a SQLite file restored as docs/hosting.md says', () => {
  restoreContract(async () => {
    const dataDir = makeFolder();
    const copy = join(makeFolder(), 'backup.db');
    const file = join(dataDir, SQLITE_FILE);
    return {
      open: () => openStore({ dataDir }),
      backup: (store) => store.backup(copy),
      async restore() {
        for (const end of ['', '-wal', '-shm']) rmSync(file + end, { force: true });
        copyFileSync(copy, file);
      },
    };
  });
});

describe('after a downtime that may have been a restore', () => {
  test('missed steps are looked for with one search, and come as one message where they are not there', async () => {
    const ground = await beforeOpening();
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    const looks: string[] = [];
    ground.platform.fault = ({ what }) => {
      looks.push(what);
      return undefined;
    };
    await ground.restart();
    await ground.at(OPENING + 5 * HOUR);
    expect(looks).toEqual(['look', 'message', 'thread', 'look', 'message']);
    expect(await ground.rows('2026-11-20')).toMatchObject({
      opening: 'sent',
      start: 'sent',
      count: 'skipped: told in one message with start',
    });
  });

  test('it is posted where the bot may not read', async () => {
    const ground = await beforeOpening();
    ground.platform.isUnreadable = true;
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    await ground.restart();
    await ground.at(OPENING + HOUR);
    expect(ground.platform.messages).toHaveLength(2);
  });

  test('a post that is postponed after the search is not searched for again', async () => {
    const ground = await beforeOpening({ steps: [] });
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    const asked: string[] = [];
    ground.platform.fault = ({ what }) => (asked.push(what) === 2 ? 'later' : undefined);
    await ground.restart();
    await ground.at(OPENING + HOUR);
    await ground.until(OPENING + HOUR + 2 * MINUTE);
    expect(asked).toEqual(['look', 'message', 'message', 'thread']);
  });

  test('a search that fails is made again before anything is sent', async () => {
    const ground = await beforeOpening();
    await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
    let failures = 0;
    ground.platform.fault = ({ what }) => (what === 'look' && failures++ === 0 ? 'lost' : undefined);
    await ground.restart();
    await ground.at(OPENING + HOUR);
    expect(ground.platform.messages).toEqual([]);
    await ground.until(OPENING + HOUR + 2 * MINUTE);
    expect(ground.platform.messages).toHaveLength(2);
  });
});

test('processes that are running when their store is restored look, too', async () => {
  const dataDir = makeFolder();
  const store = await openStore({ dataDir });
  onTestFinished(() => store.close());
  const ground = await makeGround(OPENING - HOUR, { store });
  await subscribe(store, {}, { at: OPENING - 2 * HOUR });
  await ground.until(OPENING - 30 * MINUTE, 2 * MINUTE);
  const before = await store.restoredUntil(OPENING);
  await ground.until(OPENING + 2 * MINUTE);
  expect(ground.platform.messages).toHaveLength(2);
  // As PostgreSQL does it under its clients: the same database with the rows of the backup.
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec(`delete from delivery; update continuity set witness = 'copy'`);
  database.close();
  await ground.until(OPENING + 4 * MINUTE);
  expect(ground.platform.messages).toHaveLength(2);
  expect(await ground.rows('2026-11-20')).toMatchObject({ opening: 'sent', start: 'sent' });
  expect(await store.restoredUntil(OPENING)).not.toBe(before);
});
