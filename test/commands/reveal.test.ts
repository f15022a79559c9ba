import { afterAll, expect, test } from 'vitest';
import { HINT_STEPS } from '../../src/reply/replies/hint-steps.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, say, unopened } from '../fakes/ask.ts';
import { house, SIDES, WORDS } from '../fakes/small-board.ts';

const { app, store, close } = await makeTestApp({ words: WORDS, house });
afterAll(close);

test('shows the official, the shortest and the safest solutions, hidden and only to the asker', async () => {
  const reply = await say(app, 'reveal');
  expect(reply.audience).toBe('asker');
  expect(unopened(reply)).not.toMatch(/bfjm|gkdh/i);
  expect(opened(reply)).toContain('The solution this board was made from:\n  BFJMCG – GKDHLNBP');
  expect(opened(reply)).toContain('Best-known words (may be longer):\n  BFJMCG – GKDHLN – NBP');
  expect(unopened(reply)).toContain('House board, made by this bot');
});

test('counts as having seen all hints of that board and no other', async () => {
  const gus = someone({ id: 'gus' });
  await say(app, 'reveal', gus);
  const { hints } = store.tenant('web:local');
  expect((await hints.seen('gus', '2026-11-20')).sort()).toEqual([...HINT_STEPS].sort());
  expect(await hints.seen('gus', '2026-11-19')).toEqual([]);
});

test('reveals typed boards and boards of other days', async () => {
  expect((await say(app, `reveal ${SIDES}`)).title).toBe('Solution: BCD FGH JKL MNP');
  expect((await say(app, 'reveal yesterday')).title).toBe('Solution: Thursday, November 19, 2026');
  expect(unopened(await say(app, `reveal yesterday sides:${SIDES}`))).toContain('sides or a date, not both');
});
