/** Missing requirements are shown when the daily thread is switched on, in the words of Discord's own settings. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Poster } from '../../../src/dispatch/poster.ts';
import type { Permission } from '../../fakes/discord/permissions.ts';
import { CHANNEL, type Channel, type User } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { postsIn } from './posts.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
let owner: User;
beforeAll(async () => {
  const posterOf = (): Poster => started.door.poster;
  started = await startDiscord({ app: { words: WORDS, house, posterOf }, fake: { limits: false } });
  const { world } = started.discord;
  owner = world.addUser('owner');
  world.addMember(started.guild, owner, [world.addRole(started.guild, 'Managers', ['MANAGE_GUILD']).id]);
});
afterAll(() => started.close());

async function switchOn(channel: Channel): Promise<string> {
  // The rate limit counts a person's commands over half a minute.
  started.clock.time += 60_000;
  const asked = { channel, user: owner, name: 'letterboxed', subcommand: 'daily', options: { do: 'on' } };
  return (await started.discord.command(asked)).text;
}

const NEEDED: [Permission, string][] = [
  ['VIEW_CHANNEL', 'View Channel'],
  ['SEND_MESSAGES', 'Send Messages'],
  ['CREATE_PUBLIC_THREADS', 'Create Public Threads'],
  ['SEND_MESSAGES_IN_THREADS', 'Send Messages in Threads'],
  ['EMBED_LINKS', 'Embed Links'],
  ['ATTACH_FILES', 'Attach Files'],
];

describe('the daily thread, switched on', () => {
  it.each(NEEDED)(
    'in a channel without %s: names the permission and how to grant it',
    async (permission, name) => {
      const { discord, guild } = started;
      const channel = discord.world.addChannel(guild);
      discord.world.deny(channel, permission);
      const text = await switchOn(channel);
      expect(text).toContain('I can’t post here yet.');
      expect(text).toContain(`the permission "${name}"`);
      expect(text).toContain('then Permissions, add this bot');
      // Without View Channel, a member has no other permission in a channel either.
      const others = NEEDED.filter(([, other]) => other !== name && text.includes(`permission "${other}"`));
      expect(others.length).toBe(permission === 'VIEW_CHANNEL' ? NEEDED.length - 1 : 0);
      discord.world.deny(channel);
      expect(await switchOn(channel)).not.toContain('I can’t post here yet.');
    },
  );

  it('by a person who installed the bot for themselves: refuses to post in a server’s channel', async () => {
    const { discord, guild, store, clock, door } = started;
    const guest = discord.world.addUser('guest');
    const channel = discord.world.addChannel(guild);
    clock.time += 60_000;
    const asked = { channel, user: guest, name: 'letterboxed', subcommand: 'daily', options: { do: 'on' } };
    const seen = await discord.command({ ...asked, userInstalled: true });
    expect(seen.text).toContain('a server or workspace that I’m in');
    const tenant = `discord:@${guest.id}`;
    expect(await store.tenant(tenant).subscriptions.list()).toEqual([]);
    // Nor if such a subscription existed.
    const channelRef = { tenant, channel: channel.id };
    expect(await door.poster.missingRequirements(channelRef)).toMatchObject([
      { what: expect.stringContaining('was added to') },
    ]);
    await expect(postsIn(started, channel).opening({ channel: channelRef })).rejects.toMatchObject({
      kind: 'refused',
    });
    expect(discord.world.messagesOf(channel.id)).toHaveLength(0);
  });

  it('in a voice channel: says which kinds of channels it takes', async () => {
    const { discord, guild } = started;
    expect(await switchOn(discord.world.addChannel(guild, CHANNEL.voice))).toContain(
      'Use a text, announcement or forum channel',
    );
  });

  it('in a forum’s post: checks the requirements of the forum', async () => {
    const { discord, guild } = started;
    const forum = discord.world.addChannel(guild, CHANNEL.forum, { tags: ['daily'], requireTag: true });
    const { thread } = await postsIn(started, forum).opening();
    const post = discord.world.channels.get(thread!)!;
    discord.world.deny(forum, 'CREATE_PUBLIC_THREADS');
    expect(await switchOn(post)).not.toContain('I can’t post here yet.');
    forum.available_tags = [];
    expect(await switchOn(post)).toContain('a tag that I may use');
    discord.world.deny(forum, 'SEND_MESSAGES');
    expect(await switchOn(post)).toContain('the permission "Send Messages"');
  });
});
