import { connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { DAY_KIND } from '../../../src/core/channel-ref.ts';
import { StoreError } from '../../../src/core/errors.ts';
import { openStore, type Store } from '../../../src/store/store.ts';
import { listening, portOf } from '../../fakes/loopback.ts';
import { onlyLong } from '../../fakes/sample.ts';
import { storeContract } from '../contract/index.ts';
import { ask, describeOnPostgres, disconnected, makeDatabase } from '../real-postgres.ts';

describeOnPostgres('the store on a real PostgreSQL', () => {
  let databaseUrl: string;
  let store: Store;
  beforeAll(async () => {
    databaseUrl = await makeDatabase();
    store = await openStore({ databaseUrl });
  });
  afterAll(() => store.close());
  storeContract(() => store, onlyLong);

  test('goes on after all its connections were ended, as in a restart of the server', async () => {
    await Promise.all(Array.from({ length: 10 }, () => store.ping()));
    await endConnections(databaseUrl);
    // Until the pool has noticed all of them a query may still meet a dead one, and says so.
    const answer = () => store.ping().catch((error: unknown) => error);
    await expect.poll(answer).toBeUndefined();
    await Promise.all(Array.from({ length: 10 }, () => store.ping()));
  });

  test('writes again after its connections led to a server that took no writes, as in a failover', async () => {
    const url = await makeDatabase();
    const failing = await openStore({ databaseUrl: url, limits: { connections: 3 } });
    const readOnly = (on: boolean) =>
      ask(`alter database ${new URL(url).pathname.slice(1)} set default_transaction_read_only = ${on}`);
    const answer = () => failing.ping().catch((error: unknown) => (error as StoreError).code);
    await readOnly(true);
    await endConnections(url);
    await expect.poll(answer).toBe('store.denied');
    await readOnly(false);
    await expect.poll(answer).toBeUndefined();
    await failing.close();
  });

  test('says that something holds a lock, rather than that the server can not be reached', async () => {
    const url = await makeDatabase();
    const failures: StoreError[] = [];
    const waiting = await openStore({
      databaseUrl: url,
      limits: { lock: 100 },
      onFailure: (error) => failures.push(error),
    });
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table delivery');
    await expect(waiting.allDeliveries.backlog(0)).rejects.toMatchObject({
      code: 'store.locked',
      message: expect.stringMatching(/^Something holds a lock in the database .* pg_stat_activity/),
    });
    expect(failures.map(({ code }) => code)).toEqual(['store.locked']);
    await holder.end();
    await expect.poll(() => waiting.allDeliveries.backlog(0).catch(() => 'fails')).toEqual([]);
    await waiting.close();
  });

  test('says that all its own connections wait', async () => {
    const url = await makeDatabase();
    // Connecting may take longer on a busy machine; afterwards the one connection stays open.
    const store = await vi.waitFor(
      () => openStore({ databaseUrl: url, limits: { connections: 1, connect: 1000 } }),
      60_000,
    );
    const holder = new pg.Client({ connectionString: url });
    await holder.connect();
    await holder.query('begin; lock table delivery');
    const waits = store.allDeliveries.backlog(0);
    await expect(store.ping()).rejects.toMatchObject({
      code: 'store.locked',
      message: expect.stringContaining('All 1 connections of this process'),
    });
    await holder.end();
    expect(await waits).toEqual([]);
    await store.close();
  });

  test('a process that is cut off in a transaction keeps no other waiting', async () => {
    const url = await makeDatabase();
    const other = await openStore({ databaseUrl: url });
    const key = { tenant: 'web:1', channel: 'c', date: '2026-11-20' as const, kind: DAY_KIND };
    await other.allDeliveries.plan([{ ...key, dueAt: 1 }]);
    const cut = await cutOffAfter(url, 'delete from "delivery"');
    // On a busy machine, the transaction in which it opens may count as abandoned.
    const open = () => openStore({ databaseUrl: cut.url, limits: { idleTransaction: 600 } });
    const lost = await vi.waitFor(open, 30_000);
    await other.tenant('web:1').markRemoved(1);
    const erase = () => lost.allTenants.eraseRemoved(1).catch((error: unknown) => error);
    // So may this one before it is cut off.
    let erasing = erase();
    while ((await Promise.race([cut.done, erasing])) !== CUT) erasing = erase();
    expect(await other.allTenants.eraseRemoved(1)).toEqual(['web:1']);
    expect(await other.allDeliveries.ofDate(key.date)).toEqual([]);
    cut.end();
    expect(await erasing).toBeInstanceOf(StoreError);
    await lost.close();
    await other.close();
  });

  test('many processes starting at once make one schema', async () => {
    const url = await makeDatabase();
    const stores = await Promise.all(
      Array.from({ length: 6 }, () => openStore({ databaseUrl: url, limits: { connections: 1 } })),
    );
    await Promise.all(stores.map((one) => one.ping()));
    expect(await ask('select version from schema_version', url)).toHaveLength(1);
    await Promise.all(stores.map((one) => one.close()));
  });

  test('leaves no connection open: after it was used or not, and where a newer database is refused', async () => {
    const url = await makeDatabase();
    // The pool would end one that is left open after ten idle seconds.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const areClosed = () => disconnected(url);
    await (await openStore({ databaseUrl: url })).close();
    await areClosed();
    const used = await openStore({ databaseUrl: url });
    await Promise.all([used.ping(), used.ping()]);
    await used.close();
    await areClosed();
    await ask('update schema_version set version = 99', url);
    await expect(openStore({ databaseUrl: url })).rejects.toMatchObject({ code: 'store.version' });
    await areClosed();
  });

  test('says what is wrong with DATABASE_URL, without the password', async () => {
    const wrong = async (change: (url: URL) => void) => {
      const url = new URL(databaseUrl);
      url.password = 'hunter2';
      change(url);
      const error: unknown = await openStore({ databaseUrl: url.href }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(StoreError);
      const { code, message } = error as StoreError;
      expect(message).not.toContain('hunter2');
      return `${code} ${message}`;
    };
    expect(await wrong((url) => url.searchParams.set('sslmode', 'verify-full'))).toMatch(
      /^store\.unreachable No TLS .*sslmode=disable/,
    );
    expect(
      await wrong((url) => {
        url.pathname = '/no_such_database';
      }),
    ).toMatch(/^store\.denied There is no such database/);
    expect(
      await wrong((url) => {
        url.username = 'nobody_known';
      }),
    ).toMatch(/^store\.denied PostgreSQL at .* refuses the user/);
    expect(
      await wrong((url) => {
        url.port = '1';
      }),
    ).toMatch(/^store\.unreachable PostgreSQL at 127\.0\.0\.1:1\/.* can't be reached \(ECONNREFUSED\)/);
  });

  test('names the missing right when the database user may not create tables', async () => {
    const url = new URL(await makeDatabase());
    const role = `reader_${process.pid}`;
    await ask(`create role ${role} login password 'x'`);
    url.username = role;
    url.password = 'x';
    await expect(openStore({ databaseUrl: url.href })).rejects.toMatchObject({
      code: 'store.denied',
      message: expect.stringContaining('granted CREATE'),
    });
    await ask(`drop role ${role}`);
  });

  test('finds a restore where the server does not offer its timeline, as Aurora does not', async () => {
    const url = await makeDatabase();
    await ask(
      `alter database ${new URL(url).pathname.slice(1)} set search_path = public, pg_catalog;
      create function public.pg_current_wal_insert_lsn() returns pg_lsn language plpgsql
      as $$ begin raise feature_not_supported; end $$`,
      url,
    );
    const other = await openStore({ databaseUrl: url });
    for (const now of [1, 2]) expect(await other.restoredUntil(now)).toBeNull();
    // A row loaded from a dump is written by another transaction.
    await ask('update fingerprint set value = value', url);
    expect(await other.restoredUntil(3)).toBe(3);
    await other.close();
  });

  test('has no backup of its own, and says what has', async () => {
    await expect(store.backup('/nowhere')).rejects.toThrow('pg_dump');
  });
});

const CUT = 'cut';

/** A link to the server that passes nothing on, in either direction, once a client has sent a text: as if it was cut. */
async function cutOffAfter(databaseUrl: string, text: string) {
  const { port, hostname } = new URL(databaseUrl);
  const cut = Promise.withResolvers<typeof CUT>();
  const sockets: Socket[] = [];
  const link = createServer((client) => {
    const server = connect(Number(port), hostname);
    sockets.push(client, server);
    let isCut = false;
    let isAnswered = false;
    client.on('data', (data) => {
      if (isCut) return;
      server.write(data);
      isCut = data.includes(text);
    });
    server.on('data', (data) => {
      if (!isCut) return void client.write(data);
      isAnswered = true;
      cut.resolve(CUT);
    });
    server.on('close', () => isAnswered || client.destroy());
    for (const socket of [client, server]) socket.on('error', () => {});
  });
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.port = String(portOf(await listening(link)));
  const end = () => {
    for (const socket of sockets) socket.destroy();
    link.close();
  };
  return { url: url.href, done: cut.promise, end };
}

/** All of the bot's to this database: other tests use others of the same server at the same time. */
async function endConnections(databaseUrl: string): Promise<void> {
  await ask(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'letterboxed' and datname = current_database()`,
    databaseUrl,
  );
  // Each ends when the system gives it a turn.
  await disconnected(databaseUrl);
}
