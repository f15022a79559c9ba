import { expect, it } from 'vitest';
import { SubsetTable } from '../../src/solver/bits.ts';
import { random } from './random-boards.ts';

const LOOKS = 2_000;

it.each([1, 4, 5, 9, 17, 18, 20])(
  'tells of masks of %i bits whether one that was added covers them',
  (bits) => {
    const next = random(bits);
    const mask = () => Math.floor(next() * 2 ** bits);
    const table = new SubsetTable(bits);
    for (const count of [40, 0, 3]) {
      const added = Array.from({ length: count }, () => mask() & mask());
      table.clear();
      for (const one of added) table.add(one);
      table.addSubsets();
      const looks = Array.from({ length: LOOKS }, (_, at) =>
        at % 2 === 0 ? mask() & mask() & mask() : mask(),
      );
      const covered = looks.filter((look) => added.some((one) => (look & ~one) === 0));
      expect(looks.filter((look) => table.has(look))).toEqual(covered);
    }
  },
);
