import { describe, expect, test } from 'vitest';
import type { NewDelivery } from '../../../src/store/tables/deliveries.ts';
import type { Ground } from './ground.ts';

export function claimContract({ store, door }: Ground): void {
  describe('claiming', () => {
    const AT = Date.UTC(2026, 10, 20, 8);
    const claim = (now = AT, owner = 'me') => ({ owner, now, until: now + 60 });
    const rowsOf = (
      tenant: string,
      count: number,
      more: (index: number) => Partial<NewDelivery> = () => ({}),
    ) =>
      Array.from({ length: count }, (_, index) => ({
        tenant,
        channel: `c${index}`,
        date: '2026-11-20' as const,
        step: 'opening',
        dueAt: AT,
        ...more(index),
      }));

    test('claims ready rows of one door, highest priority first, then those ready longest', async () => {
      const [mine, other] = [door(), door()];
      await store().allDeliveries.plan([
        ...rowsOf(`${mine}:1`, 6, (index) => ({ dueAt: AT - index, priority: index === 1 ? 1 : 0 })),
        ...rowsOf(`${mine}:2`, 1, () => ({ dueAt: AT + 1 })),
        ...rowsOf(`${other}:1`, 3),
      ]);
      const claimed = await store().allDeliveries.claim(mine, 4, claim());
      expect(claimed.map(({ delivery }) => delivery.channel)).toEqual(['c1', 'c5', 'c4', 'c3']);
      expect(claimed.every(({ lease }) => lease.owner === 'me' && lease.attempt === 1)).toBe(true);
      const rest = await store().allDeliveries.claim(mine, 4, claim());
      expect(rest.map(({ delivery }) => delivery.channel)).toEqual(['c2', 'c0']);
      expect(await store().allDeliveries.claim(mine, 4, claim())).toEqual([]);
    });

    test('by many at once gives each row to exactly one', async () => {
      const mine = door();
      const rows = rowsOf(`${mine}:1`, 200);
      await store().allDeliveries.plan(rows);
      const taken: string[] = [];
      await Promise.all(
        Array.from({ length: 6 }, async (_, worker) => {
          for (;;) {
            const claimed = await store().allDeliveries.claim(mine, 7, claim(AT, `w${worker}`));
            if (claimed.length === 0) return;
            expect(claimed.length).toBeLessThanOrEqual(7);
            taken.push(...claimed.map(({ delivery }) => delivery.channel));
          }
        }),
      );
      expect(taken.toSorted()).toEqual(rows.map(({ channel }) => channel).toSorted());
    });

    test('and by key and by door at once still gives a row to one', async () => {
      const mine = door();
      await store().allDeliveries.plan(rowsOf(`${mine}:1`, 1));
      const { deliveries } = store().tenant(`${mine}:1`);
      const claims = await Promise.all([
        store().allDeliveries.claim(mine, 5, claim()),
        deliveries.claim('c0', '2026-11-20', 'opening', claim()),
        store().allDeliveries.claim(mine, 5, claim()),
        deliveries.claim('c0', '2026-11-20', 'opening', claim()),
      ]);
      expect(claims.flat().filter((one) => one !== undefined)).toHaveLength(1);
    });

    test('takes leases that have run out, and says that their outcome is unknown', async () => {
      const mine = door();
      await store().allDeliveries.plan(rowsOf(`${mine}:1`, 2, (index) => ({ dueAt: AT + index })));
      await store().allDeliveries.claim(mine, 1, claim());
      const [first] = await store().allDeliveries.claim(mine, 5, claim(AT + 1));
      expect(first?.delivery).toMatchObject({ channel: 'c1', outcomeUnknown: false });
      const again = await store().allDeliveries.claim(mine, 5, claim(AT + 60, 'other'));
      expect(again.map(({ delivery }) => [delivery.channel, delivery.outcomeUnknown])).toEqual([
        ['c0', true],
      ]);
    });

    test('planning thousands of rows names those that are new', async () => {
      const mine = door();
      const rows = rowsOf(`${mine}:1`, 1_300);
      await store().allDeliveries.plan(rows.slice(0, 600));
      const added = await store().allDeliveries.plan([...rows, ...rows.slice(0, 10)]);
      expect(added).toHaveLength(700);
      expect(await store().allDeliveries.plan(rows)).toEqual([]);
      expect(await store().allDeliveries.plan([])).toEqual([]);
    });

    test('two that plan the same rows at once add each once', async () => {
      const mine = door();
      const rows = rowsOf(`${mine}:1`, 700);
      const added = await Promise.all([
        store().allDeliveries.plan(rows),
        store().allDeliveries.plan(rows.toReversed()),
        store().allDeliveries.plan(rows),
      ]);
      expect(added.flat()).toHaveLength(700);
    });
  });
}
