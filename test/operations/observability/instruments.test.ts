import { describe, expect, it } from 'vitest';
import { type Poster, PostFailure, type PostFailureKind } from '../../../src/dispatch/poster.ts';
import { countedPoster } from '../../../src/operations/observability/metrics.ts';

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
