/** Boards and words that made work without bound: each is answered at once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';

const manager = someone({ mayManage: true });
let test: TestApp;
beforeAll(async () => {
  test = await makeTestApp();
});
afterAll(() => test.close());

it.each([
  'solve es es es es es es es es',
  'check words:sesses sides:"es es es es es es es es"',
  'words aeinst aeinst aeinst aeinst',
  'next words:seats sides:"aeist aeist aeist aeist aeist"',
  'solve aer ist lno dcu aer ist lno dcu',
  'solve ae ae ae ae ae ae st st',
  'set es es es es es es es es',
])('%s is refused with the reason', async (line) => {
  const answer = opened(await say(test.app, line, manager));
  expect(answer).toMatch(/repeats letters \d+ times; at most 4 repeats can be solved/);
});

it('stores no board that it refuses', async () => {
  await say(test.app, 'set es es es es es es es es', manager);
  expect(opened(await say(test.app, 'today'))).not.toContain('E S');
});

it('refuses a word longer than the game takes', async () => {
  const answer = opened(await say(test.app, `check ${'se'.repeat(30)} sides:ozu-nri-lfa-mbt`));
  expect(answer).toMatch(/60 letters; the game takes words of at most 40/);
});
