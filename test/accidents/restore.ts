/** What a store that was restored must do, whatever its engine. */

import { expect, onTestFinished, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import type { Daily } from '../../src/daily/daily.ts';
import type { DailySettings } from '../../src/daily/types.ts';
import type { Store } from '../../src/store/store.ts';
import { HOUR, MINUTE, subscribe } from '../daily/ground.ts';
import { type BothPlatforms, bothPlatforms } from './both-platforms.ts';

/** A store, a backup of it, and the store again as it was when the backup was made. */
export interface Restorable {
  open(): Promise<Store>;
  backup(store: Store): Promise<void>;
  restore(): Promise<void>;
}

/** 08:00 in New York. */
const OPENING = Date.UTC(2026, 10, 20, 13);
const SETTINGS: Partial<DailySettings> = {
  zone: 'America/New_York',
  opening: '08:00',
  // The first two are one message.
  steps: [
    { step: 'start', at: '08:00' },
    { step: 'count', at: '08:00' },
    { step: 'lengths', at: '12:00' },
    { step: 'solution', at: '20:00' },
  ],
};

async function start(restorable: Restorable) {
  const platforms = await bothPlatforms(OPENING - DAY - HOUR);
  onTestFinished(() => platforms.close());
  const all = [...platforms.channels, platforms.unreadable];
  const store = await restorable.open();
  for (const channel of all) await subscribe(store, SETTINGS, { channel, at: OPENING - DAY - 2 * HOUR });
  const daily = platforms.daily(store, 'before');
  const seen = () => all.map((channel) => platforms.seen(channel));
  return { platforms, store, daily, seen };
}

async function pass(platforms: BothPlatforms, daily: Daily, moments: readonly number[]): Promise<void> {
  for (const moment of moments) {
    platforms.clock.time = moment;
    await daily.tick();
    await daily.runDue();
  }
}

export function restoreContract(makeRestorable: () => Promise<Restorable>): void {
  test('posts nothing again in text channels, forums and Slack, and goes on with the day', async () => {
    const restorable = await makeRestorable();
    const { platforms, store, daily, seen } = await start(restorable);
    // A whole day, so that there is a thread to close.
    const yesterday = [0, 4, 12].map((hours) => OPENING - DAY + hours * HOUR);
    await pass(platforms, daily, [...yesterday, OPENING - 30 * MINUTE]);
    await restorable.backup(store);
    await pass(platforms, daily, [OPENING - 28 * MINUTE, OPENING, OPENING + 2 * MINUTE]);
    const before = seen();
    for (const { openings, steps } of before) expect([openings, steps]).toEqual([2, 5]);
    await daily.stop();
    await store.close();
    await restorable.restore();

    const restored = await restorable.open();
    const after = platforms.daily(restored, 'after');
    await pass(platforms, after, [OPENING + 20 * MINUTE]);
    expect(seen()).toEqual(before);
    await pass(platforms, after, [OPENING + 4 * HOUR]);
    for (const channel of platforms.channels)
      expect(platforms.seen(channel)).toEqual({ openings: 2, steps: 6 });
    // Here nobody can know: the person who set it up is asked, and nothing is posted twice.
    const { tenant, channel } = platforms.unreadable;
    expect(platforms.seen(platforms.unreadable)).toMatchObject({ openings: 2 });
    const opening = await restored.tenant(tenant).deliveries.get(channel, '2026-11-20', 'opening');
    expect(opening?.state).toBe('given-up');
    await after.stop();
    await restored.close();
  });
}
