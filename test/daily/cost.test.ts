/** What the daily thread asks of the store: kept by counting. */
import { join } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Temporal } from 'temporal-polyfill';
import { expect, onTestFinished, test, vi } from 'vitest';
import { scheduleOf } from '../../src/daily/plan/schedule.ts';
import { DEFAULT_SETTINGS } from '../../src/daily/settings/settings.ts';
import { sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { kyselyOf, SQLITE_FILE } from '../../src/store/store.ts';
import { KEY_COLUMNS, readyRows } from '../../src/store/tables/deliveries.ts';
import { makeFolder } from '../fakes/folder.ts';
import { openNewStore } from '../fakes/new-store.ts';
import { random } from '../solver/random-boards.ts';
import { CHANNEL, DATE, HOUR, MINUTE, makeGround, OPENING, subscribe } from './ground.ts';
import { randomSettings } from './walk.ts';

/** A store, and its file as the engine sees it. */
async function openFile() {
  const dataDir = makeFolder();
  const store = await openNewStore(dataDir);
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  onTestFinished(async () => {
    database.close();
    await store.close();
  });
  return { store, database };
}

test('an opening and a step that succeed at once write their row three times each: claim, begins, is there', async () => {
  const { store, database } = await openFile();
  database.exec(`create table written (at integer);
    create trigger counted after update on delivery begin insert into written values (1); end`);
  const written = () => {
    const { writes } = database.prepare('select count(*) as writes from written').get()!;
    database.exec('delete from written');
    return writes;
  };
  const { at, platform } = await makeGround(OPENING - HOUR, { store });
  await subscribe(store, { steps: [{ step: 'count', at: '12:00' }] }, { at: OPENING - HOUR });
  await at(OPENING - HOUR);
  expect(written()).toBe(0);
  await at(OPENING);
  expect([platform.messages.length, written()]).toEqual([1, 3]);
  await at(OPENING + 4 * HOUR);
  expect([platform.messages.length, written()]).toEqual([2, 3]);
});

test('a look for what is due reads nothing of what is due later', async () => {
  const { database } = await openFile();
  const rows = kyselyOf(sqliteDialect(database, (error) => error)).selectFrom('delivery');
  const { sql, parameters } = readyRows(rows.where('door', '=', 'web'), 'sqlite', OPENING, 8)
    .select(KEY_COLUMNS)
    .compile();
  const plan = database.prepare(`explain query plan ${sql}`).all(...(parameters as SQLInputValue[]));
  expect(plan.map(({ detail }) => detail)).toEqual([
    'SEARCH delivery USING INDEX delivery_ready (door=? AND priority=? AND next_at<?)',
  ]);
});

test('an idle minute asks the store as much for three hundred channels as for one', async () => {
  const idle = async (channels: number) => {
    let queries = 0;
    const store = await openNewStore(makeFolder(), () => queries++);
    onTestFinished(() => store.close());
    const { at } = await makeGround(OPENING - HOUR, { store });
    for (let index = 0; index < channels; index++)
      await subscribe(store, {}, { channel: { ...CHANNEL, channel: `c${index}` }, at: OPENING - HOUR });
    for (let minute = 0; minute < 3; minute++) await at(OPENING - HOUR + minute * MINUTE);
    queries = 0;
    await at(OPENING - HOUR + 3 * MINUTE);
    return queries;
  };
  const one = await idle(1);
  expect(await idle(300)).toBe(one);
  expect(one).toBeLessThanOrEqual(6);
});

test('schedules of a zone that differ look up once what its clocks do on a day', () => {
  const zone = 'Europe/Berlin';
  scheduleOf({ ...DEFAULT_SETTINGS, zone }, DATE);
  const spy = vi.spyOn(Temporal.Instant.prototype, 'toZonedDateTimeISO');
  onTestFinished(() => void spy.mockRestore());
  const next = random(1);
  for (let schedule = 0; schedule < 100; schedule++)
    scheduleOf({ ...DEFAULT_SETTINGS, ...randomSettings(next), zone }, DATE);
  // The days around it, since steps may come on the next morning.
  expect(spy.mock.calls.length).toBeLessThan(5);
});
