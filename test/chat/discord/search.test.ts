import type { REST } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { findMarked, markOf } from '../../../src/chat/discord/search.ts';
import { MINUTE } from '../../../src/core/clock.ts';

describe('the mark of a post', () => {
  it('is a valid component id, and differs between posts', () => {
    const marks = Array.from({ length: 5_000 }, (_, at) => markOf(`key ${at}`));
    expect(marks.every((mark) => Number.isInteger(mark) && mark > 0 && mark < 2 ** 31)).toBe(true);
    expect(new Set(marks).size).toBeGreaterThan(4_990);
  });
});

describe('the search for a post', () => {
  const SINCE = Date.UTC(2026, 10, 20, 13);
  const idAt = (moment: number, nth: number) =>
    String((BigInt(moment - Date.UTC(2015, 0)) << 22n) + BigInt(nth));

  it.each([
    ['goes on while Discord’s clock may be behind ours', 4 * MINUTE, true],
    ['ends at messages that are surely older', 6 * MINUTE, false],
  ])('%s', async (_, before, isFound) => {
    const messageAt = (moment: number, nth: number, id?: number) => ({
      id: idAt(moment, nth),
      author: { id: 'me' },
      ...(id !== undefined && { components: [{ id }] }),
    });
    const full = Array.from({ length: 100 }, (_, at) => messageAt(SINCE - before, 100 - at));
    const marked = messageAt(SINCE - before, 0, 7);
    const pages = [full, [marked]];
    const rest = { get: async () => pages.shift() } as unknown as REST;
    const { found } = await findMarked(rest, { channel: '1', marks: [7], me: 'me', since: SINCE });
    expect(found.get(7)).toBe(isFound ? marked.id : undefined);
  });
});
