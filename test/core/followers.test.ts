import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MINUTE } from '../../src/core/clock.ts';
import { Followers } from '../../src/core/followers.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const second = () => vi.advanceTimersByTimeAsync(1_000);

describe('what follows a change elsewhere', () => {
  it('shows many changes once, and one that comes meanwhile once more', async () => {
    const followers = new Followers();
    let { promise, resolve } = Promise.withResolvers<boolean>();
    const show = vi.fn(() => promise);
    followers.follow('a', { lasts: MINUTE, show });
    for (let change = 0; change < 5; change++) followers.changed('a');
    followers.changed('b');
    expect(show).not.toHaveBeenCalled();
    await second();
    expect(show).toHaveBeenCalledTimes(1);
    followers.changed('a');
    await second();
    expect(show).toHaveBeenCalledTimes(1);
    resolve(true);
    ({ promise, resolve } = Promise.withResolvers<boolean>());
    await second();
    expect(show).toHaveBeenCalledTimes(2);
    resolve(true);
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(show).toHaveBeenCalledTimes(2);
  });

  it('tries again while something else is under way there', async () => {
    const followers = new Followers();
    const show = vi.fn(async () => show.mock.calls.length > 2);
    followers.follow('a', { lasts: MINUTE, show });
    followers.changed('a');
    await vi.advanceTimersByTimeAsync(MINUTE / 2);
    expect(show).toHaveBeenCalledTimes(3);
  });

  it('is left out once it fails, once another follows, and after a stop', async () => {
    const followers = new Followers();
    const failing = vi.fn(async () => {
      throw new Error('gone');
    });
    followers.follow('a', { lasts: MINUTE, show: failing });
    followers.changed('a');
    await second();
    followers.changed('a');
    await second();
    expect(failing).toHaveBeenCalledTimes(1);

    const [older, newer] = [vi.fn(async () => true), vi.fn(async () => true)];
    followers.follow('a', { lasts: MINUTE, show: older });
    followers.changed('a');
    followers.follow('a', { lasts: MINUTE, show: newer });
    followers.changed('a');
    await second();
    expect([older, newer].map((show) => show.mock.calls.length)).toEqual([0, 1]);

    followers.changed('a');
    followers.stop();
    await second();
    expect(newer).toHaveBeenCalledTimes(1);
  });
});
