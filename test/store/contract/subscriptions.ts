import { describe, expect, test } from 'vitest';
import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import { DAY_KIND } from '../../../src/core/channel-ref.ts';
import { DAY } from '../../../src/core/clock.ts';
import { because, type Ground } from './ground.ts';

export function subscriptionContract({ store, door }: Ground): void {
  describe('subscriptions', () => {
    const AT = Date.UTC(2026, 10, 20);
    const settings = { opening: '08:00', zone: 'Europe/Berlin', steps: ['start', 'count'] };

    test('settings are saved over the version they were read at, and over no other', async () => {
      const { subscriptions } = store().tenant(`${door()}:1`);
      expect(await subscriptions.get('c1')).toBeUndefined();
      const first = await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      expect(first).toEqual({
        tenant: expect.any(String),
        channel: 'c1',
        settings,
        version: 1,
        setBy: 'p1',
        setAt: AT,
        since: AT,
        state: 'active',
        reason: null,
        until: null,
        notifiedAt: null,
        planAt: 0,
      });
      expect(await subscriptions.get('c1')).toEqual(first);
      expect(await subscriptions.save('c1', {}, { version: 0, by: 'p2', at: AT })).toBeUndefined();
      expect(await subscriptions.save('c1', {}, { version: 2, by: 'p2', at: AT })).toBeUndefined();
      expect(await subscriptions.save('c2', {}, { version: 1, by: 'p2', at: AT })).toBeUndefined();
      expect(
        await subscriptions.save('c1', { off: true }, { version: 1, by: 'p2', at: AT + 1 }),
      ).toMatchObject({
        settings: { off: true },
        version: 2,
        setBy: 'p2',
      });
      expect((await subscriptions.list()).map(({ channel, version }) => [channel, version])).toEqual([
        ['c1', 2],
      ]);
    });

    const channelsOf = (tenant: string, found: readonly ChannelRef[]) =>
      found.filter((one) => one.tenant === tenant).map(({ channel }) => channel);
    /** Plans the channels that are ready, which stay as they are until a moment. */
    const plan = (tenant: string, now: number, planAt: number | null) =>
      store().planning.withDue(now, 10_000, async ({ subscriptions, reschedule }) => {
        const own = subscriptions.filter((one) => one.tenant === tenant);
        await reschedule(own.map(({ channel }) => ({ tenant, channel, planAt })));
        return channelsOf(tenant, own).sort();
      });

    test('locks a channel for planning at its time, for one process at a time, and at once after a change', async () => {
      const { tenant, subscriptions } = store().tenant(`${door()}:1`);
      for (const channel of ['c1', 'c2', 'c3'])
        await subscriptions.save(channel, settings, { version: 0, by: 'p1', at: AT });
      expect(await store().planning.isAnyDue(AT)).toBe(true);
      const due = await Promise.all([plan(tenant, AT, AT + 500), plan(tenant, AT, AT + 500)]);
      expect(due.flat().sort()).toEqual(['c1', 'c2', 'c3']);
      expect(await subscriptions.get('c1')).toMatchObject({ planAt: AT + 500 });
      await subscriptions.setState('c3', { state: 'paused' });
      expect(await plan(tenant, AT + 499, null)).toEqual(['c3']);
      expect(await plan(tenant, AT + 500, null)).toEqual(['c1', 'c2']);
      await subscriptions.setState('c1', { state: 'active' });
      expect(await plan(tenant, AT + 500, AT + 900)).toEqual(['c1']);
      await store().planning.rescheduleAll();
      expect(await plan(tenant, AT + 501, AT + 900)).toEqual(['c1']);
    });

    test('plans all channels again at a start by other rules, and else those that are planned too far ahead', async () => {
      const { tenant, subscriptions } = store().tenant(`${door()}:1`);
      for (const [channel, planAt] of [
        ['c1', AT + 500],
        ['c2', AT + 4 * DAY],
      ] as const) {
        await subscriptions.save(channel, settings, { version: 0, by: 'p1', at: AT });
        await plan(tenant, AT, planAt);
      }
      const again = async (rules: string) => {
        await store().planning.rescheduleAtStart(rules, AT);
        return plan(tenant, AT, AT + 500);
      };
      expect(await again('some')).toEqual(['c1', 'c2']);
      expect(await again('some')).toEqual([]);
      expect(await again('others')).toEqual(['c1', 'c2']);
      await store().planning.rescheduleAll();
      await plan(tenant, AT, AT + 4 * DAY);
      expect(await again('others')).toEqual(['c1', 'c2']);
    });

    test('plans a channel, and no channel of the same name elsewhere', async () => {
      const [one, other] = [store().tenant(`${door()}:1`), store().tenant(`${door()}:2`)];
      for (const { subscriptions } of [one, other])
        await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      await plan(one.tenant, AT + 1, AT + 500);
      expect(await other.subscriptions.get('c1')).toMatchObject({ planAt: 0 });
      await plan(other.tenant, AT + 1, AT + 500);
      await one.subscriptions.setState('c1', { state: 'active' });
      expect(await other.subscriptions.get('c1')).toMatchObject({ planAt: AT + 500 });
    });

    test('a channel that changes while it is due is due again, and one whose planning failed stays as it was', async () => {
      const { tenant, subscriptions, deliveries } = store().tenant(`${door()}:1`);
      for (const channel of ['c1', 'c2'])
        await subscriptions.save(channel, settings, { version: 0, by: 'p1', at: AT });
      let change: Promise<unknown> | undefined;
      const failed = store().planning.withDue(AT, 10_000, async (due) => {
        change = subscriptions.setState('c2', { state: 'off' });
        const own = channelsOf(tenant, due.subscriptions);
        await due.deliveries.plan([{ tenant, channel: 'c1', date: '2026-11-20', kind: DAY_KIND, dueAt: AT }]);
        await due.reschedule(own.map((channel) => ({ tenant, channel, planAt: null })));
        throw new Error('the process ends here');
      });
      await expect(failed).rejects.toThrow('ends here');
      await change;
      expect(await deliveries.day('c1', '2026-11-20')).toBeUndefined();
      expect(await plan(tenant, AT, AT + 500)).toEqual(['c1', 'c2']);
      const changed = store().planning.withDue(AT + 500, 10_000, async (due) => {
        change = subscriptions.setState('c2', { state: 'active' });
        const own = channelsOf(tenant, due.subscriptions);
        await due.reschedule(own.map((channel) => ({ tenant, channel, planAt: null })));
      });
      await changed;
      await change;
      expect(await plan(tenant, AT + 500, null)).toEqual(['c2']);
    });

    test('plans no channel of a removed tenant', async () => {
      const tenant = store().tenant(`${door()}:1`);
      await tenant.subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      await tenant.markRemoved(AT);
      expect(await plan(tenant.tenant, AT, null)).toEqual([]);
      const upcoming = await store().planning.upcoming({ offset: 0, limit: 10_000 });
      expect(channelsOf(tenant.tenant, upcoming)).toEqual([]);
      await tenant.markPresent({ from: '2026-11-20', now: 0 });
      expect(await plan(tenant.tenant, AT, null)).toEqual(['c1']);
    });

    test('returns undefined to one of two that save at once, which then reads again', async () => {
      const { subscriptions } = store().tenant(`${door()}:1`);
      await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      const saves = await Promise.all(
        ['a', 'b', 'c'].map((by) => subscriptions.save('c1', { by }, { version: 1, by, at: AT })),
      );
      const kept = saves.filter((saved) => saved !== undefined);
      expect(kept).toHaveLength(1);
      expect(await subscriptions.get('c1')).toEqual(kept[0]);
    });

    test('lets one caller send a notice for each change of state, and again when its reason changes', async () => {
      const { subscriptions } = store().tenant(`${door()}:1`);
      await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      expect(
        await subscriptions.setState('c1', { state: 'suspended', reason: because('channel gone') }),
      ).toBe(true);
      expect(await subscriptions.claimNotice('c1', AT)).toBe(true);
      expect(await subscriptions.claimNotice('c1', AT + 1)).toBe(false);
      await subscriptions.setState('c1', { state: 'suspended', reason: because('channel gone') });
      expect(await subscriptions.get('c1')).toMatchObject({
        state: 'suspended',
        reason: because('channel gone'),
        notifiedAt: AT,
      });
      expect(await subscriptions.claimNotice('c1', AT + 2)).toBe(false);
      await subscriptions.setState('c1', { state: 'suspended', reason: because('no permission') });
      expect(await subscriptions.claimNotice('c1', AT + 3)).toBe(true);
      await subscriptions.setState('c1', { state: 'paused', until: AT + 9 });
      expect(await subscriptions.get('c1')).toMatchObject({
        state: 'paused',
        reason: null,
        until: AT + 9,
        notifiedAt: null,
        version: 1,
      });
      expect(await subscriptions.setState('nowhere', { state: 'active' })).toBe(false);
    });

    test('changes a state from the one that was read, and from no other', async () => {
      const { subscriptions } = store().tenant(`${door()}:1`);
      await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      const stop = (from: { state: 'active' | 'paused'; until: number | null }) =>
        subscriptions.setState('c1', { state: 'suspended' }, from);
      expect(await stop({ state: 'paused', until: null })).toBe(false);
      await subscriptions.setState('c1', { state: 'paused', until: AT + 9 });
      expect(await stop({ state: 'paused', until: null })).toBe(false);
      expect(await stop({ state: 'paused', until: AT + 9 })).toBe(true);
      await subscriptions.setState('c1', { state: 'active' });
      expect(await stop({ state: 'active', until: null })).toBe(true);
    });

    test('sends no second notice when a reactivated channel is suspended for the same reason before anything was posted', async () => {
      const { subscriptions } = store().tenant(`${door()}:1`);
      await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      const stop = async (reason: string) => {
        await subscriptions.setState('c1', { state: 'suspended', reason: because(reason) });
        return subscriptions.claimNotice('c1', AT);
      };
      expect(await subscriptions.reactivate('c1')).toBe(false);
      expect(await stop('channel gone')).toBe(true);
      await store().planning.withDue(AT, 1_000, ({ subscriptions: due, reschedule }) =>
        reschedule(due.map((one) => ({ ...one, planAt: null }))),
      );
      expect(await subscriptions.reactivate('c1')).toBe(true);
      expect(await subscriptions.get('c1')).toMatchObject({ state: 'active', planAt: 0 });
      expect(await subscriptions.reactivate('c1')).toBe(false);
      expect(await stop('channel gone')).toBe(false);
      await subscriptions.reactivate('c1');
      expect(await stop('no permission')).toBe(true);
      await subscriptions.reactivate('c1');
      await subscriptions.posted('c1');
      expect(await stop('no permission')).toBe(true);
      // Nothing was posted in a suspended channel: a late report is about the time before.
      await subscriptions.posted('c1');
      expect(await stop('no permission')).toBe(false);
      await subscriptions.setState('c1', { state: 'active' });
      expect(await stop('no permission')).toBe(true);
      expect(await subscriptions.reactivate('nowhere')).toBe(false);
    });
  });
}
