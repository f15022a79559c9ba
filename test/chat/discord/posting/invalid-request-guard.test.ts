import { afterEach, describe, expect, it } from 'vitest';
import { InvalidRequestGuard } from '../../../../src/chat/discord/posting/invalid-request-guard.ts';
import { house, WORDS } from '../../../fakes/small-board.ts';
import { postsIn, reply } from '../posts.ts';
import { type Started, startDiscord } from '../start.ts';

/** Discord bans an address after 10,000 invalid requests in ten minutes. */
const TEN_MINUTES = 10 * 60_000;
const MOST = 600;

let started: Started;
afterEach(() => started.close());
const start = async () => {
  // At 50 requests a second, which Discord allows, each test would take ten seconds.
  const door = { requestsPerSecond: 10_000 };
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false }, door });
};

it.each([
  ['401', { status: 401 }],
  ['403', { code: 50001 }],
  ['404', { code: 10003 }],
] as const)(
  'after hundreds of responses %s, posting pauses long before Discord bans the bot; commands go on',
  async (_, what) => {
    await start();
    const { discord, door, channel, clock, logged } = started;
    const post = () => postsIn(started, channel).opening();
    const failed = () =>
      post().then(
        () => expect.unreachable(),
        (error: { message: string; retryAfter?: number }) => error,
      );
    discord.fault({ on: '*', what, times: Number.POSITIVE_INFINITY });
    discord.forgetRequests();
    let last = await failed();
    while (last.retryAfter === undefined && discord.requests.length < MOST) last = await failed();
    expect(last).toMatchObject({ kind: 'later', message: expect.stringContaining('too many requests') });
    expect(last.retryAfter).toBeGreaterThan(TEN_MINUTES - 1);
    const sent = discord.requests.length;
    expect(sent).toBeLessThan(MOST);
    for (let again = 0; again < 20; again++) await failed();
    expect(discord.requests.length).toBe(sent);
    expect(await door.poster.notify({ tenant: '', channel: '' }, '1', reply('News'))).toBe(false);
    expect(discord.requests.length).toBe(sent);
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    started.expectErrors('Discord refuses most requests: posting pauses for ten minutes');
    discord.clearFaults();
    const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
    expect(seen.failed).toBe(false);
    clock.time += TEN_MINUTES;
    await expect(post()).resolves.toHaveProperty('thread');
  },
);

it('checking any number of channels that refuse does not stop posting to the others', async () => {
  await start();
  const { discord, door, guild, channel, clock, logged } = started;
  const refOf = ({ id }: { id: string }) => ({ tenant: `discord:${guild.id}`, channel: id });
  const closed = Array.from({ length: MOST }, () => discord.world.addChannel(guild));
  for (const each of closed) discord.world.deny(each, 'VIEW_CHANNEL');
  const look = async () => {
    discord.forgetRequests();
    const seen: unknown[] = [];
    for (const each of closed)
      seen.push(await door.poster.missingRequirements(refOf(each)).catch((error) => error.kind));
    return { seen, refused: discord.requests.filter(({ status }) => status === 403).length };
  };
  const { seen, refused } = await look();
  expect(seen[0]).toMatchObject([{ what: expect.stringContaining('can see') }]);
  expect(seen.at(-1)).toBe('later');
  expect(refused).toBe(250);
  await expect(postsIn(started, channel).opening()).resolves.toHaveProperty('thread');
  expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
  clock.time += TEN_MINUTES;
  expect((await look()).refused).toBe(250);
});

it('expired interactions do not stop posting', async () => {
  await start();
  const { discord, channel, guild, logged } = started;
  const { world } = discord;
  const user = world.addUser('late');
  for (let late = 0; late < MOST; late++)
    discord.gateway.dispatch(
      'INTERACTION_CREATE',
      {
        id: world.snowflake(),
        application_id: world.application.id,
        type: 2,
        token: `gone-${late}`,
        version: 1,
        data: { id: '1', name: 'letterboxed', type: 1, options: [{ type: 1, name: 'about', options: [] }] },
        channel_id: channel.id,
        channel,
        user,
        locale: 'en-US',
        entitlements: [],
        authorizing_integration_owners: { 1: user.id },
        context: 1,
      },
      guild.id,
    );
  const late = () => logged.filter(({ fields }) => fields.code === 10062).length;
  await expect.poll(late, { timeout: 20_000 }).toBe(MOST);
  await expect(postsIn(started, channel).opening()).resolves.toHaveProperty('thread');
});

describe('the guard', () => {
  it('pauses posting once, for ten minutes, after 500 refusals', () => {
    let now = 0;
    let stops = 0;
    const guard = new InvalidRequestGuard(
      () => now,
      () => stops++,
    );
    for (let seen = 0; seen < 499; seen++) guard.count(403);
    guard.count(200);
    guard.count(429);
    expect(() => guard.checkPosting()).not.toThrow();
    guard.count(404);
    expect(() => guard.checkPosting()).toThrow('too many requests');
    expect(stops).toBe(1);
    now += 10 * 60_000;
    expect(() => guard.checkPosting()).not.toThrow();
  });

  it('ignores refusals that are far apart', () => {
    let now = 0;
    const guard = new InvalidRequestGuard(
      () => now,
      () => expect.unreachable(),
    );
    for (let seen = 0; seen < 2_000; seen++) {
      guard.count(404);
      now += 2_000;
    }
    expect(() => guard.checkPosting()).not.toThrow();
  });
});
