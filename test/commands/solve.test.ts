import { afterAll, expect, onTestFinished, test } from 'vitest';
import { COMMANDS } from '../../commands/index.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { formOf, opened, press, say, unopened } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS, house });
// A limit that is over at once, so that no machine is fast enough for the largest board.
const real = await makeTestApp({ patience: -1 });
afterAll(async () => {
  await close();
  await real.close();
});

test('shows counts openly and hides solutions', async () => {
  const reply = await say(app, `solve ${SIDES}`);
  expect(unopened(reply)).toContain('Playable words: 6\nFewest words: 2\nSolutions with 2 words: 2');
  expect(unopened(reply)).not.toMatch(/bfjm/i);
  expect(opened(reply)).toContain('BFJMCG – GKDHLNBP (39%)');
});

test('asks for sides unless a date is given', async () => {
  const dispatcher = makeDispatcher(app, { commands: COMMANDS });
  const form = formOf(dispatcher.prepareLine('solve words:3', someone()));
  expect(form.fields.map(({ name }) => name)).toEqual(['sides']);
  expect(form.action).toEqual({ command: 'solve', options: { words: 3 } });
  expect((await say(app, 'solve date:today')).title).toBe('Solutions: Friday, November 20, 2026');
});

test.each([
  ['words:3', /With 3 words:\n {2}BFJMCG – GKDHLN – NBP/, /SOLUTIONS WITH 2|Shortest/],
  ['exclude:bfjmcg', /BFJM – MCGKDHLNBP/, /BFJMCG/],
  ['require:bfjm', /BFJM – MCGKDHLNBP/, /BFJMCG – GKDHLNBP/],
  ['everyday', /BFJMCG – GKDHLN – NBP/, /GKDHLNBP/],
  ['all', /All solutions, likeliest first:\n {2}BFJMCG – GKDHLNBP.*\n {2}BFJM – MCGKDHLNBP/, /Safest/],
  ['each', /One for each first word/, /Safest/],
])('%s', async (option, there, notThere) => {
  const text = opened(await say(app, `solve ${SIDES} ${option}`));
  expect(text).toMatch(there);
  expect(text).not.toMatch(notThere);
});

test('refuses a required word that cannot be played', async () => {
  expect(unopened(await say(app, `solve ${SIDES} require:zzz`))).toContain('ZZZ can’t be required');
});

test('page after page of the same list, each asked for by the button before', async () => {
  const patient = await makeTestApp();
  onTestFinished(() => patient.close());
  const pages = new Set<string>();
  let reply = await say(patient.app, 'solve ozu nri lfa mbt words:3');
  for (let page = 1; page <= 3; page++) {
    expect(reply.replaces ?? false).toBe(page > 1);
    pages.add(opened(reply).split('With 3 words:')[1]!.split('% =')[0]!);
    const more = reply.blocks
      .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
      .find(({ label }) => label === 'More');
    reply = await press(patient.app, more!.action);
  }
  expect(pages.size).toBe(3);
  expect(unopened(reply)).toContain('Solutions 46 to 60.');
});

test('a board too large for the time gets a right answer and a plain word about it', async () => {
  const reply = await say(real.app, 'solve abcdef ghijkl mnop qrstu vwxyz');
  expect(unopened(reply)).toMatch(/Fewest words: at least \d, at most \d/);
  const [, solution = ''] = /maybe not the shortest:\n {2}(.*) \(/.exec(opened(reply)) ?? [];
  expect(new Set(solution.replace(/[^A-Z]/g, '')).size).toBe(26);
  expect(opened(reply).match(/maybe not the shortest/g)).toHaveLength(1);
});
