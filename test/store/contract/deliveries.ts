import { describe, expect, test } from 'vitest';
import { personChannel, REMINDER_STEP } from '../../../src/core/channel-ref.ts';
import { DAY, type PuzzleDate } from '../../../src/core/clock.ts';
import type { ClaimedDelivery, Lease, NewDelivery } from '../../../src/store/tables/deliveries.ts';
import { because, type Ground } from './ground.ts';

export function deliveryContract({ store, door }: Ground): void {
  describe('a delivery', () => {
    const AT = Date.UTC(2026, 10, 20, 8);
    const claim = { owner: 'me', now: AT, until: AT + 60 };

    async function planned(more: Partial<NewDelivery> = {}) {
      const tenant = `${door()}:1`;
      const row = { tenant, channel: 'c1', date: '2026-11-20' as const, step: 'opening', dueAt: AT, ...more };
      expect(await store().allDeliveries.plan([row])).toEqual([
        { tenant, channel: 'c1', date: row.date, step: row.step, skip: row.skip ?? null },
      ]);
      const { deliveries } = store().tenant(tenant);
      return { row, deliveries, get: () => deliveries.get('c1', row.date, row.step) };
    }
    async function claimed(more: Partial<NewDelivery> = {}) {
      const { row, deliveries, get } = await planned(more);
      const { lease } = (await deliveries.claim('c1', row.date, row.step, claim)) as ClaimedDelivery;
      return { row, deliveries, get, lease };
    }

    test('goes from due to sending to sent', async () => {
      const { deliveries, get, lease } = await claimed({ detail: { merged: ['start'] }, priority: 3 });
      expect(await get()).toEqual({
        tenant: expect.any(String),
        channel: 'c1',
        date: '2026-11-20' as const,
        step: 'opening',
        state: 'sending',
        dueAt: AT,
        nextAt: AT + 60,
        priority: 3,
        attempts: 1,
        owner: 'me',
        outcomeUnknown: false,
        posted: undefined,
        reason: null,
        doneAt: null,
        detail: { merged: ['start'] },
      });
      expect(await deliveries.savePosted(lease, { message: '9' })).toBe(true);
      expect(await get()).toMatchObject({ state: 'sending', posted: { message: '9' } });
      expect(await deliveries.markSent(lease, { message: '9', thread: '9' }, AT + 5)).toBe(true);
      expect(await get()).toMatchObject({
        state: 'sent',
        posted: { message: '9', thread: '9' },
        doneAt: AT + 5,
      });
      expect(
        await deliveries.claim('c1', '2026-11-20', 'opening', { ...claim, now: AT + 999 }),
      ).toBeUndefined();
    });

    test('counts as left behind where nobody has ever claimed it, nor claims anything else at its door', async () => {
      const [stuck, busy] = [door(), door()];
      const row = (tenant: string, more: object = {}) => ({
        tenant,
        channel: 'c',
        date: '2026-11-20' as const,
        step: 'opening',
        dueAt: AT,
        ...more,
      });
      const { allDeliveries } = store();
      await allDeliveries.plan([
        ...[`${stuck}:1`, `${stuck}:2`, `${busy}:1`, `${busy}:2`].map((tenant) => row(tenant)),
        row(`${stuck}:3`, { dueAt: AT + 1 }),
      ]);
      const left = async (now: number) =>
        (await allDeliveries.unclaimed(AT, now)).filter(({ door }) => door === stuck || door === busy);
      await allDeliveries.claim(busy, 1, { owner: 'me', now: AT, until: AT + 60 });
      expect(await left(AT + 59)).toEqual([{ door: stuck, waiting: 2, oldestDueAt: AT }]);
      // The row whose lease has run out may be tried again; the other one was never tried.
      expect((await left(AT + 60)).map(({ door, waiting }) => [door, waiting]).sort()).toEqual(
        [
          [stuck, 2],
          [busy, 1],
        ].sort(),
      );
      const [claimed] = await allDeliveries.claim(stuck, 1, { owner: 'me', now: AT, until: AT + 60 });
      await store()
        .tenant(claimed!.lease.tenant)
        .deliveries.retry(claimed!.lease, AT, { unknown: false, reason: { code: 'paused' } });
      expect((await left(AT + 59)).find(({ door }) => door === stuck)).toMatchObject({ waiting: 1 });
    });

    test('is found by its step among the days of a channel: sent, or with an unknown outcome', async () => {
      const tenant = `${door()}:1`;
      const { deliveries } = store().tenant(tenant);
      const dates = ['2026-11-17', '2026-11-18', '2026-11-20', '2026-11-19'] as const;
      const rows = dates.map((date) => ({ tenant, channel: 'c1', date, step: 'opening', dueAt: AT }));
      await store().allDeliveries.plan(rows);
      const leases: Lease[] = [];
      for (const date of dates) leases.push((await deliveries.claim('c1', date, 'opening', claim))!.lease);
      for (const lease of leases.slice(0, 3)) await deliveries.markSent(lease, {}, AT);
      expect(await deliveries.datesOf('c1', 'opening', '2026-11-20', 9)).toEqual([
        '2026-11-18',
        '2026-11-17',
      ]);
      await deliveries.retry(leases[3]!, AT, { unknown: true, reason: because('lost') });
      expect(await deliveries.datesOf('c1', 'opening', '2026-11-20', 2)).toEqual([
        '2026-11-19',
        '2026-11-18',
      ]);
      expect(await deliveries.datesOf('c2', 'opening', '2026-11-20', 9)).toEqual([]);
      expect(await deliveries.datesOf('c1', 'start', '2026-11-20', 9)).toEqual([]);
      const before = await deliveries.lastSent('c1', 'opening', '2026-11-20', 1);
      expect(before).toMatchObject([{ date: '2026-11-18' }]);
      expect(await deliveries.lastSent('c1', 'opening', '2026-11-17', 1)).toEqual([]);
    });

    test('is planned once, whatever state it is in', async () => {
      const { row, deliveries, get, lease } = await claimed();
      expect(await store().allDeliveries.plan([row, { ...row, skip: because('late') }])).toEqual([]);
      expect(await get()).toMatchObject({ state: 'sending' });
      await deliveries.markSent(lease, {}, AT);
      expect(await store().allDeliveries.plan([row])).toEqual([]);
      expect(await get()).toMatchObject({ state: 'sent' });
    });

    test('that was skipped for a moment still to come is forgotten, unless it was worked on', async () => {
      const FAR = Date.UTC(2090, 0, 1);
      const far = { date: '2090-01-01', dueAt: FAR } as const;
      const skip = because('over');
      const ahead = await planned({ ...far, skip });
      const now = await planned({ ...far, dueAt: FAR - 1, skip });
      const before = await planned({ ...far, date: '2089-12-31', skip });
      const due = await planned(far);
      const tried = await planned(far);
      const { lease } = (await tried.deliveries.claim('c1', far.date, 'opening', {
        owner: 'me',
        now: FAR,
        until: FAR + 60,
      })) as ClaimedDelivery;
      await tried.deliveries.skip(lease, skip, FAR);
      await store().allDeliveries.deleteSkipped(FAR - 1, '2090-01-01');
      expect(await ahead.get()).toBeUndefined();
      for (const kept of [now, before, due, tried]) expect(await kept.get()).toBeDefined();
    });

    test('can be stored as skipped from the start', async () => {
      const { deliveries, get } = await planned({ skip: because('merged into the solution') });
      expect(await get()).toMatchObject({
        state: 'skipped',
        reason: because('merged into the solution'),
        doneAt: AT,
      });
      expect(await deliveries.claim('c1', '2026-11-20', 'opening', claim)).toBeUndefined();
    });

    test('of an opening is of an open thread until a later one, or its closing, is sent in its channel', async () => {
      const tenant = `${door()}:threads`;
      const { deliveries, subscriptions } = store().tenant(tenant);
      for (const channel of ['c1', 'c2', 'c3'])
        await subscriptions.save(channel, {}, { version: 0, by: 'p', at: AT });
      const send = async (channel: string, date: PuzzleDate, step: string) => {
        await store().allDeliveries.plan([{ tenant, channel, date, step, dueAt: AT }]);
        const { lease } = (await deliveries.claim(channel, date, step, claim)) as ClaimedDelivery;
        await deliveries.markSent(lease, { message: `${channel} ${date}` }, AT);
      };
      await send('c1', '2026-11-19', 'opening');
      await send('c1', '2026-11-20', 'opening');
      await send('c2', '2026-11-18', 'opening');
      await send('c2', '2026-11-19', 'start');
      await send('c3', '2026-11-19', 'opening');
      await send('c3', '2026-11-19', 'closing');
      await send('c4', '2026-11-20', 'opening');
      expect(await deliveries.openThreads()).toMatchObject([
        { channel: 'c1', date: '2026-11-20', posted: { message: 'c1 2026-11-20' } },
        { channel: 'c2', date: '2026-11-18' },
      ]);
      expect(await store().tenant(`${door()}:others`).deliveries.openThreads()).toEqual([]);
    });

    test('is nobody else’s while the lease runs, and outcome unknown after it', async () => {
      const { deliveries, lease } = await claimed();
      const late = (now: number) =>
        deliveries.claim('c1', '2026-11-20', 'opening', { owner: 'other', now, until: now + 60 });
      expect(await late(AT + 59)).toBeUndefined();
      expect(await deliveries.renew(lease, AT + 100)).toBe(true);
      expect(await late(AT + 99)).toBeUndefined();
      const second = await late(AT + 100);
      expect(second?.delivery).toMatchObject({ attempts: 2, outcomeUnknown: true, state: 'sending' });
      expect(second?.lease).toMatchObject({ owner: 'other', attempt: 2 });
    });

    test('a lease that was lost can do nothing', async () => {
      const { deliveries, get, lease } = await claimed();
      // The same owner again, as a process that forgot would be.
      await deliveries.claim('c1', '2026-11-20', 'opening', { owner: 'me', now: AT + 60, until: AT + 120 });
      const before = await get();
      expect(await deliveries.renew(lease, AT + 999)).toBe(false);
      expect(await deliveries.savePosted(lease, {})).toBe(false);
      expect(await deliveries.markSent(lease, {}, AT)).toBe(false);
      expect(await deliveries.retry(lease, AT, { unknown: false, reason: because('x') })).toBe(false);
      expect(await deliveries.giveUp(lease, because('x'), AT)).toBe(false);
      expect(await deliveries.skip(lease, because('x'), AT)).toBe(false);
      expect(await get()).toEqual(before);
    });

    test('a lease that ran out but was not taken can still store the outcome', async () => {
      const { deliveries, lease, get } = await claimed();
      expect(await deliveries.markSent(lease, { message: '1' }, AT + 10_000)).toBe(true);
      expect(await get()).toMatchObject({ state: 'sent' });
      expect(await deliveries.markSent(lease, { message: '2' }, AT + 10_000)).toBe(false);
    });

    test('of a reminder counts as sent if it was or may have been, and has ended', async () => {
      const tenant = `${door()}:1`;
      const { deliveries, reminders } = store().tenant(tenant);
      const person = personChannel('ann');
      const begin = async (date: PuzzleDate) => {
        await store().allDeliveries.plan([{ tenant, channel: person, date, step: REMINDER_STEP, dueAt: AT }]);
        return (await deliveries.claim(person, date, REMINDER_STEP, claim))!.lease;
      };
      await deliveries.markSent(await begin('2026-11-16'), {}, AT);
      await deliveries.markSent(await begin('2026-11-17'), {}, AT + 1);
      await deliveries.giveUp(await begin('2026-11-18'), because('removed'), AT + 2);
      await begin('2026-11-19');
      await begin('2026-11-20');
      // Processes were killed at these two.
      const claimAgain = async (date: PuzzleDate) =>
        (await deliveries.claim(person, date, REMINDER_STEP, {
          owner: 'you',
          now: AT + 60,
          until: AT + 99,
        }))!;
      await deliveries.giveUp((await claimAgain('2026-11-19')).lease, because('no answer'), AT + 61);
      expect((await claimAgain('2026-11-20')).delivery.outcomeUnknown).toBe(true);
      // Those of the 17th and the 19th.
      expect(await reminders.sentSince('ann', AT)).toBe(2);
    });

    test('of a reminder goes with that reminder, in its own tenant', async () => {
      const own = door();
      const [here, there] = [`${own}:1`, `${own}:2`];
      const row = {
        channel: personChannel('ann'),
        date: '2026-11-20',
        step: REMINDER_STEP,
        dueAt: AT,
      } as const;
      for (const tenant of [here, there]) {
        const reminder = { person: 'ann', channel: 'c1', at: '08:00', zone: 'UTC', setAt: AT, nextAt: AT };
        await store().tenant(tenant).reminders.set(reminder);
        await store().allDeliveries.plan([{ tenant, ...row }]);
      }
      const left = (tenant: string) => store().tenant(tenant).deliveries.get(row.channel, row.date, row.step);
      expect(await store().allReminders.remove(own, 'ann', { except: there })).toBe(true);
      expect(await left(here)).toBeUndefined();
      expect(await left(there)).toMatchObject({ state: 'due' });
    });

    test('is tried again at its time, and remembers an unknown outcome until it is known', async () => {
      const { deliveries, get, lease } = await claimed();
      expect(await deliveries.retry(lease, AT + 30, { unknown: true, reason: because('timeout') })).toBe(
        true,
      );
      expect(await get()).toMatchObject({
        state: 'due',
        nextAt: AT + 30,
        dueAt: AT,
        reason: because('timeout'),
      });
      const again = (now: number) =>
        deliveries.claim('c1', '2026-11-20', 'opening', { owner: 'me', now, until: now + 60 });
      expect(await again(AT + 29)).toBeUndefined();
      const second = await again(AT + 30);
      expect(second?.delivery).toMatchObject({ attempts: 2, outcomeUnknown: true });
      await deliveries.retry(second!.lease, AT + 40, { unknown: false, reason: because('asked to wait') });
      expect((await again(AT + 40))?.delivery).toMatchObject({ attempts: 3, outcomeUnknown: false });
      await deliveries.markSent({ ...second!.lease, attempt: 3 }, {}, AT + 41);
      expect(await get()).toMatchObject({ state: 'sent', reason: null });
    });

    test('is given up or skipped with a reason, and revived by the operator', async () => {
      const one = await claimed();
      expect(await one.deliveries.giveUp(one.lease, because('channel gone'), AT + 1)).toBe(true);
      expect(await one.get()).toMatchObject({
        state: 'given-up',
        reason: because('channel gone'),
        doneAt: AT + 1,
      });
      const two = await claimed();
      expect(await two.deliveries.skip(two.lease, because('puzzle over'), AT + 2)).toBe(true);
      expect(await two.get()).toMatchObject({
        state: 'skipped',
        reason: because('puzzle over'),
        doneAt: AT + 2,
      });
      expect(await two.deliveries.makeDueAgain('c1', '2026-11-20', 'opening', AT + 3)).toBe(true);
      expect(await two.get()).toMatchObject({ state: 'due', reason: null, doneAt: null, nextAt: AT + 3 });
      expect(await two.deliveries.makeDueAgain('c1', '2026-11-20', 'opening', AT + 3)).toBe(false);
    });

    test('is revived once, with the note of that call alone, or confirmed as sent', async () => {
      const { deliveries, lease, get } = await claimed();
      const { tenant, channel, date, step } = lease;
      const [key, key2] = [`a:${tenant}`, `b:${tenant}`];
      const revive = (text: string, under: string) =>
        deliveries.makeDueAgain(channel, date, step, AT, { key: under, text, expiresAt: AT + DAY });
      expect(await revive('too early', key)).toBe(false);
      expect(await deliveries.confirmSent(channel, date, step, AT)).toBe(false);
      await deliveries.giveUp(lease, because('channel gone'), AT);
      const revived = await Promise.all([revive('one', key), revive('two', key2)]);
      expect(revived.filter(Boolean)).toHaveLength(1);
      const notes = await Promise.all([key, key2].map((under) => store().actions.get(under, AT)));
      expect(notes).toEqual(revived[0] ? ['one', undefined] : [undefined, 'two']);
      expect(await deliveries.confirmSent(channel, date, step, AT)).toBe(false);
      await deliveries.skipDue(lease, because('turned off'), AT + 1);
      expect(await deliveries.confirmSent(channel, date, step, AT + 2)).toBe(true);
      expect(await get()).toMatchObject({ state: 'sent', reason: null, doneAt: AT + 2 });
    });

    test('is skipped without a lease only while nobody works on it', async () => {
      const { deliveries, get } = await planned();
      const row = { channel: 'c1', date: '2026-11-20', step: 'opening' } as const;
      expect(await deliveries.skipDue(row, because('turned off'), AT)).toBe(true);
      expect(await get()).toMatchObject({ state: 'skipped', reason: because('turned off') });
      const other = await claimed();
      expect(await other.deliveries.skipDue(row, because('turned off'), AT)).toBe(false);
    });

    test('is listed by channel and day, in the order in which the steps were due', async () => {
      const { row, deliveries } = await planned({ step: 'solution', dueAt: AT + 2 });
      await store().allDeliveries.plan([
        { ...row, step: 'count', dueAt: AT + 1 },
        { ...row, step: 'opening', dueAt: AT, channel: 'c2' },
        { ...row, step: 'opening', dueAt: AT, date: '2026-11-21' as const },
        { ...row, step: 'opening', dueAt: AT },
      ]);
      const steps = (await deliveries.ofDay('c1', '2026-11-20')).map(({ step }) => step);
      expect(steps).toEqual(['opening', 'count', 'solution']);
    });
  });

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

    test('by key and by door at once gives a row to one caller', async () => {
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
