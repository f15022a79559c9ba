/** Reminders, days off and who is missing: what people type, and what they are answered. */

import { afterEach, describe, expect, test } from 'vitest';
import type { PuzzleDate } from '../../src/core/clock.ts';
import { addDays } from '../../src/puzzle/calendar.ts';
import type { Reply } from '../../src/reply/model/types.ts';
import { makeTestApp, someone, type TestApp, TODAY } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';
import { resultOf } from '../players/made-up.ts';
import { random } from '../solver/random-boards.ts';

const apps: TestApp[] = [];
afterEach(async () => {
  while (apps.length > 0) await apps.pop()!.close();
});

async function world() {
  const made = await makeTestApp();
  apps.push(made);
  const here = made.store.tenant('web:local');
  const type = async (line: string, asker: Parameters<typeof someone>[0] = {}, where = {}) =>
    say(made.app, line, someone({ id: 'ann', ...asker }, where));
  return { ...made, here, type, text: async (line: string, id = 'ann') => opened(await type(line, { id })) };
}

describe('remind', () => {
  test('takes the zone that the platform tells, else the channel’s', async () => {
    const { app, here, store } = await world();
    await here.subscriptions.save('general', { zone: 'Asia/Tokyo' }, { version: 0, by: 'm', at: 0 });
    await say(app, 'remind at 8', someone({ id: 'bob' }));
    await say(app, 'remind at 8', { ...someone({ id: 'cleo' }), zone: 'Europe/Paris' });
    expect(await here.reminders.get('bob')).toMatchObject({ zone: 'Asia/Tokyo' });
    expect(await here.reminders.get('cleo')).toMatchObject({ zone: 'Europe/Paris' });
    await say(app, 'remind at 9', someone({ id: 'bob' }, { tenant: 'web:away' }));
    expect(await here.reminders.get('bob')).toBeUndefined();
    expect(await store.tenant('web:away').reminders.get('bob')).toMatchObject({ at: '09:00' });
  });

  test('says why it ended', async () => {
    const { text, here } = await world();
    await text('remind at 19:00');
    const { setAt } = (await here.reminders.get('ann'))!;
    await here.reminders.end('ann', setAt, 'ignored');
    expect(await text('remind')).toContain('You didn’t play after 5 reminders in a row');
    await here.reminders.end('ann', setAt, 'undeliverable');
    expect(await text('remind')).toContain('couldn’t send you a private message');
  });

  test('and days off are in the export, and are erased', async () => {
    const { text, type, store } = await world();
    await text('remind at 19:00');
    await text('holiday 2 days');
    await text('missing join');
    const file = (await type('privacy export')).blocks.find(({ kind }) => kind === 'file');
    expect(JSON.parse((file as { content: string }).content).stored).toMatchObject([
      { listed: true, reminders: [{ at: '19:00' }], holidays: [{ date: TODAY }, { date: '2026-11-21' }] },
    ]);
    expect(await text('privacy delete')).toContain('It takes back 2 days off.');
    await text('privacy delete sure');
    expect(await store.allPeople.export('web', 'ann')).toEqual([]);
  });
});

describe('holiday', () => {
  test('keeps a streak over days that were announced, and stats show them', async () => {
    const { text, here, store, clock } = await world();
    for (let back = 3; back >= 0; back--) {
      const date = addDays(TODAY, -back);
      await store.puzzles.keep({ date, source: 'house', puzzle: {}, at: 0 });
      await here.results.record(resultOf(date, { person: 'ann' }));
      await here.results.record(resultOf(date, { person: 'bob' }));
    }
    expect(await text('holiday 5 days')).toContain('Days off: November 21 to November 25.');
    for (let day = 1; day <= 6; day++)
      await store.puzzles.keep({ date: addDays(TODAY, day), source: 'house', puzzle: {}, at: 0 });
    clock.time += 6 * 24 * 3_600_000;
    expect(await text('stats')).toContain('Streak: 4 days, today’s board still open');
    expect(await text('stats')).toContain('Days off this year: 5 of 30 (November 21 to November 25)');
    expect(await text('stats', 'bob')).toContain('Streak: 0 days');
    clock.time += 24 * 3_600_000;
    await store.puzzles.keep({ date: addDays(TODAY, 7), source: 'house', puzzle: {}, at: 0 });
    expect(await text('stats')).toContain('Streak: 0 days');
  });

  test('is bounded in a year, wherever on the platform it is announced, and taken back only for days to come', async () => {
    const { text, type, clock } = await world();
    await text('holiday 20 days');
    expect(opened(await type('holiday 2026-12-20 2026-12-30', {}, { tenant: 'web:away' }))).toContain(
      '10 days left',
    );
    // The same days again cost nothing, and the next year has its own.
    expect(await text('holiday 20 days')).toContain('20 of the 30 days off');
    expect(await text('holiday 2027-01-01 2027-01-30')).toContain('January 1 to January 30');
    clock.time += 5 * 24 * 3_600_000;
    expect(await text('holiday off')).toContain('5 of the 30 days off');
  });
});

describe('missing', () => {
  const solveOn = async ({ here }: Awaited<ReturnType<typeof world>>, person: string, ...back: number[]) => {
    for (const days of back)
      await here.results.record(resultOf(addDays(TODAY, -days) as PuzzleDate, { person }));
  };
  const named = (reply: Reply) => [...new Set(opened(reply).match(/@\w+/g))].sort();

  test('names regulars who agreed and have not solved the board, without a ping', async () => {
    const made = await world();
    const { type } = made;
    for (const person of ['ann', 'bob', 'cleo', 'dan', 'eve', 'finn']) await solveOn(made, person, 1, 3, 7);
    await solveOn(made, 'gus', 1, 7, 8);
    await solveOn(made, 'bob', 0);
    for (const id of ['ann', 'bob', 'cleo', 'dan', 'finn', 'gus']) await type('missing join', { id });
    await type('privacy hide', { id: 'cleo' });
    await type('holiday 1 day', { id: 'dan' });
    await type('missing leave', { id: 'finn' });
    const reply = await type('missing');
    expect(reply.audience).toBe('everyone');
    expect(named(reply)).toEqual(['@ann']);
    const elsewhere = await type('missing', {}, { channel: 'other' });
    expect(named(elsewhere)).toEqual([]);
    expect(opened(elsewhere)).toMatch(/Nobody is on the list right now\..*To join: .*missing join/s);
    await solveOn(made, 'ann', 0);
    expect(opened(await type('missing'))).toContain('Nobody on the list is missing.');
    expect(opened(await type('missing join', { id: 'cleo' }))).toContain('you hide from leaderboards');
  });

  test('names nobody who hides or did not agree, whatever people do', async () => {
    const made = await world();
    const { type } = made;
    const next = random(7);
    const people = ['ann', 'bob', 'cleo', 'dan', 'eve'];
    for (const person of people) await solveOn(made, person, 1, 2, 3);
    const listed = new Set<string>();
    const hidden = new Set<string>();
    for (let step = 0; step < 40; step++) {
      const id = people[Math.floor(next() * people.length)]!;
      const choice = Math.floor(next() * 4);
      await type(['missing join', 'missing leave', 'privacy hide', 'privacy unhide'][choice]!, { id });
      if (choice < 2) listed[choice === 0 ? 'add' : 'delete'](id);
      else hidden[choice === 2 ? 'add' : 'delete'](id);
      const expected = people.filter((person) => listed.has(person) && !hidden.has(person));
      expect(named(await type('missing', { id }))).toEqual(expected.map((person) => `@${person}`));
    }
  });
});
