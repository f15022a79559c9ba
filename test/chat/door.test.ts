import { afterEach, beforeEach, expect, it } from 'vitest';
import { SeenOnce } from '../../src/chat/door.ts';
import { HOUR, MINUTE } from '../../src/core/clock.ts';
import { makeTestApp, type TestApp } from '../fakes/app.ts';

let test: TestApp;
beforeEach(async () => {
  test = await makeTestApp();
});
afterEach(() => test.close());

it('what one platform sent is new when another one sends it', async () => {
  const { app, clock } = test;
  const until = clock.now() + MINUTE;
  const [discord, slack] = [new SeenOnce(app, 'discord'), new SeenOnce(app, 'slack')];
  expect(await discord.isRepeat('1', until)).toBe(false);
  expect(await slack.isRepeat('1', until)).toBe(false);
  expect(await discord.isRepeat('1', until)).toBe(true);
});

it('what has expired is new, to the process that received it, too', async () => {
  const { app, clock } = test;
  const seen = new SeenOnce(app, 'slack');
  expect(await seen.isRepeat('1', clock.now() + MINUTE)).toBe(false);
  clock.time += HOUR;
  expect(await seen.isRepeat('1', clock.now() + MINUTE)).toBe(false);
});
