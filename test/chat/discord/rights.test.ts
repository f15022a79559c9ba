import { PermissionFlagsBits, type REST, Routes } from 'discord.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeClient } from '../../../src/chat/discord/rest.ts';
import { makeAccess, REQUIREMENTS } from '../../../src/chat/discord/rights.ts';
import { HOUR, MINUTE } from '../../../src/core/clock.ts';
import type { Posted, Poster } from '../../../src/dispatch/poster.ts';
import { INTENT } from '../../fakes/discord/gateway.ts';
import { bitsOf, CHANNEL, type Channel, type Permission, type User } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { postsIn, type Started, startDiscord } from './start.ts';

let started: Started;
beforeAll(async () => {
  const posterOf = (): Poster => started.door.poster;
  started = await startDiscord({ app: { words: WORDS, house, posterOf }, fake: { limits: false } });
});
afterAll(() => started.close());

let keys = 0;
const postsOf = (channel = started.channel) => {
  const { opening, step } = postsIn(started, channel);
  return {
    opening: (more = {}) => opening({ key: `key-${keys++}`, ...more }),
    step: (thread: Posted) => step(thread, { key: `key-${keys++}` }),
  };
};

/** The number of requests for permissions, of all or of those that an action makes. */
const asked = () => started.discord.requests.filter(({ method }) => method === 'GET').length;
const askedBy = async (act: () => Promise<unknown>) => {
  started.discord.forgetRequests();
  await act();
  return asked();
};
describe('a timeout', () => {
  const { ViewChannel, ManageChannels, ManageGuild, ModerateMembers, Administrator } = PermissionFlagsBits;
  const until = '2027-01-01T00:00:00Z';
  const now = Date.parse(until) - MINUTE;
  /** What a member may do in channel 2 of server 1, whose role for everyone has these permissions. */
  const accessOf = async (everyone: bigint, at = now) => {
    const answers: Record<string, object> = {
      [Routes.channel('2')]: { id: '2', type: 0, guild_id: '1', permission_overwrites: [] },
      [Routes.guild('1')]: { id: '1', owner_id: '6', roles: [{ id: '1', permissions: String(everyone) }] },
      [Routes.guildMember('1', '9')]: {
        roles: ['4'],
        communication_disabled_until: until,
        user: { id: '9' },
      },
    };
    const rest = { get: async (route: string) => answers[route] } as unknown as REST;
    const client = makeClient(rest);
    const accessTo = makeAccess(client, { now: () => at }, async () => '9');
    const access = await accessTo({ tenant: 'discord:1', channel: '2' });
    // Nobody would ever remove them.
    const { users, guilds, channels } = client;
    expect([users.cache.size, guilds.cache.size, channels.cache.size]).toEqual([0, 0, 0]);
    return access;
  };

  it('binds a member until it is over, moderators too, and nobody who is an administrator', async () => {
    expect(await accessOf(ViewChannel)).toMatchObject({ isTimedOut: true });
    const moderator = ViewChannel | ManageChannels | ManageGuild | ModerateMembers;
    expect(await accessOf(moderator)).toMatchObject({ isTimedOut: true });
    expect(await accessOf(ViewChannel, Date.parse(until))).toMatchObject({ isTimedOut: false });
    expect(await accessOf(Administrator)).toMatchObject({ isTimedOut: false });
  });
});

describe('permissions are requested', () => {
  it('for a first opening', async () => {
    expect(await askedBy(postsOf().opening)).toBe(3);
  });

  it('for no step of a day, which Discord refuses by itself: then it is looked up what is missing', async () => {
    const { discord, channel } = started;
    const { opening, step } = postsOf();
    const opened = await opening();
    expect(await askedBy(() => step(opened))).toBe(0);
    discord.deny(channel, 'SEND_MESSAGES_IN_THREADS');
    const missing = [{ what: 'the permission "Send Messages in Threads"' }];
    await expect(step(opened)).rejects.toMatchObject({ kind: 'refused', missingRequirements: missing });
    discord.deny(channel);
    await step(opened);
  });
});

/** In the words of Discord's own settings. */
describe('what is missing', () => {
  let owner: User;
  beforeAll(() => {
    const { world } = started.discord;
    owner = world.addUser('owner');
    world.addMember(started.guild, owner, [world.addRole(started.guild, 'Managers', ['MANAGE_GUILD']).id]);
  });

  const switchOn = async (channel: Channel, more: object = {}) => {
    // The rate limit counts a person's commands over half a minute.
    started.clock.time += MINUTE;
    const daily = { name: 'letterboxed', subcommand: 'daily', options: { do: 'on' } };
    const seen = await started.discord.command({ channel, user: owner, ...daily, ...more });
    return (seen.interaction.modal === undefined ? seen : await started.discord.submit(seen, {})).text;
  };
  const NEEDED: [Permission, string][] = [
    ['VIEW_CHANNEL', 'View Channel'],
    ['SEND_MESSAGES', 'Send Messages'],
    ['CREATE_PUBLIC_THREADS', 'Create Public Threads'],
    ['SEND_MESSAGES_IN_THREADS', 'Send Messages in Threads'],
    ['ATTACH_FILES', 'Attach Files'],
  ];

  it.each(NEEDED)(
    '%s: is named by an opening and by a switch, until it is back',
    async (permission, name) => {
      const { discord, guild } = started;
      const channel = discord.world.addChannel(guild);
      const open = () => postsOf(channel).opening();
      discord.deny(channel, permission);
      const text = await switchOn(channel);
      expect(text).toContain('I can’t post here yet.');
      // A channel that can't be seen can't be asked about either.
      const isSeen = permission !== 'VIEW_CHANNEL';
      expect(text).toContain(isSeen ? `the permission "${name}"` : `allow "${name}" for this bot there`);
      expect(text.includes('then Permissions, add this bot')).toBe(isSeen);
      expect(NEEDED.filter(([, other]) => other !== name && text.includes(`"${other}"`))).toEqual([]);
      const failure = { kind: 'refused', message: expect.stringContaining('it lacks') };
      const unseen = { kind: 'refused', missingRequirements: [{ how: expect.stringContaining(name) }] };
      await expect(open()).rejects.toMatchObject(isSeen ? failure : unseen);
      expect(discord.world.messagesOf(channel.id)).toEqual([]);
      discord.deny(channel);
      await expect(open()).resolves.toHaveProperty('thread');
      expect(await switchOn(channel)).not.toContain('I can’t post here yet.');
    },
  );

  it('is named by what the interaction says where it can’t be looked up', async () => {
    const { discord, guild } = started;
    const channel = discord.world.addChannel(guild);
    discord.deny(channel, 'ATTACH_FILES');
    discord.fault({ on: 'GET *', what: { code: 50035 }, times: 10 });
    const text = await switchOn(channel);
    discord.clearFaults();
    expect(text).toContain('the permission "Attach Files"');
  });

  it('the end of a timeout: is named by a switch', async () => {
    const { discord, guild } = started;
    const channel = discord.world.addChannel(guild);
    discord.timeOut(guild, HOUR);
    expect(await switchOn(channel)).toContain('the timeout that a moderator has given me');
    discord.timeOut(guild, 0);
    expect(await switchOn(channel)).not.toContain('I can’t post here yet.');
    const ada = discord.world.addUser('ada');
    const place = { tenant: `discord:${guild.id}`, channel: channel.id };
    const member = discord.world.addMember(guild, ada);
    for (const [denied, standing] of [
      ['SEND_MESSAGES', 'in-threads'],
      ['SEND_MESSAGES_IN_THREADS', 'silent'],
      ['VIEW_CHANNEL', 'gone'],
    ] as const) {
      const deny = String(bitsOf([denied]));
      channel.permission_overwrites = [{ id: ada.id, type: 1, allow: '0', deny }];
      expect(await started.door.poster.membershipOf(place, ada.id)).toBe(standing);
    }
    channel.permission_overwrites = [];
    expect(await started.door.poster.membershipOf(place, ada.id)).toBe('member');
    member.communication_disabled_until = new Date(started.clock.time + HOUR).toISOString();
    expect(await started.door.poster.membershipOf(place, ada.id)).toBe('silent');
  });

  it('for a person who installed the bot for themselves: a server that it was added to', async () => {
    const { discord, guild, store, door } = started;
    const guest = discord.world.addUser('guest');
    const channel = discord.world.addChannel(guild);
    const text = await switchOn(channel, { user: guest, userInstalled: true });
    expect(text).toContain('a server or workspace that I’m in');
    const tenant = `discord:@${guest.id}`;
    expect(await store.tenant(tenant).subscriptions.list()).toEqual([]);
    // Nor if such a subscription existed.
    const ref = { tenant, channel: channel.id };
    const missing = [{ what: expect.stringContaining('was added to') }];
    expect(await door.poster.missingRequirements(ref)).toMatchObject(missing);
    await expect(postsOf(channel).opening({ channel: ref })).rejects.toMatchObject({ kind: 'refused' });
    expect(discord.world.messagesOf(channel.id)).toHaveLength(0);
  });

  it('for a mention: a role that it may mention, and until then the role is not notified', async () => {
    const { discord, guild } = started;
    const channel = discord.world.addChannel(guild);
    const role = discord.world.addRole(guild, 'Puzzlers');
    const text = await switchOn(channel, { options: { do: 'on', ping: role.id } });
    expect(text).toContain('The mention notifies nobody yet.');
    expect(text).toContain('switch on "Allow anyone to');
    const ping = { ping: role.id };
    const roles = async () => {
      const { message } = await postsOf(channel).opening({ ...ping, key: discord.world.snowflake() });
      return discord.world.messageOf(channel.id, message!).mention_roles;
    };
    expect(await roles()).toEqual([]);
    const { requests } = discord;
    role.mentionable = true;
    discord.gateway.dispatch('GUILD_ROLE_UPDATE', { guild_id: guild.id, role }, guild.id, INTENT.guilds);
    const before = requests.length;
    await expect
      .poll(() => switchOn(channel, { options: { do: 'on', ping: role.id } }))
      .not.toContain('notifies nobody');
    expect(requests.length).toBeGreaterThan(before);
    expect(await roles()).toEqual([role.id]);
    // Whoever may mention everyone may mention every role.
    role.mentionable = false;
    const own = guild.roles.find(({ name }) => name === 'Letter Boxed')!;
    own.permissions = String(bitsOf(['MENTION_EVERYONE']));
    discord.gateway.dispatch('GUILD_ROLE_UPDATE', { guild_id: guild.id, role }, guild.id, INTENT.guilds);
    await expect
      .poll(() => switchOn(channel, { options: { do: 'on', ping: role.id } }))
      .not.toContain('notifies nobody');
    own.permissions = '0';
  });

  it('to look for a post: the history, only where it was missing before', async () => {
    const { discord, guild } = started;
    const channel = discord.world.addChannel(guild);
    const place = { tenant: `discord:${guild.id}`, channel: channel.id };
    const missing = (...lacked: string[]) => started.door.poster.missingRequirements(place, lacked);
    discord.deny(channel, 'READ_MESSAGE_HISTORY');
    expect(await missing()).toEqual([]);
    expect(await missing(REQUIREMENTS.history.what)).toEqual([REQUIREMENTS.history]);
    discord.deny(channel);
    expect(await missing(REQUIREMENTS.history.what)).toEqual([]);
  });

  it('in a voice channel: another kind of channel', async () => {
    const voice = started.discord.world.addChannel(started.guild, CHANNEL.voice);
    expect(await switchOn(voice)).toContain('Use a text, announcement or forum channel');
    await expect(postsOf(voice).opening()).rejects.toMatchObject({ kind: 'refused' });
  });

  it('in a forum’s post: what the forum requires', async () => {
    const { discord, guild } = started;
    const forum = discord.world.addChannel(guild, CHANNEL.forum, { tags: ['daily'], requireTag: true });
    const { thread } = await postsOf(forum).opening();
    const post = discord.world.channels.get(thread!)!;
    discord.world.deny(forum, 'CREATE_PUBLIC_THREADS');
    expect(await switchOn(post)).not.toContain('I can’t post here yet.');
    forum.available_tags = [];
    expect(await switchOn(post)).toContain('a tag that I may use');
    discord.world.deny(forum, 'SEND_MESSAGES');
    expect(await switchOn(post)).toContain('the permission "Send Messages"');
  });
});
