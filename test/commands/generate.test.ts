import { afterAll, expect, test } from 'vitest';
import { shortSeed } from '../../commands/generate.ts';
import { HINT_STEPS } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp } from '../fakes/app.ts';
import { press, say, unopened } from '../fakes/ask.ts';

const { app, close } = await makeTestApp();
afterAll(close);

test('makes a new board each time, and the same one from the same seed', async () => {
  const [one, two] = [await say(app, 'generate'), await say(app, 'generate')];
  expect(one.title).not.toBe(two.title);
  expect(one.audience).toBe('everyone');
  expect((await press(app, one.again!)).title).toBe(one.title);
  expect((await say(app, 'generate seed:tea')).title).toBe((await say(app, 'generate seed:tea')).title);
});

test('makes up a seed of six letters that are easily told apart', async () => {
  const { again } = await say(app, 'generate');
  expect(again!.options?.seed).toMatch(/^[bcdfghjkmnpqrstvwxz]{6}$/);
  expect(shortSeed('a')).toBe(shortSeed('a'));
  expect(new Set(Array.from({ length: 500 }, (_, index) => shortSeed(`${index}`))).size).toBe(500);
});

test('makes a board of the difficulty and size asked for', async () => {
  expect((await say(app, 'generate hard')).title).toMatch(/^New hard board/);
  expect((await say(app, 'generate sides:5 letters:2')).title).toMatch(/: (\w\w ?){5}$/);
  expect(unopened(await say(app, 'generate sides:9'))).toContain('Type a whole number from 3 to 8');
  expect(unopened(await say(app, 'generate sides:8 letters:6'))).toContain('A board has 4 to 26');
});

test('has buttons for a hint, a check and another board', async () => {
  const { blocks } = await say(app, 'generate easy');
  const buttons = blocks.flatMap((block) => (block.kind === 'buttons' ? block.buttons : []));
  const action = (label: string) => buttons.find((button) => button.label === label)!.action;
  expect((await press(app, action('Hint'))).title).toContain(`Hint 1 of ${HINT_STEPS.length}`);
  expect((await press(app, action('Another board'))).title).toMatch(/^New easy board/);
});
