import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DAY, HOUR, MINUTE } from '../../../src/core/clock.ts';
import { RELAY_TIMEOUT_MS } from '../../../src/players/relay/game.ts';
import { dateAt } from '../../../src/puzzle/calendar.ts';
import { openTable, type RelayTable } from '../../commands/relay-table.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { opened, say } from '../../fakes/ask.ts';
import { DAY_THREAD } from '../../fakes/day-thread.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

describe('what is stored of a game', () => {
  let world: TestApp;
  beforeEach(async () => {
    world = await makeTestApp({ words: WORDS, house });
  });
  afterEach(() => world.close());

  const type = (line: string, id: string) => say(world.app, line, someone({ id }));
  const stored = () => world.store.tenant('web:local').games.get('general', world.clock.time);

  test('a game is stored for a day after the moment at which it would time out', async () => {
    await type('relay start', 'ann');
    const started = world.clock.time;
    world.clock.time = started + RELAY_TIMEOUT_MS + DAY - 1;
    expect(await stored()).toBeDefined();
    world.clock.time = started + RELAY_TIMEOUT_MS + DAY + 1;
    expect(await stored()).toBeUndefined();
  });

  test('a game that was ended is stored for a day', async () => {
    await type('relay start', 'ann');
    await type('relay stop', 'ann');
    world.clock.time += DAY - 1;
    expect(await stored()).toBeDefined();
    world.clock.time += 2;
    expect(await stored()).toBeUndefined();
  });

  test('a game is part of the data of everyone who added a word, not only of who started it', async () => {
    await type('relay start', 'ann');
    await type('relay bfjmcg', 'bob');
    for (const person of ['ann', 'bob']) {
      const [data] = await world.store.allPeople.export('web', person);
      expect(data?.games).toHaveLength(1);
    }
    expect(await world.store.allPeople.export('web', 'cleo')).toEqual([]);
  });

  test('where games have no message, a game is shown to the person alone who asks for it', async () => {
    expect((await type('relay start', 'ann')).audience).toBe('everyone');
    expect((await type('relay show', 'bob')).audience).toBe('asker');
  });
});

describe('the end of a game that nobody plays', () => {
  let table: RelayTable;
  beforeEach(async () => {
    table = await openTable();
  });
  afterEach(() => table.world.close());

  const titles = () => table.poster.messages.map(({ shown }) => shown.at(-1)!.title);
  const edits = () => table.poster.messages.map(({ shown }) => shown.length - 1);

  test('a relay loses its buttons six hours after the last word, whichever process posts then', async () => {
    await table.tell('relay start');
    await table.pass(HOUR);
    await table.tell('relay bfjmcg');
    await table.pass(6 * HOUR - 1);
    expect(titles()).toEqual([expect.stringMatching(/^Relay: /)]);
    expect(JSON.stringify(table.shown())).toContain('Add a word');
    await table.pass(1);
    expect(titles()).toEqual([expect.stringMatching(/^Relay ended: /)]);
    expect(opened(table.shown())).toContain('nobody added a word for a while.');
    expect(JSON.stringify(table.shown())).not.toContain('Add a word');
    expect((await table.kept())?.relay.end).toBe('timed-out');
    await table.pass(7 * HOUR);
    expect(edits()).toEqual([2]);
  });

  test('one that has ended otherwise stays as it is', async () => {
    await table.tell('relay start', 'ann', { thread: 'thread-2' });
    await table.tell('relay stop', 'ann', { thread: 'thread-2' });
    const before = [titles(), edits()];
    await table.pass(7 * HOUR);
    expect([titles(), edits()]).toEqual(before);
  });

  test('the end of a game is not that of the next one in its thread', async () => {
    const startedAt = table.world.clock.time;
    const where = { thread: 'thread-2' };
    await table.tell('relay start', 'ann', where);
    await table.tell('relay stop', 'ann', where);
    await table.pass(HOUR);
    await table.tell('relay start', 'ann', where);
    await table.pass(5 * HOUR);
    const { deliveries } = table.world.store.tenant('web:local');
    const end = await deliveries.get(`general thread-2 ${startedAt}`, dateAt(startedAt), 'relay-end');
    expect(end).toMatchObject({ state: 'skipped', reason: { code: 'relay-over' } });
  });

  test('one that can not be read keeps none of the others from their end', async () => {
    const { games } = table.world.store.tenant('web:local');
    await table.tell('relay start', 'ann', { thread: 'thread-2' });
    const [key, broken] = [`general ${DAY_THREAD.thread}`, 'general thread-2'];
    const now = table.world.clock.time;
    const { version } = (await games.get(broken, now))!;
    await games.save(broken, { state: 1, version, people: [], expiresAt: now + DAY, now });
    table.world.clock.time += MINUTE;
    await table.tell('relay start');
    expect(await games.get(key, table.world.clock.time)).toBeDefined();
    await table.pass(7 * HOUR);
    expect(titles().at(-1)).toMatch(/^Relay ended: /);
    expect(table.world.logged.map(({ message }) => message)).toContain(
      'A relay that timed out could not be ended.',
    );
  });
});
