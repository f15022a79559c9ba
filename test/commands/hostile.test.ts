/** Boards and words that made work without bound: each is answered at once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';

const manager = someone({ mayManage: true });
let test: TestApp;
beforeAll(async () => {
  test = await makeTestApp({ jobTimeout: 'of the bot' });
});
afterAll(() => test.close());

it.each([
  ['solve es es es es es es es es', /Fewest words/i],
  ['check words:sesses sides:"es es es es es es es es"', /sesses/i],
  ['words aeinst aeinst aein', /757/],
  ['next words:seats sides:"aeist aeist aeist"', /words? still needed|next word|solution/i],
  ['solve sides:"aer ist lno dcu aer ist lno dcu"', /24 letters and more than one A/],
  ['solve sides:"aer ist lno dcu aei"', /solution/i],
  ['solve ae ae ae ae ae ae st st', /120/],
  ['set es es es es es es es es', /^Board set for this channel/],
])('%s is answered', async (line, expected) => {
  const answer = opened(await say(test.app, line, manager));
  expect(answer).toMatch(expected);
  expect(answer).not.toMatch(/something went wrong/i);
});

it('refuses a word longer than the game takes', async () => {
  const answer = opened(await say(test.app, `check ${'se'.repeat(30)} sides:ozu-nri-lfa-mbt`));
  expect(answer).toMatch(/is too long for a word/);
});
