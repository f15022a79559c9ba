/** A suspended channel goes on by itself once what it was suspended for is there again: not before, and for good. */

import { afterEach, describe, expect, test } from 'vitest';
import {
  NEEDED_PERMISSIONS,
  REQUIREMENTS as ON_DISCORD,
  requirementOf,
} from '../../../src/chat/discord/rights.ts';
import { REQUIREMENTS as ON_SLACK } from '../../../src/chat/slack/errors.ts';
import { REQUIRED_SCOPE_NAMES } from '../../../src/chat/slack/manifest.ts';
import type { ChannelRef } from '../../../src/core/channel-ref.ts';
import { HOUR } from '../../../src/core/clock.ts';
import type { Reason } from '../../../src/store/schema.ts';
import { subscribe } from '../../daily/ground.ts';
import { CHANNEL, type Permission } from '../../fakes/discord/world.ts';
import { sample } from '../../fakes/sample.ts';
import {
  newYork,
  PLATFORMS,
  type Platform,
  type World,
  type WorldOptions,
  world,
} from '../../fakes/world.ts';

interface Row {
  readonly options?: Partial<WorldOptions>;
  readonly take?: (world: World) => void;
  /** Left out where the platform does not tell that it is there again: then somebody has to run a command. */
  readonly give?: (world: World) => void;
  readonly ref?: ChannelRef;
}

const denied = (permission: Permission): Row => ({
  take: ({ discord }) => discord!.discord.world.deny(discord!.channel, permission),
  give: ({ discord }) => discord!.discord.world.deny(discord!.channel),
});
const channelWith = (taken: object, given: object): Row => ({
  take: ({ discord }) => Object.assign(discord!.channel, taken),
  give: ({ discord }) => Object.assign(discord!.channel, given),
});
const timeout = (until: string | null) => (world: World) => {
  const { discord, guild } = world.discord!;
  Object.assign(guild.members.get(discord.world.bot.id)!, { communication_disabled_until: until });
};
const refused = (error: string, method: string): Row => ({
  take: ({ slack }) => slack!.fake.faults.inject({ kind: 'error', error, method, times: 1_000 }),
});
const FORUM = { type: CHANNEL.forum, flags: 1 << 4, available_tags: [] };

const ROWS: Readonly<Record<Platform, Readonly<Record<string, Row>>>> = {
  discord: {
    'the permission "View Channel"': denied('VIEW_CHANNEL'),
    'the permission "Send Messages"': denied('SEND_MESSAGES'),
    'the permission "Create Public Threads"': denied('CREATE_PUBLIC_THREADS'),
    'the permission "Send Messages in Threads"': denied('SEND_MESSAGES_IN_THREADS'),
    'the permission "Attach Files"': denied('ATTACH_FILES'),
    'the permission "Read Message History"': denied('READ_MESSAGE_HISTORY'),
    'a channel of a server that I was added to': { ref: { tenant: 'discord:@1', channel: '1' } },
    'a channel that can hold threads': channelWith({ type: CHANNEL.voice }, { type: CHANNEL.text }),
    'an end of the timeout that a moderator has given me': {
      take: timeout('2027-01-01T00:00:00Z'),
      give: timeout(null),
    },
    'a tag that I may use': channelWith(FORUM, { flags: 0 }),
    'a channel that is there and that I can see': {
      take: ({ discord }) => discord!.discord.world.channels.delete(discord!.channel.id),
      give: ({ discord }) => discord!.discord.world.channels.set(discord!.channel.id, discord!.channel),
    },
  },
  slack: {
    'to be a member of the channel': {
      take: ({ slack }) => slack!.channel.members.delete(slack!.workspace.botUser),
      give: ({ slack }) => slack!.channel.members.add(slack!.workspace.botUser),
    },
    'a channel that is not archived': {
      take: ({ slack }) => Object.assign(slack!.channel, { isArchived: true }),
      give: ({ slack }) => Object.assign(slack!.channel, { isArchived: false }),
    },
    'a channel that is there and that I can see': {
      take: ({ slack }) => slack!.workspace.channels.delete(slack!.channel.id),
      give: ({ slack }) => slack!.workspace.channels.set(slack!.channel.id, slack!.channel),
    },
    'to be installed in this workspace': { ref: { tenant: 'slack:T0OTHER', channel: 'C1' } },
    'the permission chat:write': {
      options: { slack: { scopes: REQUIRED_SCOPE_NAMES.filter((scope) => scope !== 'chat:write') } },
    },
    'a channel of a kind that takes messages': refused('messages_tab_disabled', 'chat.postMessage'),
    'the right to post in the channel': refused('restricted_action', 'chat.postMessage'),
  },
};

let made: World;
afterEach(() => made.close());

describe.each(PLATFORMS)('on %s, a channel that lacks', (door) => {
  const needed = Object.keys(NEEDED_PERMISSIONS).map(requirementOf);
  const known = door === 'discord' ? [...needed, ...Object.values(ON_DISCORD)] : Object.values(ON_SLACK);
  const rows = known.map(({ what }) => [what, ROWS[door][what]!] as const);

  // The permissions differ in their bit alone, which rights.test.ts of Discord checks.
  test.each(rows.filter(([what], at) => sample(true, at === 0 || !what.startsWith('the permission "'))))(
    '%s',
    async (what, { options, take, give, ref }) => {
      made = await world({ doors: [door], ...options });
      const { store, logged, places } = made;
      const { tenant, channel } = ref ?? places[0]!.ref;
      const { subscriptions } = store.tenant(tenant);
      await subscribe(store, { source: 'house' }, { channel: { tenant, channel }, at: newYork(20, 6) });
      const reason: Reason = { code: 'missing-requirements', requirements: [what] };
      await subscriptions.setState(channel, { state: 'suspended', reason });
      take?.(made);
      const lifted = () => logged.filter(({ message }) => message.includes('and is reactivated')).length;
      const isActive = async () => (await subscriptions.get(channel))?.state === 'active';
      for (let hour = 8; hour < 11; hour++) await made.at(newYork(20, hour));
      expect([lifted(), await isActive()]).toEqual([0, false]);
      give?.(made);
      for (let hour = 11; hour < 14; hour++) await made.at(newYork(20, hour) + HOUR / 60);
      const expected = give === undefined ? 0 : 1;
      expect([lifted(), await isActive()]).toEqual([expected, expected === 1]);
      const posted = await Promise.all(places.map(({ messages }) => messages()));
      expect(posted.flat().length > 0).toBe(expected === 1);
    },
  );
});

test('a token that Slack does not take suspends no channel of its workspace, and is reported once', async () => {
  made = await world({ doors: ['slack'] });
  const { store, logged, places, slack } = made;
  const { fake, workspace, door } = slack!;
  const other = fake.addChannel(workspace, []);
  const { tenant, channel } = places[0]!.ref;
  const refs = [channel, other.id].map((id) => ({ tenant, channel: id }));
  for (const ref of refs) await subscribe(store, { source: 'house' }, { channel: ref, at: newYork(20, 6) });
  const openings = () =>
    [slack!.channel, other].map(
      ({ messages }) => messages.filter((one) => one.threadTs === undefined).length,
    );
  const states = async () => (await store.tenant(tenant).subscriptions.list()).map(({ state }) => state);
  const about = (level: string) =>
    logged.filter((line) => line.level === level && line.message.includes('token of this workspace')).length;
  // A connection that could not be opened would be a warning, too.
  await expect.poll(() => fake.sockets.count).toBe(2);
  fake.faults.inject({ kind: 'error', error: 'invalid_auth', method: '*', times: 1_000 });
  for (let minute = 0; minute < 40; minute += 10) await made.at(newYork(20, 8, minute));
  expect(openings()).toEqual([0, 0]);
  expect(await states()).toEqual(['active', 'active']);
  expect([about('warn'), about('info')]).toEqual([1, 0]);
  expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
  expect(door.trouble()).toContain('does not take the token');
  fake.faults.clear();
  await made.at(newYork(20, 8, 50));
  expect(openings()).toEqual([1, 1]);
  expect([about('warn'), about('info')]).toEqual([1, 1]);
  expect(door.trouble()).toBeUndefined();
});
