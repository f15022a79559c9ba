import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { explainSqlite, openDatabase, sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { assembleStore, openStore, SQLITE_FILE, type StoreOptions } from '../../src/store/store.ts';
import { makeFolder } from '../fakes/folder.ts';
import { onlyLong, sample } from '../fakes/sample.ts';
import { runWriter } from './child.ts';
import { describeOnPostgres, disconnected, makeDatabase } from './real-postgres.ts';
import { checkIntegrity, readRows } from './rows.ts';

/** On SQLite. What one kill in ten loses is missed with a probability of e^-6. `KILLS=200` looks for what is rarer. */
const KILLS = Number(process.env.KILLS ?? 60);
const POSTGRES_KILLS = Math.ceil(KILLS / 3);
/** As many children at once, each with a database of its own: starting one is most of the time it takes. */
const LANES = 4;
/** Kills of one database before the next starts from nothing, so that some hit the making of the schema. */
const KILLS_A_DATABASE = 10;
/** Milliseconds from the beginning of opening: enough for that and some dozens of rows. */
const SQLITE_LONGEST = 100;
const POSTGRES_LONGEST = 250;

describe('killed at random', () => {
  test(`SQLite, ${KILLS} times: nothing acknowledged is lost`, onlyLong, async () => {
    await killInLanes(KILLS, SQLITE_LONGEST, () => {
      const dataDir = makeFolder();
      return Promise.resolve({
        options: { dataDir },
        gone: async () => {},
        check: () => checkIntegrity(dataDir),
      });
    });
  });
});

describeOnPostgres('killed at random on a real PostgreSQL', () => {
  test(`PostgreSQL, ${POSTGRES_KILLS} times: nothing acknowledged is lost`, onlyLong, async () => {
    await killInLanes(POSTGRES_KILLS, POSTGRES_LONGEST, async () => {
      const databaseUrl = await makeDatabase();
      return { options: { databaseUrl }, gone: () => disconnected(databaseUrl), check: () => {} };
    });
  });
});

interface Tally {
  kills: number;
  acknowledged: number;
}
interface Victim {
  readonly options: StoreOptions;
  /** Resolves when nothing of a killed process is at work any more. */
  readonly gone: () => Promise<void>;
  readonly check: () => void;
}

async function killInLanes(kills: number, longest: number, makeVictim: () => Promise<Victim>): Promise<void> {
  const tally: Tally = { kills: 0, acknowledged: 0 };
  let databases = Math.ceil(kills / KILLS_A_DATABASE);
  const lane = async () => {
    while (databases-- > 0) await killOften(await makeVictim(), longest, tally);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
  expect(tally.kills).toBeGreaterThanOrEqual(kills);
  // A test that never caught the writer at work would prove nothing.
  expect(tally.acknowledged).toBeGreaterThanOrEqual(Math.floor(kills / 2));
}

async function killOften({ options, gone, check }: Victim, longest: number, tally: Tally): Promise<void> {
  let last = 0;
  for (let kill = 0; kill < KILLS_A_DATABASE; kill++) {
    const killAfter = Math.random() * longest;
    // Every other kill waits for the first row, so that on a slow machine, too, some meet the writer at work.
    const killFrom = kill % 2 === 0 ? 'opening' : 'first-row';
    const rows = { person: 'p', first: last + 1, count: 1e6 };
    const written = await runWriter(options, { ...rows, killAfter, killFrom });
    expect(written).toMatchObject({ trouble: undefined, code: null, stderr: '' });
    await gone();
    tally.kills++;
    const store = await openStore(options);
    const found = await readRows(store, 'p');
    await store.close();
    // The one under way when it was killed may be there or not; no other may be missing or too many.
    const acknowledged = Math.max(last, written.acknowledged);
    expect([acknowledged, acknowledged + 1]).toContain(found);
    tally.acknowledged += acknowledged - last;
    last = found;
  }
  check();
}

const ROUNDS = sample(6, 1);
const ROWS = 150;

describe('two processes on one SQLite file', () => {
  test('start together in an empty folder, both write, and nothing is lost or damaged', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const dataDir = join(makeFolder(), 'not', 'there', 'yet');
      const people = ['one', 'two'];
      const written = await Promise.all(
        people.map((person) => runWriter({ dataDir }, { person, first: 1, count: ROWS })),
      );
      const fine = { acknowledged: ROWS, trouble: undefined, code: 0, stderr: '' };
      expect(written).toEqual(people.map(() => expect.objectContaining(fine)));
      const store = await openStore({ dataDir });
      for (const person of people) expect(await readRows(store, person)).toBe(ROWS);
      await store.close();
      checkIntegrity(dataDir);
    }
  });

  test('one that waits for the other keeps nobody else waiting', async () => {
    const dataDir = makeFolder();
    const store = await openStore({ dataDir });
    const hog = new DatabaseSync(join(dataDir, SQLITE_FILE));
    hog.exec('begin immediate');
    const written = [store.actions.put('k', 'x', 1), store.allPeople.erase('discord', 'p')];
    for (let read = 0; read < 5; read++) expect(await store.actions.get('k', 0)).toBeUndefined();
    hog.exec('rollback');
    hog.close();
    await Promise.all(written);
    expect(await store.actions.get('k', 0)).toBe('x');
    await store.close();
  });

  test('one that is kept waiting too long says why', async () => {
    const dataDir = makeFolder();
    await (await openStore({ dataDir })).close();
    const file = join(dataDir, SQLITE_FILE);
    const hog = new DatabaseSync(file);
    hog.exec('begin immediate');
    const explain = (error: unknown) => explainSqlite(error, file);
    const impatient = () => {
      const database = openDatabase(file);
      database.exec('pragma busy_timeout = 50');
      return assembleStore('sqlite', sqliteDialect(database, explain));
    };
    await expect(impatient()).rejects.toMatchObject({
      code: 'store.busy',
      message: expect.stringContaining('Another process'),
    });
    hog.exec('rollback');
    const store = await impatient();
    hog.exec('begin immediate');
    await expect(store.actions.put('k', 'x', 1)).rejects.toMatchObject({ code: 'store.busy' });
    // Reading goes on while another writes.
    expect(await store.actions.get('k', 0)).toBeUndefined();
    hog.exec('rollback');
    await store.actions.put('k', 'x', 1);
    await store.close();
    hog.close();
  });
});
