import { afterEach, expect, it } from 'vitest';
import { askerOf, readEvent } from '../../../src/chat/discord/events.ts';
import { describeGuild } from '../../fakes/discord/gateway.ts';
import { CHANNEL } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
afterEach(() => started.close());

it('survives every event of its one intent', async () => {
  started = await startDiscord({ app: { words: WORDS, house } });
  const { discord, guild, channel } = started;
  const { world } = discord;
  const guild_id = guild.id;
  const voice = world.addChannel(guild, CHANNEL.voice);
  const member = guild.members.get(world.bot.id)!;
  const stage = { id: world.snowflake(), guild_id, channel_id: voice.id, topic: 'x', privacy_level: 2 };
  const thread = {
    ...channel,
    id: world.snowflake(),
    type: 11,
    parent_id: channel.id,
    owner_id: world.bot.id,
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: 1440,
      archive_timestamp: new Date(0).toISOString(),
    },
  };
  const inThread = {
    id: thread.id,
    user_id: world.bot.id,
    join_timestamp: new Date(0).toISOString(),
    flags: 0,
  };
  const role = guild.roles[0]!;
  const events: [string, object][] = [
    ['GUILD_UPDATE', describeGuild(world, guild)],
    ['GUILD_ROLE_CREATE', { guild_id, role }],
    ['GUILD_ROLE_UPDATE', { guild_id, role }],
    ['GUILD_ROLE_DELETE', { guild_id, role_id: world.snowflake() }],
    ['GUILD_MEMBER_UPDATE', { guild_id, ...member }],
    ['USER_UPDATE', world.bot],
    ['CHANNEL_CREATE', voice],
    ['CHANNEL_UPDATE', channel],
    ['CHANNEL_PINS_UPDATE', { guild_id, channel_id: channel.id, last_pin_timestamp: null }],
    ['CHANNEL_DELETE', voice],
    ['THREAD_CREATE', { ...thread, newly_created: true }],
    ['THREAD_UPDATE', thread],
    ['THREAD_LIST_SYNC', { guild_id, threads: [thread], members: [inThread] }],
    ['THREAD_MEMBER_UPDATE', { guild_id, ...inThread }],
    ['THREAD_MEMBERS_UPDATE', { guild_id, id: thread.id, member_count: 1, added_members: [inThread] }],
    ['THREAD_DELETE', { guild_id, id: thread.id, parent_id: channel.id, type: 11 }],
    ['STAGE_INSTANCE_CREATE', stage],
    ['STAGE_INSTANCE_UPDATE', stage],
    ['STAGE_INSTANCE_DELETE', stage],
    ['GUILD_INTEGRATIONS_UPDATE', { guild_id }],
    ['AN_UNKNOWN_EVENT', { guild_id }],
  ];
  for (const [event, body] of events) discord.gateway.dispatch(event, body, guild_id);
  // A command follows them on the same connection; what they broke would show as an unhandled error.
  const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
  expect(seen.failed).toBe(false);
  expect(started.logged.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([]);
});

it.each([
  ['where Discord leaves out its object', undefined],
  ['in a thread of it', { id: '55', type: 11, parent_id: '44' }],
])('takes the channel of an interaction from its id %s', async (_, channel) => {
  started = await startDiscord({ app: { words: WORDS, house } });
  const event = {
    ...{ id: '1', application_id: '2', token: 'token', type: 2, data: { options: [] } },
    ...{ guild_id: '3', channel_id: channel?.id ?? '44', channel, member: { user: { id: '77' } } },
    authorizing_integration_owners: { 0: '3' },
  };
  const read = readEvent('INTERACTION_CREATE', event);
  if (typeof read === 'string' || read.name !== 'INTERACTION_CREATE') return expect.unreachable();
  const { where } = askerOf(read.data, started.store);
  expect(where).toMatchObject({ tenant: 'discord:3', channel: '44', direct: false });
  expect(where.thread).toBe(channel?.id);
});
