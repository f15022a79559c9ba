import { afterAll, expect, test } from 'vitest';
import { makeTestApp } from '../fakes/app.ts';
import { opened, say, unopened } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);

test('shows how many more words it takes and hides the best ones', async () => {
  const reply = await say(app, `next bfjm ${SIDES}`);
  expect(unopened(reply)).toContain('Words still needed: 1');
  expect(unopened(reply)).not.toMatch(/mcgk/i);
  expect(opened(reply)).toContain('Best next word:\n  MCGKDHLNBP (31%)');
});

test('uses only everyday words when asked', async () => {
  const reply = await say(app, 'next bfjmcg everyday');
  expect(opened(reply)).toContain('The rest of the solution:\n  GKDHLN – NBP');
  expect(reply.again?.options).toEqual({ date: '2026-11-20', words: 'bfjmcg', everyday: true });
});

test('reads sides with letters that repeat, typed bare', async () => {
  const reply = await say(app, 'next bcdb fgh jkl mnp bcdb bfjmcg');
  expect(reply.again?.options).toEqual({ sides: 'bcdb-fgh-jkl-mnp-bcdb', words: 'bfjmcg' });
});

test("the day's board, solved and stuck", async () => {
  expect(opened(await say(app, 'next bfjmcg'))).toContain('GKDHLNBP');
  expect(opened(await say(app, 'next bfjmcg gkdhlnbp'))).toContain('the board is solved');
  expect(opened(await say(app, 'next nbp'))).toContain('No word in the word list finishes from here');
  expect(unopened(await say(app, 'next bfjm nbp'))).toContain('NBP has to start with M');
});
