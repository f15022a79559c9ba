import { RateLimitError, type REST } from '@discordjs/rest';
import { ChannelType, Routes } from 'discord-api-types/v10';
import type { ChannelRef } from '../../core/channel-ref.ts';
import {
  type MissingRequirement,
  type OpeningPost,
  type Posted,
  type Poster,
  PostFailure,
  type PostSearch,
  type PrivatePost,
  type ThreadPost,
} from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import { CODE, codeOf, postFailure } from './errors.ts';
import { serverOf } from './events.ts';
import { NO_SERVER } from './permissions.ts';
import { type Rendered, renderReply } from './render.ts';
import type { InvalidRequestGuard } from './rest.ts';
import type { KnownChannel } from './rights.ts';
import { findMarked, findPosts, markOf } from './search.ts';
import { findEarlierPost, idOf, openInChannel, openInForum, type PostTools, sendMessage } from './send.ts';
import type { StoreOwner } from './store-owner.ts';

export interface PosterTools extends PostTools {
  readonly guard: InvalidRequestGuard;
  readonly owner: StoreOwner;
}

/** Posts the daily thread on Discord: a message with a thread, or a post in a forum. */
export class DiscordPoster implements Poster {
  readonly door = 'discord';
  readonly #tools: PosterTools;

  constructor(tools: PosterTools) {
    this.#tools = tools;
  }

  open(post: OpeningPost): Promise<Posted> {
    return this.#explainRefusals(post.channel, async () => {
      const channel = await this.#readyChannel(post.channel);
      return channel.type === ChannelType.GuildForum
        ? openInForum(post, channel, this.#tools)
        : openInChannel(post, channel, this.#tools);
    });
  }

  post(post: ThreadPost): Promise<Posted> {
    return this.#explainRefusals(post.channel, async () => {
      const thread = post.thread.thread ?? post.thread.message;
      if (thread === undefined) throw new PostFailure('invalid', 'there is no thread to post in');
      await this.#readyChannel(post.channel);
      const message = post.posted?.message ?? (await this.#sendInThread(post, thread));
      const posted = { message, thread };
      await post.note(posted);
      return posted;
    });
  }

  find(search: PostSearch): Promise<ReadonlyMap<string, Posted> | undefined> {
    return this.#explainRefusals(search.channel, () => findPosts(search, this.#tools));
  }

  async archive({ tenant }: ChannelRef, { thread }: Posted): Promise<void> {
    if (thread === undefined) return;
    const { rest, log } = this.#tools;
    try {
      await this.#about(tenant, () => rest.patch(Routes.channel(thread), { body: { archived: true } }));
    } catch (error) {
      // Discord archives it by itself a day later.
      log.debug({ door: 'discord', code: codeOf(error) }, 'the thread could not be archived');
    }
  }

  edit(channel: ChannelRef, { message, thread, kind }: Posted, reply: Reply, key?: string): Promise<void> {
    const { rest, services } = this.#tools;
    return this.#explainRefusals(channel, async () => {
      if (message === undefined) throw new PostFailure('invalid', 'there is no message to edit');
      // The message that a thread was started from is in the channel; a forum's posts are in their own threads.
      const isOpening = thread === undefined || (thread === message && kind !== 'forum');
      const where = isOpening ? channel.channel : thread;
      const rendered = await renderReply(reply, services, key === undefined ? {} : { mark: markOf(key) });
      try {
        await this.#editMessage(where, message, rendered);
      } catch (error) {
        if (codeOf(error) !== CODE.archived) throw error;
        await rest.patch(Routes.channel(where), { body: { archived: false } });
        await this.#editMessage(where, message, rendered);
      }
    });
  }

  async missingRequirements(channel: ChannelRef): Promise<readonly MissingRequirement[]> {
    const { guard, rights } = this.#tools;
    guard.checkOptional(channel.tenant);
    rights.forget(channel.channel);
    try {
      return await this.#about(channel.tenant, () => this.#missingIn(channel));
    } catch (error) {
      const failure = postFailure(error);
      if (failure.missingRequirements.length > 0) return failure.missingRequirements;
      throw failure;
    }
  }

  postPrivately(post: PrivatePost): Promise<Posted> {
    const { guard } = this.#tools;
    const { tenant } = post.channel;
    return withPrivateFailure(async () => {
      guard.checkPosting(tenant);
      return this.#about(tenant, () => sendPrivately(post, this.#tools));
    });
  }

  async notify({ tenant }: ChannelRef, person: string, reply: Reply): Promise<boolean> {
    const { rest, guard, services, log } = this.#tools;
    try {
      guard.checkPosting(tenant);
      await this.#about(tenant, async () => {
        const channel = await openConversation(rest, person);
        const { body, files } = await renderReply(reply, services);
        await rest.post(Routes.channelMessages(channel), { body, files });
      });
      return true;
    } catch (error) {
      log.info({ door: 'discord', code: codeOf(error) }, 'a private message could not be sent');
      return false;
    }
  }

  /** Requests that are about one server, with the token of the application that the store knows it by. */
  async #about<Result>(tenant: string, act: () => Promise<Result>): Promise<Result> {
    const { owner, guard } = this.#tools;
    await owner.checkPosting();
    return guard.about(tenant, act);
  }

  /** Checks all requirements before anything is posted, so that no thread is left half made. */
  async #readyChannel(channel: ChannelRef): Promise<KnownChannel> {
    const { rights } = this.#tools;
    const missing = await this.#missingIn(channel);
    const id = channel.channel;
    if (missing.length > 0) {
      rights.forget(id);
      throw new PostFailure('refused', `it lacks ${missing.map(({ what }) => what).join(', ')}`, {
        missingRequirements: missing,
      });
    }
    return rights.channel(id);
  }

  /** A person who uses the bot on their own can't have it post where others read. */
  async #missingIn({ tenant, channel }: ChannelRef): Promise<readonly MissingRequirement[]> {
    return serverOf(tenant) === undefined ? [NO_SERVER] : this.#tools.rights.missingRequirements(channel);
  }

  /** A deleted thread ends its day; the channel it was in can have the next one. */
  async #sendInThread(post: ThreadPost, thread: string): Promise<string> {
    const { rights } = this.#tools;
    const { channel } = post.channel;
    try {
      const earlier = await findEarlierPost(post, { thread, channel }, this.#tools);
      return earlier ?? (await sendMessage(post, thread, null, this.#tools));
    } catch (error) {
      if (codeOf(error) !== CODE.unknownChannel) throw error;
      rights.forget(channel);
      await rights.channel(channel);
      throw new PostFailure('invalid', 'the thread is gone', { cause: error });
    }
  }

  async #editMessage(channel: string, message: string, { body, files }: Rendered): Promise<void> {
    try {
      await this.#tools.rest.patch(Routes.channelMessage(channel, message), { body, files });
    } catch (error) {
      if (!(error instanceof RateLimitError)) throw error;
      throw new PostFailure('invalid', 'the message was edited too often', { cause: error });
    }
  }

  /**
   * Throws a `PostFailure` for whatever goes wrong. A refusal is checked against the channel's permissions,
   * for Discord only says that something is missing. Where nothing is, none is made up: the channel would be
   * tried again, and its people notified again, hour after hour.
   */
  async #explainRefusals<Answer>(
    { tenant, channel }: ChannelRef,
    act: () => Promise<Answer>,
  ): Promise<Answer> {
    const { guard, rights, log } = this.#tools;
    guard.checkPosting(tenant);
    try {
      return await this.#about(tenant, act);
    } catch (error) {
      const failure = postFailure(error);
      // It names the rule and the part of the message that broke it, which nothing else shows afterwards.
      if (codeOf(error) === CODE.invalidForm)
        log.warn({ door: 'discord', detail: String(error) }, 'Discord rejected a message as invalid');
      if (failure.kind !== 'refused' || error instanceof PostFailure) throw failure;
      rights.forget(channel);
      const missing = await guard
        .about(tenant, () => rights.missingRequirements(channel))
        .catch(() => failure.missingRequirements);
      throw new PostFailure('refused', failure.message, { missingRequirements: missing, cause: error });
    }
  }
}

/** Codes that say something about the person, and not about the bot or this message. */
const UNREACHABLE: ReadonlySet<number | undefined> = new Set([
  CODE.cannotTell,
  CODE.invalidRecipient,
  CODE.noMutualServer,
  CODE.unknownUser,
]);

/** Sends a message to a person, unless an earlier attempt did: the bot can always read its own conversations. */
async function sendPrivately(
  post: PrivatePost,
  { rest, rights, services }: Pick<PostTools, 'rest' | 'rights' | 'services'>,
): Promise<Posted> {
  const thread = post.posted?.thread ?? (await openConversation(rest, post.person));
  const find = async () => {
    const mark = markOf(post.key);
    const { found, isComplete } = await findMarked(rest, {
      channel: thread,
      marks: [mark],
      me: await rights.me(),
      since: post.since,
    });
    if (!found.has(mark) && !isComplete)
      throw new PostFailure('invalid', 'the conversation holds more messages than can be searched');
    return found.get(mark);
  };
  const earlier = post.posted?.message ?? (post.outcomeUnknown ? await find() : undefined);
  const message = earlier ?? (await sendMessage(post, thread, null, { rest, services }));
  const posted = { message, thread };
  await post.note(posted);
  return posted;
}

/** Opening a conversation that is open already gives the same one: nothing is unknown after a failure. */
async function openConversation(rest: REST, person: string): Promise<string> {
  try {
    return idOf(await rest.post(Routes.userChannels(), { body: { recipient_id: person } }));
  } catch (error) {
    if (!(error instanceof PostFailure)) throw error;
    throw new PostFailure('later', error.message, { cause: error });
  }
}

/** A refusal that says nothing about the person may end by itself, so that the message is tried again. */
async function withPrivateFailure<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    const failure = postFailure(error);
    if (UNREACHABLE.has(codeOf(error))) throw new PostFailure('refused', failure.message, { cause: error });
    if (failure.kind === 'refused') throw new PostFailure('later', failure.message, { cause: error });
    throw failure;
  }
}
