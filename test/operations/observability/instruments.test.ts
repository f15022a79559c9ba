import { describe, expect, it } from 'vitest';
import { type Poster, PostFailure, type PostFailureKind } from '../../../src/dispatch/poster.ts';
import { countedPoster, timedStore } from '../../../src/operations/observability/instruments.ts';
import type { Store } from '../../../src/store/store.ts';

describe('the timed store', () => {
  it('answers as the store does, and reports how long each part took', async () => {
    const reported: [string, string, number][] = [];
    let time = 0;
    const store = {
      engine: 'sqlite',
      puzzles: { get: async (date: string) => `board of ${date}` },
      allTenants: {
        subscriptions: async () => {
          time += 7;
          throw new Error('gone');
        },
      },
      tenant: (tenant: string) => ({
        tenant,
        subscriptions: { get: async () => tenant },
        erase: async () => 'erased',
      }),
      ping: async () => {},
    } as unknown as Store;
    const timed = timedStore(
      store,
      (...one) => reported.push(one),
      () => time,
    );
    expect(await timed.puzzles.get('2026-11-20', 'house')).toBe('board of 2026-11-20');
    await expect(timed.allTenants.subscriptions()).rejects.toThrow('gone');
    expect(await timed.tenant('web:local').subscriptions.get('general')).toBe('web:local');
    expect(timed.tenant('web:local').tenant).toBe('web:local');
    expect(timed.engine).toBe('sqlite');
    expect(reported).toEqual([
      ['puzzles', 'done', 0],
      ['allTenants', 'failed', 7],
      ['subscriptions', 'done', 0],
    ]);
  });
});

describe('the counted poster', () => {
  it.each<[PostFailureKind, number | undefined, number]>([
    ['later', 500, 1],
    ['later', undefined, 0],
    ['refused', 500, 0],
  ])('reports a failure of kind %s with a wait of %s %i times', async (kind, retryAfter, times) => {
    const failure = new PostFailure(kind, 'no', retryAfter === undefined ? {} : { retryAfter });
    const reported: string[] = [];
    const poster = {
      door: 'slack',
      archive: async () => Promise.reject(failure),
      missingRequirements: async () => [],
    };
    const counted = countedPoster(poster as unknown as Poster, (name) => reported.push(name));
    await expect(counted.archive({ tenant: 'slack:T', channel: 'C' }, {})).rejects.toBe(failure);
    expect(await counted.missingRequirements({ tenant: 'slack:T', channel: 'C' })).toEqual([]);
    expect(reported).toHaveLength(times);
  });
});
