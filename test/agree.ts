import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';

/**
 * As `expect` has it, for loops of many thousands: that takes far longer than what is tested, where it has nothing to say.
 *
 * @param label names the case, such as by its seed
 */
export function agree<Value>(label: string, ours: Value, theirs: Value): void {
  if (!isDeepStrictEqual(ours, theirs)) expect(ours, label).toEqual(theirs);
}
