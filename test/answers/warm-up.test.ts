import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { warmUp } from '../../src/answers/answer-work.ts';
import { readLexicon } from '../../src/wordlists/load.ts';

it('the warm-up of the solver lets other callbacks run in between', async () => {
  let isOver = false;
  let turns = 0;
  const counting = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  await warmUp(readLexicon(), new AbortController().signal);
  isOver = true;
  await counting;
  expect(turns).toBeGreaterThanOrEqual(10);
});
