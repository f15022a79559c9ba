import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { openDatabase, sqliteDialect } from '../../src/store/engines/sqlite.ts';
import { explainSqlite } from '../../src/store/engines/sqlite-health.ts';
import { openStore, SQLITE_FILE } from '../../src/store/open.ts';
import { assembleStore } from '../../src/store/store.ts';
import { sample } from '../fakes/sample.ts';
import { runWriter } from './child.ts';
import { checkIntegrity, makeFolder } from './folders.ts';
import { readRows } from './rows.ts';

const ROUNDS = sample(6, 1);
const ROWS = 150;

describe('two processes on one SQLite file', () => {
  test('start where nothing is at once, both write, nothing is lost or damaged', async () => {
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

  test('one that is kept waiting too long says why', async () => {
    const dataDir = makeFolder();
    await (await openStore({ dataDir })).close();
    const file = join(dataDir, SQLITE_FILE);
    const hog = new DatabaseSync(file);
    hog.exec('begin immediate');
    const explain = (error: unknown) => explainSqlite(error, file);
    const impatient = () => assembleStore('sqlite', sqliteDialect(openDatabase(file, 50), explain));
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
