import { afterAll, expect, test } from 'vitest';
import { puzzleDays } from '../../../src/players/results/stats.ts';
import { dayLine } from '../../../src/players/reviews.ts';
import { spanOf } from '../../../src/puzzle/calendar.ts';
import { lineText } from '../../../src/reply/model/text.ts';
import { openStore } from '../../../src/store/open.ts';
import { makeFolder } from '../../store/folders.ts';
import { dayOf, resultOf } from '../made-up.ts';

const store = await openStore({ dataDir: makeFolder() });
afterAll(() => store.close());

const DAY = dayOf(4);
const lineOf = async (tenant: string, date = DAY, channel = 'general') => {
  const line = await dayLine(store, { tenant, channel }, date, true);
  return line && lineText(line);
};

test('says how many solved the day, without names or words', async () => {
  const { results } = store.tenant('web:one');
  expect(await lineOf('web:one')).toBeUndefined();
  await results.record(resultOf(DAY, { person: 'ann', words: 3, hints: 1 }));
  expect(await lineOf('web:one')).toBe('One person solved it.');
  await results.record(resultOf(DAY, { person: 'bob', words: 2, letters: 14 }));
  await results.record(resultOf(DAY, { person: 'cleo', words: 2, letters: 13, hints: 2 }));
  expect(await lineOf('web:one')).toBe('3 people solved it.');
  for (const other of [lineOf('web:one', dayOf(3)), lineOf('web:two'), lineOf('web:one', DAY, 'random')])
    expect(await other).toBeUndefined();
});

test('counts neither hidden people nor late results', async () => {
  const { results, people } = store.tenant('web:three');
  await results.record(resultOf(DAY, { person: 'ann', words: 2 }));
  await results.record(resultOf(DAY, { person: 'bob', words: 1, after: 30 * 3_600_000 }));
  await people.setHidden('ann', true);
  expect(await lineOf('web:three')).toBeUndefined();
  await people.setHidden('ann', false);
  expect(await lineOf('web:three')).toBe('One person solved it.');
});

test('names the leaders of the week after a Sunday', async () => {
  const { results, people } = store.tenant('web:four');
  const sunday = dayOf(6);
  await results.record(resultOf(dayOf(0), { person: 'ann' }));
  await results.record(resultOf(dayOf(1), { person: 'ann' }));
  await results.record(resultOf(dayOf(1), { person: 'bob' }));
  await results.record(resultOf(dayOf(1), { person: 'cleo' }));
  await results.record(resultOf(dayOf(-1), { person: 'dan' }));
  await people.setHidden('cleo', true);
  const week = 'Best of the week: 1. @ann (2 days), 2. @bob (1 day).';
  expect(await lineOf('web:four', sunday)).toBe(week);
  await results.record(resultOf(sunday, { person: 'eve', words: 9, hints: 7 }));
  expect(await lineOf('web:four', sunday)).toBe(
    `One person solved it. ${week.slice(0, -1)}, 3. @eve (1 day).`,
  );
  expect(await lineOf('web:four', dayOf(5))).toBeUndefined();
});

test('names only some of many people who share the first ranks', async () => {
  const { results } = store.tenant('web:five');
  for (let person = 0; person < 30; person++)
    await results.record(resultOf(dayOf(5), { person: `p${person}` }));
  expect((await lineOf('web:five', dayOf(6)))?.match(/@/g)).toHaveLength(5);
});

test('puzzleDays are the dates whose puzzle was stored while it was on', async () => {
  const keep = (index: number, source: string, at: number) =>
    store.puzzles.keep({ date: dayOf(index), source, puzzle: {}, at });
  await keep(0, 'newspaper', spanOf(dayOf(0)).from);
  await keep(1, 'house', spanOf(dayOf(1)).to - 1);
  await keep(2, 'newspaper', spanOf(dayOf(2)).to);
  await keep(3, 'newspaper', spanOf(dayOf(3)).to + 1);
  await keep(3, 'house', spanOf(dayOf(3)).from + 1);
  expect(await puzzleDays(store)).toEqual(new Set([dayOf(0), dayOf(1), dayOf(3)]));
});
