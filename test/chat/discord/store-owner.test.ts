import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../../commands/index.ts';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { makeDispatcher } from '../../../src/dispatch/dispatcher.ts';
import { makeTestApp, type TestApp } from '../../fakes/app.ts';
import { type FakeDiscord, startFakeDiscord } from '../../fakes/discord/index.ts';
import type { Channel, Guild } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { postsIn } from './posts.ts';

const OTHER = '7'.repeat(18);
/** A server that has the other application only. */
const ITS_SERVER = `discord:${'9'.repeat(18)}`;

let test: TestApp;
let discord: FakeDiscord;
let door: DiscordDoor;
let guild: Guild;
let channel: Channel;

beforeEach(async () => {
  test = await makeTestApp({ words: WORDS, house });
  discord = await startFakeDiscord({ clock: test.clock });
  guild = discord.world.addGuild('Word club');
  channel = discord.world.addChannel(guild);
  const dispatcher = makeDispatcher(test.app, { commands: COMMANDS });
  door = new DiscordDoor({ app: test.app, dispatcher, token: discord.token, apiUrl: discord.url });
  await test.store.tenant(ITS_SERVER).subscriptions.save('1', {}, { version: 0, by: 'a', at: 0 });
  await test.store.applications.put('discord', OTHER);
});
afterEach(async () => {
  await door.stop();
  await discord.close();
  await test.close();
});

const removed = async () => {
  const tenants = await test.store.allTenants.tenants('discord');
  return tenants.filter((tenant) => tenant.removed).map(({ tenant }) => tenant);
};
const open = () => postsIn({ door, guild }, channel).opening();

describe('with the token of another application than the one of the database', () => {
  it('does not start, and says which applications they are and how to move', async () => {
    const { id } = discord.world.application;
    await expect(door.start()).rejects.toThrow(
      `DISCORD_TOKEN belongs to application ${id}, and the database to application ${OTHER}`,
    );
    await expect(door.start()).rejects.toThrow(`db application ${id}`);
    expect(await removed()).toEqual([]);
    expect(discord.world.commands.size).toBe(0);
  });

  it('posts nothing from a process that opens no door, and says why once', async () => {
    for (let times = 0; times < 2; times++) await expect(open()).rejects.toMatchObject({ kind: 'later' });
    expect(discord.world.messagesOf(channel.id)).toEqual([]);
    const errors = test.logged.filter(({ level }) => level === 'error').map(({ message }) => message);
    expect(errors).toEqual([
      expect.stringContaining('Nothing is posted. DISCORD_TOKEN belongs to application'),
    ]);
    test.expectErrors(...errors);
  });

  it('starts once the operator has moved the database to it, and then counts removals', async () => {
    await test.store.applications.put('discord', discord.world.application.id);
    await door.start();
    await expect.poll(removed).toEqual([ITS_SERVER]);
    expect((await open()).message).toBeDefined();
  });
});

it('waits with posts while Discord does not say which application it is', async () => {
  await test.store.applications.put('discord', discord.world.application.id);
  discord.fault({ on: 'GET /applications/@me', what: { status: 500 }, times: 9 });
  await expect(open()).rejects.toMatchObject({ kind: 'later' });
});
