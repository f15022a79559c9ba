/**
 * The error codes that matter to the daily thread, and what becomes of the day after each. Where the fake can, it
 * gives a code for the same cause as Discord. The codes of interactions (10062, 40060) are in respond.test.ts,
 * those of edits (30046, 50083) in poster.test.ts.
 */

import { DiscordAPIError } from 'discord.js';
import { afterEach, describe, expect, it } from 'vitest';
import { afterWrite, postFailure } from '../../../src/chat/discord/errors.ts';
import { InvalidRequestGuard } from '../../../src/chat/discord/invalid-requests.ts';
import { BotRest, PostingRest } from '../../../src/chat/discord/rest.ts';
import { NEEDED_PERMISSIONS } from '../../../src/chat/discord/rights.ts';
import { MINUTE, type PuzzleDate } from '../../../src/core/clock.ts';
import type { DailySettings } from '../../../src/daily/settings/settings.ts';
import { describeReason } from '../../../src/daily/suspension.ts';
import { reasonOf } from '../../../src/operations/discord-application.ts';
import { subscribe } from '../../daily/ground.ts';
import { dayOf } from '../../fakes/day-thread.ts';
import { INTENT } from '../../fakes/discord/gateway.ts';
import { textOf } from '../../fakes/discord/person.ts';
import type { Wrong } from '../../fakes/discord/server.ts';
import { type Channel, isThread, type Permission } from '../../fakes/discord/world.ts';
import { sample } from '../../fakes/sample.ts';
import { newYork, type World, world } from '../../fakes/world.ts';
import { about, postsIn } from './start.ts';

const START_THREAD = 'POST /channels/:channel/messages/:message/threads';

/** The whole daily thread in one channel of the fake Discord. */
type Day = Awaited<ReturnType<typeof startDay>>;
let made: World;
let day: Day;
afterEach(() => made.close());

async function startDay(settings: Partial<DailySettings> = {}) {
  made = await world({ doors: ['discord'] });
  const { store, clock, app, logged, expectErrors } = made;
  const { discord, door, guild, channel } = made.discord!;
  const ref = { tenant: `discord:${guild.id}`, channel: channel.id };
  const { subscriptions, deliveries } = store.tenant(ref.tenant);
  const manager = discord.world.addUser('manager');
  clock.time = newYork(20, 7);
  const subscribed = { channel: ref, at: clock.time, by: manager.id };
  await subscribe(store, { source: 'house', ...settings }, subscribed);
  const textsIn = (id: string) => discord.world.messagesOf(id).map(textOf);
  return {
    ...{ discord, door, guild, channel, ref, store, clock, app, logged, expectErrors },
    /** Moves the clock, and runs the daily thread every quarter of an hour. */
    async until(moment: number) {
      while (clock.time < moment) await made.at(Math.min(moment, clock.time + 15 * MINUTE));
    },
    /** The state of each step of a date, with its reason if there is one. */
    rows: (date: PuzzleDate) => dayOf(store, ref, date),
    /** Why its day waits. */
    async reason() {
      const reason = (await deliveries.day(ref.channel, '2026-11-20'))?.reason;
      return reason && describeReason(reason);
    },
    state: async () => (await subscriptions.get(ref.channel))?.state,
    /** The private messages to the person who set the thread up. */
    notices: () => textsIn(discord.world.directChannel(manager).id),
    /** The channel's messages, and those in all of its threads. */
    posts() {
      const threads = discord.world.channelsOf(guild.id).filter((one) => one.parent_id === channel.id);
      return [channel, ...threads].flatMap(({ id }) => textsIn(id));
    },
  };
}

const codes = () => day.discord.requests.flatMap(({ code }) => (code === undefined ? [] : [code]));
const times = (code: number) => codes().filter((one) => one === code).length;
const thread = (): Channel => day.discord.world.channelsOf(day.guild.id).find(isThread)!;

/** A day whose opening and first hint are posted, an hour before the second. */
async function begun(): Promise<void> {
  day = await startDay();
  await day.until(newYork(20, 11));
  expect(day.posts()).toHaveLength(2);
  day.discord.forgetRequests();
}

describe('the channel is suspended, and the person who set it up is notified once', () => {
  it('10003: deleted channel', async () => {
    await begun();
    day.discord.deleteChannel(day.channel);
    await day.until(newYork(20, 18));
    expect(await day.state()).toBe('suspended');
    expect(day.notices()).toEqual([expect.stringContaining('If it is gone, choose another one')]);
    // The bot checks once an hour, and not more often.
    expect(times(10003)).toBeGreaterThan(0);
    expect(times(10003)).toBeLessThan(12);
  });

  it('160006: too many active threads, until some are archived', async () => {
    day = await startDay();
    day.discord.threads.activeThreads = 0;
    await day.until(newYork(20, 13));
    expect(times(160006)).toBe(1);
    expect(day.posts()).toHaveLength(1);
    expect(day.notices()).toEqual([expect.stringContaining('as many active threads as Discord allows')]);
    day.discord.threads.activeThreads = 1;
    expect(await day.store.tenant(day.ref.tenant).subscriptions.reactivate(day.ref.channel)).toBe(true);
    await day.until(newYork(20, 21));
    expect(await day.rows('2026-11-20')).toMatchObject({
      opening: 'posted',
      count: 'posted',
      solution: 'posted',
    });
    expect(day.posts()).toHaveLength(3);
  });
});

describe('the day ends, and the next day is posted', () => {
  const nextDay = async () => {
    await day.until(newYork(21, 9));
    expect(await day.state()).toBe('active');
    expect(day.notices()).toEqual([]);
    expect(await day.rows('2026-11-21')).toMatchObject({ opening: 'posted', start: 'posted' });
  };

  it('160005: locked thread, without suspending the channel', async () => {
    await begun();
    thread().thread_metadata!.locked = true;
    await day.until(newYork(20, 23));
    const gone =
      'left out: the thread is locked (Discord said 160005: ThreadLocked, to POST /channels/…/messages)';
    expect(await day.rows('2026-11-20')).toMatchObject({ count: gone, solution: gone });
    expect(codes()).toEqual([160005, 160005]);
    // No errors, which the fixture would report.
    expect(
      day.logged.filter(({ message }) => message.startsWith('people have removed or locked')),
    ).toHaveLength(2);
    await nextDay();
    expect((await day.rows('2026-11-20')).closing).toBe(gone);
  });

  it('10003: deleted thread in a channel that is still there', async () => {
    day = await startDay();
    const { opening, step } = postsIn(day, day.channel);
    const opened = await opening();
    day.discord.deleteChannel(thread());
    await expect(step(opened)).rejects.toMatchObject({ kind: 'closed', message: 'the thread is gone' });
  });

  it('10008: message deleted before its thread was started', async () => {
    day = await startDay();
    day.discord.fault({ on: START_THREAD, what: 'drop' });
    await day.until(newYork(20, 8));
    day.discord.world.messages.set(day.channel.id, []);
    await day.until(newYork(20, 11));
    expect(codes()).toEqual([10008]);
    expect((await day.rows('2026-11-20')).opening).toContain('the message is gone');
    await nextDay();
  });

  it('50035: message that Discord rejects as invalid', async () => {
    day = await startDay({ ping: '1' });
    day.expectErrors('this post cannot be made: it is left out');
    await day.until(newYork(20, 18));
    expect(codes()).toEqual([50035]);
    expect((await day.rows('2026-11-20')).opening).toContain('Discord does not take this message');
    expect(await day.state()).toBe('active');
    expect(day.notices()).toEqual([]);
    const details = day.logged.map(({ fields }) => fields.detail).filter(Boolean);
    expect(details).toEqual([expect.stringContaining('allowed_mentions.roles[0]')]);
    expect(details.join()).not.toContain('Letter Boxed');
  });
});

describe('reads that fail', () => {
  const WAYS: readonly Wrong[] = [
    ...[{ status: 503 }, { status: 500 }, { retryAfter: 60 }],
    ...(['lose', 'half', 'drop'] as const),
  ];
  const MAY_LACK = ['nothing', 'Read Message History', ...Object.keys(NEEDED_PERMISSIONS)];
  const LACKED = sample(MAY_LACK, MAY_LACK.slice(0, 3));
  const CASES = LACKED.flatMap((lacks, at) =>
    sample(WAYS, [WAYS[at % WAYS.length]!]).map((what) => [what, lacks] as const),
  );
  const bitOf = (name: string) => name.toUpperCase().replaceAll(' ', '_') as Permission;
  const lifted = () => day.logged.filter(({ message }) => message.includes('and is reactivated')).length;

  it.each(CASES)(
    '(%j) at each step of a day are only tried again, where it lacks %s',
    async (what, lacks) => {
      day = await startDay();
      const { discord, channel } = day;
      const isNeeded = lacks in NEEDED_PERMISSIONS;
      if (lacks !== 'nothing') discord.deny(channel, bitOf(lacks));
      for (let hour = 8; hour < 24; hour++) {
        // What is missing is seen in spite of it, and so is that it is there again.
        if (isNeeded && hour === 13) {
          expect(await day.state()).toBe('suspended');
          expect(day.notices()).toEqual([expect.stringContaining(lacks)]);
          discord.deny(channel);
        }
        // Whatever was known is asked for again.
        discord.gateway.dispatch('CHANNEL_UPDATE', channel, day.guild.id, INTENT.guilds);
        await about(made.discord!);
        // A check whether it is there again is made once an hour, and some of them fail.
        if (!isNeeded || hour !== 15) discord.fault({ on: 'GET *', what, times: 2 });
        await day.until(newYork(20, hour));
        discord.clearFaults();
      }
      expect(await day.state()).toBe('active');
      expect([day.notices().length, lifted()]).toEqual(isNeeded ? [1, 1] : [0, 0]);
      const rows = await day.rows('2026-11-20');
      expect(rows).toMatchObject({ opening: 'posted', solution: 'posted' });
      expect(day.posts().length).toBe(new Set(day.posts()).size);
    },
  );

  it.each([{ status: 429 }, { retryAfter: Number.NaN }, { retryAfter: 3_000_000 }])(
    'by %j, without a time that can be waited for, are not requested again at once',
    async (what) => {
      day = await startDay();
      const settings = { token: day.discord.token, apiUrl: day.discord.url };
      const guard = new InvalidRequestGuard(day.app);
      for (const rest of [
        ...[new PostingRest(settings, guard), new BotRest(settings, guard)],
        // The client of the set-up.
        new BotRest(settings),
      ]) {
        day.discord.fault({ on: '*', what, times: 50 });
        day.discord.forgetRequests();
        const failure = await rest.get('/users/@me').then(() => expect.unreachable(), postFailure);
        expect(failure.kind).toBe('later');
        expect(reasonOf(failure.cause)).toBe('Discord asks to wait (429). Try again in a few minutes.');
        expect(day.discord.requests).toHaveLength(1);
        day.discord.clearFaults();
        rest.close();
      }
    },
  );
});

describe('a refusal', () => {
  it.each([
    [10003, 'refused', 'the channel is gone'],
    [10004, 'removed', 'the bot is no longer in this server'],
    [10008, 'closed', 'the message is gone'],
    [20022, 'later', 'takes few changes'],
    [40004, 'later', 'takes no messages now'],
    [40006, 'later', 'switched that off'],
    [40066, 'refused', 'the forum requires a tag'],
    [40067, 'refused', 'the forum requires a tag'],
    [50001, 'refused', 'the channel can not be seen'],
    [50007, 'invalid', 'this person takes no private messages'],
    [50013, 'refused', 'a permission is missing'],
    [50024, 'refused', 'this kind of channel can not do that'],
    [50035, 'invalid', 'Discord does not take this message'],
    [160005, 'closed', 'the thread is locked'],
    [160006, 'refused', 'archive some'],
    [160007, 'refused', 'archive some'],
    [200000, 'refused', 'AutoMod'],
    [200001, 'refused', 'AutoMod'],
    [400001, 'refused', 'takes no files'],
  ])('with the code %i is %s: %s', (code, kind, says) => {
    const failure = postFailure(new DiscordAPIError({ code, message: 'no' }, code, 400, 'POST', '/', {}));
    expect(failure.kind).toBe(kind);
    expect(failure.message).toContain(says);
    expect(failure.message).toContain(String(code));
  });
});

describe('a failed request', () => {
  const broken = (code: string) =>
    new TypeError('fetch failed', { cause: Object.assign(new Error(), { code }) });
  const refused = (code: number, status: number) =>
    new DiscordAPIError({ code, message: 'no' }, code, status, 'POST', '/channels/1/messages', {});

  it.each([
    ['for which there was no connection', broken('UND_ERR_CONNECT_TIMEOUT'), 'later'],
    ['for which no address was found', broken('EAI_AGAIN'), 'later'],
    ['that got no answer', broken('UND_ERR_HEADERS_TIMEOUT'), 'unknown'],
    ['whose token was refused', refused(40001, 401), 'later'],
    ['that was refused for a reason we do not know', refused(99999, 403), 'refused'],
    ['that Cloudflare refused', refused(40333, 403), 'later'],
    ['about somebody who is gone', refused(10013, 404), 'refused'],
  ])('%s is tried again only as far as it was surely not sent', (_, error, kind) => {
    expect(postFailure(afterWrite(error)).kind).toBe(kind);
    if (kind === 'unknown') expect(postFailure(error).kind).toBe('later');
  });
});
