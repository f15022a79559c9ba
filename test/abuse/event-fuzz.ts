/** Mutated events, sent to the real client of Discord over loopback. Those of Slack are in slack-fuzz.ts. */
import * as v from 'valibot';
import { EVENTS } from '../../src/chat/discord/gateway.ts';
import type { Random } from '../../src/core/random.ts';
import type { Started } from '../chat/discord/start.ts';
import { describeGuild } from '../fakes/discord/gateway.ts';
import { type Mutation, mutate, pick } from './mutate.ts';

export interface Tally {
  sent: number;
  /** Refused before anything was done with them. */
  dropped: number;
}
export type Tallies = Map<Mutation, Tally>;

const BATCH = 100;

export async function fuzzDiscord(started: Started, count: number, random: Random): Promise<Tallies> {
  const { discord, guild, channel } = started;
  const events = discordEvents(started);
  const tallies: Tallies = new Map();
  for (let sent = 0; sent < count; sent++) {
    const [name, body] = pick(events, random);
    const { event, how } = mutate(body, random);
    discord.gateway.dispatch(name, event, guild.id);
    const sentEvent = JSON.parse(JSON.stringify(event ?? null));
    tally(tallies, how, name in EVENTS && !v.is(EVENTS[name as keyof typeof EVENTS], sentEvent));
    if (sent % BATCH < BATCH - 1) continue;
    // It is answered after everything that was sent before it.
    const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
    if (seen.failed) throw new Error('the command after a batch of events failed');
    forget(started.logged);
    discord.forgetRequests();
  }
  return tallies;
}

export function tally(tallies: Tallies, how: Mutation, isDropped: boolean): void {
  const of = tallies.get(how) ?? { sent: 0, dropped: 0 };
  of.sent++;
  if (isDropped) of.dropped++;
  tallies.set(how, of);
}

export function sumOf(tallies: Tallies, of: keyof Tally): number {
  return [...tallies.values()].reduce((sum, one) => sum + one[of], 0);
}

/** Keeps the errors, which a test fails for; the rest would be the fuzzing's own leak. */
export function forget(logged: { readonly level: string }[]): void {
  logged.splice(0, logged.length, ...logged.filter(({ level }) => level === 'error'));
}

function discordEvents({ discord, guild, channel }: Started): [string, object][] {
  const { world } = discord;
  const user = world.addUser('hostile');
  const member = guild.members.get(world.bot.id)!;
  const base = {
    id: world.snowflake(),
    application_id: world.application.id,
    token: 'a-token',
    version: 1,
    channel_id: channel.id,
    channel,
    guild_id: guild.id,
    guild: { id: guild.id, locale: 'en-US', features: [] },
    member: { ...member, user, permissions: '8' },
    app_permissions: '8',
    locale: 'en-US',
    entitlements: [],
    authorizing_integration_owners: { 0: guild.id },
    context: 0,
  };
  const option = { type: 3, name: 'sides', value: 'ozu nri lfa mbt' };
  const command = { id: '1', name: 'letterboxed', type: 1 };
  const solve = {
    ...command,
    options: [{ type: 2, name: 'tools', options: [{ type: 1, name: 'words', options: [option] }] }],
  };
  const typing = {
    ...command,
    options: [{ type: 1, name: 'hint', options: [{ type: 3, name: 'step', value: 'l', focused: true }] }],
  };
  const message = {
    id: world.snowflake(),
    channel_id: channel.id,
    flags: 64,
    components: [],
    author: world.bot,
    interaction_metadata: { user },
  };
  const input = { type: 18, component: { type: 4, custom_id: 'words', value: 'forum' } };
  const interaction = (type: number, data: object, more: object = {}): [string, object] => [
    'INTERACTION_CREATE',
    { ...base, type, data, ...more },
  ];
  const role = guild.roles[0]!;
  return [
    interaction(2, solve),
    interaction(4, typing),
    interaction(3, { custom_id: 'x', component_type: 2, id: 1 }, { message }),
    interaction(5, { custom_id: 'x', components: [input] }, { message }),
    interaction(2, { ...command, options: [{ type: 1, name: 'about', options: [] }] }),
    ['GUILD_CREATE', describeGuild(world, guild)],
    ['GUILD_DELETE', { id: world.snowflake(), unavailable: true }],
    ['GUILD_UPDATE', describeGuild(world, guild)],
    ['CHANNEL_UPDATE', channel],
    ['CHANNEL_DELETE', { ...channel, id: world.snowflake() }],
    ['GUILD_ROLE_UPDATE', { guild_id: guild.id, role }],
    ['GUILD_ROLE_DELETE', { guild_id: guild.id, role_id: world.snowflake() }],
    ['GUILD_MEMBER_UPDATE', { guild_id: guild.id, ...member }],
    ['THREAD_CREATE', { ...channel, id: world.snowflake(), type: 11, parent_id: channel.id }],
    ['MESSAGE_CREATE', message],
  ];
}
