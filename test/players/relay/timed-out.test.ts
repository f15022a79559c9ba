import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { HOUR, MINUTE } from '../../../src/core/clock.ts';
import { endRelaysEachMinute, TimedOutRelays } from '../../../src/players/relay/timed-out.ts';
import { openTable, type RelayTable } from '../../commands/relay-table.ts';
import { opened } from '../../fakes/ask.ts';
import { DAY_THREAD } from '../../fakes/day-thread.ts';

/** No timer of its process runs in these tests, as after a restart. */
let table: RelayTable;
beforeEach(async () => {
  table = await openTable();
});
afterEach(() => table.world.close());

const after = (milliseconds: number) => {
  table.world.clock.time += milliseconds;
};
const titles = () => table.poster.messages.map(({ shown }) => shown.at(-1)!.title);
const edits = () => table.poster.messages.map(({ shown }) => shown.length - 1);

test('a relay whose process has ended loses its buttons a minute after its time', async () => {
  await table.tell('relay start');
  await table.tell('relay bfjmcg');
  const relays = new TimedOutRelays(table.world.app);
  for (const wait of [5 * HOUR, HOUR]) {
    after(wait);
    await relays.end('web');
    expect(titles()).toEqual([expect.stringMatching(/^Relay: /)]);
  }
  expect(JSON.stringify(table.shown())).toContain('Add a word');
  after(MINUTE);
  await relays.end('web');
  expect(titles()).toEqual([expect.stringMatching(/^Relay ended: /)]);
  expect(opened(table.shown())).toContain('nobody added a word for a while.');
  expect(JSON.stringify(table.shown())).not.toContain('Add a word');
  expect((await table.kept())?.relay.end).toBe('timed-out');
  await new TimedOutRelays(table.world.app).end('web');
  expect(edits()).toEqual([2]);
});

test('relays that are on, or have ended otherwise, stay as they are', async () => {
  await table.tell('relay start', 'ann', { thread: 'thread-2' });
  await table.tell('relay stop', 'ann', { thread: 'thread-2' });
  after(3 * HOUR);
  await table.tell('relay start');
  after(5 * HOUR);
  const before = [titles(), edits()];
  await new TimedOutRelays(table.world.app).end('web');
  expect([titles(), edits()]).toEqual(before);
});

test('one that can not be read keeps none of the others from their end', async () => {
  const { games } = table.world.store.tenant('web:local');
  await table.tell('relay start', 'ann', { thread: 'thread-2' });
  const [key, broken] = [`general ${DAY_THREAD.thread}`, 'general thread-2'];
  const { version, expiresAt } = (await games.get(broken, table.world.clock.time))!;
  await games.save(broken, { state: 1, version, people: [], expiresAt, now: table.world.clock.time });
  after(MINUTE);
  await table.tell('relay start');
  expect(await games.get(key, table.world.clock.time)).toBeDefined();
  after(7 * HOUR);
  await new TimedOutRelays(table.world.app).end('web');
  expect(titles().at(-1)).toMatch(/^Relay ended: /);
  expect(table.world.logged.map(({ message }) => message)).toContain(
    'A relay that timed out could not be ended.',
  );
});

test('they are looked for each minute where this process posts', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    await table.tell('relay start');
    after(7 * HOUR);
    const stop = endRelaysEachMinute(table.world.app, ['web', 'discord']);
    await vi.advanceTimersByTimeAsync(MINUTE);
    await expect.poll(titles).toEqual([expect.stringMatching(/^Relay ended: /)]);
    stop();
  } finally {
    vi.useRealTimers();
  }
});
