import { expect, test } from 'vitest';
import type { Ground } from './ground.ts';

export function paceContract({ store, door }: Ground): void {
  test('places in a line are given out once, one after the other, however many ask at once', async () => {
    const line = door();
    const { pace } = store();
    const began = performance.now();
    const ends = await Promise.all(Array.from({ length: 20 }, () => pace.reserve(line, 3, 10)));
    const took = performance.now() - began;
    // Time goes on between two queries, so that the end comes nearer.
    const sorted = ends.sort((a, b) => a - b);
    for (const [index, end] of sorted.entries()) {
      expect(end).toBeLessThanOrEqual((index + 1) * 300 + 1);
      expect(end).toBeGreaterThan((index + 1) * 300 - took - 1);
    }
    await expectPlace(20, () => pace.reserve(door(), 1, 50));
  });

  test('a line that is long enough takes nobody more', async () => {
    const line = door();
    const { pace } = store();
    const taken = await Promise.all(Array.from({ length: 20 }, () => pace.reserveUpTo(5, line, 0.01)));
    expect(taken.filter((isTaken) => isTaken)).toHaveLength(5);
  });

  test('a line that a wrong clock made endless begins anew', async () => {
    const line = door();
    const { pace } = store();
    await expectPlace(960_000, () => pace.reserve(line, 16 * 60, 1));
    await expectPlace(1_000, () => pace.reserve(line, 1, 1));
  });
}

/** Time may go on within the query, too. */
async function expectPlace(milliseconds: number, reserve: () => Promise<number>): Promise<void> {
  const began = performance.now();
  const ahead = await reserve();
  expect(ahead).toBeLessThanOrEqual(milliseconds + 1);
  expect(ahead).toBeGreaterThan(milliseconds - (performance.now() - began) - 1);
}
