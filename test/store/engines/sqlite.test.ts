import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inBackground } from '../../../src/core/background.ts';
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
});
