/** Leaderboards, where `transcripts/results.txt` can't say it. */
import { afterAll, expect, test } from 'vitest';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { dayOf, resultOf } from '../players/made-up.ts';
import { buttons } from '../reply/look.ts';

const { app, store, close } = await makeTestApp();
afterAll(close);

/** Its table as text, one space between two cells. */
const rows = (reply: Reply) =>
  (opened(reply).match(/^ *\d+ {2}.*$/gm) ?? []).map((row) => row.trim().replace(/ +/g, ' '));
const person = (id: string) => someone({ id }, { tenant: 'web:many' });

test('has pages, with the asker’s own row on each, and people as platforms can name them', async () => {
  const { results } = store.tenant('web:many');
  for (let index = 0; index < 25; index++)
    await results.record(resultOf(dayOf(0), { person: `p${index}`, after: index }));
  const first = await say(app, 'leaderboard', person('x'));
  expect(
    first.blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : [])).flat(),
  ).toContainEqual({
    person: 'p0',
  });
  expect(rows(first)).toHaveLength(10);
  expect(opened(first)).toContain('Places 1 to 10 of 25.');
  const last = await say(app, 'leaderboard page:3', person('x'));
  expect(rows(last).map((row) => row.split(' ')[0])).toEqual(['21', '22', '23', '24', '25']);
  expect(rows(await say(app, 'leaderboard', person('p21'))).slice(10)).toEqual(['22 @p21 1 2 12 0']);
  expect(rows(await say(app, 'leaderboard page:3', person('p21')))).toHaveLength(5);
  const more = buttons(first).find(({ label }) => label === 'More')!;
  expect(rows(await press(app, more.action, person('x')))[0]).toMatch(/^11 @p10 /);
});
