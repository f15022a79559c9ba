import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { textOf } from '../../fakes/discord/person.ts';
import { CHANNEL, type Channel } from '../../fakes/discord/world.ts';
import { house, WORDS } from '../../fakes/small-board.ts';
import { postsIn } from './posts.ts';
import { type Started, startDiscord } from './start.ts';

let started: Started;
beforeEach(async () => {
  const door = { requestsPerSecond: 10_000 };
  started = await startDiscord({ app: { words: WORDS, house }, fake: { limits: false }, door });
});
afterEach(() => started.close());

const postsOf = (channel: Channel) => postsIn(started, channel);
const messagesIn = (id: string | undefined) => started.discord.world.messagesOf(id ?? '');
const newChannel = (type?: number, more?: object) =>
  started.discord.world.addChannel(started.guild, type, more);

describe('a post whose answer was lost', () => {
  const POST = 'POST /channels/:channel/messages';
  it.each(['lose', 'half'] as const)('is found again: the opening message (%s)', async (what) => {
    const channel = newChannel();
    const { opening } = postsOf(channel);
    started.discord.fault({ on: POST, what });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    started.clock.time += 3_600_000;
    const opened = await opening({ outcomeUnknown: true });
    expect(messagesIn(channel.id).map(({ id }) => id)).toEqual([opened.message]);
  });

  it('is found again: a step in the thread, among many other messages', async () => {
    const channel = newChannel();
    const { opening, step } = postsOf(channel);
    const opened = await opening();
    started.discord.fault({ on: POST, what: 'lose' });
    await expect(step(opened)).rejects.toMatchObject({ kind: 'unknown' });
    for (let other = 0; other < 150; other++) await step(opened, { key: `other-${other}` });
    // For some minutes, Discord itself recognizes a repeated post by its nonce.
    started.clock.time += 3_600_000;
    await step(opened, { outcomeUnknown: true });
    expect(messagesIn(opened.thread).filter((message) => textOf(message).includes('A step'))).toHaveLength(
      151,
    );
  });

  it('is found again: a forum post', async () => {
    const forum = newChannel(CHANNEL.forum);
    const { opening } = postsOf(forum);
    started.discord.fault({ on: 'POST /channels/:channel/threads', what: 'lose' });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    await opening({ outcomeUnknown: true });
    const posts = started.discord.world
      .channelsOf(started.guild.id)
      .filter((one) => one.parent_id === forum.id);
    expect(posts).toHaveLength(1);
  });

  it('is found again with few requests: a forum post that got many messages since', async () => {
    const forum = newChannel(CHANNEL.forum);
    const { opening } = postsOf(forum);
    started.discord.fault({ on: 'POST /channels/:channel/threads', what: 'lose' });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    const { world } = started.discord;
    const [post] = world.channelsOf(started.guild.id).filter((one) => one.parent_id === forum.id);
    const [first] = messagesIn(post!.id);
    const others = Array.from({ length: 600 }, () => ({ ...first!, id: world.snowflake(), components: [] }));
    world.messages.set(post!.id, [first!, ...others]);
    started.discord.forgetRequests();
    expect(await opening({ outcomeUnknown: true })).toMatchObject({ thread: post!.id });
    expect(started.discord.requests.filter(({ method }) => method === 'GET').length).toBeLessThan(8);
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

  it('is not started twice: the thread of an opening', async () => {
    const channel = newChannel();
    const { opening, noted } = postsOf(channel);
    started.discord.fault({ on: 'POST /channels/:channel/messages/:message/threads', what: 'lose' });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    const opened = await opening({ outcomeUnknown: true, posted: noted.at(-1) });
    expect(opened.thread).toBe(opened.message);
    expect(messagesIn(channel.id)).toHaveLength(1);
  });

  it.each([
    ['channel', CHANNEL.text, POST],
    ['forum', CHANNEL.forum, 'POST /channels/:channel/threads'],
  ])('is not repeated where the %s can’t be read: the permission to read is missing', async (_, type, on) => {
    const channel = newChannel(type);
    const { opening } = postsOf(channel);
    started.discord.fault({ on, what: 'lose' });
    await expect(opening()).rejects.toMatchObject({ kind: 'unknown' });
    started.clock.time += 120_000;
    started.discord.deny(channel, 'READ_MESSAGE_HISTORY');
    await expect(opening({ outcomeUnknown: true })).rejects.toMatchObject({
      kind: 'refused',
      missingRequirements: [{ what: 'the permission "Read Message History"' }],
    });
    const posts = started.discord.world
      .channelsOf(started.guild.id)
      .filter((one) => one.parent_id === channel.id);
    expect([...messagesIn(channel.id), ...posts]).toHaveLength(1);
  });

  it('is not repeated where more was written since than can be searched, and looks no further back', async () => {
    const channel = newChannel();
    const { opening } = postsOf(channel);
    const since = started.clock.time;
    started.discord.fault({ on: POST, what: 'lose' });
    await expect(opening({ since })).rejects.toMatchObject({ kind: 'unknown' });
    started.clock.time += 3_600_000;
    const { world } = started.discord;
    const [post] = messagesIn(channel.id);
    const others = Array.from({ length: 1_000 }, () => ({ ...post!, id: world.snowflake(), components: [] }));
    world.messages.set(channel.id, [post!, ...others]);
    const again = { since, outcomeUnknown: true };
    await expect(opening(again)).rejects.toMatchObject({ kind: 'invalid' });
    expect(messagesIn(channel.id)).toHaveLength(1_001);
    started.discord.forgetRequests();
    await opening({ key: 'next-day', since: started.clock.time + 3_600_000, outcomeUnknown: true });
    const isSearch = (path: string) => path.includes('/messages?');
    expect(started.discord.requests.filter(({ path }) => isSearch(path))).toHaveLength(1);
  });

  it('does not start a thread when another process has taken the post over', async () => {
    const channel = newChannel();
    const { channels } = started.discord.world;
    const before = channels.size;
    await expect(postsOf(channel).opening({ note: async () => false })).rejects.toMatchObject({
      kind: 'later',
    });
    expect(channels.size).toBe(before);
  });
});
