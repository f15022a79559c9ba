import type { REST } from 'discord.js';
import { ChannelType, RateLimitError, Routes } from 'discord.js';
import type { ChannelRef } from '../../../core/channel-ref.ts';
import type { Log } from '../../../core/log.ts';
import {
  type MissingRequirement,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type ThreadPost,
} from '../../../dispatch/poster.ts';
import type { InvalidRequestGuard } from '../gateway/invalid-request-guard.ts';
import { LIMITS, shorten } from '../render/limits.ts';
import { type PictureSource, type Rendered, renderReply } from '../render/render.ts';
import { serverOf } from '../tenants.ts';
import { CODE, codeOf, postFailure } from './errors.ts';
import { lackOf, NO_SERVER } from './permissions.ts';
import type { KnownChannel, Rights } from './rights.ts';
import { findMarked, findMarkedPost, markOf } from './search.ts';

/** Minutes without a message after which Discord puts a thread to rest. */
const AUTO_ARCHIVE = 1440;
/** "Spoiler thread": taken on an edit only, and not everywhere. */
const SPOILER_THREAD = 1 << 21;

export interface PosterParts {
  /** Without retries of its own: what is not known to have failed must be looked for first. */
  readonly rest: REST;
  readonly rights: Rights;
  readonly storm: InvalidRequestGuard;
  readonly painter: PictureSource;
  readonly log: Log;
}

/** Discord's part of the daily thread: a message with a thread, or a post in a forum. */
export function makePoster({ rest, rights, storm, painter, log }: PosterParts): Poster {
  async function open(post: OpeningPost): Promise<Posted> {
    const channel = await ready(post.channel);
    return channel.type === ChannelType.GuildForum
      ? openInForum(post, channel)
      : openInChannel(post, channel);
  }

  /** What is missing is said before anything is posted: half a thread helps nobody. */
  async function ready(channel: ChannelRef): Promise<KnownChannel> {
    const missing = await lacksAt(channel);
    const id = channel.channel;
    if (missing.length > 0) {
      rights.forget(id);
      throw new PostFailure('refused', `it lacks ${missing.map(({ what }) => what).join(', ')}`, {
        lacks: missing,
      });
    }
    return rights.channel(id);
  }

  /** Who uses the bot on their own can't have it post where others read. */
  async function lacksAt({ tenant, channel }: ChannelRef): Promise<readonly MissingRequirement[]> {
    return serverOf(tenant) === undefined ? [NO_SERVER] : rights.lacks(channel);
  }

  async function openInChannel(post: OpeningPost, { id }: KnownChannel): Promise<Posted> {
    const message =
      post.posted?.message ?? (await lookFor(post, id, id)) ?? (await send(post, id, post.ping));
    if (!(await post.note({ message }))) throw taken();
    const thread = post.posted?.thread ?? (await startThread(id, message, post.threadName));
    const posted = { message, thread };
    await post.note(posted);
    await markSpoiler(thread);
    return posted;
  }

  /** A thread has the id of the message it was started from: starting it twice is no harm. */
  async function startThread(channel: string, message: string, name: string): Promise<string> {
    try {
      await rest.post(Routes.threads(channel, message), {
        body: { name: shorten(name, LIMITS.threadName), auto_archive_duration: AUTO_ARCHIVE },
      });
    } catch (error) {
      if (codeOf(error) !== CODE.threadExists) throw error;
    }
    return message;
  }

  async function openInForum(post: OpeningPost, { id, guild, tags, mustTag }: KnownChannel): Promise<Posted> {
    const known = post.posted?.thread;
    if (known !== undefined) return { message: known, thread: known, kind: 'forum' };
    const mark = markOf(post.key);
    let found: string | undefined;
    if (post.outcomeUnknown && guild !== undefined) {
      await demandHistory(id);
      found = await findMarkedPost(rest, { guild, forum: id, mark, me: await rights.me() });
    }
    const thread = found ?? (await startPost());
    const posted = { message: thread, thread, kind: 'forum' };
    await post.note(posted);
    await markSpoiler(thread);
    return posted;

    async function startPost(): Promise<string> {
      const { body, files } = await renderReply(post.reply, painter, { mark, ping: post.ping });
      const started = await rest.post(Routes.threads(id), {
        body: {
          name: shorten(post.threadName, LIMITS.threadName),
          auto_archive_duration: AUTO_ARCHIVE,
          message: body,
          ...(mustTag && { applied_tags: tags.slice(0, 1) }),
        },
        files,
      });
      return idOf(started);
    }
  }

  async function postInThread(post: ThreadPost): Promise<Posted> {
    const thread = post.thread.thread ?? post.thread.message;
    if (thread === undefined) throw new PostFailure('invalid', 'there is no thread to post in');
    const { channel } = post.channel;
    await ready(post.channel);
    const message =
      post.posted?.message ??
      (await inThread(channel, async () => {
        return (await lookFor(post, thread, channel)) ?? (await send(post, thread, null));
      }));
    const posted = { message, thread };
    await post.note(posted);
    return posted;
  }

  /** A thread that somebody deleted ends its day; the channel it was in may have the next one. */
  async function inThread<Answer>(channel: string, act: () => Promise<Answer>): Promise<Answer> {
    try {
      return await act();
    } catch (error) {
      if (codeOf(error) !== CODE.unknownChannel) throw error;
      rights.forget(channel);
      await rights.channel(channel);
      throw new PostFailure('invalid', 'the thread is gone', { cause: error });
    }
  }

  /** Discord shows an empty channel to who may not read it, which would pass for a post that isn't there. */
  async function demandHistory(channel: string): Promise<void> {
    // Not by what was known a while ago: a post that is there and not seen would be posted twice.
    rights.forget(channel);
    if (await rights.mayReadHistory(channel)) return;
    throw new PostFailure(
      'refused',
      'Discord gave no answer, and the channel can not be read to look for the post',
      { lacks: [lackOf('Read Message History')] },
    );
  }

  /** After an attempt without an answer: what it may have posted, where that can be read. */
  async function lookFor(post: Post, where: string, channel: string): Promise<string | undefined> {
    if (!post.outcomeUnknown) return undefined;
    await demandHistory(channel);
    return findMarked(rest, { channel: where, mark: markOf(post.key), me: await rights.me() });
  }

  async function send({ key, reply }: Post, where: string, ping: string | null): Promise<string> {
    const { body, files } = await renderReply(reply, painter, { mark: markOf(key), ping });
    const nonce = key.slice(0, LIMITS.nonce);
    return idOf(
      await rest.post(Routes.channelMessages(where), {
        body: { ...body, nonce, enforce_nonce: true },
        files,
      }),
    );
  }

  /** Asked for with an edit, which is the only way; many servers don't have it yet. */
  async function markSpoiler(thread: string): Promise<void> {
    try {
      await rest.patch(Routes.channel(thread), { body: { flags: SPOILER_THREAD } });
    } catch (error) {
      log.debug({ door: 'discord', code: codeOf(error) }, 'the thread is not marked as a spoiler');
    }
  }

  async function edit(channel: string, message: string, { body, files }: Rendered): Promise<void> {
    try {
      await rest.patch(Routes.channelMessage(channel, message), { body, files });
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      throw new PostFailure('invalid', 'the message was edited too often', { cause: error });
    }
  }

  /**
   * Names just what is missing, when Discord only says that something is. Where nothing is, none is made up:
   * a place whose lack seems to be over would be tried again, and its people told again, hour by hour.
   */
  async function failing<Answer>(channel: string, act: () => Promise<Answer>): Promise<Answer> {
    storm.check();
    try {
      return await act();
    } catch (error) {
      const failure = postFailure(error);
      // Where in the message it was, and which rule: the only way to find out afterwards.
      if (codeOf(error) === CODE.invalidForm)
        log.warn({ door: 'discord', detail: String(error) }, 'Discord does not take a message');
      if (failure.kind !== 'refused' || error instanceof PostFailure) throw failure;
      rights.forget(channel);
      const missing = await rights.lacks(channel).catch(() => failure.missingRequirements);
      throw new PostFailure('refused', failure.message, { lacks: missing, cause: error });
    }
  }

  return {
    door: 'discord',
    open: (post) => failing(post.channel.channel, () => open(post)),
    post: (post) => failing(post.channel.channel, () => postInThread(post)),
    async archive(_, { thread }) {
      if (thread === undefined) return;
      try {
        await rest.patch(Routes.channel(thread), { body: { archived: true } });
      } catch (error) {
        // It goes to rest by itself a day later.
        log.debug({ door: 'discord', code: codeOf(error) }, 'the thread could not be archived');
      }
    },
    edit: (channel, { message, thread, kind }, reply) =>
      failing(channel.channel, async () => {
        if (message === undefined) throw new PostFailure('invalid', 'there is no message to edit');
        // A message that opened a thread stands in the channel, but a forum's posts in their own threads.
        const isOpening = thread === undefined || (thread === message && kind !== 'forum');
        const where = isOpening ? channel.channel : thread;
        const change = await renderReply(reply, painter);
        try {
          await edit(where, message, change);
        } catch (error) {
          if (codeOf(error) !== CODE.archived) throw error;
          await rest.patch(Routes.channel(where), { body: { archived: false } });
          await edit(where, message, change);
        }
      }),
    async missingRequirements(channel) {
      storm.checkLooking();
      rights.forget(channel.channel);
      try {
        return await lacksAt(channel);
      } catch (error) {
        const failure = postFailure(error);
        if (failure.missingRequirements.length > 0) return failure.missingRequirements;
        throw failure;
      }
    },
    async tell(_, person, reply) {
      try {
        storm.check();
        const channel = await rest.post(Routes.userChannels(), { body: { recipient_id: person } });
        const { body, files } = await renderReply(reply, painter);
        await rest.post(Routes.channelMessages(idOf(channel)), { body, files });
        return true;
      } catch (error) {
        log.info({ door: 'discord', code: codeOf(error) }, 'a person could not be told');
        return false;
      }
    },
  };
}

function taken(): PostFailure {
  return new PostFailure('later', 'another process took this post over');
}

function idOf(answer: unknown): string {
  const { id } = (answer ?? {}) as { id?: unknown };
  // An answer that does not say what was made is no answer.
  if (typeof id !== 'string') throw new PostFailure('unknown', 'Discord answered without an id');
  return id;
}
