import { afterAll, describe, expect, test } from 'vitest';
import { addDays } from '../../src/puzzle/calendar.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, someone } from '../fakes/app.ts';
import { opened, press, say } from '../fakes/ask.ts';
import { dayOf, MONDAY, resultOf } from '../players/made-up.ts';

const { app, store, close } = await makeTestApp();
afterAll(close);

const { results, people } = store.tenant('web:local');
/** Its table as text, one space between two cells. */
const rows = (reply: Reply) =>
  (opened(reply).match(/^ *\d+ {2}.*$/gm) ?? []).map((row) => row.trim().replace(/ +/g, ' '));
const button = (reply: Reply, label: string) =>
  reply.blocks
    .flatMap((block) => (block.kind === 'buttons' ? block.buttons : []))
    .find((one) => one.label === label)!.action;

describe('leaderboard', () => {
  test('says when there are no results yet', async () => {
    expect(opened(await say(app, 'leaderboard'))).toContain('No results yet');
  });

  test('shows the week, the month, all time or a day, people by their ids, for everyone', async () => {
    await results.record(resultOf(dayOf(0), { person: 'ann', words: 2 }));
    await results.record(resultOf(dayOf(4), { person: 'ann', words: 3, hints: 1 }));
    await results.record(resultOf(dayOf(4), { person: 'bob', words: 2 }));
    await results.record(resultOf(addDays(MONDAY, -1), { person: 'bob', words: 2 }));
    await results.record(resultOf(addDays(MONDAY, -2), { person: 'bob', words: 2 }));
    await results.record(resultOf(addDays(MONDAY, -30), { person: 'ann' }));
    await results.record(resultOf(addDays(MONDAY, -31), { person: 'ann' }));
    const week = await say(app, 'leaderboard');
    expect(week).toMatchObject({
      title: 'Leaderboard: week of November 16, 2026',
      audience: 'everyone',
    });
    expect(rows(week)).toEqual(['1 @ann 2 2.5 12 0.5', '2 @bob 1 2 12 0']);
    const cells = week.blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : [])).flat();
    expect(cells).toContainEqual({ person: 'ann' });
    const month = await say(app, 'leaderboard month');
    expect(month.title).toBe('Leaderboard: November 2026');
    expect(rows(month)[0]).toMatch(/^1 @bob 3 /);
    const all = await say(app, 'leaderboard period:all');
    expect(all.title).toBe('Leaderboard: all time');
    expect(rows(all)[0]).toMatch(/^1 @ann 4 /);
    const day = await say(app, 'leaderboard day');
    expect(rows(day)).toEqual(['1 @bob 2 12 0', '2 @ann 3 12 1']);
    expect(opened(day)).toContain('Order: fewest words, then fewest letters,');
  });

  test('has buttons to the period before and to other periods, which replace the message', async () => {
    const week = await say(app, 'leaderboard');
    const before = await press(app, button(week, 'The week before'));
    expect(before).toMatchObject({
      title: 'Leaderboard: week of November 9, 2026',
      replaces: true,
    });
    expect(rows(before)).toEqual(['1 @bob 2 2 12 0']);
    expect((await press(app, button(before, 'This month'))).title).toBe('Leaderboard: November 2026');
    for (const line of ['week 2026-11-15', 'last week', 'week date:Last'])
      expect((await say(app, `leaderboard ${line}`)).title).toBe(before.title);
    expect((await say(app, 'leaderboard this week')).title).toBe(week.title);
    expect(opened(await say(app, 'leaderboard review last month'))).toContain('October 2026');
    expect((await say(app, 'leaderboard all last')).isMistake).toBe(true);
  });

  test('stays private when it is opened from a private answer', async () => {
    const own = await press(app, button(await say(app, 'stats'), 'Leaderboard'));
    expect(own).toMatchObject({ title: 'Leaderboard: week of November 16, 2026', audience: 'asker' });
    for (const label of ['The week before', 'This month', 'All time']) {
      const other = await press(app, button(own, label));
      expect(other).toMatchObject({ audience: 'asker', replaces: true });
      expect(button(other, 'Today').options).toMatchObject({ private: true });
    }
  });

  test('leaves out hidden people completely, until they unhide', async () => {
    await people.setHidden('ann', true);
    expect(rows(await say(app, 'leaderboard'))).toEqual(['1 @bob 1 2 12 0']);
    expect(opened(await say(app, 'leaderboard', someone({ id: 'ann' })))).not.toContain('ann');
    await people.setHidden('ann', false);
    expect(rows(await say(app, 'leaderboard'))).toHaveLength(2);
  });

  test('shows the results of its channel alone', async () => {
    for (const where of [{ channel: 'random' }, { tenant: 'web:away' }])
      expect(rows(await say(app, 'leaderboard', someone({}, where)))).toEqual([]);
  });

  test('names the month of its review once', async () => {
    expect(opened(await say(app, 'leaderboard review')).match(/November 2026/g)).toHaveLength(1);
  });

  test('has pages', async () => {
    for (let person = 0; person < 25; person++)
      await store
        .tenant('web:many')
        .results.record(resultOf(dayOf(0), { person: `p${person}`, after: person }));
    const asker = someone({}, { tenant: 'web:many' });
    const first = await say(app, 'leaderboard', asker);
    expect(rows(first)).toHaveLength(10);
    expect(opened(first)).toContain('Places 1 to 10 of 25.');
    const last = await say(app, 'leaderboard page:3', asker);
    expect(rows(last).map((row) => row.split(' ')[0])).toEqual(['21', '22', '23', '24', '25']);
    // The asker's own row is on every page.
    const late = someone({ id: 'p21' }, { tenant: 'web:many' });
    expect(rows(await say(app, 'leaderboard', late)).at(-1)).toBe('22 @p21 1 2 12 0');
    expect(rows(await say(app, 'leaderboard', late))).toHaveLength(11);
    expect(rows(await say(app, 'leaderboard page:3', late))).toHaveLength(5);
    expect(rows(await press(app, button(first, 'More'), asker))[0]).toMatch(/^11 @p10 /);
  });
});
