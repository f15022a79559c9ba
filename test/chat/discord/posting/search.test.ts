import { describe, expect, it } from 'vitest';
import { markOf } from '../../../../src/chat/discord/posting/search.ts';

describe('the mark of a post', () => {
  it('is a valid component id, and differs between posts', () => {
    const marks = Array.from({ length: 5_000 }, (_, at) => markOf(`key ${at}`));
    expect(marks.every((mark) => Number.isInteger(mark) && mark > 0 && mark < 2 ** 31)).toBe(true);
    expect(new Set(marks).size).toBeGreaterThan(4_990);
  });
});
