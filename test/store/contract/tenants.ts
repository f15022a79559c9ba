import { describe, expect, test } from 'vitest';
import { DAY_KIND, REMINDER_KIND, tenantKey } from '../../../src/core/channel-ref.ts';
import { DAY } from '../../../src/core/clock.ts';
import type { TenantStore } from '../../../src/store/tables/tenants.ts';
import { exportOf } from '../../fakes/stored.ts';
import { because, type Ground } from './ground.ts';
import { live } from './people.ts';

const AT = Date.UTC(2026, 10, 20, 8);

export function tenantContract({ store, door }: Ground): void {
  describe('tenants', () => {
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
      const tenants = [one.tenant, two.tenant, `${one.tenant}1`];
      for (const tenant of tenants) {
        await store().actions.put(tenantKey(tenant, 'file'), 'F1', AT + DAY);
        await store().actions.put(`button ${tenant}`, 'B1', AT + DAY, { id: 'p c', tenant, most: 1 });
        await store().events.extend(tenantKey(tenant, 'seen'), AT + DAY);
      }
      await one.markRemoved(1);
      expect(await store().allTenants.eraseRemoved(1)).toEqual([one.tenant]);
      expect(await contents(one)).toEqual(empty);
      expect(await contents(two)).toEqual(before);
      const left = tenants.map(async (tenant) => [
        await store().actions.get(tenantKey(tenant, 'file'), AT),
        await store().actions.get(`button ${tenant}`, AT),
        await store().events.markedUntil(tenantKey(tenant, 'seen'), AT),
      ]);
      const kept = ['F1', 'B1', AT + DAY];
      expect(await Promise.all(left)).toEqual([[undefined, undefined, undefined], kept, kept]);
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

  describe('queries over all tenants', () => {
    test('returns subscriptions of all tenants by state, without those of removed tenants', async () => {
      const mine = door();
      const subscribe = async (id: string, state?: 'paused' | 'suspended') => {
        const { subscriptions } = store().tenant(`${mine}:${id}`);
        await subscriptions.save('c', { id }, { version: 0, by: 'p', at: AT });
        if (state !== undefined) await subscriptions.setState('c', { state });
      };
      await subscribe('1');
      await subscribe('2', 'paused');
      await subscribe('3', 'suspended');
      await subscribe('4');
      await store().tenant(`${mine}:4`).markRemoved(AT);
      const found = async () =>
        (await store().allTenants.subscriptions())
          .filter(({ tenant }) => tenant.startsWith(`${mine}:`))
          .map(({ tenant }) => tenant.slice(-1))
          .sort();
      expect(await found()).toEqual(['1', '2', '3']);
      await store().tenant(`${mine}:4`).markPresent({ from: '2026-11-20', now: 0 });
      expect(await found()).toEqual(['1', '2', '3', '4']);
    });

    test('lists the deliveries of a date and the backlog of each door', async () => {
      const mine = door();
      const row = {
        tenant: `${mine}:1`,
        channel: 'c',
        date: '2031-01-01' as const,
        kind: DAY_KIND,
        dueAt: AT,
      };
      await store().allDeliveries.plan([
        row,
        { ...row, kind: REMINDER_KIND, dueAt: AT + 1 },
        { ...row, kind: 'players' },
      ]);
      await store().allDeliveries.claim(mine, 1, { owner: 'me', now: AT, until: AT + 1 });
      const other = { ...row, kind: 'players' };
      await store().tenant(row.tenant).deliveries.skipDue(other, because('x'), AT);
      const all = await store().allDeliveries.ofDate('2031-01-01');
      expect(all.map(({ kind, state }) => [kind, state]).sort()).toEqual([
        [DAY_KIND, 'sending'],
        ['players', 'skipped'],
        [REMINDER_KIND, 'due'],
      ]);
      const backlog = async () =>
        (await store().allDeliveries.backlog(Number.MAX_SAFE_INTEGER)).find((one) => one.door === mine);
      expect(await backlog()).toEqual({ door: mine, waiting: 2, oldestDueAt: AT });
      const { deliveries } = store().tenant(row.tenant);
      const retried = { state: 'due', nextAt: AT + 2, reason: because('x'), record: {} } as const;
      for (const failures of [1, 0]) {
        const lease = await deliveries.claim(row, { owner: 'me', now: AT + 3, until: AT + 4 });
        await deliveries.settle(lease!, { ...retried, failures }, AT + 3);
        // Without a failure it has a reason to wait.
        expect(await backlog()).toMatchObject({ waiting: 1 + failures });
      }
    });

    test('erases tenants removed long enough ago, and no others', async () => {
      const mine = door();
      for (const [id, removedAt] of [
        ['old', AT],
        ['new', AT + DAY],
        ['back', AT],
        ['here', undefined],
      ] as const) {
        const tenant = store().tenant(`${mine}:${id}`);
        await tenant.subscriptions.save('c', {}, { version: 0, by: 'p', at: AT });
        if (removedAt !== undefined) await tenant.markRemoved(removedAt);
      }
      await store()
        .tenant(`${mine}:old`)
        .markRemoved(AT + 9 * DAY);
      await store().tenant(`${mine}:back`).markPresent({ from: '2026-11-20', now: 0 });
      const erased = await store().allTenants.eraseRemoved(AT + 1);
      expect(erased.filter((tenant) => tenant.startsWith(mine))).toEqual([`${mine}:old`]);
      for (const [id, left] of [
        ['old', 0],
        ['new', 1],
        ['back', 1],
        ['here', 1],
      ] as const) {
        expect(await store().tenant(`${mine}:${id}`).subscriptions.list(), id).toHaveLength(left);
      }
    });

    test('a return makes due again what was given up since because the bot was not there, and nothing else', async () => {
      const mine = door();
      const tenant = `${mine}:1`;
      const ends = [
        [DAY_KIND, '2031-01-02', 'waiting', { code: 'removed', message: 'gone' }],
        [DAY_KIND, '2031-01-01', 'waiting', { code: 'removed', message: 'gone' }],
        [REMINDER_KIND, '2031-01-02', 'given-up', { code: 'removed', message: 'gone' }],
        ['players', '2031-01-02', 'given-up', { code: 'refused', message: 'no' }],
      ] as const;
      const rows = ends.map(([kind, date]) => ({ tenant, channel: 'c', date, kind, dueAt: AT }));
      await store().allDeliveries.plan(rows);
      const { deliveries } = store().tenant(tenant);
      const claim = { owner: 'me', now: AT, until: AT + 1 };
      for (const [kind, date, state, reason] of ends) {
        const claimed = await deliveries.claim({ channel: 'c', date, kind }, claim);
        await deliveries.settle(claimed!, { state, reason, record: {} }, AT);
      }
      await store()
        .tenant(tenant)
        .markPresent({ from: '2031-01-02', now: AT + 5 });
      const states = await Promise.all(ends.map(([kind, date]) => deliveries.get('c', date, kind)));
      expect(states).toMatchObject([
        { state: 'due', nextAt: AT + 5, reason: null },
        { state: 'waiting' },
        { state: 'due', nextAt: AT + 5, reason: null },
        { state: 'given-up' },
      ]);
    });

    test('erases a tenant that comes back at the same moment either completely or not at all', async () => {
      const tenant = store().tenant(`${door()}:1`);
      await tenant.subscriptions.save('c', {}, { version: 0, by: 'p', at: AT });
      await tenant.markRemoved(AT);
      const [erased] = await Promise.all([
        store().allTenants.eraseRemoved(AT),
        tenant.markPresent({ from: '2026-11-20', now: 0 }),
      ]);
      expect(await tenant.subscriptions.list()).toHaveLength(erased.includes(tenant.tenant) ? 0 : 1);
    });

    test('lists every tenant of a door of which anything is stored, and which of them are removed', async () => {
      const mine = door();
      const { allTenants } = store();
      await store().tenant(`${mine}:subscribed`).subscriptions.save('c', {}, { version: 0, by: 'p', at: AT });
      await store().tenant(`${mine}:hint`).hints.record('p', '2026-11-20', ['start'], { at: AT });
      await store().tenant(`${mine}:hint`).people.choose('p', { hidden: true });
      await store().tenant(`${mine}:gone`).people.choose('p', { hidden: true });
      await store().tenant(`${mine}:gone`).markRemoved(AT);
      await store().tenant(`${mine}:nothing`).subscriptions.list();
      await store().tenant(`${mine}z:1`).people.choose('p', { hidden: true });
      expect(await allTenants.tenants(mine)).toEqual([
        { tenant: `${mine}:gone`, removed: true },
        { tenant: `${mine}:hint`, removed: false },
        { tenant: `${mine}:subscribed`, removed: false },
      ]);
    });

    test('lists the installations of a door', async () => {
      const mine = door();
      await store().tenant(`${mine}:2`).installation.put('encrypted two');
      await store().tenant(`${mine}:1`).installation.put('encrypted one');
      await store().tenant(`${mine}z:1`).installation.put('another door');
      expect(await store().allTenants.installations(mine)).toEqual([
        { tenant: `${mine}:1`, encrypted: 'encrypted one' },
        { tenant: `${mine}:2`, encrypted: 'encrypted two' },
      ]);
      const { installation } = store().tenant(`${mine}:1`);
      await installation.put('encrypted again');
      expect(await installation.get()).toBe('encrypted again');
      expect(await installation.replace('encrypted one', 'too late')).toBe(false);
      expect(await installation.revoke('encrypted one', AT)).toBe(false);
      expect(await installation.get()).toBe('encrypted again');
      expect(await installation.replace('encrypted again', 'by a new key')).toBe(true);
      expect(await installation.get()).toBe('by a new key');
      await installation.put('encrypted again');
      expect(await installation.revoke('encrypted again', AT)).toBe(true);
      expect(await installation.revoke('encrypted again', AT)).toBe(false);
      expect(await installation.get()).toBeUndefined();
      expect(await store().allTenants.tenants(mine)).toContainEqual({ tenant: `${mine}:1`, removed: true });
      expect(await store().allTenants.installations(mine)).toHaveLength(1);
    });

    test('sweeps old deliveries, also those of a door that is no longer open', async () => {
      const mine = door();
      const row = {
        tenant: `${mine}:1`,
        channel: 'c',
        date: '2019-12-31' as const,
        kind: DAY_KIND,
        dueAt: AT,
      };
      await store().allDeliveries.plan([
        row,
        { ...row, kind: REMINDER_KIND },
        { ...row, date: '2020-01-01' as const },
      ]);
      await store().allTenants.deleteExpired(0, '2020-01-01');
      const { deliveries } = store().tenant(`${mine}:1`);
      expect(await deliveries.day('c', '2019-12-31')).toBeUndefined();
      expect(await deliveries.day('c', '2020-01-01')).toBeDefined();
      expect(await store().allDeliveries.ofDate('2019-12-31')).toEqual([]);
    });

    test('sweeps the counters of past days, and no other fetch logs', async () => {
      const { fetches } = store();
      const entry = { tries: 1, lastAttempt: AT, outcome: 'good', nextAllowed: AT };
      const others = ['2019-12-31', 'pass', 'past;', 'site'];
      const asked = ['past:2019-12-31', 'past:2019-12-31:digest'];
      for (const key of [...others, ...asked]) await fetches.note({ ...entry, key });
      const kept = async (keys: readonly string[]) =>
        (await Promise.all(keys.map((key) => fetches.get(key)))).filter((one) => one !== undefined);
      await store().allTenants.deleteExpired(AT, '1999-01-01');
      expect(await kept(asked)).toHaveLength(2);
      await store().allTenants.deleteExpired(AT + 400 * DAY, '1999-01-01');
      expect(await kept(asked)).toEqual([]);
      expect(await kept(others)).toHaveLength(4);
    });
  });
}
