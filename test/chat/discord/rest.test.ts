import { DefaultRestOptions, type RateLimitData, RateLimitError, REST, RESTEvents, Routes } from 'discord.js';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { InvalidRequestGuard } from '../../../src/chat/discord/invalid-requests.ts';
import { BotRest, PostingRest } from '../../../src/chat/discord/rest.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import type { Log } from '../../../src/core/log.ts';
import { LIMITS } from '../../fakes/discord/rate-limits.ts';
import { skipPauses } from '../../fakes/pauses.ts';
import { IS_LONG, sample } from '../../fakes/sample.ts';
import { postsIn, reply, type Started, startDiscord } from './start.ts';

const ignore = () => undefined;
const NOON = Date.UTC(2026, 10, 20, 17);

describe('a wave of requests', () => {
  /** Quicker than Discord's limit, which takes a minute for a wave. */
  const RATE = IS_LONG ? 50 : 100;
  const WAVE = IS_LONG ? 4_000 : 140;
  let started: Started;
  let rest: PostingRest;
  beforeEach(async () => {
    // Room for the requests of the start, which this client does not count.
    const limits = { global: RATE + 20, buckets: { '*': { limit: 1_000, per: 1_000 } } };
    started = await startDiscord({ fake: { limits, memory: 5_000 } });
    rest = new PostingRest(
      { token: started.discord.token, apiUrl: started.discord.url, requestsPerSecond: RATE },
      new InvalidRequestGuard(started.app),
    );
    started.discord.forgetRequests();
  });
  afterEach(async () => {
    rest.close();
    await started.close();
  });

  /** About as many channels as posts are worked on at a time. */
  const ask = async (count: number) => {
    const { discord, guild } = started;
    const channels = Array.from({ length: 48 }, () => discord.world.addChannel(guild));
    const each = (nth: number) => rest.get(Routes.channel(channels[nth % channels.length]!.id));
    await Promise.all(Array.from({ length: count }, (_, nth) => each(nth)));
  };
  const refused = () => started.discord.requests.filter(({ status, fault }) => status === 429 && !fault);

  /** When each leaves. On a busy machine, some that left in turn arrive late, close to the ones after them. */
  const watchLeaving = () => {
    const left: number[] = [];
    const { makeRequest } = DefaultRestOptions;
    vi.spyOn(DefaultRestOptions, 'makeRequest').mockImplementation((...given) => {
      left.push(performance.now());
      return makeRequest(...given);
    });
    onTestFinished(() => void vi.restoreAllMocks());
    return left;
  };

  it('keeps to the limit in each second, while one request in twenty is refused', {
    timeout: 5 * MINUTE,
  }, async () => {
    const { discord } = started;
    const left = watchLeaving();
    for (let nth = 1; nth <= WAVE / 20; nth++)
      discord.fault({ on: '*', what: { retryAfter: 0.05 }, after: 19 * nth });
    const began = performance.now();
    await ask(WAVE);
    const seconds = (performance.now() - began) / SECOND;
    expect(discord.requests.length - refused().length).toBe(WAVE * 1.05);
    expect(left).toHaveLength(discord.requests.length);
    const spans = left.slice(RATE).map((at, nth) => at - left[nth]!);
    expect(Math.min(...spans)).toBeGreaterThanOrEqual(SECOND);
    if (IS_LONG) expect(seconds / (discord.requests.length / RATE)).toBeLessThan(1.2);
  });

  it('stops as a whole when one request is told that the whole bot has to wait', async () => {
    const { discord } = started;
    const left = watchLeaving();
    let told = 0;
    rest.on(RESTEvents.Response, (_, { status }) => {
      if (status === 429) told = performance.now();
    });
    discord.fault({ on: '*', what: { retryAfter: 0.5, global: true }, after: 20 });
    await ask(60);
    expect(left.filter((at) => at > told && at < told + 500)).toEqual([]);
    expect(left.filter((at) => at < told).length).toBeGreaterThanOrEqual(21);
    expect(refused()).toEqual([]);
    expect(discord.requests).toHaveLength(61);
  });
});

it('posts leave in the turns that all processes share', async () => {
  const { app, dispatcher, discord, close } = await startDiscord();
  const turns: PromiseWithResolvers<number>[] = [];
  const reserve = () => {
    turns.push(Promise.withResolvers<number>());
    return turns.at(-1)!.promise;
  };
  const pause = vi.fn(async () => {});
  const store = { ...app.store, engine: 'postgres' as const, pace: { ...app.store.pace, reserve, pause } };
  const parts = { app: { ...app, store }, dispatcher, token: discord.token, apiUrl: discord.url };
  const other = new DiscordDoor(parts);
  const before = discord.requests.length;
  const asked = other.poster.reach?.();
  await expect.poll(() => turns).toHaveLength(1);
  expect(discord.requests).toHaveLength(before);
  turns[0]!.resolve(0);
  await asked;
  expect(discord.requests).toHaveLength(before + 1);
  // What Discord says to the whole bot, every process hears.
  discord.fault({ on: '*', what: { retryAfter: 0.05, global: true } });
  const limited = other.poster.reach?.();
  for (const turn of [2, 3]) {
    await expect.poll(() => turns).toHaveLength(turn);
    turns.at(-1)!.resolve(0);
  }
  await limited;
  // The library adds 50 ms. It asks once more where a timer ends a millisecond before the wall clock gets there.
  expect(pause.mock.calls[0]).toEqual(['discord', 100]);
  await other.stop();
  await close();
});

describe('a clock that was ahead and is corrected', () => {
  let started: Started;
  let rest: PostingRest;
  let ahead: number;
  beforeEach(async () => {
    // The library reads the time here; the limits of the fake Discord go on by a monotonic clock.
    ahead = 0;
    const now = Date.now;
    vi.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
    const limits = { ...LIMITS, buckets: { '*': { limit: 2, per: 300 } } };
    started = await startDiscord({ fake: { limits } });
    rest = new PostingRest(
      { token: started.discord.token, apiUrl: started.discord.url, requestsPerSecond: 20 },
      new InvalidRequestGuard(started.app),
    );
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    rest.close();
    await started.close();
  });

  const ask = () => rest.get('/users/@me');
  const ALL_JUMPS: [string, number][] = [
    ['a year', 365 * DAY],
    ['an hour that it was behind', -HOUR],
    ['a day', DAY],
  ];
  const JUMPS = sample(ALL_JUMPS, ALL_JUMPS.slice(0, 2));

  it.each(JUMPS)('%s: requests go on at the pace that Discord asked for', async (_, jump) => {
    await ask();
    ahead = jump;
    // The limits of the route and of the whole bot are used up by the clock that is ahead.
    await Promise.all([ask(), ask(), ask(), ask()]);
    ahead = 0;
    await Promise.all([ask(), ask(), ask()]);
    expect(started.discord.requests.at(-1)?.status).toBe(200);
  });

  it.each(JUMPS)('%s, between a request and its answer: the next requests go on', async (_, jump) => {
    await ask();
    const asked = ask();
    const setTo = (milliseconds: number) => {
      ahead = milliseconds;
    };
    rest.prependListener(RESTEvents.Response, () => {
      setTo(jump);
      setImmediate(setTo, 0);
    });
    await asked;
    await new Promise((resolve) => setImmediate(resolve));
    rest.removeAllListeners(RESTEvents.Response);
    await Promise.all([ask(), ask(), ask()]);
    expect(started.discord.requests.at(-1)?.status).toBe(200);
  });

  it('while a request waits in line: a wait from before is not waited', async () => {
    ahead = 365 * DAY;
    await ask();
    const wrong = { retryAfter: ahead } as RateLimitData;
    vi.spyOn(REST.prototype, 'request').mockImplementationOnce(async () => {
      ahead = 0;
      throw new RateLimitError(wrong);
    });
    await ask();
    expect(started.discord.requests.at(-1)?.status).toBe(200);
  });

  it('does not keep posting paused: refusals are counted for ten minutes, whatever the clock did', () => {
    const clock = { time: NOON, now: () => clock.time };
    const guard = new InvalidRequestGuard({ clock, log: { debug() {}, info() {}, warn() {}, error() {} } });
    clock.time += 365 * DAY;
    for (let refused = 0; refused < 1_000; refused++) guard.count({ status: 401 });
    clock.time = NOON;
    expect(() => guard.run(undefined, 'needed', ignore)).toThrow('too many requests were refused lately');
    clock.time += 10 * MINUTE;
    guard.run(undefined, 'needed', ignore);
  });
});

describe('requests that Discord refuses', () => {
  /** Discord bans an address after 10,000 invalid requests in ten minutes. */
  const TEN_MINUTES = 10 * 60_000;
  const MOST = 1_200;

  let started: Started;
  afterEach(() => started.close());
  const start = async () => {
    // At 50 requests a second, which Discord allows, each test would take ten seconds.
    const door = { requestsPerSecond: 10_000 };
    started = await startDiscord({ fake: { limits: false }, door });
  };

  it('after hundreds of responses 401, posting pauses long before Discord bans the bot; commands go on', async () => {
    await start();
    const { discord, door, channel, clock, logged } = started;
    const post = () => postsIn(started, channel).opening();
    const failed = () =>
      post().then(
        () => expect.unreachable(),
        (error: { message: string; retryAfter?: number }) => error,
      );
    discord.fault({ on: '*', what: { status: 401 }, times: Number.POSITIVE_INFINITY });
    discord.forgetRequests();
    let last = await failed();
    while (last.retryAfter === undefined && discord.requests.length < MOST) last = await failed();
    expect(last).toMatchObject({ kind: 'later', message: expect.stringContaining('too many requests') });
    expect(last.retryAfter).toBeGreaterThan(TEN_MINUTES - 1);
    const sent = discord.requests.length;
    expect(sent).toBeLessThan(MOST);
    for (let again = 0; again < 20; again++) await failed();
    expect(discord.requests.length).toBe(sent);
    await expect(door.poster.notify({ tenant: '', channel: '' }, '1', reply('News'))).rejects.toThrow();
    expect(discord.requests.length).toBe(sent);
    expect(logged.filter(({ level }) => level === 'error')).toHaveLength(1);
    started.expectErrors('Discord refuses most requests: posting pauses for up to ten minutes');
    discord.clearFaults();
    const seen = await discord.command({ channel, name: 'letterboxed', subcommand: 'about' });
    expect(seen.failed).toBe(false);
    clock.time += TEN_MINUTES;
    await expect(post()).resolves.toHaveProperty('thread');
  });

  it('checking any number of channels that refuse does not stop posting to the others', async () => {
    await start();
    const { discord, door, guild, channel, clock, logged } = started;
    const refOf = ({ id }: { id: string }) => ({ tenant: `discord:${guild.id}`, channel: id });
    const closed = Array.from({ length: 40 }, () => discord.world.addChannel(guild));
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
    expect(refused).toBe(10);
    await expect(postsIn(started, channel).opening()).resolves.toHaveProperty('thread');
    expect(logged.filter(({ level }) => level === 'error')).toEqual([]);
    clock.time += TEN_MINUTES;
    expect((await look()).refused).toBe(10);
  });

  it('of one server stop posting there, and nowhere else', async () => {
    await start();
    const { discord, channel, logged, clock } = started;
    const guild = discord.world.addGuild('Another server');
    const open = () => postsIn(started, channel).opening();
    const openOther = postsIn({ ...started, guild }, discord.world.addChannel(guild)).opening;
    discord.fault({ on: '*', what: { code: 50013 }, times: Number.POSITIVE_INFINITY });
    discord.forgetRequests();
    for (let sent = 0; sent < 40; sent++) await open().catch(() => {});
    // After the first five posts a look at what is missing, until ten were refused in all.
    expect(discord.requests.filter(({ status }) => status === 403)).toHaveLength(20);
    discord.clearFaults();
    await expect(openOther()).resolves.toHaveProperty('thread');
    await expect(open()).rejects.toMatchObject({ kind: 'later', retryAfter: TEN_MINUTES });
    expect(logged.filter(({ level }) => level === 'warn')).toMatchObject([
      { message: expect.stringContaining('posting there pauses') },
    ]);
    clock.time += TEN_MINUTES;
    await expect(open()).resolves.toHaveProperty('thread');
  });

  describe('the guard', () => {
    const makeGuard = () => {
      const paused: (string | undefined)[] = [];
      const time = { now: 1 };
      const pause = ({ tenant }: { tenant?: string }) => void paused.push(tenant);
      const log = { debug: pause, info: pause, warn: pause, error: pause } as unknown as Log;
      const guard = new InvalidRequestGuard({ clock: { now: () => time.now }, log });
      const refuse = (times: number, status: number, tenant?: string) => {
        for (let seen = 0; seen < times; seen++)
          if (tenant === undefined) guard.count({ status });
          else guard.run(tenant, 'needed', () => guard.count({ status }));
      };
      return { guard, paused, time, refuse };
    };

    it.each([401, 403, 429])('pauses posting once, for ten minutes, after 1,000 responses %i', (status) => {
      const { guard, paused, time, refuse } = makeGuard();
      refuse(999, status);
      refuse(1, 200);
      expect(() => guard.run('discord:1', 'needed', ignore)).not.toThrow();
      refuse(1, status);
      expect(() => guard.run('discord:1', 'needed', ignore)).toThrow('too many requests');
      expect(paused).toEqual([undefined]);
      time.now += 10 * 60_000;
      expect(() => guard.run('discord:1', 'needed', ignore)).not.toThrow();
    });

    it('counts no 404, and no 429 of a limit that is shared with other bots', () => {
      const { guard, paused, refuse } = makeGuard();
      refuse(5_000, 404, 'discord:1');
      const headers = new Headers({ 'x-ratelimit-scope': 'shared' });
      for (let seen = 0; seen < 5_000; seen++) guard.count({ status: 429, headers });
      expect(paused).toEqual([]);
    });

    it('blames the bot, and no server, for 401 and 429', () => {
      const { guard, paused, refuse } = makeGuard();
      refuse(400, 401, 'discord:1');
      refuse(400, 429, 'discord:1');
      expect(() => guard.run('discord:2', 'optional', ignore)).toThrow('too many requests');
      expect(() => guard.run('discord:1', 'needed', ignore)).not.toThrow();
      expect(paused).toEqual([]);
    });

    it('pauses one server after 20 responses 403 about it, and everybody only after fifty such servers', () => {
      const { guard, paused, refuse } = makeGuard();
      for (let server = 1; server < 50; server++) refuse(20, 403, `discord:${server}`);
      expect(paused).toHaveLength(49);
      expect(() => guard.run('discord:1', 'needed', ignore)).toThrow('too many requests');
      expect(() => guard.run('discord:60', 'needed', ignore)).not.toThrow();
    });

    it('ignores refusals that are far apart', () => {
      const { guard, paused, time, refuse } = makeGuard();
      for (let seen = 0; seen < 2_000; seen++) {
        refuse(1, 403, 'discord:1');
        time.now += 40_000;
      }
      expect(paused).toEqual([]);
      expect(() => guard.run('discord:1', 'needed', ignore)).not.toThrow();
    });
  });
});

// The last one, since no pause after it lasts.
it('gives a request up after limits of more than twenty seconds in all, or one without a time', async () => {
  const { discord, channel, close } = await startDiscord();
  const pauses = skipPauses();
  const rest = new BotRest({ token: discord.token, apiUrl: discord.url });
  onTestFinished(async () => {
    rest.close();
    await close();
  });
  const on = 'GET /channels/:channel';
  const ask = () => rest.get(Routes.channel(channel.id));
  discord.fault({ on, what: { status: 429 } });
  await expect(ask()).rejects.toThrow(RateLimitError);
  discord.fault({ on, what: { retryAfter: 9 }, times: 3 });
  await expect(ask()).rejects.toThrow(RateLimitError);
  expect(pauses.filter((pause) => pause > 5 * SECOND && pause < 10 * SECOND)).toHaveLength(2);
});
