import { describe, expect, it } from 'vitest';
import { lettersIn } from '../../src/solver/bits.ts';
import { lettersTurn, SERIES, sidesTurn, turnOfSeed } from '../../src/solver/generate.ts';
import fc from '../fakes/fast-check.ts';

describe('series', () => {
  it('takes the date at the end of a seed, whatever stands before it', () => {
    const place = 20_777 % SERIES;
    const turn = { letters: place % 16, sides: Math.floor(place / 16) };
    expect(turnOfSeed('house:2026-11-20')).toEqual(turn);
    expect(turnOfSeed('2026-11-20')).toEqual(turn);
    expect(turnOfSeed('house:2026-11-21')).toEqual({ ...turn, letters: turn.letters + 1 });
    for (const seed of ['', 'house', '2026-11-20 again', 'house:2026-13-01', '12026-11-20', '2026-1-2'])
      expect(turnOfSeed(seed), seed).toBeUndefined();
  });

  it('has turns before 1970 too', () => {
    expect(turnOfSeed('1969-12-31')).toEqual({ letters: 15, sides: 255 });
    expect(turnOfSeed('0001-01-01')!.letters).toBeGreaterThanOrEqual(0);
  });

  it('has one class for an arrangement, however its sides and letters are ordered', () => {
    const letters = fc.shuffledSubarray([...'abcdefghijklmnopqrstuvwxyz'], { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(letters, fc.array(fc.nat(11), { minLength: 6, maxLength: 6 }), (drawn, swaps) => {
        const sides = [0, 3, 6, 9].map((at) => drawn.slice(at, at + 3).join(''));
        const turned = sides.map((side) => side[1]! + side[2]! + side[0]!);
        const [a = 0, b = 0] = swaps.map((swap) => swap % 4);
        [turned[a], turned[b]] = [turned[b]!, turned[a]!];
        expect(sidesTurn(turned.map(lettersIn))).toBe(sidesTurn(sides.map(lettersIn)));
      }),
    );
  });

  it('spreads boards over all classes', () => {
    const alphabet = 'abcdefghijklmnopqrstuvwxyz';
    const [ofLetters, ofSides] = [new Set<number>(), new Set<number>()];
    for (let index = 0; index < 40_000; index++) {
      const at = (step: number) => alphabet[(index * step + (index >> 5)) % 26]!;
      const sides = [at(1) + at(3), at(5) + at(7), at(11) + alphabet[index % 23]!];
      ofSides.add(sidesTurn(sides.map(lettersIn)));
      ofLetters.add(lettersTurn(lettersIn(sides.join(''))));
    }
    expect([ofLetters.size, ofSides.size]).toEqual([16, 256]);
  });
});
