import { afterEach, expect, it } from 'vitest';
import { postsIn, reply, type Started, startDiscord } from '../chat/discord/start.ts';
import { house, WORDS } from '../fakes/small-board.ts';

/** More than once stopped posting everywhere, and than stops what no post depends on. */
const MANY = 510;

let started: Started;
afterEach(() => started.close());

/** Two servers, each with a channel. */
async function start() {
  // At 50 requests a second, which Discord allows, each test would take a minute.
  const door = { requestsPerSecond: 100_000 };
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false }, door });
  const { world } = started.discord;
  const guild = world.addGuild('Another server');
  const other = { ...started, guild, channel: world.addChannel(guild) };
  return { ...started, openOther: () => postsIn(other, other.channel).opening() };
}

it('posts everywhere although the moderators of one server delete what is posted there', async () => {
  const { discord, door, guild, channel, logged, openOther } = await start();
  const deleted = { message: discord.world.snowflake(), thread: discord.world.snowflake() };
  const ref = { tenant: `discord:${guild.id}`, channel: channel.id };
  discord.forgetRequests();
  for (let sent = 0; sent < MANY; sent++) await door.poster.edit(ref, deleted, reply('x')).catch(() => {});
  expect(discord.requests.filter(({ status }) => status === 404).length).toBeGreaterThanOrEqual(MANY);
  // What no post depends on stops first, after 500 requests that count.
  await expect(door.poster.missingRequirements(ref)).resolves.toEqual([]);
  await expect(openOther()).resolves.toHaveProperty('thread');
  await expect(postsIn(started, channel).opening()).resolves.toHaveProperty('thread');
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
});

it('stops posting in a server that refuses everything, and goes on in the others', async () => {
  const { discord, channel, logged, clock, openOther } = await start();
  const open = () => postsIn(started, channel).opening();
  discord.fault({ on: '*', what: { code: 50013 }, times: Number.POSITIVE_INFINITY });
  discord.forgetRequests();
  for (let sent = 0; sent < MANY; sent++) await open().catch(() => {});
  // 20 of posts, and after the first five of them a look at what is missing, until ten were refused in all.
  expect(discord.requests.filter(({ status }) => status === 403)).toHaveLength(25);
  discord.clearFaults();
  await expect(openOther()).resolves.toHaveProperty('thread');
  await expect(open()).rejects.toMatchObject({ kind: 'later', retryAfter: 10 * 60_000 });
  expect(logged.filter(({ level }) => level === 'warn')).toMatchObject([
    { message: expect.stringContaining('posting there pauses') },
  ]);
  clock.time += 10 * 60_000;
  await expect(open()).resolves.toHaveProperty('thread');
});
