import { describe, expect, it } from 'vitest';
import { Random } from '../../src/core/random.ts';

describe('Random', () => {
  it('draws these very numbers on every machine', () => {
    const random = new Random('house:2026-11-20');
    expect([random.next(), random.next(), random.next(), random.next()]).toEqual([
      1238277259, 649568342, 4197650065, 1057814542,
    ]);
    expect(Array.from({ length: 12 }, () => random.below(26))).toEqual([
      15, 13, 10, 25, 20, 21, 7, 13, 6, 12, 7, 3,
    ]);
  });

  it('starts elsewhere for every seed, also for near, empty and odd ones', () => {
    const seeds = [
      '',
      ' ',
      'a',
      'b',
      'aa',
      'house:2026-11-20',
      'house:2026-11-21',
      '\0',
      '🙂',
      '\ud800',
      'x'.repeat(1e6),
    ];
    const firsts = seeds.map((seed) => new Random(seed).next());
    expect(new Set(firsts).size).toBe(seeds.length);
  });

  it('draws each number below a limit about equally often, and none beyond', () => {
    const random = new Random('dice');
    for (const limit of [1, 2, 3, 6, 7, 26, 100]) {
      const counts = new Array<number>(limit).fill(0);
      for (let draw = 0; draw < limit * 1000; draw++) counts[random.below(limit)]!++;
      expect(counts).toHaveLength(limit);
      for (const count of counts) expect(Math.abs(count - 1000)).toBeLessThan(200);
    }
  });

  it('shuffles into every order', () => {
    const random = new Random('cards');
    const orders = new Map<string, number>();
    for (let deal = 0; deal < 6000; deal++) {
      const order = random.shuffle(['a', 'b', 'c']).join('');
      orders.set(order, (orders.get(order) ?? 0) + 1);
    }
    expect(orders.size).toBe(6);
    for (const count of orders.values()) expect(Math.abs(count - 1000)).toBeLessThan(200);
  });
});
