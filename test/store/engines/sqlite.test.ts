import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBackground } from '../../../src/core/concurrency.ts';
import { openDatabase, sqliteDialect } from '../../../src/store/engines/sqlite.ts';
import { assembleStore, openStore, type Store } from '../../../src/store/store.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { storeContract } from '../contract/index.ts';

describe('the store on SQLite', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: makeFolder() });
  });
  afterAll(() => store.close());
  storeContract(() => store);

  test('what people wait for takes turns with what the bot does by itself, however much that is', async () => {
    const order: string[] = [];
    const query = async (whose: string) => {
      await store.tenant('web:turns').subscriptions.get('c');
      order.push(whose);
    };
    const background = Array.from({ length: 30 }, () => inBackground(() => query('background')));
    const people = Array.from({ length: 3 }, () => query('person'));
    await Promise.all([...background, ...people]);
    expect(order).toHaveLength(33);
    expect(order.lastIndexOf('person')).toBeLessThan(10);
  });

  test('a tenant that came back, and was removed again since, is not erased yet', async () => {
    const [gone, again] = ['web:gone', 'web:again'].map((name) => store.tenant(name));
    for (const tenant of [gone!, again!]) await tenant.markRemoved(1);
    await again!.subscriptions.save('c', {}, { version: 0, by: 'a', at: 0 });
    // Queries take turns in their order: it is back after the removed tenants were listed, and before any is erased.
    const [erased] = await Promise.all([
      store.allTenants.eraseRemoved(5),
      again!.markPresent({ from: '2026-11-20', now: 0 }),
      again!.markRemoved(9),
    ]);
    expect(erased).toContain('web:gone');
    expect(erased).not.toContain('web:again');
    expect(await again!.subscriptions.list()).toHaveLength(1);
  });

  test('moves in a game do not wait for the disk, and other writes do', async () => {
    const database = openDatabase(join(makeFolder(), 'letterboxed.db'));
    const own = await assembleStore(
      'sqlite',
      sqliteDialect(database, (error) => error),
    );
    const waits = () => database.prepare('pragma synchronous').get()!.synchronous === FULL;
    const waited: boolean[] = [];
    database.function('note', () => waited.push(waits()));
    for (const change of ['insert on solo_game', 'update on solo_game', 'insert on hint'])
      database.exec(`create temp trigger "${change}" after ${change} begin select note(); end`);

    const { soloGames, hints } = own.tenant('web:moves');
    for (const version of [0, 1, 2]) {
      await soloGames.save('ada', { board: 'b', state: {}, version, now: 1, expiresAt: 2 });
      await hints.record('ada', 'b', [`step ${version}`], { at: 1, most: 10 });
    }
    expect(waited).toEqual([false, true, false, true, false, true]);
    const unsaveable = { board: 'b', state: {}, version: 3, now: 1, expiresAt: Number.NaN };
    await expect(soloGames.save('ada', unsaveable)).rejects.toThrow();
    expect(waits()).toBe(true);
    await own.close();
  });
});

/** What SQLite's setting is called in numbers. */
const FULL = 2;
