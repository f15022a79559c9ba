import { afterEach, expect, test } from 'vitest';
import { makeTestApp, someone, type TestApp } from '../../fakes/app.ts';
import { say } from '../../fakes/ask.ts';
import { house, WORDS } from '../../fakes/small-board.ts';

let world: TestApp;
afterEach(() => world.close());
const type = (line: string, id: string) => say(world.app, line, someone({ id }));

test('where games have no message, a game is shown to the person alone who asks for it', async () => {
  world = await makeTestApp({ words: WORDS, house });
  expect((await type('relay start', 'ann')).audience).toBe('everyone');
  expect((await type('relay show', 'bob')).audience).toBe('asker');
});
