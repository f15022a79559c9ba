import { expect, test } from 'vitest';
import { DAY } from '../../../src/core/clock.ts';
import type { Ground } from './ground.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 30);

export function restoredContract({ store }: Ground): void {
  test('a store that nobody restored has everything, whatever the clock says', async () => {
    for (const now of [NOW, NOW + 400 * DAY, NOW]) expect(await store().restoredUntil(now)).toBeNull();
  });
}
