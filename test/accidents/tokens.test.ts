import { expect, onTestFinished, test } from 'vitest';
import { DiscordDoor } from '../../src/chat/discord/door.ts';
import { makeSlackDoor } from '../../src/chat/slack/door.ts';
import { makeManifest } from '../../src/chat/slack/manifest.ts';
import { makeDispatcher } from '../../src/dispatch/dispatcher.ts';
import { explainDoor } from '../../src/operations/lifecycle/doors.ts';
import { startDiscord } from '../chat/discord/start.ts';
import { makeTestApp } from '../fakes/app.ts';
import { startFakeDiscord } from '../fakes/discord/index.ts';
import { changePauses } from '../fakes/pauses.ts';
import { startFakeSlack } from '../fakes/slack/index.ts';
import { house, WORDS } from '../fakes/small-board.ts';

/** Milliseconds before a second attempt to connect to Slack. */
const FIRST_RECONNECT_MS = 500;

async function makeWorld() {
  const test = await makeTestApp({ words: WORDS, house });
  onTestFinished(() => test.close());
  return { app: test.app, dispatcher: makeDispatcher(test.app, { commands: [] }) };
}

test('a refused DISCORD_TOKEN is named by its setting, and what to do', async () => {
  const parts = await makeWorld();
  const discord = await startFakeDiscord();
  onTestFinished(() => discord.close());
  const door = new DiscordDoor({ ...parts, token: 'MTIz.wrong.token', apiUrl: discord.url });
  onTestFinished(() => door.stop());
  const error = await door.start().catch((caught: unknown) => caught);
  expect(explainDoor({}, door, error)).toMatch(
    /^The door discord can't be opened: Discord does not accept DISCORD_TOKEN\. Copy the token .* restart the bot\.$/,
  );
});

test.each(['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'])(
  'a refused %s is named by its setting, and what to do',
  async (name) => {
    const parts = await makeWorld();
    const slack = await startFakeSlack({ manifest: makeManifest({ commands: [] }) });
    onTestFinished(() => slack.close());
    const token = slack.install(slack.addWorkspace());
    const isBot = name === 'SLACK_BOT_TOKEN';
    const door = makeSlackDoor({
      ...parts,
      mode: { kind: 'socket', appToken: isBot ? slack.app.appToken : 'xapp-wrong' },
      workspaces: { kind: 'one', botToken: isBot ? 'xoxb-wrong' : token },
      apiUrl: slack.apiUrl,
    });
    onTestFinished(() => door.stop());
    const error = await door.start().catch((caught: unknown) => caught);
    expect(explainDoor({}, door, error)).toContain(`Slack does not accept ${name} (invalid_auth). Copy the`);
  },
);

test('while SLACK_APP_TOKEN is refused, each start asks Slack once, and the one that works connects twice', async () => {
  const parts = await makeWorld();
  const slack = await startFakeSlack({ manifest: makeManifest({ commands: [] }) });
  onTestFinished(() => slack.close());
  const door = makeSlackDoor({
    ...parts,
    mode: { kind: 'socket', appToken: 'xapp-early' },
    workspaces: { kind: 'one', botToken: slack.install(slack.addWorkspace()) },
    apiUrl: slack.apiUrl,
  });
  onTestFinished(() => door.stop());
  const pauses = changePauses((delay) => delay);
  for (let start = 0; start < 3; start++) await expect(door.start()).rejects.toThrow('SLACK_APP_TOKEN');
  // What waits to connect again ends with its start.
  const reconnects = pauses.mock.calls.filter(([delay]) => delay === FIRST_RECONNECT_MS);
  expect(reconnects.length).toBeGreaterThanOrEqual(3);
  expect(reconnects.filter(([, , options]) => options?.signal?.aborted !== true)).toEqual([]);
  slack.tokens.appToken('xapp-early');
  await door.start();
  await expect.poll(() => slack.sockets.count).toBe(2);
  expect(slack.sockets.opened).toBe(2);
  // Once it worked, a refusal may end by itself.
  slack.faults.inject({ kind: 'error', error: 'invalid_auth', method: 'apps.connections.open', times: 2 });
  slack.sockets.drop('cut');
  await expect.poll(() => slack.sockets.opened).toBe(4);
});

// developers/topics/opcodes-and-status-codes.mdx, "Gateway Close Event Codes".
test.each<[code: number, part: string, posts?: string]>([
  [4004, 'DISCORD_TOKEN', 'nothing is posted'],
  [4010, 'DISCORD_SHARDS'],
  [4011, 'DISCORD_SHARDS'],
  [4012, 'Update the bot'],
  [4013, 'intents'],
  [4014, 'intents'],
])('a gateway closed for good with %i says what that means and what goes on', async (code, part, posts) => {
  const started = await startDiscord();
  onTestFinished(() => started.close());
  const { discord, door, logged, guild, channel } = started;
  discord.gateway.drop(code);
  const line = () => logged.find(({ level, fields }) => level === 'error' && fields.code === code);
  await expect.poll(line).toBeDefined();
  started.allowErrors(line()!.message);
  expect(line()!.message).toContain(posts ?? 'daily threads are still posted');
  expect(line()!.message).toContain(part);
  expect(door.trouble()).toContain(part);
  const place = { tenant: `discord:${guild.id}`, channel: channel.id };
  expect(await door.poster.missingRequirements(place)).toEqual([]);
});
