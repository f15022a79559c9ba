import { afterAll, expect, test } from 'vitest';
import { makeTestApp } from '../fakes/app.ts';
import { opened, say, unopened } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);

test('hides the words and orders them by likelihood', async () => {
  const reply = await say(app, `words ${SIDES}`);
  expect(unopened(reply)).toContain('Playable words: 6');
  expect(unopened(reply)).not.toMatch(/nbp/i);
  expect(opened(reply)).toMatch(/90% or more: NBP, BFJMCG, GKDHLN\n {2}50% or more: BFJM\n {2}Under 50%/);
});

test.each([
  ['starts:G', ['GKDHLN', 'GKDHLNBP']],
  ['ends:p starts:g', ['GKDHLNBP']],
  ['uses:"m c"', ['BFJMCG', 'MCGKDHLNBP']],
  ['everyday sort:length', ['BFJMCG', 'GKDHLN', 'BFJM', 'NBP']],
  ['sort:length uses:kd', ['MCGKDHLNBP', 'GKDHLNBP', 'GKDHLN']],
])('%s', async (filter, words) => {
  const text = opened(await say(app, `words ${filter}`))
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .join('\n');
  expect(text.match(/[A-Z]{3,}/g)).toEqual(words);
});

test('rejects filters that are not letters', async () => {
  expect(unopened(await say(app, 'words starts:4'))).toContain(
    '"4" doesn’t work for starts. Type letters from a to z, like starts:m',
  );
});
