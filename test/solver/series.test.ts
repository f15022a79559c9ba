import { describe, expect, it } from 'vitest';
import { placeOfBoard, placeOfSeed, SERIES } from '../../src/solver/series.ts';
import fc from '../fakes/fast-check.ts';

describe('series', () => {
  it('takes the date at the end of a seed, whatever stands before it', () => {
    const place = placeOfSeed('house:2026-11-20')!;
    expect(place).toBe(20_777 % SERIES);
    expect(placeOfSeed('2026-11-20')).toBe(place);
    expect(placeOfSeed('house:2026-11-21')).toBe(place + 1);
    for (const seed of ['', 'house', '2026-11-20 again', 'house:2026-13-01', '12026-11-20', '2026-1-2'])
      expect(placeOfSeed(seed), seed).toBeUndefined();
  });

  it('has places before 1970 too', () => {
    expect(placeOfSeed('1969-12-31')).toBe(SERIES - 1);
    expect(placeOfSeed('0001-01-01')).toBeGreaterThanOrEqual(0);
  });

  it('gives a board one place, however its sides and letters are ordered', () => {
    const letters = fc.shuffledSubarray([...'abcdefghijklmnopqrstuvwxyz'], { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.array(fc.nat(11), { minLength: 6, maxLength: 6 }), (drawn, swaps) => {
        const sides = [0, 3, 6, 9].map((at) => drawn.slice(at, at + 3).join(''));
        const place = placeOfBoard(sides);
        const turned = sides.map((side) => side[1]! + side[2]! + side[0]!);
        const [a = 0, b = 0] = swaps.map((swap) => swap % 4);
        [turned[a], turned[b]] = [turned[b]!, turned[a]!];
        expect(placeOfBoard(turned)).toBe(place);
        expect(place).toBeGreaterThanOrEqual(0);
        expect(place).toBeLessThan(SERIES);
      }),
    );
  });

  it('spreads boards over all places', () => {
    const counts = new Map<number, number>();
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    for (let index = 0; index < 40_000; index++) {
      const at = (step: number) => alphabet[(index * step + (index >> 5)) % 26]!;
      const place = placeOfBoard([at(1) + at(3), at(5) + at(7), at(11) + alphabet[index % 23]!]) % 64;
      counts.set(place, (counts.get(place) ?? 0) + 1);
    }
    expect(counts.size).toBe(64);
  });
});
