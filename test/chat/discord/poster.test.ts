import { MessageFlags, type REST } from 'discord.js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findMessage } from '../../../src/chat/discord/poster.ts';
import { containerIdOf } from '../../../src/chat/discord/render.ts';
import { HOUR, MINUTE } from '../../../src/core/clock.ts';
import { UNLEASED } from '../../../src/dispatch/poster.ts';
import type { Reply } from '../../../src/reply/model/types.ts';
import { textOf } from '../../fakes/discord/person.ts';
import type { Wrong } from '../../fakes/discord/server.ts';
import { CHANNEL, type Channel } from '../../fakes/discord/world.ts';
import { recordingPost } from '../../fakes/poster.ts';
import { sample } from '../../fakes/sample.ts';
import { postsIn, reply, type Started, startDiscord } from './start.ts';

let started: Started;
beforeAll(async () => {
  const door = { requestsPerSecond: 10_000 };
  started = await startDiscord({ fake: { limits: false }, door });
});
afterAll(() => started.close());
beforeEach(() => {
  started.discord.forgetRequests();
  // Refusals of earlier tests no longer count.
  started.clock.time += 10 * MINUTE;
});
afterEach(() => started.discord.clearFaults());

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
    const { opening, step, recorded } = postsOf(channel);
    const opened = await opening({ threadName: 'x'.repeat(101) });
    expect(recorded).toEqual([{ message: opened.message }, opened]);
    const thread = started.discord.world.channels.get(opened.thread!);
    expect(thread).toMatchObject({ name: `${'x'.repeat(99)}…`, parent_id: channel.id });
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
    Object.assign(started.discord.world.addMember(started.guild, ben), { nick: 'Benny' });
    // Nobody there knows their name, so that they stay mentioned by their id.
    const gone = started.discord.world.addUser('gone');
    const line = [{ person: ben.id }, { person: gone.id }, `<@&${role.id}> @everyone @here`];
    const names = { kind: 'text' as const, lines: [line] };
    const named = { reply: { ...reply('Standings'), blocks: [names] } };
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening(named);
    const posted = await step(opened, named);
    await started.door.poster.edit(refOf(channel), posted, named.reply);
    for (const message of [...messagesIn(channel.id), ...messagesIn(opened.thread)])
      expect(message).toMatchObject({ mentions: [], mention_roles: [], mention_everyone: false });
    // The member's name on this server: phones show "@invalid-user" for a mention without user data.
    expect(textOf(messagesIn(opened.thread)[0]!)).toContain('Benny');
    expect(textOf(messagesIn(opened.thread)[0]!)).toContain('@invalid-user');
  });

  it('in a forum is one post with the steps, with a tag if one is required', async () => {
    const forum = newChannel(CHANNEL.forum, { tags: ['daily', 'other'], requireTag: true });
    const { opening, step } = postsOf(forum);
    const opened = await opening();
    const thread = started.discord.world.channels.get(opened.thread!);
    expect(thread).toMatchObject({ parent_id: forum.id, applied_tags: [forum.available_tags?.[0]?.id] });
    await step(opened);
    expect(messagesIn(opened.thread)).toHaveLength(2);
    await started.door.poster.edit(refOf(forum), opened, reply('Changed'), { keys: ['its key'] });
    // One that takes no tag is tried with a single one.
    started.discord.fault({ on: 'POST /channels/:channel/threads', what: { code: 40067 }, times: 2 });
    await expect(opening()).rejects.toMatchObject({ kind: 'refused' });
    const [first] = messagesIn(opened.thread);
    expect(textOf(first!)).toContain('Changed');
    expect(first!.components[0]?.id, 'is still found by its key').toBe(containerIdOf('its key'));
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
    role.mentionable = true;
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
});

describe('an opening after another one', () => {
  const message = 'POST /channels/:channel/messages';
  const thread = 'POST /channels/:channel/messages/:message/threads';
  const post = 'POST /channels/:channel/threads';
  it.each([
    ['a text channel', CHANNEL.text, {}, [message, thread]],
    ['a forum', CHANNEL.forum, { tags: ['daily'] }, [post]],
    ['a forum that requires a tag', CHANNEL.forum, { tags: ['daily'], requireTag: true }, [post, post]],
  ])('in %s asks for nothing that was there before', async (_, type, more, requests) => {
    const recentOpening = { message: '1', thread: '1', ...(type === CHANNEL.forum && { kind: 'forum' }) };
    const channel = newChannel(type, more);
    const first = started.discord.requests.length;
    await postsOf(channel).opening({ recentOpening });
    const sent = started.discord.requests.slice(first).map(({ route }) => route);
    expect(sent.filter((route) => route?.startsWith('POST'))).toEqual(requests);
    expect(sent).toHaveLength('requireTag' in more ? 5 : requests.length);
  });
});

describe('the poster', () => {
  it.each([
    [{ status: 500 }, 'unknown'],
    [{ status: 502 }, 'unknown'],
    ['drop', 'unknown'],
    [{ code: 10008 }, 'closed'],
    [{ retryAfter: 1_800 }, 'later'],
    [{ retryAfter: 6 }, 'later'],
  ] as const)('reports %o while editing as %s', async (what, kind) => {
    const channel = newChannel();
    const opened = await postsOf(channel).opening();
    started.discord.fault({ on: 'PATCH /channels/:channel/messages/:message', what });
    const edited = started.door.poster.edit(refOf(channel), opened, reply('x'));
    await expect(edited).rejects.toMatchObject({ kind });
  });

  it('postpones an edit by minutes when an old message was edited too often (30046), but no other request', async () => {
    const { discord, door, clock } = started;
    discord.threads.oldEdits = 2;
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening();
    const posted = await step(opened);
    clock.time += 2 * HOUR;
    const edit = (title: string) => door.poster.edit(refOf(channel), posted, reply(title));
    await edit('One');
    await edit('Two');
    discord.forgetRequests();
    await expect(edit('Three')).rejects.toMatchObject({ kind: 'later', retryAfter: 10 * MINUTE });
    expect(discord.requests.map(({ code }) => code)).toEqual([30046]);
    await step(opened, { key: 'next-step' });
    clock.time += HOUR;
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
        ...UNLEASED,
        since: 0,
        person,
        ...more,
      });

    it('is sent once for its key, however long ago an attempt ended without an answer', async () => {
      const ben = started.discord.world.addUser('ben');
      const reserved = vi.spyOn(started.store.pace, 'reserveUpTo');
      const posted = await privately(ben.id);
      expect(reserved).toHaveBeenCalledTimes(1);
      // Only a conversation that has to be opened takes a place among those of all processes.
      await privately(ben.id, { key: 'known', posted: { thread: posted.thread } });
      expect(reserved).toHaveBeenCalledTimes(1);
      reserved.mockRestore();
      started.discord.fault({ on: 'POST /channels/:channel/messages', what: 'lose' });
      await expect(privately(ben.id, { key: 'another-key' })).rejects.toMatchObject({ kind: 'unknown' });
      started.clock.time += HOUR;
      for (const key of ['reminder-key', 'another-key'])
        await privately(ben.id, { key, outcomeUnknown: true });
      const sent = messagesIn(posted.thread);
      expect(sent.map((message) => textOf(message).split('\n')[0])).toEqual(Array(3).fill('### A reminder'));
      expect(await privately(ben.id, { posted })).toEqual(posted);
      expect(messagesIn(posted.thread)).toHaveLength(3);
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
      const paused = vi.spyOn(started.store.pace, 'pause');
      onTestFinished(() => paused.mockRestore());
      started.discord.fault({ on: 'POST /users/@me/channels', what: { code: 40003 } });
      await expect(privately(ben.id)).rejects.toMatchObject({ kind: 'later' });
      expect(paused).toHaveBeenCalledTimes(2);
    });

    it('never pauses the thread of a server, whose members take none', async () => {
      const people = Array.from({ length: 25 }, (_, at) => started.discord.world.addUser(`closed ${at}`));
      for (const { id } of people) {
        started.discord.closedToDirect.add(id);
        await expect(privately(id)).rejects.toThrow();
        await expect(started.door.poster.notify(refOf(started.channel), id, reply('News'))).rejects.toThrow();
      }
      await expect(postsOf(newChannel()).opening()).resolves.toHaveProperty('thread');
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

  it('says of a private message that the person takes none', async () => {
    const ben = started.discord.world.addUser('ben');
    const notify = () => started.door.poster.notify(refOf(started.channel), ben.id, reply('News'));
    await notify();
    started.discord.closedToDirect.add(ben.id);
    await expect(notify()).rejects.toMatchObject({ name: 'PostFailure', kind: 'invalid' });
  });
});

describe('a post whose answer was lost', () => {
  const POST = 'POST /channels/:channel/messages';
  const FORUM_POST = 'POST /channels/:channel/threads';
  /** The ids of a channel's messages, which their threads share, or of a forum's posts. */
  const openingsIn = ({ id }: Channel) => {
    const children = started.discord.world.channelsOf(started.guild.id).filter((one) => one.parent_id === id);
    return [...new Set([...messagesIn(id), ...children].map((one) => one.id))];
  };
  const OPENINGS = [
    ['an opening message', CHANNEL.text, POST, 'lose'],
    ['an opening message whose answer broke off', CHANNEL.text, POST, 'half'],
    ['a forum post', CHANNEL.forum, FORUM_POST, 'lose'],
  ] as const;

  /** What proxies answer with status 200 to a request that they passed on. */
  const GARBLED = [
    '',
    '{}',
    '[]',
    'null',
    '""',
    '"ok"',
    'true',
    '{"id":1}',
    '{"ok":false}',
    '{"id"',
    '<p>Hi</p>',
  ];
  const garbled = (answers: readonly string[]) => answers.map((one) => ({ what: { garbled: one } }));
  const BROKEN = [{ what: 'half' as const }, ...garbled(GARBLED)];

  it.each<{ what: Wrong }>([{ what: 'lose' }, ...sample(BROKEN, garbled(['[]', '{"id"']))])(
    'is found again after $what: opening, forum post, step, message without a thread',
    async ({ what }) => {
      const [channel, forum] = [newChannel(), newChannel(CHANNEL.forum)];
      const openings = [
        { at: channel, on: POST },
        { at: forum, on: FORUM_POST },
      ];
      for (const { at, on } of openings) {
        started.discord.fault({ on, what });
        // A role that is mentioned is a part of its own.
        await expect(postsOf(at).opening({ ping: started.guild.id })).rejects.toMatchObject({
          kind: 'unknown',
        });
      }
      const { opening, step } = postsOf(channel);
      started.clock.time += HOUR;
      const opened = await opening({ outcomeUnknown: true });
      expect(openingsIn(channel)).toEqual([opened.message]);
      await postsOf(forum).opening({ outcomeUnknown: true });
      expect(openingsIn(forum)).toHaveLength(1);
      started.discord.fault({ on: POST, what });
      await expect(step(opened, { mergedKeys: ['key-3'] })).rejects.toMatchObject({ kind: 'unknown' });
      started.clock.time += HOUR;
      // An empty list is what a channel without the post looks like.
      if (JSON.stringify(what) !== JSON.stringify({ garbled: '[]' })) {
        started.discord.fault({ on: 'GET /channels/:channel/messages', what });
        await expect(step(opened, { outcomeUnknown: true })).rejects.toMatchObject({ kind: 'later' });
      }
      const found = await step(opened, { outcomeUnknown: true });
      expect(await step(opened, { key: 'key-3', outcomeUnknown: true })).toEqual(found);
      expect(messagesIn(opened.thread)).toHaveLength(1);
      const plain = { thread: undefined, key: 'plain-key' };
      started.discord.fault({ on: POST, what });
      await expect(step({}, plain)).rejects.toMatchObject({ kind: 'unknown' });
      started.clock.time += HOUR;
      const { message } = await step({}, { ...plain, outcomeUnknown: true });
      expect(openingsIn(channel).toSorted()).toEqual([opened.message, message].toSorted());
    },
  );

  it.each(sample(GARBLED, ['{}']))(
    'is started once: a thread, after %j came for an answer to its start',
    async (garbled) => {
      const channel = newChannel();
      const { opening, recorded } = postsOf(channel);
      started.discord.fault({ on: 'POST /channels/:channel/messages/:message/threads', what: { garbled } });
      await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
      expect(recorded.at(-1)).not.toHaveProperty('thread');
      const opened = await opening({ outcomeUnknown: true, posted: recorded.at(-1) });
      expect(opened.thread).toBe(opened.message);
      started.discord.fault({ on: 'PATCH /channels/:channel/messages/:message', what: { garbled } });
      const edited = started.door.poster.edit(refOf(channel), opened, reply('x'));
      await expect(edited).rejects.toMatchObject({ kind: 'unknown' });
    },
  );

  it('is found again: a step in the thread, among many other messages', async () => {
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening();
    started.discord.fault({ on: POST, what: 'lose' });
    await expect(step(opened)).rejects.toMatchObject({ kind: 'unknown' });
    for (let other = 0; other < 150; other++) await step(opened, { key: `other-${other}` });
    // For some minutes, Discord itself recognizes a repeated post by its nonce.
    started.clock.time += HOUR;
    await step(opened, { outcomeUnknown: true });
    expect(messagesIn(opened.thread).filter((message) => textOf(message).includes('A step'))).toHaveLength(
      151,
    );
  });

  it('is found again with few requests: a forum post that got many messages since', async () => {
    const forum = newChannel(CHANNEL.forum);
    const { opening } = postsOf(forum);
    for (let day = 0; day < 6; day++) await opening({ key: `day ${day}` });
    started.discord.fault({ on: FORUM_POST, what: 'lose' });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    const { world } = started.discord;
    const post = world.channelsOf(started.guild.id).findLast((one) => one.parent_id === forum.id);
    const [first] = messagesIn(post!.id);
    const others = Array.from({ length: 600 }, () => ({ ...first!, id: world.snowflake(), components: [] }));
    world.messages.set(post!.id, [first!, ...others]);
    // Newer posts of somebody else.
    for (let more = 0; more < 6; more++)
      world.keepChannel({ ...post!, id: world.snowflake(), owner_id: world.addUser('eve').id });
    started.discord.forgetRequests();
    expect(await opening({ outcomeUnknown: true })).toMatchObject({ thread: post!.id });
    expect(started.discord.requests.filter(({ method }) => method === 'GET').length).toBeLessThan(10);
  });

  it('is posted again: a forum post that somebody deleted', async () => {
    const forum = newChannel(CHANNEL.forum);
    const { opening } = postsOf(forum);
    const before = await opening({ key: 'the-day-before' });
    started.discord.world.messages.set(before.thread!, []);
    expect((await opening({ outcomeUnknown: true })).thread).not.toBe(before.thread);
  });

  it('is not posted twice within minutes, even by a process that does not know of it', async () => {
    const channel = newChannel();
    const { opening } = postsOf(channel);
    started.discord.fault({ on: POST, what: 'lose' });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    await opening();
    expect(messagesIn(channel.id)).toHaveLength(1);
  });

  it.each(OPENINGS)('is not repeated where the history can’t be read: %s', async (_, type, on, what) => {
    const channel = newChannel(type);
    const { opening } = postsOf(channel);
    started.discord.fault({ on, what });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    started.discord.deny(channel, 'READ_MESSAGE_HISTORY');
    await expect(opening({ outcomeUnknown: true })).rejects.toMatchObject({
      kind: 'refused',
      missingRequirements: [{ what: 'the permission "Read Message History"' }],
    });
    expect(openingsIn(channel)).toHaveLength(1);
  });

  it('is not repeated where more was written since than can be searched, and looks no further back', async () => {
    const channel = newChannel();
    const { opening } = postsOf(channel);
    const since = started.clock.time;
    started.discord.fault({ on: POST, what: 'lose' });
    await expect(opening({ since })).rejects.toMatchObject({ kind: 'unknown' });
    started.clock.time += HOUR;
    const { world } = started.discord;
    const [post] = messagesIn(channel.id);
    const others = Array.from({ length: 1_000 }, () => ({ ...post!, id: world.snowflake(), components: [] }));
    world.messages.set(channel.id, [post!, ...others]);
    const again = { since, outcomeUnknown: true };
    await expect(opening(again)).rejects.toMatchObject({ kind: 'invalid' });
    expect(messagesIn(channel.id)).toHaveLength(1_001);
    started.discord.forgetRequests();
    await opening({ key: 'next-day', since: started.clock.time + HOUR, outcomeUnknown: true });
    const isSearch = (path: string) => path.includes('/messages?');
    expect(started.discord.requests.filter(({ path }) => isSearch(path))).toHaveLength(1);
  });

  it('deletes a message, and starts no thread, when another process has posted it, too', async () => {
    const channel = newChannel();
    const { world } = started.discord;
    const before = world.channels.size;
    const taken = recordingPost({ isTaken: true });
    await expect(postsOf(channel).opening(taken)).rejects.toMatchObject({ kind: 'later' });
    expect(world.channels.size).toBe(before);
    expect(world.messagesOf(channel.id)).toEqual([]);
    const opened = await postsOf(channel).opening();
    await expect(postsOf(channel).step(opened, taken)).rejects.toMatchObject({ kind: 'later' });
    expect(messagesIn(opened.thread)).toEqual([]);
  });

  it('deletes the message of a forum’s post, and archives it, when another process has posted it, too', async () => {
    const forum = newChannel(CHANNEL.forum);
    const taken = recordingPost({ isTaken: true });
    await expect(postsOf(forum).opening(taken)).rejects.toMatchObject({ kind: 'later' });
    const [post] = started.discord.world
      .channelsOf(started.guild.id)
      .filter((one) => one.parent_id === forum.id);
    expect(post).toMatchObject({ thread_metadata: { archived: true } });
    expect(messagesIn(post!.id)).toEqual([]);
  });
});

describe('the mark of a post', () => {
  it('is a valid component id, and differs between posts', () => {
    const marks = Array.from({ length: 5_000 }, (_, at) => containerIdOf(`key ${at}`));
    expect(marks.every((mark) => Number.isInteger(mark) && mark > 0 && mark < 2 ** 31)).toBe(true);
    expect(new Set(marks).size).toBeGreaterThan(4_990);
  });
});

describe('the search for a post', () => {
  const SINCE = Date.UTC(2026, 10, 20, 13);
  const idAt = (moment: number, nth: number) =>
    String((BigInt(moment - Date.UTC(2015, 0)) << 22n) + BigInt(nth));

  it.each([
    ['goes on while Discord’s clock may be behind ours', 4 * MINUTE, true],
    ['ends at messages that are surely older', 6 * MINUTE, false],
  ])('%s', async (_, before, isFound) => {
    const messageAt = (moment: number, nth: number, id?: number) => ({
      id: idAt(moment, nth),
      author: { id: 'me' },
      components: id === undefined ? [] : [{ id }],
    });
    const full = Array.from({ length: 100 }, (_, at) => messageAt(SINCE - before, 100 - at));
    const marked = messageAt(SINCE - before, 0, containerIdOf('key'));
    const pages = [full, [marked]];
    const rest = { get: async () => pages.shift() } as unknown as REST;
    const found = await findMessage(rest, { channel: '1', key: 'key', me: 'me', since: SINCE });
    expect(found?.message).toBe(isFound ? marked.id : undefined);
  });

  it('takes no message of another app: the same bot may run there twice', async () => {
    const theirs = { id: idAt(SINCE, 0), author: { id: 'them' }, components: [{ id: containerIdOf('key') }] };
    const rest = { get: async () => [theirs] } as unknown as REST;
    const found = await findMessage(rest, { channel: '1', key: 'key', me: 'me', since: SINCE });
    expect(found).toBeUndefined();
  });
});

function refOf(channel: Channel) {
  return { tenant: `discord:${started.guild.id}`, channel: channel.id };
}
