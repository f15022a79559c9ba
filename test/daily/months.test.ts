import { describe, expect, test } from 'vitest';
import type { DayTools } from '../../src/daily/delivery/day.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { HOUR, makeGround, NEW_YORK, subscribe } from './ground.ts';

describe('each month is reviewed once', () => {
  /** Which months the closing of which day reviewed. */
  async function reviewing(now: number, settings: object = {}) {
    const reviewed = new Map<string, readonly string[]>();
    const reviews: DayTools['reviews'] = {
      opening: async () => ({}),
      async closing({ date, months }) {
        if (months.length > 0) reviewed.set(date, months);
        return { blocks: [] };
      },
    };
    const ground = await makeGround(now, { reviews });
    await subscribe(ground.store, { steps: [], ...settings });
    return { ground, reviewed };
  }

  test('with the last thread of the month, though a weekend off ends it', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(-2, 6), { weekends: false });
    await ground.until(NEW_YORK(4, 9), 6 * HOUR);
    expect([...reviewed]).toEqual([['2026-10-30', ['2026-10-30']]]);
  });

  test('with the last one only, though the closing before it comes in the new month, too', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(29, 6));
    const { platform, clock } = ground;
    const post = platform.post.bind(platform);
    platform.post = async (message) => {
      const isClosing = message.reply.title.startsWith('That was');
      if (isClosing && clock.now() < NEW_YORK(31, 8)) throw new PostFailure('later', 'busy');
      return post(message);
    };
    await ground.until(NEW_YORK(33, 9), 6 * HOUR);
    expect((await ground.rows('2026-11-29')).closing).toBe('posted');
    expect([...reviewed]).toEqual([['2026-11-30', ['2026-11-30']]]);
  });

  test('and not again where the closing that reviewed it may have been posted', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(29, 6));
    const { platform } = ground;
    const post = platform.post.bind(platform);
    platform.post = async (message) => {
      const { title } = message.reply;
      if (title.startsWith('That was') && title.includes('November 30')) {
        if (message.outcomeUnknown) throw new PostFailure('invalid', 'too much to search');
        throw new PostFailure('unknown', 'no answer');
      }
      return post(message);
    };
    await ground.until(NEW_YORK(33, 9), 6 * HOUR);
    expect((await ground.rows('2026-11-30')).closing).toBe('left out: too much to search');
    expect([...reviewed]).toEqual([['2026-11-30', ['2026-11-30']]]);
  });

  test('with the first closing after a pause over the end of the month, in which nobody closed its last thread', async () => {
    const { ground, reviewed } = await reviewing(NEW_YORK(24, 6));
    await ground.until(NEW_YORK(25, 12), 6 * HOUR);
    const { subscriptions } = ground.store.tenant('web:local');
    await subscriptions.setState('general', { state: 'off' });
    await ground.at(NEW_YORK(30, 8));
    await subscribe(ground.store, { steps: [] }, { at: NEW_YORK(40, 6) });
    await subscriptions.setState('general', { state: 'active' });
    await ground.until(NEW_YORK(43, 9), 6 * HOUR);
    expect((await ground.rows('2026-11-25')).closing).toBe(
      'left out: the daily thread was switched off here',
    );
    expect([...reviewed]).toEqual([['2026-12-10', ['2026-11-25']]]);
  });
});
