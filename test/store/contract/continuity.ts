import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { DAY, MINUTE } from '../../../src/core/clock.ts';
import { LONGEST_PAUSE } from '../../../src/store/tables/continuity.ts';
import type { Ground } from './ground.ts';

const NOW = Date.UTC(2026, 10, 20, 12, 30);

export function continuityContract({ store }: Ground): void {
  describe('what the store can not account for', () => {
    test('is nothing while somebody plans every minute, and the time of a longer pause', async () => {
      const { continuity } = store();
      const before = await continuity.beat(NOW);
      for (let minute = 1; minute <= 5; minute++)
        expect(await continuity.beat(NOW + minute * MINUTE)).toEqual(before);
      const late = NOW + 5 * MINUTE + LONGEST_PAUSE + 1;
      expect(await continuity.gaps(late)).toEqual(before);
      expect(await continuity.beat(late)).toEqual({ ...before, gapUntil: late });
      expect(await continuity.beat(late + MINUTE)).toEqual({ ...before, gapUntil: late });
      expect(await continuity.gaps(late + MINUTE)).toEqual({ ...before, gapUntil: late });
    });

    test('is nothing where only the clock went back', async () => {
      const { continuity } = store();
      const { gapUntil } = await continuity.beat(NOW + 9 * MINUTE);
      expect((await continuity.beat(NOW - 120 * MINUTE)).gapUntil).toBe(gapUntil);
      expect((await continuity.beat(NOW - 119 * MINUTE)).gapUntil).toBe(gapUntil);
    });

    test('ends at the time by the clock where a gap was written by one that was days ahead', async () => {
      const { continuity } = store();
      await continuity.beat(NOW);
      const wrong = NOW + 400 * DAY;
      expect((await continuity.beat(wrong)).gapUntil).toBe(wrong);
      expect((await continuity.beat(wrong - 2 * DAY)).gapUntil).toBe(wrong);
      expect((await continuity.beat(NOW)).gapUntil).toBe(NOW);
      expect((await continuity.gaps(NOW)).gapUntil).toBe(NOW);
    });
  });

  describe('processes', () => {
    test('keep their leases as long as they show themselves', async () => {
      const { processes, allDeliveries } = store();
      const key = { tenant: 'alive:1', channel: 'c', date: '2026-11-20' as const, step: 'opening' };
      await processes.watch('alive:one', NOW);
      await processes.watch('alive:two', NOW);
      await allDeliveries.plan([{ ...key, dueAt: NOW }]);
      const claim = { owner: 'alive:one', now: NOW, until: NOW + 2 * MINUTE };
      expect(await allDeliveries.claim('alive', 5, claim)).toHaveLength(1);
      expect(await processes.watch('alive:two', NOW)).toEqual([]);
      expect(await allDeliveries.claim('alive', 5, { ...claim, owner: 'alive:two' })).toEqual([]);
      await processes.leave('alive:one');
      await processes.leave('alive:two');
    });

    // On SQLite they are known by locks: see test/accidents/killed.test.ts.
    test('of a fleet lose them when they stand still, however their clocks are set', async () => {
      const { processes, allDeliveries, engine } = store();
      if (engine === 'sqlite') return;
      const elapsed = vi.spyOn(performance, 'now');
      onTestFinished(() => void elapsed.mockRestore());
      const at = (seconds: number) => elapsed.mockReturnValue(seconds * 1_000);
      const keys = ['one', 'two'].map((step) => ({
        tenant: 'fleet:1',
        channel: 'c',
        date: '2026-11-20' as const,
        step,
      }));
      at(0);
      for (const { step, ...key } of keys) {
        await processes.watch(`fleet:${step}`, NOW);
        await allDeliveries.plan([{ ...key, step, dueAt: NOW }]);
        await allDeliveries.claim('fleet', 1, { owner: `fleet:${step}`, now: NOW, until: NOW + 2 * MINUTE });
      }
      for (let seconds = 0; seconds <= 20; seconds += 5) {
        at(seconds);
        const freed = [
          ...(await processes.watch('fleet:two', NOW)),
          ...(await processes.watch('fleet:three', NOW)),
        ];
        expect(freed).toEqual(seconds < 20 ? [] : [keys[0]]);
      }
      const [taken] = await allDeliveries.claim('fleet', 5, {
        owner: 'fleet:three',
        now: NOW,
        until: NOW + MINUTE,
      });
      expect(taken?.delivery).toMatchObject({ step: 'one', outcomeUnknown: true });
      expect(await processes.watch('fleet:three', NOW)).toEqual([]);
      for (const name of ['two', 'three']) await processes.leave(`fleet:${name}`);
    });
  });
}
