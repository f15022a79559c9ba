import { expect, test } from 'vitest';
import { makeTestApp } from './app.ts';
import { house, WORDS } from './small-board.ts';

test.each([
  ['a word of the solution', { typed: 'was it BFJMCG?' }, /the log tells bfjmcg/],
  ['an error that names one', { err: new Error('no gkdhlnbp here') }, /the log tells gkdhlnbp/],
  ['nothing of the kind', { tenant: 'web:local', milliseconds: 3 }, undefined],
])('a test app that logged %s says so as it closes', async (_, fields, trouble) => {
  const { app, close } = await makeTestApp({ words: WORDS, house });
  app.log.info(fields, 'something happened');
  if (trouble === undefined) await close();
  else await expect(close()).rejects.toThrow(trouble);
});
