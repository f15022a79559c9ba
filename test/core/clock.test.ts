import { describe, expect, test } from 'vitest';
import { doubling, pauseAfter } from '../../src/core/clock.ts';

const BACKOFF = { pauses: doubling(5_000, 60_000), jitter: 0.3 };
const least = () => 0;
const most = () => 0.999_999;

describe('doubling', () => {
  test('doubles from the first pause and ends with exactly the longest', () => {
    expect(doubling(5_000, 60_000)).toEqual([5_000, 10_000, 20_000, 40_000, 60_000]);
    expect(doubling(1_000, 4_000)).toEqual([1_000, 2_000, 4_000]);
    expect(doubling(9_000, 4_000)).toEqual([4_000]);
  });
});

describe('pauseAfter', () => {
  test.each([
    [0, 5_000],
    [1, 5_000],
    [2, 10_000],
    [3, 20_000],
    [4, 40_000],
    [5, 60_000],
    [6, 60_000],
    [1_000, 60_000],
  ])('after %i failures waits %i ms', (failures, pause) => {
    expect(pauseAfter({ failures, random: least }, BACKOFF)).toBe(pause);
  });

  test('lengthens each pause at random by up to the share of jitter, and never shortens it', () => {
    expect(pauseAfter({ failures: 1, random: most }, BACKOFF)).toBe(6_500);
    expect(pauseAfter({ failures: 1, random: () => 0.5 }, BACKOFF)).toBe(5_750);
    expect(pauseAfter({ failures: 9, random: most }, BACKOFF)).toBe(78_000);
  });

  test('waits at least as long as the other side asked, with jitter on top', () => {
    expect(pauseAfter({ failures: 1, random: least, retryAfter: 90_000 }, BACKOFF)).toBe(90_000);
    expect(pauseAfter({ failures: 1, random: most, retryAfter: 90_000 }, BACKOFF)).toBe(117_000);
    expect(pauseAfter({ failures: 5, random: least, retryAfter: 1_000 }, BACKOFF)).toBe(60_000);
  });

  test('answers in whole milliseconds', () => {
    expect(pauseAfter({ failures: 1, random: () => 1 / 3 }, BACKOFF)).toBe(5_500);
    expect(pauseAfter({ failures: 1, random: () => 0.5 }, { pauses: [900_000], jitter: 0.2 })).toBe(990_000);
    expect(pauseAfter({ failures: 1, random: least, retryAfter: 90_000.2 }, BACKOFF)).toBe(90_001);
    expect(Number.isInteger(pauseAfter({ failures: 2, random: () => Math.PI / 10 }, BACKOFF))).toBe(true);
  });
});
