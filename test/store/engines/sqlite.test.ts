import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { inBackground } from '../../../src/core/concurrency.ts';
import { openDatabase, sqliteDialect } from '../../../src/store/engines/sqlite.ts';
import { migrate } from '../../../src/store/migrations.ts';
import { assembleStore, kyselyOf, openStore, type Store } from '../../../src/store/store.ts';
import type { TenantStore } from '../../../src/store/tables/tenants.ts';
import { makeFolder } from '../../fakes/folder.ts';
import { storeContract } from '../contract/index.ts';

describe('the store on SQLite', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: makeFolder() });
  });
  afterAll(() => store.close());
  storeContract(() => store);

  const [SOLVER, LATE] = [{ person: 'ada', channel: 'c', board: 'b' }, 9_999];
  const FIND = { ...SOLVER, solution: 'x', foundAt: LATE };
  const SOLVED = { ...SOLVER, words: 2, letters: 9, hints: 0, solvedAt: LATE };
  const RESULT = { ...SOLVED, date: '2026-11-20', sinceOpening: 1 } as const;
  const OTHER = { person: 'ada', channel: 'c', game: 'mini', date: '2026-11-20', score: 1, at: 1 } as const;
  const TYPED = { channel: 'c', date: '2026-11-20', puzzle: 1, typedBy: 'ada', typedAt: LATE } as const;
  const DATE = { date: "date('2000-01-01', n || ' days')" };
  const OTHERS = { other: 'n', agreed: '1', at: '9999' };

  test.each<[string, number, Record<string, string>, (tenant: TenantStore) => Promise<unknown>]>([
    ['find', 2_000, { solution: 'n', found_at: 'n' }, ({ finds }) => finds.add(FIND)],
    ['result', 5_000, { ...DATE, solved_at: 'n' }, ({ results }) => results.record(RESULT)],
    ['other_result', 2_000, DATE, ({ otherResults }) => otherResults.add(OTHER)],
    ['hand_board', 400, { ...DATE, typed_at: 'n' }, ({ boards }) => boards.put(TYPED)],
    ['made_board_result', 1_000, { person: 'n', words: '9' }, ({ madeBoards }) => madeBoards.record(SOLVED)],
    ['comparison', 500, OTHERS, ({ people }) => people.setComparison('ada', 'ben', { agreed: 0, at: 1 })],
  ])('keeps the best or latest rows of %s, %i at most', async (table, most, values, add) => {
    const database = openDatabase(join(makeFolder(), 'letterboxed.db'));
    const own = await assembleStore('sqlite', sqliteDialect(database, String));
    const tenant = own.tenant('web:full');
    await add(tenant);
    const names = database
      .prepare(`pragma table_info(${table})`)
      .all()
      .map(({ name }) => String(name));
    const first = `select * from ${table}`;
    const [kept] = database.prepare(first).all();
    database.exec(`with recursive more(n) as (select 1 union all select n + 1 from more where n < ${most + 99})
      insert into ${table} select ${names.map((name) => values[name] ?? name)} from ${table}, more`);
    const [column] = Object.keys(values);
    database.prepare(`delete from ${table} where ${column} = ?`).run(kept![column!]!);
    await add(tenant);
    const rows = database.prepare(first).all();
    expect(rows).toHaveLength(most);
    expect(rows).toContainEqual(kept);
    await own.close();
  });

  test('years of results are summed from an index alone, and a day of somebody’s is found by its date', async () => {
    const prepare = vi.spyOn(DatabaseSync.prototype, 'prepare');
    const own = await openStore({ dataDir: makeFolder() });
    const database = openDatabase(':memory:');
    const detailsOf = (sql: string) =>
      Array.from(database.prepare(`explain query plan ${sql}`).all(), ({ detail }) => String(detail));
    const planOf = async (read: (tenant: TenantStore) => Promise<unknown>) => {
      prepare.mockClear();
      await read(own.tenant('web:1'));
      const [sql] = prepare.mock.calls.at(-1)!;
      return detailsOf(sql).filter((detail) => /(?:result|solved|solo_game) .*(?:INDEX|KEY)/.test(detail));
    };
    const [FROM, TO] = ['2021-11-20', '2026-11-20'] as const;
    const summed =
      'SEARCH result USING COVERING INDEX result_place (tenant=? AND channel=? AND date>? AND date<?)';
    const ofDay = /(?:result|solved) USING INDEX result_person \(person=\? AND date=\?/;
    await migrate(kyselyOf(sqliteDialect(database, String)), 'sqlite');
    expect(await planOf(({ channelResults }) => channelResults.sums('c', FROM, TO))).toEqual([summed]);
    expect(await planOf(({ channelResults }) => channelResults.byDay('c', FROM, TO))).toEqual([summed]);
    expect(await planOf(({ channelResults }) => channelResults.calmSolvers('c', FROM, TO))).toEqual([summed]);
    // Each of these finds one row.
    expect(await planOf(({ channelResults }) => channelResults.datesIn('c', TO))).toEqual([summed, summed]);
    expect(await planOf(() => own.allPeople.resultsOf('web', 'ada', TO))).toEqual([
      expect.stringMatching(ofDay),
    ]);
    const regulars = { channel: 'c', from: FROM, to: TO, days: 1, date: TO, limit: 1 } as const;
    const missing = await planOf(({ channelResults }) => channelResults.missing(regulars));
    const ofPerson = /result USING .*\(tenant=\? AND person=\? AND channel=\? AND date>\? AND date<\?\)/;
    expect(missing).toEqual([expect.stringMatching(ofPerson), expect.stringMatching(ofDay)]);
    // At each solution and each update of a day's message.
    const [changed, ...found] = await planOf(({ channelResults }) => channelResults.setBoard('c', TO, 'b'));
    expect(changed).toMatch(/ KEY \(tenant=\? AND person=\? AND channel=\? AND date=\?/);
    expect(found).toEqual([summed.replace('date>? AND date<?', 'date=?')]);
    const [playing] = await planOf(({ soloGames }) => soloGames.playing('c', 'b', TO, 0));
    expect(playing).toMatch(/COVERING INDEX solo_game_channel .*board=/);
    // Each hour, of the hints those that have expired.
    await own.allTenants.deleteExpired(0, FROM);
    const [seen, typed] = prepare.mock.calls.filter(([sql]) => sql.startsWith('delete from "hint"'));
    expect(detailsOf(seen![0])).toContain('SEARCH hint USING COVERING INDEX hint_at (at<?)');
    expect(detailsOf(typed![0])).toContain('SEARCH hint USING COVERING INDEX hint_typed (at<?)');
    prepare.mockRestore();
    database.close();
    await own.close();
  });

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

  test('people who erase what is stored about them at the same moment do not get in each other’s way', async () => {
    const erased = Array.from({ length: 20 }, (_, id) => store.allPeople.erase('discord', `p${id}`));
    expect(await Promise.all(erased)).toEqual(Array(20).fill([]));
  });

  test('a tenant that came back, and was removed again since, is not erased yet', async () => {
    const [gone, again] = ['web:gone', 'web:again'].map((name) => store.tenant(name));
    for (const tenant of [gone!, again!]) await tenant.markRemoved(1);
    await again!.subscriptions.save('c', {}, { version: 0, by: 'a', at: 0 });
    await again!.results.record(RESULT);
    // Queries take turns in their order: it is back after the removed tenants were listed, and before any is erased.
    const [erased] = await Promise.all([
      store.allTenants.eraseRemoved(5),
      again!.markPresent({ from: '2026-11-20', now: 0 }),
      again!.markRemoved(9),
    ]);
    expect(erased).toContain('web:gone');
    expect(erased).not.toContain('web:again');
    expect(await again!.subscriptions.list()).toHaveLength(1);
    expect(await again!.results.days(RESULT.person)).toBe(1);
  });

  test('a tenant with many results is erased in pieces, so that others have their turns in between', async () => {
    const database = openDatabase(join(makeFolder(), 'letterboxed.db'));
    const own = await assembleStore('sqlite', sqliteDialect(database, String));
    const tenant = own.tenant('web:large');
    await tenant.results.record(RESULT);
    database.exec(`with recursive more(n) as (select 1 union all select n + 1 from more where n < 1200)
      insert into result (tenant, person, channel, date, board, words, letters, hints, solved_at, reported, after_solution, replaced, late)
      select tenant, n, channel, date, board, words, letters, hints, solved_at, 0, 0, 0, 0 from result, more`);
    await tenant.markRemoved(1);
    let isOver = false;
    const erasing = own.allTenants.eraseRemoved(1).finally(() => {
      isOver = true;
    });
    const left = new Set<unknown>();
    while (!isOver) {
      await tenant.subscriptions.get('c');
      left.add(database.prepare('select count(*) as rows from result').get()!.rows);
    }
    expect(await erasing).toEqual(['web:large']);
    // At once, nobody would see a number between the first and the last.
    expect(left.size).toBeGreaterThan(2);
    await own.close();
  });

  test('a puzzle that is no JSON is unlike one that is missing, so that it is replaced', async () => {
    const database = openDatabase(join(makeFolder(), 'letterboxed.db'));
    const own = await assembleStore('sqlite', sqliteDialect(database, String));
    await own.puzzles.keep({ date: '2026-11-20', source: 'house', puzzle: {}, at: 1 });
    database.exec(`update puzzle set puzzle = '{"sides"'`);
    expect(await own.puzzles.get('2026-11-20', 'house')).toBe('{"sides"');
    await own.close();
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
