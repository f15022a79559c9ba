import { afterEach, expect, it } from 'vitest';
import type { Posted } from '../../../../src/dispatch/poster.ts';
import type { Reply } from '../../../../src/reply/model/types.ts';
import { INTENT } from '../../../fakes/discord/gateway.ts';
import { bitsOf } from '../../../fakes/discord/permissions.ts';
import { house, WORDS } from '../../../fakes/small-board.ts';
import { type Started, startDiscord } from '../start.ts';

const HOUR = 3_600_000;
const VIEW_ONLY = String(bitsOf(['VIEW_CHANNEL']));
const reply: Reply = { title: 'A step', blocks: [], audience: 'everyone' };

let started: Started;
afterEach(() => started.close());

async function begin(): Promise<void> {
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
}

function places() {
  const { door, guild, channel } = started;
  let keys = 0;
  const base = () => ({
    channel: { tenant: `discord:${guild.id}`, channel: channel.id },
    key: `key-${keys++}`,
    reply,
    posted: undefined,
    outcomeUnknown: false,
    note: async () => true,
  });
  return {
    open: () => door.poster.open({ ...base(), threadName: 'The day', ping: null }),
    step: (thread: Posted) => door.poster.post({ ...base(), thread }),
  };
}

/** How often the bot asked what it may do. */
const asked = () => started.discord.requests.filter(({ method }) => method === 'GET').length;

it('asks once what it may do, where Discord tells of changes, and a day later again', async () => {
  await begin();
  const { open, step } = places();
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

it('knows at once what changed: in a channel, a role, or its own roles', async () => {
  await begin();
  const { discord, guild, channel, clock } = started;
  const { open, step } = places();
  const opened = await open();
  const isRefused = () => expect(step(opened)).rejects.toMatchObject({ kind: 'refused' });
  const tell = (event: string, body: object) =>
    discord.gateway.dispatch(event, { guild_id: guild.id, ...body }, guild.id, INTENT.guilds);
  // What comes next on the same line comes after what was told.
  const heard = () => discord.command({ channel, name: 'letterboxed', subcommand: 'about' });

  discord.deny(channel, 'SEND_MESSAGES_IN_THREADS');
  await heard();
  await isRefused();
  discord.deny(channel);
  clock.time += HOUR;
  await step(opened);

  const before = guild.roles.map(({ permissions }) => permissions);
  for (const role of guild.roles) role.permissions = VIEW_ONLY;
  tell('GUILD_ROLE_UPDATE', { role: guild.roles[0]! });
  await heard();
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
  tell('GUILD_MEMBER_UPDATE', member);
  await heard();
  await step(opened);
  member.roles.length = 0;
  tell('GUILD_MEMBER_UPDATE', member);
  await heard();
  await isRefused();
});

it('asks every minute where Discord has nothing to tell, and anew after an outage or when the line was lost', async () => {
  await begin();
  const { discord, guild, channel, clock } = started;
  const { open, step } = places();
  const opened = await open();
  const told = () => discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
  const askedBy = async (act: () => Promise<unknown>) => {
    discord.forgetRequests();
    await act();
    return asked();
  };

  discord.outage(guild);
  await told();
  clock.time += 30_000;
  expect(await askedBy(() => step(opened))).toBe(0);
  clock.time += 31_000;
  expect(await askedBy(() => step(opened))).toBeGreaterThan(0);
  discord.recover(guild);
  await told();
  expect(await askedBy(() => step(opened))).toBeGreaterThan(0);
  clock.time += HOUR;
  expect(await askedBy(() => step(opened))).toBe(0);

  discord.gateway.drop(4_007);
  await expect.poll(() => askedBy(() => step(opened)), { timeout: 10_000 }).toBeGreaterThan(0);
});
