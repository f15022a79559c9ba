import { describe, expect, test } from 'vitest';
import { DAY_KIND } from '../../../src/core/channel-ref.ts';
import { DAY } from '../../../src/core/clock.ts';
import type { TenantStore } from '../../../src/store/tables/tenants.ts';
import { exportOf } from '../../fakes/stored.ts';
import type { Ground } from './ground.ts';
import { live } from './people.ts';

export function tenantContract({ store, door }: Ground): void {
  describe('tenants', () => {
    const AT = Date.UTC(2026, 10, 20, 8);

    async function fill(tenant: TenantStore) {
      await live(tenant, 'p1');
      await tenant.installation.put('encrypted');
      await store().allDeliveries.plan([
        { tenant: tenant.tenant, channel: 'c1', date: '2026-11-20', kind: DAY_KIND, dueAt: AT },
      ]);
    }
    async function contents(tenant: TenantStore) {
      return {
        person: await exportOf(store(), tenant.tenant, 'p1'),
        subscriptions: await tenant.subscriptions.list(),
        boards: (await tenant.channelDay('c p1', '2026-11-20')).board,
        deliveries: await tenant.deliveries.day('c1', '2026-11-20'),
        results: await tenant.channelResults.sums('c1', '2026-01-01', '2026-12-31'),
        game: await tenant.games.get('t p1', AT),
        installation: await tenant.installation.get(),
      };
    }

    test('erasing one leaves nothing of it and all of the other', async () => {
      const mine = door();
      const [one, two] = [store().tenant(`${mine}:1`), store().tenant(`${mine}:2`)];
      const empty = await contents(one);
      await fill(one);
      await fill(two);
      const before = await contents(two);
      expect(Object.values(await contents(one))).not.toContain(undefined);
      await one.markRemoved(1);
      expect(await store().allTenants.eraseRemoved(1)).toEqual([one.tenant]);
      expect(await contents(one)).toEqual(empty);
      expect(await contents(two)).toEqual(before);
    });

    test('a channel’s day has the settings of its subscription', async () => {
      const { subscriptions, channelDay } = store().tenant(`${door()}:1`);
      expect(await channelDay('c1', '2026-11-20')).toEqual({});
      const settings = { zone: 'Europe/Berlin' };
      await subscriptions.save('c1', settings, { version: 0, by: 'p', at: AT });
      expect((await channelDay('c1', '2026-11-20')).settings).toEqual(settings);
    });

    test.each(['discord', 'discord:', ':1', '', 'Dis cord:1'])('%j is no tenant', (name) => {
      expect(() => store().tenant(name)).toThrow('door:id');
    });

    test('names that differ in one character or in case are two tenants', async () => {
      const mine = door();
      const names = [
        `${mine}:T1`,
        `${mine}:t1`,
        `${mine}:T1 `,
        `${mine}:T%`,
        `${mine}:\u00e9`,
        `${mine}:e\u0301`,
      ];
      for (const [index, name] of names.entries()) await store().tenant(name).installation.put(`${index}`);
      const found = await Promise.all(names.map((name) => store().tenant(name).installation.get()));
      expect(found).toEqual(names.map((_, index) => `${index}`));
    });
  });

  test('the store belongs to the first application that claims it, until an operator gives it to another', async () => {
    const { applications } = store();
    const [mine, other] = [door(), door()];
    expect(await applications.get(mine)).toBeUndefined();
    const claims = await Promise.all(['1', '2', '3'].map((id) => applications.claim(mine, id)));
    expect(new Set(claims).size).toBe(1);
    expect(await applications.get(mine)).toBe(claims[0]);
    await applications.put(mine, '4');
    expect(await applications.claim(mine, '1')).toBe('4');
    await applications.put(other, '5');
    expect([await applications.get(mine), await applications.get(other)]).toEqual(['4', '5']);
  });

  test('a store that was never restored says so, whatever the clock says', async () => {
    const first = Date.UTC(2026, 10, 20, 12, 30);
    for (const now of [first, first + 400 * DAY, first]) expect(await store().restoredUntil(now)).toBeNull();
  });
}
