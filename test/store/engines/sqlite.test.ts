import { afterAll, beforeAll, describe } from 'vitest';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { storeContract } from '../contract/index.ts';
import { makeFolder } from '../folders.ts';

describe('the store on SQLite', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openStore({ dataDir: makeFolder() });
  });
  afterAll(() => store.close());
  storeContract(() => store);
});
