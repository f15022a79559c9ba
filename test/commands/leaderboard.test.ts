/** Leaderboards, where `transcripts/results.txt` can't say it. */
import { afterAll, expect, test } from 'vitest';
import { DAY } from '../../src/core/clock.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, NOON, someone, TODAY } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { sendStep } from '../fakes/day-thread.ts';
import { house, WORDS } from '../fakes/small-board.ts';
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

test('shows the titles of a day once its thread has told how many words it takes, or the day is over', async () => {
  const small = await makeTestApp({ words: WORDS, house });
  const { results, channelResults } = small.store.tenant('web:local');
  const solved = { channel: 'general', letters: 14, after: 3_600_000 };
  await results.record(resultOf(TODAY, { ...solved, person: 'ann' }));
  await results.record(resultOf(TODAY, { ...solved, person: 'ben', words: 3, letters: 16 }));
  await results.record(resultOf(TODAY, { ...solved, person: 'cleo', afterSolution: true }));
  await results.record(resultOf(TODAY, { ...solved, person: 'dan', reported: true }));
  const shown = async (line: string) => rows(await say(small.app, line));
  const untitled = ['1 @ann 2 14 0 0', '2 @ben 3 16 0 0', '3 @cleo 2 14 0 0', '4 @dan 2 14 0 1'];
  const titled = ['1 @ann Legend 2 14 0 0', '2 @ben Architect 3 16 0 0', ...untitled.slice(2)];
  expect(await shown('leaderboard day')).toEqual(untitled);
  await sendStep(
    small.store,
    { tenant: 'web:local', channel: 'general', date: TODAY, step: 'count' },
    NOON - 1,
  );
  expect(await shown('leaderboard day')).toEqual(titled);
  expect(await shown('leaderboard week')).not.toContain('Legend');
  small.clock.time += DAY;
  expect(await shown('leaderboard day date:yesterday')).toEqual(titled);
  // Results of a board that the day no longer has are not ranked, and those of another one have no title.
  await channelResults.setBoard('general', TODAY, 'other');
  expect(await shown('leaderboard day date:yesterday')).toEqual([]);
  await small.close();
});
