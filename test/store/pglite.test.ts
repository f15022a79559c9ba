import { PGlite } from '@electric-sql/pglite';
import { PGliteDialect } from 'kysely';
import { afterAll, beforeAll, describe } from 'vitest';
import type { Store } from '../../src/store/store.ts';
import { assembleStore } from '../../src/store/store.ts';
import { storeContract } from './contract/index.ts';

describe('the store on PostgreSQL inside the test process', () => {
  let store: Store;
  beforeAll(async () => {
    store = await assembleStore('postgres', new PGliteDialect({ pglite: new PGlite() }), async () => {});
  });
  afterAll(() => store.close());
  storeContract(() => store);
});
