/** Reminders, where `transcripts/people.txt` can’t say it. */

import { afterEach, expect, test } from 'vitest';
import { makeTestApp, someone, type TestApp } from '../fakes/app.ts';
import { opened, say } from '../fakes/ask.ts';

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

test('remind takes the zone of the channel, and replaces a reminder that was set elsewhere', async () => {
  const { app, here, store } = await world();
  await here.subscriptions.save('general', { zone: 'Asia/Tokyo' }, { version: 0, by: 'm', at: 0 });
  await say(app, 'remind at 8', someone({ id: 'bob' }));
  expect(await here.reminders.get('bob')).toMatchObject({ zone: 'Asia/Tokyo' });
  await say(app, 'remind at 9', someone({ id: 'bob' }, { tenant: 'web:away' }));
  expect(await here.reminders.get('bob')).toBeUndefined();
  expect(await store.tenant('web:away').reminders.get('bob')).toMatchObject({ at: '09:00' });
});

test('remind says why it ended', async () => {
  const { text, here } = await world();
  await text('remind at 19:00');
  const { setAt } = (await here.reminders.get('ann'))!;
  await here.reminders.end('ann', setAt, 'ignored');
  expect(await text('remind')).toContain('You didn’t play after 5 reminders in a row');
  await here.reminders.end('ann', setAt, 'undeliverable');
  expect(await text('remind')).toContain('couldn’t send you a private message');
});

test('remind off ends the reminder of nobody who has the same id in another workspace of Slack', async () => {
  const { app, store } = await world();
  const inWorkspace = (tenant: string) => ({ ...someone({ id: 'U1' }, { tenant }), door: 'slack' as const });
  for (const tenant of ['slack:T1', 'slack:T2']) await say(app, 'remind at 19:00', inWorkspace(tenant));
  await say(app, 'remind off', inWorkspace('slack:T1'));
  const reminderIn = (tenant: string) => store.tenant(tenant).reminders.get('U1');
  expect(await reminderIn('slack:T1')).toBeUndefined();
  expect(await reminderIn('slack:T2')).toMatchObject({ state: 'on' });
});
