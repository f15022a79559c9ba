import { afterEach, expect, it } from 'vitest';
import { house, WORDS } from '../../../fakes/small-board.ts';
import { postsIn, reply } from '../posts.ts';
import { type Started, startDiscord } from '../start.ts';

/** Discord shuts an address out after 10,000 refused requests in ten minutes. */
const TEN_MINUTES = 10 * 60_000;
const MOST = 600;

let started: Started;
afterEach(() => started.close());
const start = async () => {
  // At the pace that Discord allows, a storm would take ten seconds to rise.
  const door = { requestsPerSecond: 10_000 };
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false }, door });
};

it.each([
  ['401', { status: 401 }],
  ['403', { code: 50001 }],
  ['404', { code: 10003 }],
] as const)(
  'a storm of %s: posting rests long before Discord shuts the bot out, commands do not',
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
    expect(await door.poster.tell({ tenant: '', channel: '' }, '1', reply('News'))).toBe(false);
    expect(discord.requests.length).toBe(sent);
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    discord.clearFaults();
    const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
    expect(seen.failed).toBe(false);
    clock.time += TEN_MINUTES;
    await expect(post()).resolves.toHaveProperty('thread');
  },
);

it('looking at places that refuse, however many, does not stop the others from being posted to', async () => {
  await start();
  const { discord, door, guild, channel, clock, logged } = started;
  const spotOf = ({ id }: { id: string }) => ({ tenant: `discord:${guild.id}`, channel: id });
  const closed = Array.from({ length: MOST }, () => discord.world.addChannel(guild));
  for (const each of closed) discord.world.deny(each, 'VIEW_CHANNEL');
  const look = async () => {
    discord.forgetRequests();
    const seen: unknown[] = [];
    for (const each of closed)
      seen.push(await door.poster.missingRequirements(spotOf(each)).catch((error) => error.kind));
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

it('interactions that come when nobody waits any longer do not stop posting', async () => {
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
