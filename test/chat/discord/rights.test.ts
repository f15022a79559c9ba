import { afterEach, expect, it } from 'vitest';
import { HOUR } from '../../../src/core/clock.ts';
import type { Posted } from '../../../src/dispatch/poster.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { INTENT } from '../../fakes/discord/gateway.ts';
import { bitsOf } from '../../fakes/discord/permissions.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { type Started, startDiscord } from './start.ts';

const VIEW_ONLY = String(bitsOf(['VIEW_CHANNEL']));
const reply: Reply = { title: 'A step', blocks: [], audience: 'everyone' };

let started: Started;
afterEach(() => started.close());

async function begin(): Promise<void> {
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
}

function posts(channel = started.channel) {
  const { door, guild } = started;
  let keys = 0;
  const base = () => ({
    channel: { tenant: `discord:${guild.id}`, channel: channel.id },
    key: `key-${keys++}`,
    reply,
    posted: undefined,
    outcomeUnknown: false,
    since: 0,
    note: async () => true,
  });
  return {
    open: () => door.poster.open({ ...base(), threadName: 'The day', ping: null }),
    step: (thread: Posted) => door.poster.post({ ...base(), thread }),
  };
}

/** The number of requests for permissions. */
const asked = () => started.discord.requests.filter(({ method }) => method === 'GET').length;

it('requests permissions once where Discord reports changes, and again a day later', async () => {
  await begin();
  const { open, step } = posts();
  const opened = await open();
  started.discord.forgetRequests();
  for (let hour = 0; hour < 20; hour++) {
    started.clock.time += HOUR;
    await step(opened);
  }
  expect(asked()).toBe(0);
  started.clock.time += 5 * HOUR;
  await step(opened);
  expect(asked()).toBeGreaterThan(0);
});

it('requests nothing again for one channel because it was asked about another', async () => {
  await begin();
  const channels = [started.channel, started.discord.world.addChannel(started.guild)];
  const days = [];
  for (const { open, step } of channels.map(posts)) days.push({ step, opened: await open() });
  started.discord.forgetRequests();
  started.clock.time += HOUR;
  for (const { step, opened } of days) await step(opened);
  expect(asked()).toBe(0);
});

it('requests permissions again after a change of a channel, a role, or the bot’s own roles', async () => {
  await begin();
  const { discord, guild, channel, clock } = started;
  const { open, step } = posts();
  const opened = await open();
  const isRefused = () => expect(step(opened)).rejects.toMatchObject({ kind: 'refused' });
  const report = (event: string, body: object) =>
    discord.gateway.dispatch(event, { guild_id: guild.id, ...body }, guild.id, INTENT.guilds);
  // The next event on the same connection is handled after the change.
  const afterEvents = () => discord.command({ channel, name: 'letterboxed', subcommand: 'about' });

  discord.deny(channel, 'SEND_MESSAGES_IN_THREADS');
  await afterEvents();
  await isRefused();
  discord.deny(channel);
  clock.time += HOUR;
  await step(opened);

  const before = guild.roles.map(({ permissions }) => permissions);
  for (const role of guild.roles) role.permissions = VIEW_ONLY;
  report('GUILD_ROLE_UPDATE', { role: guild.roles[0]! });
  await afterEvents();
  await isRefused();
  guild.roles.forEach((role, at) => {
    role.permissions = before[at]!;
  });
  await step(opened);

  const [everyone, ...others] = guild.roles;
  const member = guild.members.get(discord.world.bot.id)!;
  everyone!.permissions = VIEW_ONLY;
  for (const { id } of others) member.roles.push(id);
  for (const role of others) role.permissions = before[0]!;
  report('GUILD_MEMBER_UPDATE', member);
  await afterEvents();
  await step(opened);
  member.roles.length = 0;
  report('GUILD_MEMBER_UPDATE', member);
  await afterEvents();
  await isRefused();
});

it('requests permissions each minute during an outage, and again after an outage or a lost session', async () => {
  await begin();
  const { discord, guild, channel, clock } = started;
  const { open, step } = posts();
  const opened = await open();
  const afterEvents = () => discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
  const askedBy = async (act: () => Promise<unknown>) => {
    discord.forgetRequests();
    await act();
    return asked();
  };

  discord.outage(guild);
  await afterEvents();
  clock.time += 30_000;
  expect(await askedBy(() => step(opened))).toBe(0);
  clock.time += 31_000;
  expect(await askedBy(() => step(opened))).toBeGreaterThan(0);
  discord.recover(guild);
  await afterEvents();
  expect(await askedBy(() => step(opened))).toBeGreaterThan(0);
  clock.time += HOUR;
  expect(await askedBy(() => step(opened))).toBe(0);

  discord.gateway.drop(4_007);
  await expect.poll(() => askedBy(() => step(opened))).toBeGreaterThan(0);
});
