import { RateLimitError } from '@discordjs/rest';
import { MessageFlags } from 'discord-api-types/v10';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { postFailure } from '../../../src/chat/discord/rest.ts';
import { markOf } from '../../../src/chat/discord/search.ts';
import { PostFailure } from '../../../src/dispatch/poster.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { BITS, type Permission } from '../../fakes/discord/permissions.ts';
import { textOf } from '../../fakes/discord/person.ts';
import { CHANNEL, type Channel } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { postsIn, reply } from './posts.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
beforeEach(async () => {
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false } });
});
afterEach(() => started.close());

const postsOf = (channel: Channel) => postsIn(started, channel);
const messagesIn = (id: string | undefined) => started.discord.world.messagesOf(id ?? '');
const newChannel = (type?: number, more?: object) =>
  started.discord.world.addChannel(started.guild, type, more);

describe('a day of the daily thread', () => {
  it.each([
    ['a text channel', CHANNEL.text],
    ['an announcement channel', CHANNEL.announcement],
  ])('in %s is one message and its thread with the steps', async (_, type) => {
    const channel = newChannel(type);
    const { opening, step, noted } = postsOf(channel);
    const opened = await opening();
    expect(noted).toEqual([{ message: opened.message }, opened]);
    const thread = started.discord.world.channels.get(opened.thread!);
    expect(thread).toMatchObject({ name: '2026-11-20 · BCD FGH', parent_id: channel.id, flags: 1 << 21 });
    expect(thread?.thread_metadata?.auto_archive_duration).toBe(1440);
    const posted = await step(opened);
    expect(messagesIn(channel.id).map(({ id }) => id)).toEqual([opened.message]);
    const [message, ...others] = messagesIn(opened.thread);
    expect(others).toEqual([]);
    expect(message!.id).toBe(posted.message);
    expect(textOf(message!)).toContain('||secret||');
    await started.door.poster.archive(refOf(channel), opened);
    expect(thread?.thread_metadata?.archived).toBe(true);
  });

  it('calls nobody, whoever is named in it', async () => {
    const role = started.discord.world.addRole(started.guild, 'Puzzlers');
    const ben = started.discord.world.addUser('ben');
    const names = { kind: 'text' as const, lines: [[{ person: ben.id }, `<@&${role.id}> @everyone @here`]] };
    const named = { reply: { ...reply('Standings'), blocks: [names] } };
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening(named);
    const posted = await step(opened, named);
    await started.door.poster.edit(refOf(channel), posted, named.reply);
    for (const message of [...messagesIn(channel.id), ...messagesIn(opened.thread)])
      expect(message).toMatchObject({ mentions: [], mention_roles: [], mention_everyone: false });
    expect(JSON.stringify(messagesIn(opened.thread))).toContain(`<@${ben.id}>`);
  });

  it('in a forum is one post with the steps, with a tag if one is required', async () => {
    const forum = newChannel(CHANNEL.forum, { tags: ['daily', 'other'], requireTag: true });
    const { opening, step } = postsOf(forum);
    const opened = await opening();
    const thread = started.discord.world.channels.get(opened.thread!);
    expect(thread).toMatchObject({ parent_id: forum.id, applied_tags: [forum.available_tags?.[0]?.id] });
    await step(opened);
    expect(messagesIn(opened.thread)).toHaveLength(2);
    await started.door.poster.edit(refOf(forum), opened, reply('Changed'), 'its key');
    const [first] = messagesIn(opened.thread);
    expect(textOf(first!)).toContain('Changed');
    expect(first!.components[0]?.id, 'is still found by its key').toBe(markOf('its key'));
  });

  it.each([
    ['a text channel', CHANNEL.text],
    ['a forum', CHANNEL.forum],
  ])(
    'posts all of a quiet day in %s without notifications, and changes its messages as others',
    async (_, type) => {
      const channel = newChannel(type);
      const { opening, step } = postsOf(channel);
      const opened = await opening({ quiet: true });
      await step(opened, { quiet: true });
      const posted = [channel.id, opened.thread].flatMap((id) => messagesIn(id));
      expect(posted.map(({ flags }) => flags & MessageFlags.SuppressNotifications)).toEqual([4096, 4096]);
      await started.door.poster.edit(refOf(channel), opened, reply('Changed'));
      const loud = newChannel(type);
      const { thread } = await postsOf(loud).opening();
      const others = [loud.id, thread].flatMap((id) => messagesIn(id));
      expect(others.map(({ flags }) => flags & MessageFlags.SuppressNotifications)).toEqual([0]);
    },
  );

  it('mentions the role that was chosen, and nobody else', async () => {
    const role = started.discord.world.addRole(started.guild, 'Puzzlers');
    const channel = newChannel();
    await postsOf(channel).opening({ ping: role.id, reply: reply('<@&1> @everyone') });
    expect(messagesIn(channel.id)[0]).toMatchObject({ mention_roles: [role.id], mention_everyone: false });
  });

  it('has room for the mention in a message at Discord’s limits', async () => {
    const role = started.discord.world.addRole(started.guild, 'Puzzlers');
    const full: Reply = {
      title: 'The day',
      blocks: [
        { kind: 'text', lines: Array.from({ length: 400 }, () => 'all work and no play') },
        ...Array.from({ length: 40 }, () => ({ kind: 'note' as const, line: 'a dull boy' })),
      ],
      audience: 'everyone',
    };
    const channel = newChannel();
    await postsOf(channel).opening({ ping: role.id, reply: full });
    expect(textOf(messagesIn(channel.id)[0]!).length).toBeGreaterThan(3_900);
  });

  it('is posted where spoiler threads are not available', async () => {
    started.discord.threads.spoilerThreads = false;
    const opened = await postsOf(newChannel()).opening();
    expect(started.discord.world.channels.get(opened.thread!)?.flags).toBe(0);
  });
});

describe('the poster', () => {
  it.each([
    ['VIEW_CHANNEL', 'View Channel'],
    ['SEND_MESSAGES', 'Send Messages'],
    ['CREATE_PUBLIC_THREADS', 'Create Public Threads'],
    ['SEND_MESSAGES_IN_THREADS', 'Send Messages in Threads'],
    ['EMBED_LINKS', 'Embed Links'],
    ['ATTACH_FILES', 'Attach Files'],
  ] satisfies [Permission, string][])(
    'posts nothing without %s, and names that permission',
    async (bit, name) => {
      const channel = newChannel();
      started.discord.deny(channel, bit);
      expect(BITS[bit]).toBeTruthy();
      const failure = await postsOf(channel)
        .opening()
        .catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(PostFailure);
      expect(failure).toMatchObject({ kind: 'refused' });
      const what = (failure as PostFailure).missingRequirements.map((one) => one.what + one.how).join();
      expect(what).toContain(name);
      expect(messagesIn(channel.id)).toEqual([]);
      const missing = await started.door.poster.missingRequirements(refOf(channel));
      expect(missing.map((one) => one.what + one.how).join()).toContain(name);
    },
  );

  it('posts again as soon as the permission is back', async () => {
    const channel = newChannel();
    started.discord.deny(channel, 'ATTACH_FILES');
    await expect(postsOf(channel).opening()).rejects.toMatchObject({ kind: 'refused' });
    started.discord.deny(channel);
    await expect(postsOf(channel).opening()).resolves.toHaveProperty('thread');
  });

  it.each([
    [10003, 'refused'],
    [10004, 'removed'],
    [50001, 'refused'],
    [50013, 'refused'],
    [50024, 'refused'],
    [50035, 'invalid'],
    [40067, 'refused'],
    [160005, 'invalid'],
    [160006, 'refused'],
    [40333, 'later'],
    [10013, 'refused'],
  ])('reports code %i while posting as %s', async (code, kind) => {
    started.discord.fault({ on: 'POST /channels/:channel/messages', what: { code } });
    await expect(postsOf(newChannel()).opening()).rejects.toMatchObject({ kind });
  });

  it.each([
    [{ status: 500 }, 'unknown'],
    [{ status: 502 }, 'unknown'],
    ['drop', 'unknown'],
    [{ code: 10008 }, 'invalid'],
    [{ retryAfter: 1_800 }, 'invalid'],
  ] as const)('reports %o while editing as %s', async (what, kind) => {
    const channel = newChannel();
    const opened = await postsOf(channel).opening();
    started.discord.fault({ on: 'PATCH /channels/:channel/messages/:message', what });
    const edited = started.door.poster.edit(refOf(channel), opened, reply('x'));
    await expect(edited).rejects.toMatchObject({ kind });
  });

  it('gives up an edit at once when an old message was edited too often (30046), but no other request', async () => {
    const { discord, door, clock } = started;
    discord.threads.oldEdits = 2;
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening();
    const posted = await step(opened);
    clock.time += 2 * 3_600_000;
    const edit = (title: string) => door.poster.edit(refOf(channel), posted, reply(title));
    await edit('One');
    await edit('Two');
    discord.forgetRequests();
    await expect(edit('Three')).rejects.toMatchObject({ kind: 'invalid' });
    expect(discord.requests.map(({ code }) => code)).toEqual([30046]);
    await step(opened, { key: 'next-step' });
    clock.time += 3_600_000;
    await edit('Four');
    expect(textOf(messagesIn(opened.thread)[0]!)).toContain('Four');
  });

  it.each([401, 403, 404])(
    'does not report %i without a code of Discord’s own, as from a proxy, as a refusal',
    async (status) => {
      started.discord.fault({ on: '*', what: { status }, times: Number.POSITIVE_INFINITY });
      const { opening } = postsOf(newChannel());
      await expect(opening()).rejects.toMatchObject({ kind: 'later', missingRequirements: [] });
      started.discord.clearFaults();
      await expect(opening()).resolves.toHaveProperty('thread');
    },
  );

  it('waits for no answer that Discord wants to give in half an hour, and posts elsewhere', async () => {
    const channel = newChannel();
    started.discord.fault({ on: 'POST /channels/:channel/messages', what: { retryAfter: 1_800 } });
    const later = { kind: 'later', retryAfter: expect.closeTo(1_800_000, -5) };
    await expect(postsOf(channel).opening()).rejects.toMatchObject(later);
    expect(messagesIn(channel.id)).toEqual([]);
    await expect(postsOf(newChannel()).opening()).resolves.toHaveProperty('thread');
  });

  it('passes on how long Discord asks to wait', () => {
    const limit = {
      global: false,
      hash: '',
      limit: 5,
      majorParameter: '',
      method: 'PATCH',
      route: '',
      url: '',
    };
    const pause = { retryAfter: 7_000, scope: 'user', sublimitTimeout: 0, timeToReset: 7_000 } as const;
    const failure = postFailure(new RateLimitError({ ...limit, ...pause }));
    expect(failure).toMatchObject({ kind: 'later', retryAfter: 7_000 });
  });

  it('uses a token again that was refused once (401)', async () => {
    started.discord.fault({ on: 'POST /channels/:channel/messages', what: { status: 401 } });
    const { opening } = postsOf(newChannel());
    await expect(opening()).rejects.toMatchObject({ kind: 'later' });
    await expect(opening()).resolves.toHaveProperty('thread');
  });

  it('reports a channel that was deleted in the middle of the day as refused', async () => {
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening();
    started.clock.time += 120_000;
    started.discord.deleteChannel(channel);
    await expect(step(opened)).rejects.toMatchObject({ kind: 'refused' });
  });

  it('reports a step in a deleted thread as invalid, and posts the next day', async () => {
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening();
    started.discord.deleteChannel(started.discord.world.channels.get(opened.thread!)!);
    await expect(step(opened)).rejects.toMatchObject({ kind: 'invalid', missingRequirements: [] });
    started.clock.time += 120_000;
    await expect(opening({ key: 'next-day' })).resolves.toHaveProperty('thread');
  });

  it('refuses a channel of the wrong type', async () => {
    const voice = newChannel(CHANNEL.voice);
    await expect(postsOf(voice).opening()).rejects.toMatchObject({ kind: 'refused' });
  });

  it('opens an archived thread to edit a message in it', async () => {
    const { opening, step } = postsOf(newChannel());
    const opened = await opening();
    const posted = await step(opened);
    await started.door.poster.archive(refOf(started.channel), opened);
    await started.door.poster.edit(refOf(started.channel), posted, reply('Changed'));
    expect(textOf(messagesIn(opened.thread)[0]!)).toContain('Changed');
  });

  describe('a private post', () => {
    const privately = (person: string, more: object = {}) =>
      started.door.poster.postPrivately({
        channel: refOf(started.channel),
        key: 'reminder-key',
        reply: { ...reply('A reminder'), audience: 'asker' },
        posted: undefined,
        outcomeUnknown: false,
        since: 0,
        note: async () => true,
        person,
        ...more,
      });

    it('is sent once for its key, however long ago an attempt ended without an answer', async () => {
      const ben = started.discord.world.addUser('ben');
      const posted = await privately(ben.id);
      started.discord.fault({ on: 'POST /channels/:channel/messages', what: 'lose' });
      await expect(privately(ben.id, { key: 'another-key' })).rejects.toMatchObject({ kind: 'unknown' });
      started.clock.time += 3_600_000;
      for (const key of ['reminder-key', 'another-key'])
        await privately(ben.id, { key, outcomeUnknown: true });
      const sent = messagesIn(posted.thread);
      expect(sent.map((message) => textOf(message).split('\n')[0])).toEqual([
        '### A reminder',
        '### A reminder',
      ]);
      expect(await privately(ben.id, { posted })).toEqual(posted);
      expect(messagesIn(posted.thread)).toHaveLength(2);
    });

    it.each([50007, 50278, 10013, 50033])('is refused by somebody whom code %i is about', async (code) => {
      const ben = started.discord.world.addUser('ben');
      started.discord.fault({ on: 'POST /channels/:channel/messages', what: { code } });
      await expect(privately(ben.id)).rejects.toMatchObject({ kind: 'refused' });
      started.discord.closedToDirect.add(ben.id);
      await expect(privately(ben.id)).rejects.toMatchObject({ kind: 'refused' });
    });

    it('is tried again, and was surely not sent, after a conversation could not be opened', async () => {
      const ben = started.discord.world.addUser('ben');
      started.discord.fault({ on: 'POST /users/@me/channels', what: 'lose' });
      await expect(privately(ben.id)).rejects.toMatchObject({ kind: 'later' });
    });

    it.each([50001, 50013, 40001])(
      'is tried again after code %i, which is not about the person',
      async (code) => {
        const ben = started.discord.world.addUser('ben');
        started.discord.fault({ on: 'POST /channels/:channel/messages', what: { code } });
        await expect(privately(ben.id)).rejects.toMatchObject({ kind: 'later' });
      },
    );
  });

  it('returns false for a private message to somebody who takes none', async () => {
    const ben = started.discord.world.addUser('ben');
    expect(await started.door.poster.notify(refOf(started.channel), ben.id, reply('News'))).toBe(true);
    started.discord.closedToDirect.add(ben.id);
    expect(await started.door.poster.notify(refOf(started.channel), ben.id, reply('News'))).toBe(false);
  });
});

function refOf(channel: Channel) {
  return { tenant: `discord:${started.guild.id}`, channel: channel.id };
}
