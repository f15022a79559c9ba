import { describe, expect, test } from 'vitest';
import type { ChannelRef } from '../../../src/core/channel-ref.ts';
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
        plannedAt: AT,
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

    const taker = ({ tenant }: { tenant: string }) => {
      const channels = (found: readonly ChannelRef[]) =>
        found.filter((one) => one.tenant === tenant).map(({ channel }) => channel);
      const settle = (
        channels: string,
        planAt: number | null,
        moments: { again: number; plannedAt: number },
      ) =>
        store().planning.settle(
          channels.split(' ').map((channel) => ({ tenant, channel, planAt })),
          moments,
        );
      const take = async (now: number) => channels(await store().planning.take(now, now + 30, 10_000)).sort();
      return { channels, take, settle };
    };

    test('takes a channel for planning at its time, again soon unless it was settled, and at once after a change', async () => {
      const tenant = store().tenant(`${door()}:1`);
      const { subscriptions } = tenant;
      const { channels, take, settle } = taker(tenant);
      for (const channel of ['c1', 'c2', 'c3'])
        await subscriptions.save(channel, settings, { version: 0, by: 'p1', at: AT });
      const taken = await Promise.all([take(AT), take(AT)]);
      expect(taken.flat().sort()).toEqual(['c1', 'c2', 'c3']);
      await subscriptions.setState('c3', { state: 'paused' });
      await settle('c1 c3', AT + 500, { again: AT + 30, plannedAt: AT });
      expect(await subscriptions.get('c1')).toMatchObject({ planAt: AT + 500, plannedAt: AT });
      expect(await take(AT + 1)).toEqual(['c3']);
      expect(await take(AT + 30)).toEqual(['c2']);
      await settle('c2 c3', null, { again: AT + 60, plannedAt: AT + 30 });
      expect(await take(AT + 499)).toEqual(['c3']);
      expect(await take(AT + 500)).toEqual(['c1']);
      const c2 = { tenant: tenant.tenant, channel: 'c2' };
      expect(channels([(await store().planning.takeOne(c2, AT + 800))!])).toEqual(['c2']);
      await settle('c1 c2 c3', null, { again: AT + 800, plannedAt: AT });
      await store().planning.restart();
      expect(await take(AT + 500)).toEqual(['c1', 'c3']);
    });

    test('plans no channel of a removed tenant', async () => {
      const tenant = store().tenant(`${door()}:1`);
      const { channels, take } = taker(tenant);
      await tenant.subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      await tenant.markRemoved(AT);
      expect(await take(AT)).toEqual([]);
      expect(channels(await store().planning.upcoming({ offset: 0, limit: 10_000 }))).toEqual([]);
      await tenant.markPresent();
      expect(await take(AT)).toEqual(['c1']);
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

    test('sends no second notice when a reactivated channel is suspended for the same reason before anything was posted', async () => {
      const { subscriptions } = store().tenant(`${door()}:1`);
      await subscriptions.save('c1', settings, { version: 0, by: 'p1', at: AT });
      const stop = async (reason: string) => {
        await subscriptions.setState('c1', { state: 'suspended', reason: because(reason) });
        return subscriptions.claimNotice('c1', AT);
      };
      expect(await subscriptions.reactivate('c1')).toBe(false);
      expect(await stop('channel gone')).toBe(true);
      expect(await subscriptions.reactivate('c1')).toBe(true);
      expect(await subscriptions.get('c1')).toMatchObject({ state: 'active' });
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
