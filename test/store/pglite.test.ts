import { PGliteDialect } from 'kysely';
import { afterAll, beforeAll } from 'vitest';
import { assembleStore, type Store } from '../../src/store/store.ts';
import { storeContract } from './contract/index.ts';
import { describeOnPglite, emptyPglite } from './pglite.ts';

describeOnPglite('the store on PostgreSQL inside the test process', () => {
  let store: Store;
  beforeAll(async () => {
    const pglite = await emptyPglite();
    store = await assembleStore('postgres', new PGliteDialect({ pglite }));
  });
  afterAll(() => store.close());
  storeContract(() => store);
});
