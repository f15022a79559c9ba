import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HOUR } from '../../src/core/clock.ts';
import { PostFailure } from '../../src/dispatch/poster.ts';
import { opened } from '../fakes/ask.ts';
import { openTable, type RelayTable } from './relay-table.ts';

let table: RelayTable;
let world: RelayTable['world'];
let poster: RelayTable['poster'];
beforeEach(async () => {
  table = await openTable();
  ({ world, poster } = table);
});
afterEach(() => world.close());

const tell: RelayTable['tell'] = (...asked) => table.tell(...asked);
const kept = () => table.kept();
const shown = () => table.shown();
const message = () => poster.messages.at(-1)!;

describe('the message of a relay', () => {
  const later = (retryAfter?: number) =>
    new PostFailure('later', 'slow down', retryAfter === undefined ? {} : { retryAfter });

  test('waits as long as the platform asks, then shows the current game', async () => {
    await tell('relay start');
    poster.failures.edit.push(later(2500), new PostFailure('unknown', 'no answer'));
    await tell('relay bfjmcg');
    expect(table.waits).toEqual([2500, 1000]);
    expect(opened(shown())).toContain('BFJMCG');
    expect(poster.messages).toHaveLength(1);
  });

  test.each(['invalid', 'refused'] as const)('is posted again when it can’t be edited (%s)', async (kind) => {
    await tell('relay start');
    poster.failures.edit.push(new PostFailure(kind, 'gone'));
    await tell('relay bfjmcg');
    expect(poster.messages).toHaveLength(2);
    expect(opened(shown())).toContain('BFJMCG');
    await tell('relay gkdhln', 'bob');
    expect(poster.messages.map(({ shown }) => shown.length)).toEqual([1, 2]);
    expect(new Set(poster.posts.map(({ key }) => key)).size).toBe(2);
  });

  test('is posted again a limited number of times', async () => {
    await tell('relay start');
    for (let hints = 1; hints <= 8; hints++) {
      poster.failures.edit.push(new PostFailure('invalid', 'gone'));
      await tell('relay hint', `p${hints}`);
    }
    expect(poster.messages).toHaveLength(5);
    expect((await kept())?.relay.hints).toBe(8);
  });

  test('is posted again when it is old and the platform limits its edits', async () => {
    await tell('relay start');
    world.clock.time += HOUR + 1;
    poster.failures.edit.push(later());
    await tell('relay bfjmcg');
    expect(poster.messages).toHaveLength(2);
    expect(opened(shown())).toContain('BFJMCG');
  });

  test('accepts a word even when the message can’t be updated', async () => {
    await tell('relay start');
    poster.failures.edit.push(later(), later(), later());
    expect((await tell('relay bfjmcg')).title).toBe('Word added');
    expect((await kept())?.relay.legs).toHaveLength(1);
    expect(world.logged.map(({ message }) => message)).toContain(
      'A relay’s message could not be updated. The next move tries again.',
    );
    await tell('relay gkdhln', 'bob');
    expect(opened(shown())).toContain('GKDHLN');
  });

  test('shows the end when the game times out', async () => {
    await tell('relay start');
    await tell('relay bfjmcg');
    await table.pass(5 * HOUR);
    await tell('relay gkdhln', 'bob');
    await table.pass(5 * HOUR);
    expect(shown().title).toMatch(/^Relay: /);
    await table.pass(HOUR);
    await eventually(() => expect(shown().title).toMatch(/^Relay ended: /));
    expect(opened(shown())).toContain('nobody added a word for a while.');
    expect((await kept())?.relay.end).toBe('timed-out');
    await table.pass(12 * HOUR);
    expect(message().shown).toHaveLength(4);
  });

  test('a timer of an earlier game does not end a later one', async () => {
    await tell('relay start');
    await tell('relay stop');
    await tell('relay start', 'bob');
    await table.pass(6 * HOUR);
    await eventually(() => expect(shown().title).toMatch(/^Relay ended: /));
    expect(opened(poster.messages[0]!.shown.at(-1)!)).toContain('Ended with letters left.');
    expect(poster.messages.map(({ shown }) => shown.length)).toEqual([2, 2]);
  });

  test('updates twice, not once for each, after many moves at once', async () => {
    await tell('relay start');
    let release: (value: unknown) => void = () => {};
    poster.beforeEdit = () => new Promise((resolve) => { release = resolve; }); // biome-ignore format: one line reads better
    const first = tell('relay hint', 'p0');
    await eventually(() => expect(release).not.toHaveLength(0));
    const rest = Array.from({ length: 9 }, (_, index) => tell('relay hint', `p${index + 1}`));
    await eventually(async () => expect((await kept())?.relay.hints).toBe(10));
    // The last one counted has not yet asked for the message to be drawn again.
    for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    poster.beforeEdit = async () => {};
    release(undefined);
    await Promise.all([first, ...rest]);
    expect(opened(shown())).toContain('Hints so far: 10');
    expect(message().shown.length).toBe(1 + 2);
  });
});

async function eventually(look: () => unknown): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      await look();
      return;
    } catch (error) {
      if (tries > 1000) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
