import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { StoreError } from '../../src/core/errors.ts';
import { explainPostgres, isLost } from '../../src/store/engines/postgres.ts';
import { explainSqlite } from '../../src/store/engines/sqlite.ts';
import { openStore, SQLITE_FILE } from '../../src/store/store.ts';
import { makeFolder } from '../fakes/folder.ts';
import { sample } from '../fakes/sample.ts';
import { stepsSeen } from '../fakes/stored.ts';
import { runWriter } from './child.ts';
import { readRows, writeRow } from './rows.ts';

test('makes its folder, and files that only their owner may read', async () => {
  const dataDir = join(makeFolder(), 'deep', 'inside');
  const store = await openStore({ dataDir });
  await writeRow(store, 'p', 1);
  for (const name of readdirSync(dataDir)) {
    expect(statSync(join(dataDir, name)).mode & 0o777, name).toBe(0o600);
  }
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  await store.close();
});

test('writes through to the disk before it acknowledges', async () => {
  const dataDir = makeFolder();
  const store = await openStore({ dataDir });
  // Durability itself is what the crash test shows; a power cut can't be tested, so the settings are.
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  expect(database.prepare('pragma journal_mode').get()).toEqual({ journal_mode: 'wal' });
  database.close();
  await store.close();
});

test('channels that a failure kept from being planned by new rules are planned by them later', async () => {
  const dataDir = makeFolder();
  const store = await openStore({ dataDir });
  const { planning } = store;
  await store.tenant('web:a').subscriptions.save('c', {}, { version: 0, by: 'p', at: 1 });
  await planning.withDue(1, 1, ({ reschedule }) =>
    reschedule([{ tenant: 'web:a', channel: 'c', planAt: 500 }]),
  );
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  database.exec(`create trigger no before update on subscription begin select raise(abort, 'no'); end`);
  await expect(planning.rescheduleAtStart('new', 1)).rejects.toThrow();
  database.exec('drop trigger no');
  database.close();
  await planning.rescheduleAtStart('new', 1);
  expect(await planning.isAnyDue(1)).toBe(true);
  // Nobody plans the channels of a removed tenant, so they make no minute look for something due.
  await store.tenant('web:a').markRemoved(1);
  expect(await planning.isAnyDue(1)).toBe(false);
  await store.close();
});

test('a backup made while another process writes is whole, private, and never overwrites', async () => {
  const dataDir = makeFolder();
  const copies = makeFolder();
  const store = await openStore({ dataDir });
  await writeRow(store, 'p', 1);
  // It writes until it is killed, so that it is at work during every copy.
  const over = Promise.withResolvers<void>();
  onTestFinished(() => over.resolve());
  const writing = runWriter({ dataDir }, { person: 'q', first: 1, count: 1e6, killWhen: over.promise });
  // The latest row of the other process; whether those before it are whole is asked of the copies.
  const latest = async () => Number((await stepsSeen(store, 'local:crash', 'q', '2026-11-20')).at(-1) ?? 0);
  let found = 0;
  for (let copy = 0; copy < sample(5, 2); copy++) {
    const folder = join(copies, `${copy}`);
    mkdirSync(folder);
    await expect.poll(latest).toBeGreaterThan(found);
    const before = await latest();
    const file = join(folder, SQLITE_FILE);
    await store.backup(file);
    expect(readdirSync(folder)).toEqual([SQLITE_FILE]);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const restored = await openStore({ dataDir: folder });
    expect(await readRows(restored, 'p')).toBe(1);
    found = await readRows(restored, 'q');
    expect(found).toBeGreaterThanOrEqual(before);
    await restored.close();
    await expect(store.backup(file)).rejects.toMatchObject({ code: 'store.unable' });
  }
  await expect.poll(latest).toBeGreaterThan(found);
  over.resolve();
  const { acknowledged, trouble } = await writing;
  expect(trouble).toBeUndefined();
  expect([acknowledged, acknowledged + 1]).toContain(await readRows(store, 'q'));
  await expect(store.backup('/proc/no/where')).rejects.toMatchObject({ code: 'store.denied' });
  expect(existsSync('/proc/no/where')).toBe(false);
  await store.close();
});

describe('what is left of a database', () => {
  const lost = {
    code: 'store.lost',
    message: expect.stringMatching(/Restore a backup .* delete .*letterboxed\.db/),
  };

  test('a file of 0 bytes is not taken for a fresh start: the operator has to decide', async () => {
    const dataDir = makeFolder();
    const file = join(dataDir, SQLITE_FILE);
    await (await openStore({ dataDir })).close();
    truncateSync(file);
    await expect(openStore({ dataDir })).rejects.toMatchObject(lost);
    expect(statSync(file).size).toBe(0);
    for (const name of readdirSync(dataDir)) rmSync(join(dataDir, name));
    await (await openStore({ dataDir })).close();
  });

  test.each(['-wal', '-shm'])('neither is a missing file whose %s is still there', async (end) => {
    const dataDir = makeFolder();
    writeFileSync(join(dataDir, SQLITE_FILE + end), 'left over');
    await expect(openStore({ dataDir })).rejects.toMatchObject(lost);
    expect(readdirSync(dataDir)).toEqual([SQLITE_FILE + end]);
  });
});

describe('a store that was restored', () => {
  const MORNING = Date.UTC(2026, 10, 20, 12, 30);
  const MINUTE = 60_000;

  test('from a backup knows that posts may exist which it does not have, until it was started', async () => {
    const dataDir = makeFolder();
    const other = makeFolder();
    const store = await openStore({ dataDir });
    expect(await store.restoredUntil(MORNING)).toBeNull();
    await store.backup(join(other, SQLITE_FILE));
    expect(await store.restoredUntil(MORNING + MINUTE)).toBeNull();
    await store.close();
    const restored = await openStore({ dataDir: other });
    const started = MORNING + 2 * MINUTE;
    expect(await restored.restoredUntil(started)).toBe(started);
    expect(await restored.restoredUntil(started + MINUTE)).toBe(started);
    // Written by a clock that was years ahead, it would count until then.
    expect(await restored.restoredUntil(started - 3 * 24 * 60 * MINUTE)).toBe(started - 3 * 24 * 60 * MINUTE);
    await restored.close();
  });
});

describe('a check of a store in use', () => {
  test('finds out that its file was replaced, deleted, cut off or overwritten', async () => {
    for (const harm of [
      (file: string) => {
        copyFileSync(file, `${file}.copy`);
        rmSync(file);
        copyFileSync(`${file}.copy`, file);
      },
      (file: string) => rmSync(file),
      (file: string) => truncateSync(file, 100),
      (file: string) => writeFileSync(file, Buffer.alloc(statSync(file).size, 'x')),
    ]) {
      const dataDir = makeFolder();
      const store = await openStore({ dataDir });
      await store.ping();
      harm(join(dataDir, SQLITE_FILE));
      await expect(store.ping(), harm.toString()).rejects.toMatchObject({
        code: expect.stringMatching(/^store\.(damaged|denied)$/),
      });
      await store.close();
    }
  });
});

describe('trouble with the store', () => {
  const URL_WITH_SECRETS = 'postgres://user:hunter2@db.example:6432/letterboxed?sslmode=verify-full';

  test.each([
    ['28P01', 'password authentication failed', 'store.denied', false],
    ['3D000', 'database does not exist', 'store.denied', false],
    ['42501', 'permission denied for schema public', 'store.denied', false],
    ['25006', 'cannot execute INSERT in a read-only transaction', 'store.denied', true],
    ['53100', 'could not extend file', 'store.full', false],
    ['53300', 'too many clients already', 'store.exhausted', false],
    ['55P03', 'canceling statement due to lock timeout', 'store.locked', false],
    ['57014', 'canceling statement due to statement timeout', 'store.locked', false],
    ['40P01', 'deadlock detected', 'store.busy', false],
    ['40001', 'could not serialize access', 'store.busy', false],
    ['57P01', 'terminating connection due to administrator command', 'store.unreachable', true],
    ['57P03', 'the database system is starting up', 'store.unreachable', true],
    ['08006', 'connection failure', 'store.unreachable', true],
    ['ECONNREFUSED', 'connect ECONNREFUSED', 'store.unreachable', true],
    ['ENOTFOUND', 'getaddrinfo ENOTFOUND', 'store.unreachable', true],
    ['EPIPE', 'write EPIPE', 'store.unreachable', true],
    [undefined, 'Connection terminated unexpectedly', 'store.unreachable', true],
    [undefined, 'timeout exceeded when trying to connect', 'store.unreachable', true],
    [undefined, 'Query read timeout', 'store.locked', true],
    [undefined, 'The server does not support SSL connections', 'store.unreachable', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed certificate', 'store.unreachable', true],
  ])('PostgreSQL %s (%s) is %s', (code, message, trouble, lost) => {
    const error = Object.assign(new Error(message), code === undefined ? {} : { code });
    expect(isLost(error)).toBe(lost);
    const explained = explainPostgres(error, URL_WITH_SECRETS) as StoreError;
    expect(explained).toBeInstanceOf(StoreError);
    expect(explained.code).toBe(trouble);
    expect(explained.message).toContain('db.example:6432/letterboxed');
    expect(explained.message).not.toMatch(/hunter2|user:/);
    expect(explained.cause).toBe(error);
  });

  test('a process that may open no more files says so, and what to raise', () => {
    const error = Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
    const explained = explainPostgres(error, URL_WITH_SECRETS) as StoreError;
    expect(explained).toMatchObject({ code: 'store.exhausted', cause: error });
    expect(explained.message).toContain('LimitNOFILE');
  });

  test.each([
    [{ code: '23505', message: 'duplicate key' }],
    [{ message: "Cannot read properties of undefined (reading 'x')" }],
  ])('a fault of ours passes as it is: %o', (error) => {
    expect(explainPostgres(error, URL_WITH_SECRETS)).toBe(error);
    expect(isLost(error)).toBe(false);
    expect(explainSqlite(error, '/data/letterboxed.db')).toBe(error);
  });

  test.each([
    [5, 'store.busy'],
    [261, 'store.busy'],
    [8, 'store.denied'],
    [1032, 'store.denied'],
    [11, 'store.damaged'],
    [13, 'store.full'],
    [778, 'store.damaged'],
    [14, 'store.denied'],
    [26, 'store.damaged'],
  ])('SQLite result %i is %s', (errcode, trouble) => {
    const error = Object.assign(new Error('as SQLite says'), { code: 'ERR_SQLITE_ERROR', errcode });
    const explained = explainSqlite(error, '/tmp/letterboxed.db') as StoreError;
    expect(explained).toBeInstanceOf(StoreError);
    expect(explained.code).toBe(trouble);
    expect(explained.message).toContain('/tmp/letterboxed.db');
  });
});
