import { expect, it } from 'vitest';
import { sortNumbers } from '../../src/solver/bits.ts';
import { random } from './random-boards.ts';

it.each([0, 1, 999, 1000, 5000])('%i numbers are sorted as by comparing them', (count) => {
  const next = random(count);
  const numbers = Float64Array.from({ length: count }, () => Math.floor(next() * 2 ** 26));
  expect(sortNumbers(numbers.slice(), 0, 26)).toEqual(numbers.toSorted());
});

it('the largest numbers are sorted by their upper bits, when the lower ones are in order', () => {
  const next = random(1);
  const numbers = Float64Array.from({ length: 3000 }, (_, at) => Math.floor(next() * 2 ** 35) * 2 ** 18 + at);
  expect(sortNumbers(numbers.slice(), 18, 53)).toEqual(numbers.toSorted());
});
