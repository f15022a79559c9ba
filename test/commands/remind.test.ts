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
});

describe('missing', () => {
  const solveOn = async ({ here }: Awaited<ReturnType<typeof world>>, person: string, ...back: number[]) => {
    for (const days of back)
      await here.results.record(resultOf(addDays(TODAY, -days) as PuzzleDate, { person }));
  };
  const named = (reply: Reply) => [...new Set(opened(reply).match(/@\w+/g))].sort();

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
