import { describe, expect, test } from 'vitest';
import {
  DAY_KIND,
  type DatedKind,
  EVERY_DATE,
  personChannel,
  REMINDER_KIND,
} from '../../../src/core/channel-ref.ts';
import type { PuzzleDate } from '../../../src/core/clock.ts';
import { addDays } from '../../../src/puzzle/calendar.ts';
import type { NewDelivery } from '../../../src/store/tables/all-deliveries.ts';
import type { Delivery } from '../../../src/store/tables/deliveries.ts';
import { because, type Ground } from './ground.ts';

type Planned = Extract<NewDelivery, { readonly kind: DatedKind }>;

export function deliveryContract({ store, door }: Ground): void {
  const AT = Date.UTC(2026, 10, 20, 8);
  const DATE = '2026-11-20';
  const claim = { owner: 'me', now: AT, until: AT + 60 };
  const REMINDER = { person: 'ann', channel: 'c1', at: '08:00', zone: 'UTC', setAt: AT };
  const later = (now: number, owner = 'other') => ({ owner, now, until: now + 60 });

  async function planned(more: Partial<Planned> = {}) {
    const tenant = `${door()}:1`;
    const row = { tenant, channel: 'c1', date: DATE as PuzzleDate, kind: DAY_KIND, dueAt: AT, ...more };
    const { channel, date, kind } = row;
    expect(await store().allDeliveries.plan([row])).toEqual([{ tenant, channel, date, kind }]);
    const { deliveries } = store().tenant(tenant);
    return { row, deliveries, get: () => deliveries.get(channel, date, kind) };
  }
  async function claimed(more: Partial<Planned> = {}) {
    const { row, deliveries, get } = await planned(more);
    const lease = (await deliveries.claim(row, claim)) as Delivery;
    return { row, deliveries, get, lease };
  }

  describe('a delivery', () => {
    test('goes from due to sending to sent', async () => {
      const { row, deliveries, get, lease } = await claimed({
        detail: { for: 'ann' },
        priority: 2,
        opensAt: AT,
      });
      expect(await get()).toEqual({
        ...{ tenant: expect.any(String), channel: 'c1', date: DATE, kind: DAY_KIND },
        ...{ state: 'sending', dueAt: AT, nextAt: AT + 60, priority: 2, claims: 1, failures: 0, owner: 'me' },
        ...{ begun: false, opensAt: AT, openedAt: null, record: undefined, reason: null, doneAt: null },
        detail: { for: 'ann' },
      });
      expect(await deliveries.renew(lease, AT + 90, { record: { puzzle: 1 } })).toBe(true);
      expect(await get()).toMatchObject({ begun: true, record: { puzzle: 1 }, nextAt: AT + 90 });
      const settled = { state: 'sent', record: { message: '9' }, doneAt: AT + 5, openedAt: AT + 5 } as const;
      expect(await deliveries.settle(lease, settled, AT + 5)).toBe(true);
      expect(await get()).toMatchObject({ ...settled, begun: false, owner: null, reason: null });
      expect(await deliveries.claim(row, later(AT + 999))).toBeUndefined();
    });

    test('counts as left behind where nobody has claimed it, nor claims anything else at its door', async () => {
      const [stuck, busy] = [door(), door()];
      const row = (tenant: string, more: object = {}) => ({
        ...{ tenant, channel: 'c', date: DATE as PuzzleDate, kind: DAY_KIND, dueAt: AT },
        ...more,
      });
      const { allDeliveries } = store();
      await allDeliveries.plan([
        ...[`${stuck}:1`, `${stuck}:2`, `${busy}:1`, `${busy}:2`].map((tenant) => row(tenant)),
        row(`${stuck}:3`, { dueAt: AT + 1 }),
      ]);
      const left = async (now: number) =>
        (await allDeliveries.unclaimed(AT, now)).filter(({ door }) => door === stuck || door === busy);
      await allDeliveries.claim(busy, 1, claim);
      expect(await left(AT + 59)).toEqual([{ door: stuck, waiting: 2, oldestDueAt: AT }]);
      // The row whose lease has run out may be tried again; the other one was never tried.
      expect((await left(AT + 60)).map(({ door, waiting }) => [door, waiting]).sort()).toEqual(
        [
          [stuck, 2],
          [busy, 1],
        ].sort(),
      );
      const [first] = await allDeliveries.claim(stuck, 1, claim);
      const { deliveries } = store().tenant(first!.tenant);
      const failed = {
        state: 'due',
        nextAt: AT,
        failures: 1,
        reason: because('paused'),
        record: {},
      } as const;
      await deliveries.settle(first!, failed, AT);
      expect((await left(AT + 59)).find(({ door }) => door === stuck)).toMatchObject({ waiting: 1 });
    });

    test('is planned once, whatever state it is in', async () => {
      const { row, deliveries, get, lease } = await claimed();
      expect(await store().allDeliveries.plan([row, { ...row, dueAt: AT + 1 }])).toEqual([]);
      expect(await get()).toMatchObject({ state: 'sending' });
      await deliveries.settle(lease, { state: 'sent', record: {} }, AT);
      expect(await store().allDeliveries.plan([row])).toEqual([]);
      expect(await deliveries.revive(row, AT)).toBe(false);
      expect(await get()).toMatchObject({ state: 'sent' });
    });

    test.each([
      ['skipped', 'over'],
      ['sent', null],
      ['given-up', 'over'],
    ] as const)('that is %s at a moment still to come is due again', async (state, why) => {
      const settle = async (doneAt: number, date: PuzzleDate = DATE) => {
        const { row, deliveries, get } = await planned({ date });
        const lease = (await deliveries.claim(row, later(AT))) as Delivery;
        await deliveries.settle(lease, { state, reason: why && because(why), doneAt, record: {} }, AT);
        return get;
      };
      const ahead = await settle(AT + 2);
      const others = [await settle(AT + 1), await settle(AT + 2, addDays(DATE, -1))];
      await store().allDeliveries.reopen(AT + 1, DATE);
      expect(await ahead()).toMatchObject({ state: 'due', nextAt: AT + 1, doneAt: null, reason: null });
      for (const get of others) expect(await get()).toMatchObject({ state });
    });

    test('whose thread was opened at a moment still to come is due', async () => {
      const open = async (openedAt: number) => {
        const { deliveries, lease, get } = await claimed();
        const settled = { state: 'due', dueAt: AT + 9, nextAt: AT + 9, openedAt, record: {} } as const;
        await deliveries.settle(lease, settled, AT);
        return get;
      };
      const ahead = await open(AT + 2);
      const before = await open(AT + 1);
      const worked = await open(AT + 2);
      await store()
        .tenant((await worked())!.tenant)
        .deliveries.claim((await worked())!, later(AT + 9));
      await store().allDeliveries.reopen(AT + 1, DATE);
      expect(await ahead()).toMatchObject({ nextAt: AT + 1 });
      expect(await before()).toMatchObject({ nextAt: AT + 9 });
      expect(await worked()).toMatchObject({ state: 'sending', nextAt: AT + 69 });
    });

    test('is brought forward, never put off, and keeps its pause after a failure', async () => {
      const { row, deliveries, get } = await planned({ dueAt: AT + 500 });
      for (const [nextAt, expected] of [
        [AT + 300, AT + 300],
        [AT + 400, AT + 300],
      ] as const) {
        await deliveries.bringForward(row, nextAt);
        expect(await get()).toMatchObject({ dueAt: expected, nextAt: expected });
      }
      const lease = (await deliveries.claim(row, later(AT + 300)))!;
      const failed = { state: 'due', nextAt: AT + 600, failures: 1, record: {} } as const;
      await deliveries.settle(lease, failed, AT + 300);
      await deliveries.bringForward(row, AT + 400);
      expect(await get()).toMatchObject({ nextAt: AT + 600 });
    });

    test('is nobody else’s while the lease runs, and remembers after it that a post was begun', async () => {
      const { row, deliveries, lease } = await claimed();
      const next = (now: number) => deliveries.claim(row, later(now));
      expect(await next(AT + 59)).toBeUndefined();
      expect(await deliveries.renew(lease, AT + 100)).toBe(true);
      expect(await next(AT + 99)).toBeUndefined();
      const second = await next(AT + 100);
      expect(second).toMatchObject({ owner: 'other', claims: 2, begun: false, state: 'sending' });
      await deliveries.renew(second!, AT + 200, { record: {} });
      expect(await next(AT + 200)).toMatchObject({ claims: 3, begun: true });
    });

    test('a lease that was lost can do nothing', async () => {
      const { row, deliveries, get, lease } = await claimed();
      // The same owner again, as a process that forgot would be.
      await deliveries.claim(row, later(AT + 60, 'me'));
      const before = await get();
      expect(await deliveries.renew(lease, AT + 999)).toBe(false);
      expect(await deliveries.renew(lease, AT + 999, { record: {} })).toBe(false);
      // A store that was restored counts claims anew.
      expect(await deliveries.renew({ ...lease, claims: 2, owner: 'other' }, AT + 999)).toBe(false);
      for (const state of ['due', 'waiting', 'sent', 'skipped', 'given-up'] as const)
        expect(await deliveries.settle(lease, { state, record: {} }, AT), state).toBe(false);
      expect(await get()).toEqual(before);
    });

    test('a lease that ran out but was not taken can still store the outcome, once', async () => {
      const { deliveries, lease, get } = await claimed();
      const settle = () => deliveries.settle(lease, { state: 'sent', record: {} }, AT + 10_000);
      expect([await settle(), await settle()]).toEqual([true, false]);
      expect(await get()).toMatchObject({ state: 'sent' });
    });

    test('of a reminder is one for a person, which waits once it has ended, and is due when it is set', async () => {
      const { deliveries, reminders } = store().tenant(`${door()}:1`);
      const row = { channel: personChannel('ann'), date: EVERY_DATE, kind: REMINDER_KIND };
      const set = (setAt: number) => reminders.set({ ...REMINDER, setAt });
      const get = () => deliveries.get(row.channel, row.date, row.kind);
      const end = async (code: 'ignored' | 'undeliverable', setWhile?: number) => {
        const lease = (await deliveries.claim(row, claim))!;
        if (setWhile !== undefined) await set(setWhile);
        await deliveries.settle(lease, { state: 'waiting', reason: { code }, record: { ends: {} } }, AT + 9);
        return (await reminders.get('ann'))?.state;
      };
      await set(AT);
      expect(await reminders.get('ann')).toMatchObject({ ...REMINDER, setAt: AT, state: 'on' });
      expect([await end('ignored'), (await get())?.state]).toEqual(['ignored', 'waiting']);
      await set(AT - 1);
      expect(await get()).toMatchObject({ state: 'due', nextAt: AT - 1, record: { ends: {} } });
      expect(await end('undeliverable')).toBe('undeliverable');
      await set(AT - 2);
      expect([await end('ignored', AT - 3), (await get())?.nextAt]).toEqual(['on', AT + 9]);
      await store().allReminders.wakeTooLate(AT + 1, AT + 9);
      expect(await get()).toMatchObject({ nextAt: AT + 9 });
      await store().allReminders.wakeTooLate(AT + 1, AT + 8);
      expect(await get()).toMatchObject({ dueAt: AT + 9, nextAt: AT + 1 });
      // One that is being sent stays leased.
      await deliveries.claim(row, { ...claim, now: AT + 1 });
      const leased = await get();
      await store().allReminders.wakeTooLate(AT + 2, AT);
      expect(await get()).toEqual(leased);
    });

    test('of a reminder is removed in the tenants of its scope, except one', async () => {
      const own = door();
      const [here, there] = [store().tenant(`${own}:1`), store().tenant(`${own}:2`)];
      const elsewhere = store().tenant(`${door()}:1`);
      for (const { reminders } of [here, there, elsewhere]) await reminders.set(REMINDER);
      const { allReminders } = store();
      await here.markRemoved(AT);
      expect(await allReminders.get(own, 'ann')).toMatchObject({
        ...REMINDER,
        tenant: there.tenant,
        days: [],
      });
      expect(await allReminders.get(door(), 'ann')).toBeUndefined();
      expect(await allReminders.remove(own, 'ann', { except: there.tenant })).toBe(true);
      expect(await here.reminders.get('ann')).toBeUndefined();
      expect(await elsewhere.reminders.get('ann')).toBeDefined();
      expect(await there.reminders.get('ann')).toMatchObject({ state: 'on' });
      expect(await allReminders.remove(own, 'bob')).toBe(false);
      // One that had ended was not on.
      const row = { channel: personChannel('ann'), date: EVERY_DATE, kind: REMINDER_KIND };
      const lease = (await there.deliveries.claim(row, claim))!;
      await there.deliveries.settle(lease, { state: 'waiting', reason: { code: 'ignored' }, record: {} }, AT);
      expect(await allReminders.remove(own, 'ann')).toBe(false);
      expect(await there.reminders.get('ann')).toBeUndefined();
    });

    test('is tried again at its time, and is due since its first attempt', async () => {
      const { row, deliveries, get, lease } = await claimed();
      const failed = { state: 'due', nextAt: AT + 30, failures: 1, begun: true, record: {} } as const;
      expect(await deliveries.settle(lease, { ...failed, reason: because('timeout') }, AT)).toBe(true);
      expect(await get()).toMatchObject({ ...failed, dueAt: AT, reason: because('timeout') });
      expect(await deliveries.claim(row, later(AT + 29))).toBeUndefined();
      expect(await deliveries.claim(row, later(AT + 30))).toMatchObject({
        claims: 2,
        begun: true,
      });
    });

    test('is given up or skipped with a reason, and revived by the operator', async () => {
      for (const state of ['given-up', 'skipped'] as const) {
        const { row, deliveries, get, lease } = await claimed();
        const ended = { state, reason: because('channel gone'), doneAt: AT + 1, record: { a: 1 } };
        expect(await deliveries.settle(lease, ended, AT)).toBe(true);
        expect(await get()).toMatchObject(ended);
        expect(await deliveries.revive(row, AT + 3)).toBe(true);
        expect(await get()).toMatchObject({ state: 'due', reason: null, doneAt: null, nextAt: AT + 3 });
        expect(await deliveries.revive(row, AT + 3)).toBe(false);
      }
    });

    test('is skipped without a lease only while nobody works on it', async () => {
      const { row, deliveries, get } = await planned();
      expect(await deliveries.skipDue(row, because('turned off'), AT)).toBe(true);
      expect(await get()).toMatchObject({ state: 'skipped', reason: because('turned off') });
      const other = await claimed();
      expect(await other.deliveries.skipDue(other.row, because('turned off'), AT)).toBe(false);
    });
  });

  describe('a channel’s day', () => {
    const next = {
      state: 'due',
      dueAt: AT + 500,
      nextAt: AT + 500,
      priority: 1,
      record: { ends: {} },
    } as const;

    /** A day whose thread was opened. */
    async function opened(tenant: string, channel: string, date: PuzzleDate, settled: object = {}) {
      const key = { tenant, channel, date, kind: DAY_KIND };
      await store().allDeliveries.plan([{ ...key, dueAt: AT, opensAt: Date.parse(date) }]);
      const { deliveries } = store().tenant(tenant);
      const lease = (await deliveries.claim(key, claim))!;
      const ended = { ...next, openedAt: AT, record: { message: `${channel} ${date}` }, ...settled };
      await deliveries.settle(lease, ended, AT);
    }

    test('is due again for its next post, and counts its failures anew', async () => {
      const { row, deliveries, get, lease } = await claimed();
      await deliveries.settle(lease, { state: 'due', nextAt: AT + 60, failures: 3, record: {} }, AT);
      const second = await deliveries.claim(row, later(AT + 60));
      await deliveries.settle(second!, { ...next, openedAt: AT + 60 }, AT + 60);
      expect(await get()).toMatchObject({ ...next, failures: 0, claims: 2, openedAt: AT + 60 });
      expect(await deliveries.claim(row, later(AT + 499))).toBeUndefined();
      expect(await deliveries.claim(row, later(AT + 500))).toBeDefined();
    });

    test('is woken where it waits, at once or after the work on it, but no retry is', async () => {
      const tenant = `${door()}:wake`;
      const { deliveries } = store().tenant(tenant);
      await opened(tenant, 'due', DATE);
      await opened(tenant, 'waiting', DATE, { state: 'waiting', dueAt: undefined, nextAt: undefined });
      await opened(tenant, 'retried', DATE, { failures: 2 });
      await opened(tenant, 'closed', DATE, { state: 'sent' });
      const key = { tenant, channel: 'busy', date: DATE, kind: DAY_KIND } as const;
      await store().allDeliveries.plan([{ ...key, dueAt: AT }]);
      const busy = (await deliveries.claim(key, claim))!;
      const other = { tenant, channel: 'due', date: DATE, kind: 'players' } as const;
      await store().allDeliveries.plan([{ ...other, dueAt: AT + 500 }]);
      const channels = ['due', 'waiting', 'retried', 'closed', 'busy'].map((channel) => ({
        tenant,
        channel,
      }));
      await store().allDeliveries.wake(channels, AT + 7);
      const stateOf = async (channel: string) => {
        const { state, nextAt } = (await deliveries.day(channel, DATE))!;
        return [state, nextAt];
      };
      expect(await stateOf('due')).toEqual(['due', AT + 7]);
      expect(await stateOf('waiting')).toEqual(['due', AT + 7]);
      expect(await stateOf('retried')).toEqual(['due', AT + 500]);
      expect(await stateOf('closed')).toEqual(['sent', AT + 500]);
      expect(await stateOf('busy')).toEqual(['sending', AT + 60]);
      expect(await deliveries.get('due', DATE, 'players')).toMatchObject({ nextAt: AT + 500 });
      expect(await deliveries.settle(busy, next, AT + 9)).toBe(true);
      expect(await stateOf('busy')).toEqual(['due', AT + 9]);
      const again = await deliveries.claim(key, later(AT + 9));
      await deliveries.settle(again!, { state: 'waiting', record: {} }, AT + 9);
      expect((await stateOf('busy'))[0]).toBe('waiting');
      await deliveries.wakeBefore('busy', DATE, AT + 11);
      expect((await stateOf('busy'))[0]).toBe('waiting');
      await deliveries.wakeBefore('busy', '2026-11-21', AT + 11);
      expect(await stateOf('busy')).toEqual(['due', AT + 11]);
      const failing = await deliveries.claim(key, later(AT + 11));
      await store().allDeliveries.wake(channels, AT + 12);
      const failed = { state: 'due', nextAt: AT + 99, failures: 1, record: {} } as const;
      await deliveries.settle(failing!, failed, AT + 12);
      expect(await stateOf('busy')).toEqual(['due', AT + 99]);
      const closing = await deliveries.claim(key, later(AT + 99));
      await store().allDeliveries.wake(channels, AT + 100);
      await deliveries.settle(closing!, { state: 'sent', record: {} }, AT + 101);
      expect((await stateOf('busy'))[0]).toBe('sent');
    });

    test('that waits too long by a clock that was ahead is released, and none before it is due', async () => {
      const [due, early] = [await planned(), await planned({ dueAt: AT + 999 })];
      const lease = (await due.deliveries.claim(due.row, claim))!;
      const failed = { state: 'due', nextAt: AT + 999, failures: 1, record: {} } as const;
      await due.deliveries.settle(lease, failed, AT);
      await store().allDeliveries.releaseStuck(AT + 1, AT + 500);
      expect(await due.get()).toMatchObject({ nextAt: AT + 1 });
      expect(await early.get()).toMatchObject({ nextAt: AT + 999 });
    });

    test('is revised once, and never while somebody works on it', async () => {
      const { deliveries, lease, get } = await claimed();
      const revise = async (read = get()) =>
        deliveries.reviseDay((await read)!, { revised: true }, { now: AT + 2 });
      expect(await revise()).toBe(false);
      const ended = { state: 'given-up', reason: because('gone'), doneAt: AT, begun: true } as const;
      await deliveries.settle(lease, { ...ended, record: {} }, AT);
      const read = get();
      const revised = await Promise.all([revise(read), revise(read)]);
      expect(revised.filter(Boolean)).toHaveLength(1);
      // What was given up is not in doubt, though it may be there.
      expect(await get()).toMatchObject({ record: { revised: true }, claims: 2, begun: false });
      expect(await get()).toMatchObject({ state: 'due', nextAt: AT + 2, reason: null, doneAt: null });
      const due = get();
      expect((await Promise.all([revise(due), revise(due)])).filter(Boolean)).toHaveLength(1);
    });

    test('is found among the days of its channel: opened, or perhaps opened', async () => {
      const tenant = `${door()}:1`;
      const { deliveries } = store().tenant(tenant);
      for (const date of ['2026-11-17', '2026-11-18', '2026-11-20'] as const)
        await opened(tenant, 'c1', date);
      const perhaps = { openedAt: undefined, begun: true, state: 'given-up' };
      await opened(tenant, 'c1', '2026-11-19', perhaps);
      await opened(tenant, 'c1', '2026-11-16', { openedAt: undefined, state: 'skipped' });
      const dates = (before: PuzzleDate, limit: number) => deliveries.datesOpened('c1', before, limit);
      expect(await dates('2026-11-20', 9)).toEqual(['2026-11-19', '2026-11-18', '2026-11-17']);
      expect(await dates('2026-11-20', 2)).toEqual(['2026-11-19', '2026-11-18']);
      expect(await deliveries.datesOpened('c2', '2026-11-20', 9)).toEqual([]);
      expect(await deliveries.lastOpened('c1', '2026-11-20', 1)).toMatchObject([{ date: '2026-11-18' }]);
      expect(await deliveries.lastOpened('c1', '2026-11-17', 1)).toEqual([]);
      const nextThreadAt = (date: PuzzleDate) => deliveries.nextThreadAt('c1', date);
      expect(await nextThreadAt('2026-11-18')).toBe(Date.UTC(2026, 10, 19));
      expect(await nextThreadAt('2026-11-20')).toBeUndefined();
    });

    test('has an open thread until a later one is opened in its channel, or it is closed', async () => {
      const tenant = `${door()}:threads`;
      const { deliveries, subscriptions } = store().tenant(tenant);
      for (const channel of ['c1', 'c2', 'c3'])
        await subscriptions.save(channel, {}, { version: 0, by: 'p', at: AT });
      await opened(tenant, 'c1', '2026-11-19');
      await opened(tenant, 'c1', '2026-11-20');
      await opened(tenant, 'c2', '2026-11-18');
      await opened(tenant, 'c3', '2026-11-19', { state: 'sent' });
      await opened(tenant, 'c4', '2026-11-20');
      await opened(`${door()}:others`, 'c2', '2026-11-21');
      expect(await deliveries.openThreads()).toMatchObject([
        { channel: 'c1', date: '2026-11-20', record: { message: 'c1 2026-11-20' } },
        { channel: 'c2', date: '2026-11-18' },
      ]);
      expect(await store().tenant(`${door()}:others`).deliveries.openThreads()).toEqual([]);
    });
  });

  describe('claiming', () => {
    const rowsOf = (tenant: string, count: number, more: (index: number) => Partial<Planned> = () => ({})) =>
      Array.from({ length: count }, (_, index) => ({
        ...{ tenant, channel: `c${index}`, date: DATE as PuzzleDate, kind: DAY_KIND, dueAt: AT },
        ...more(index),
      }));

    test('claims ready rows of one door, highest priority first, then those ready longest', async () => {
      const [mine, other] = [door(), door()];
      await store().allDeliveries.plan([
        ...rowsOf(`${mine}:1`, 6, (index) => ({ dueAt: AT - index, priority: index === 1 ? 1 : 0 })),
        ...rowsOf(`${mine}:2`, 1, () => ({ dueAt: AT + 1 })),
        ...rowsOf(`${other}:1`, 3),
      ]);
      const claimed = await store().allDeliveries.claim(mine, 4, claim);
      expect(claimed.map(({ channel }) => channel)).toEqual(['c1', 'c5', 'c4', 'c3']);
      expect(claimed.every(({ owner, claims }) => owner === 'me' && claims === 1)).toBe(true);
      const rest = await store().allDeliveries.claim(mine, 4, claim);
      expect(rest.map(({ channel }) => channel)).toEqual(['c2', 'c0']);
      expect(await store().allDeliveries.claim(mine, 4, claim)).toEqual([]);
    });

    test('by many at once gives each row to exactly one', async () => {
      const mine = door();
      const rows = rowsOf(`${mine}:1`, 200);
      await store().allDeliveries.plan(rows);
      const taken: string[] = [];
      await Promise.all(
        Array.from({ length: 6 }, async (_, worker) => {
          for (;;) {
            const claimed = await store().allDeliveries.claim(mine, 7, later(AT, `w${worker}`));
            if (claimed.length === 0) return;
            expect(claimed.length).toBeLessThanOrEqual(7);
            taken.push(...claimed.map(({ channel }) => channel));
          }
        }),
      );
      expect(taken.toSorted()).toEqual(rows.map(({ channel }) => channel).toSorted());
    });

    test('by key and by door at once gives a row to one caller', async () => {
      const mine = door();
      const [row] = rowsOf(`${mine}:1`, 1);
      await store().allDeliveries.plan([row!]);
      const { deliveries } = store().tenant(`${mine}:1`);
      const claims = await Promise.all([
        store().allDeliveries.claim(mine, 5, claim),
        deliveries.claim(row!, claim),
        store().allDeliveries.claim(mine, 5, claim),
        deliveries.claim(row!, claim),
      ]);
      expect(claims.flat().filter((one) => one !== undefined)).toHaveLength(1);
    });

    test('takes leases that have run out', async () => {
      const mine = door();
      await store().allDeliveries.plan(rowsOf(`${mine}:1`, 2, (index) => ({ dueAt: AT + index })));
      await store().allDeliveries.claim(mine, 1, claim);
      const [first] = await store().allDeliveries.claim(mine, 5, later(AT + 1));
      expect(first).toMatchObject({ channel: 'c1' });
      const again = await store().allDeliveries.claim(mine, 5, later(AT + 60));
      expect(again.map(({ channel }) => channel)).toEqual(['c0']);
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
