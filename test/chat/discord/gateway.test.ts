import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { REST } from 'discord.js';
import * as v from 'valibot';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { askerOf } from '../../../src/chat/discord/context.ts';
import { DiscordDoor } from '../../../src/chat/discord/door.ts';
import { Interaction } from '../../../src/chat/discord/interaction.ts';
import { doubling, HOUR, MINUTE, SECOND } from '../../../src/core/clock.ts';
import type { Store } from '../../../src/store/store.ts';
import { makeTestApp } from '../../fakes/app.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { about, postsIn, type Started, type StartOptions, startDiscord } from './start.ts';

let started: Started;
afterEach(() => started.close());
const start = async (options: StartOptions = {}) => {
  started = await startDiscord(options);
  return started;
};

/** Milliseconds before each attempt to reconnect. */
function pausesIn(logged: Started['logged']): number[] {
  return logged.flatMap(({ message, fields }) =>
    message === 'the gateway reconnects' ? [Number(fields.pause)] : [],
  );
}

describe('the gateway client', () => {
  it('requests no intent but the one for servers', async () => {
    const { discord, door } = await start();
    expect(discord.gateway.connected.map(({ intents }) => intents)).toEqual([1]);
    expect(door.trouble()).toBeUndefined();
  });

  it('reports no outage after a start that failed and was reported, and each failure by its own reason', async () => {
    const { app, dispatcher, discord, logged } = await start();
    vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const shards = { shards: [2], shardCount: 2 };
    const door = new DiscordDoor({ app, dispatcher, token: discord.token, apiUrl: discord.url, shards });
    await expect(door.start()).rejects.toThrow('DISCORD_SHARDS');
    started.expectErrors(...logged.flatMap(({ level, message }) => (level === 'error' ? [message] : [])));
    discord.fault({ on: 'GET /gateway/bot', what: { status: 500 }, times: 10 });
    await expect(door.start()).rejects.not.toThrow('DISCORD_SHARDS');
    await vi.advanceTimersByTimeAsync(3 * MINUTE);
    expect(logged.filter(({ message }) => message.includes('out of reach'))).toEqual([]);
    await door.stop();
  });

  it('answers once where two processes get an interaction, as while one replaces the other', async () => {
    const test = await makeTestApp({ words: WORDS, house });
    onTestFinished(test.close);
    const { events } = test.store;
    let marks = 0;
    const mark: typeof events.mark = (...given) => events.mark(...given).finally(() => ++marks);
    const store: Store = { ...test.store, engine: 'postgres', events: { ...events, mark } };
    const { app, dispatcher, discord } = await start({ test: { ...test, app: { ...test.app, store } } });
    const second = new DiscordDoor({ app, dispatcher, token: discord.token, apiUrl: discord.url });
    await second.start();
    await about(started);
    await expect.poll(() => marks).toBe(2);
    await second.stop();
    expect(discord.requestsTo('POST /interactions/:interaction/:token/callback')).toHaveLength(1);
  });

  it('drops an interaction at which something fails before there is an answer, and takes the next one', async () => {
    const test = await makeTestApp({ words: WORDS, house });
    onTestFinished(test.close);
    let isBroken = false;
    const now = () => {
      if (!isBroken) return test.clock.now();
      isBroken = false;
      throw new Error('no time');
    };
    const { logged } = await start({ test: { ...test, app: { ...test.app, clock: { now } } } });
    isBroken = true;
    about(started).catch(() => undefined);
    await expect.poll(() => logged.map(({ fields }) => fields.event)).toContain('INTERACTION_CREATE');
    expect((await about(started)).failed).toBe(false);
  });

  it('reports a lost connection, still posts, and answers after resuming what came meanwhile', async () => {
    const { discord, door, channel } = await start();
    discord.gateway.isOpen = false;
    discord.gateway.drop();
    await expect.poll(() => door.trouble()).toContain('not connected');
    const asked = about(started);
    await expect(postsIn(started, channel).opening()).resolves.toHaveProperty('thread');
    discord.gateway.isOpen = true;
    expect((await asked).failed).toBe(false);
    await expect.poll(() => door.trouble()).toBeUndefined();
    expect([discord.gateway.identifies, discord.gateway.resumes]).toEqual([1, 1]);
  });

  it('stops while a connection is being made, and no error of that is left uncaught', async () => {
    const { discord, door } = await start();
    const held: Duplex[] = [];
    discord.gateway.held = held;
    discord.gateway.drop();
    await expect.poll(() => held.length).toBe(1);
    const [socket] = held;
    const ended = once(socket!.resume(), 'end');
    await door.stop();
    // Vitest fails for an error that nobody catches.
    await ended;
    socket!.end();
  });

  it('stops while it waits for a session', async () => {
    const { discord, door } = await start();
    discord.gateway.answersIdentify = false;
    discord.gateway.invalidate(false);
    await expect.poll(() => discord.gateway.identifies).toBe(2);
    await door.stop();
  });

  it('serves the given range of shards', async () => {
    const { discord, door } = await start({
      fake: { shards: 4 },
      door: { shards: { shards: [1, 2], shardCount: 4 } },
      prepare: (fake) => {
        for (let other = 0; other < 8; other++) fake.world.addGuild(`Club ${other}`);
      },
    });
    expect(discord.gateway.connected.map(({ shard }) => shard).sort()).toEqual([
      [1, 4],
      [2, 4],
    ]);
    expect(door.trouble()).toBeUndefined();
    discord.gateway.isOpen = false;
    discord.gateway.connected[0]!.socket!.terminate();
    await expect.poll(() => door.trouble()).toContain('not connected');
  });
});

describe('a gateway that closes each connection at once', () => {
  it('is tried again ever more rarely, with the code of the close in one line for each attempt', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { discord, door, logged } = await start();
    discord.gateway.isOpen = false;
    discord.gateway.drop();
    const lines = () => logged.filter(({ message }) => message === 'the gateway reconnects');
    // The first pause is none.
    for (const count of [2, 3]) {
      await expect.poll(() => lines().length).toBe(count);
      const pause = Number(lines().at(-1)!.fields.pause);
      // Not before its pause is over.
      if (count < 3 && pause > 0) {
        await vi.advanceTimersByTimeAsync(pause - 100);
        expect(lines()).toHaveLength(count);
        await vi.advanceTimersByTimeAsync(100);
      }
    }
    expect(lines().map(({ fields }) => [fields.shard, fields.code])).toEqual([
      [0, 1006],
      [0, 4000],
      [0, 4000],
    ]);
    const [first, second, third] = lines().map(({ fields }) => Number(fields.pause));
    expect(first).toBe(0);
    expect(second).toBeGreaterThanOrEqual(1_000);
    expect(third).toBeGreaterThanOrEqual(2_000);
    // What waits to connect again does not do so after the stop.
    await door.stop();
    discord.gateway.isOpen = true;
    // Neither is an outage reported.
    await vi.advanceTimersByTimeAsync(third! + 2 * MINUTE);
    expect(discord.gateway.connected).toEqual([]);
  });

  it('answers within 15 seconds after any number of requests to reconnect', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { discord, door, logged } = await start();
    const pauses = () => pausesIn(logged);
    for (let asked = 1; asked <= 10; asked++) {
      discord.gateway.askReconnect();
      await expect.poll(() => pauses().length).toBe(asked);
      await vi.advanceTimersByTimeAsync(pauses().at(-1)! + SECOND);
      await expect.poll(() => door.trouble()).toBeUndefined();
    }
    expect(Math.max(...pauses())).toBeLessThan(11 * SECOND);
  });

  it('is tried at once again after a connection of more than a minute', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const { discord, door, logged } = await start();
    const pauses = () => pausesIn(logged);
    const held: Duplex[] = [];
    discord.gateway.held = held;
    discord.gateway.drop();
    await expect.poll(() => held.length).toBe(1);
    discord.gateway.held = undefined;
    held[0]!.end('HTTP/1.1 503 Service Unavailable\r\n\r\n');
    await expect.poll(() => pauses().length).toBe(2);
    await vi.advanceTimersByTimeAsync(pauses()[1]! + SECOND);
    await expect.poll(() => door.trouble()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(MINUTE);
    discord.gateway.drop();
    await expect.poll(() => pauses().length).toBe(3);
    expect(pauses()[2]).toBe(0);
    // An error explains the end of its own connection alone.
    const errors = logged.flatMap(({ message, fields }) =>
      message === 'the gateway reconnects' ? [fields.err] : [],
    );
    expect(errors.map((error) => error !== undefined)).toEqual([false, true, false]);
  });
});

it('stays closed once Discord refuses its token, which is one error, in an outage, too', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { discord, door, logged } = await start();
  Object.assign(discord.gateway, { isOpen: false, refusal: 4004 });
  discord.gateway.drop();
  const errors = () => logged.flatMap(({ level, message }) => (level === 'error' ? [message] : []));
  await expect.poll(errors).toEqual([expect.stringMatching(/nothing is posted\. .* DISCORD_TOKEN/)]);
  started.expectErrors(...errors());
  discord.gateway.isOpen = true;
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(door.trouble()).toContain('DISCORD_TOKEN');
  expect(errors()).toHaveLength(1);
});

describe('a loop of invalid sessions', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => void vi.useRealTimers());

  const outOfReach = (cause: string) =>
    `Discord’s gateway has been out of reach for 2 minutes: commands are not answered, daily threads are still posted. ${cause}`;
  const INVALID = outOfReach(
    'Discord begins no session: it answers IDENTIFY with INVALID SESSION, or not at all.',
  );
  const USED_UP = outOfReach('Discord allows no more sessions for 24 h.');
  const pauses = () => pausesIn(started.logged);
  const errors = () => started.logged.filter(({ level }) => level === 'error').map(({ message }) => message);
  /** Resolves when the nth pause has begun. */
  const pause = async (nth: number) => {
    await expect.poll(() => pauses().length).toBeGreaterThan(nth);
    return pauses()[nth]!;
  };

  it('is tried ever more rarely, up to ten minutes, and is one error and one line when it is over', async () => {
    const { discord, door } = await start();
    started.expectErrors(INVALID);
    const { gateway } = discord;
    gateway.givesSessions = false;
    gateway.invalidate(false);
    for (let nth = 0; nth < 13; nth++) await vi.advanceTimersByTimeAsync(await pause(nth));
    const last = await pause(13);
    const expected = [0, ...doubling(SECOND, 10 * MINUTE)];
    for (const [at, each] of pauses().entries()) {
      const least = expected[at] ?? 10 * MINUTE;
      expect(each).toBeGreaterThanOrEqual(least);
      expect(each).toBeLessThanOrEqual(least * 1.3);
    }
    // The first session was one, too, and the last is not requested yet.
    expect(gateway.identifies).toBe(pauses().length);
    expect(door.trouble()).toContain('not connected');
    expect(errors()).toEqual([INVALID]);
    gateway.givesSessions = true;
    await vi.advanceTimersByTimeAsync(last);
    await expect.poll(() => door.trouble()).toBeUndefined();
    expect(errors()).toHaveLength(1);
    const back = started.logged.filter(({ message }) => message.includes('is back after'));
    expect(back).toMatchObject([{ level: 'info', message: expect.stringMatching(/after \d\d minutes/) }]);
  });

  it('ends where Discord allows no more sessions, until it does', async () => {
    const { discord, door } = await start();
    started.expectErrors(USED_UP);
    const { gateway } = discord;
    gateway.identifies = 1_000;
    // Not the fake `setTimeout`: Vitest would restore it at the end of this file, for all later ones.
    const get = vi.spyOn(REST.prototype, 'get');
    gateway.invalidate(false);
    await pause(0);
    // Discord’s answer has arrived, and not only the request for it.
    await expect.poll(() => get.mock.settledResults.map(({ type }) => type)).toEqual(['fulfilled']);
    get.mockRestore();
    expect(discord.requestsTo('GET /gateway/bot')).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(23 * HOUR);
    expect(errors()).toEqual([USED_UP]);
    expect(gateway.identifies).toBe(1_000);
    gateway.identifies = 0;
    await vi.advanceTimersByTimeAsync(HOUR);
    await expect.poll(() => door.trouble()).toBeUndefined();
    expect(gateway.identifies).toBe(1);
  });
});

it.each([
  ['where Discord leaves out its object', undefined],
  ['in a thread of it', { id: '55', type: 11, parent_id: '44' }],
])('takes the channel of an interaction from its id %s', async (_, channel) => {
  await start();
  const event = {
    ...{ id: '1', application_id: '2', token: 'token', type: 2, data: { options: [] } },
    ...{ guild_id: '3', channel_id: channel?.id ?? '44', channel, member: { user: { id: '77' } } },
    authorizing_integration_owners: { 0: '3' },
  };
  const { where } = askerOf(v.parse(Interaction, event), started.store);
  expect(where).toMatchObject({ tenant: 'discord:3', channel: '44', direct: false });
  expect(where.thread).toBe(channel?.id);
});
