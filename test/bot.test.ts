import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { mayBeMoved, startBot } from '../src/bot.ts';
import { readConfig } from '../src/config/config.ts';
import { SQLITE_FILE } from '../src/store/store.ts';
import { quiet } from './daily/ground.ts';
import { makeFolder } from './fakes/folder.ts';

test.each([
  ['the local chat on house boards', { PUZZLE_SOURCE: 'house' }, true],
  ['the newspaper, which would be asked for boards to come', { PUZZLE_SOURCE: 'newspaper' }, false],
  ['Discord, whose posts go by it', { PUZZLE_SOURCE: 'house', DISCORD_TOKEN: 'a.b.c' }, false],
])('whether people may move the clock of a bot with %s', (_, settings, may) => {
  expect(mayBeMoved(readConfig({ WEB_CHAT: 'on', ...settings }))).toBe(may);
});

test('a command in a suspended channel reactivates it', async () => {
  const dataDir = makeFolder();
  const settings = { DATA_DIR: dataDir, PORT: '0', WEB_CHAT: 'on', WEB_PORT: '0', PUZZLE_SOURCE: 'house' };
  const bot = await startBot(readConfig(settings), quiet);
  onTestFinished(() => bot.stop());
  const url = bot.chatUrl ?? expect.fail('no local chat');
  const say = (line: string) =>
    fetch(`${url}say`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: new URL(url).origin },
      body: JSON.stringify({ person: 'ada', line }),
    });
  await say('daily on');
  const database = new DatabaseSync(join(dataDir, SQLITE_FILE));
  onTestFinished(() => database.close());
  const state = database.prepare('select state from subscription');
  await expect.poll(() => state.get()).toEqual({ state: 'active' });
  database.exec("update subscription set state = 'suspended'");
  await say('about');
  await expect.poll(() => state.get()).toEqual({ state: 'active' });
});
