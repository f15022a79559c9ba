import { afterEach, beforeEach, expect, test } from 'vitest';
import { DAY } from '../../../src/core/clock.ts';
import { RELAY_TIMEOUT_MS } from '../../../src/players/relay/game.ts';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

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
