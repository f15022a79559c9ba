import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { lazyStore } from '../../src/store/lazy.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'letterboxed-lazy-'));
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

function makeLazy() {
  const opened: Store[] = [];
  const store = lazyStore('sqlite', async () => {
    const real = await openStore({ dataDir });
    opened.push(real);
    return real;
  });
  return { store, opened };
}

describe('a lazily opened store', () => {
  it('is not opened by naming its parts, nor by closing it', async () => {
    const { store, opened } = makeLazy();
    expect(store.engine).toBe('sqlite');
    expect(store.tenant('web:local').hints).toBeDefined();
    expect(store.tenant('web:local').tenant).toBe('web:local');
    await store.close();
    expect(opened).toEqual([]);
  });

  it('is opened once, by the first questions, and answers as the store itself does', async () => {
    const { store, opened } = makeLazy();
    const { hints } = store.tenant('web:local');
    await Promise.all([
      hints.see('ada', '2026-11-20', ['count'], { at: 1 }),
      store.ping(),
      store.actions.put('key', 'action', 10),
    ]);
    expect(opened).toHaveLength(1);
    expect(await hints.seen('ada', '2026-11-20')).toEqual(['count']);
    expect(await store.actions.get('key', 5)).toBe('action');
    await store.tenant('web:local').erase();
    expect(await hints.seen('ada', '2026-11-20')).toEqual([]);
    await store.close();
    await expect(opened[0]?.ping()).rejects.toThrow();
  });

  it('fails every question when it can not be opened, and can still be closed', async () => {
    const store = lazyStore('sqlite', () => Promise.reject(new Error('no such disk')));
    await expect(store.ping()).rejects.toThrow('no such disk');
    await expect(store.puzzles.dates('house')).rejects.toThrow('no such disk');
    await store.close();
  });
});
