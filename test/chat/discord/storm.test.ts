import { afterEach, expect, it } from 'vitest';
import type { Reply } from '../../../src/reply/types.ts';
import { house, WORDS } from '../../commands/setting.ts';
import { type Started, startDiscord } from './start.ts';

/** Discord shuts an address out after 10,000 refused requests in ten minutes. */
const TEN_MINUTES = 10 * 60_000;
const MOST = 600;

let started: Started;
afterEach(() => started.close());

it.each([
  ['401', { status: 401 }],
  ['403', { code: 50001 }],
  ['404', { code: 10003 }],
] as const)(
  'a storm of %s: posting rests long before Discord shuts the bot out, commands do not',
  async (_, what) => {
    started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
    const { discord, door, guild, channel, clock, logged } = started;
    const reply: Reply = { title: 'The day', blocks: [], audience: 'everyone' };
    const post = () =>
      door.poster.open({
        spot: { tenant: `discord:${guild.id}`, channel: channel.id },
        key: 'key',
        reply,
        posted: undefined,
        outcomeUnknown: false,
        note: async () => true,
        threadName: 'The day',
        ping: null,
      });
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
    expect(await door.poster.tell({ tenant: '', channel: '' }, '1', reply)).toBe(false);
    expect(discord.requests.length).toBe(sent);
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    discord.clearFaults();
    const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
    expect(seen.failed).toBe(false);
    clock.time += TEN_MINUTES;
    await expect(post()).resolves.toHaveProperty('thread');
  },
);
