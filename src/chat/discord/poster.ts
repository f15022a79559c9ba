import {
  ChannelType,
  RESTJSONErrorCodes as CODE,
  channelLink,
  DiscordAPIError,
  PermissionFlagsBits,
  Routes,
} from 'discord.js';
import * as v from 'valibot';
import type { ChannelRef } from '../../core/channel-ref.ts';
import type { Log } from '../../core/log.ts';
import { shorten } from '../../core/text.ts';
import {
  type Membership,
  type MissingRequirement,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type PostSearch,
  type PrivatePost,
  type StoredPost,
  type ThreadPost,
  threadId,
} from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Store } from '../../store/store.ts';
import { type StoreOwner, serverOf } from './application.ts';
import { codeOf, lacking, postFailure, unless } from './errors.ts';
import { LIMITS } from './markdown.ts';
import { type RenderServices, renderReply } from './render.ts';
import {
  type InvalidRequestGuard,
  type PostingRest,
  type Purpose,
  pauseConversations,
  reserveConversation,
} from './rest.ts';
import { mentionNeeds, missingIn, type Rights, tagsOf } from './rights.ts';
import { findMessages, findPosts, Unsearchable } from './search.ts';

interface PosterTools {
  /** Makes no retries: a post whose outcome is unknown must be looked for before it is sent again. */
  readonly rest: PostingRest;
  readonly pace: Store['pace'];
  readonly rights: Rights;
  readonly guard: InvalidRequestGuard;
  readonly owner: StoreOwner;
  readonly services: RenderServices;
  readonly log: Log;
}

/** What a person needs to write in the threads of a channel. */
const WRITE_PERMISSIONS = [PermissionFlagsBits.ViewChannel, PermissionFlagsBits.SendMessagesInThreads];
/** Minutes without a message after which Discord archives a thread. */
const AUTO_ARCHIVE_MINUTES = 1440;
/** The message and its thread. */
const REQUESTS_PER_OPENING = 2;
/** The value of `Posted.kind` for a forum post. */
const FORUM = 'forum';

/** Posts the daily thread on Discord: a message with a thread, or a post in a forum. */
export class DiscordPoster implements Poster {
  readonly door = 'discord';
  readonly openingsPerSecond: number;
  readonly #tools: PosterTools;

  constructor(tools: PosterTools) {
    this.#tools = tools;
    this.openingsPerSecond = tools.rest.options.globalRequestsPerSecond / REQUESTS_PER_OPENING;
  }

  open(post: OpeningPost): Promise<StoredPost> {
    return this.#explainRefusals(post.channel, async () => {
      let isForum = post.before?.kind === FORUM;
      if (post.before === undefined) {
        // All requirements are checked before anything is posted, so that no thread is left half made.
        const access = await this.#tools.rights.channel(post.channel);
        const missing = missingIn(access);
        if (missing.length > 0) throw lacking(missing);
        isForum = access.channel.type === ChannelType.GuildForum;
      }
      return isForum ? this.#openInForum(post) : this.#openInChannel(post);
    });
  }

  /** A deleted thread ends its day; the channel it was in can have the next one. */
  post(post: ThreadPost): Promise<StoredPost> {
    return this.#explainRefusals(post.channel, async () => {
      const thread = threadId(post.thread);
      if (thread === undefined) throw new PostFailure('invalid', 'there is no thread to post in');
      try {
        const earlier = post.posted?.message ?? (await this.#findEarlier(post, post.thread))?.message;
        if (earlier !== undefined) return await post.record({ message: earlier, thread });
        return await this.#sendMessage(post, thread, { thread });
      } catch (error) {
        if (codeOf(error) !== CODE.UnknownChannel) throw error;
        await this.#tools.rights.channel(post.channel);
        throw new PostFailure('invalid', 'the thread is gone', { cause: error });
      }
    });
  }

  find(search: PostSearch): Promise<ReadonlyMap<string, Posted> | undefined> {
    return this.#explainRefusals(search.channel, () =>
      findPosts(search, this.#tools).catch((error: unknown) => {
        if (error instanceof Unsearchable) return undefined;
        throw error;
      }),
    );
  }

  linkTo({ tenant }: ChannelRef, posted: Posted): string | undefined {
    const thread = threadId(posted);
    return thread && channelLink(thread, serverOf(tenant)!);
  }

  /** Discord archives it by itself a day later. */
  async archive({ tenant }: ChannelRef, { thread }: Posted): Promise<void> {
    if (thread !== undefined)
      await this.#request(tenant, 'optional', () =>
        this.#tools.rest.patch(Routes.channel(thread), { body: { archived: true } }),
      );
  }

  edit(
    channel: ChannelRef,
    { message, thread, kind }: Posted,
    reply: Reply,
    keys: readonly string[] = [],
  ): Promise<void> {
    const { rest, services } = this.#tools;
    return this.#explainRefusals(channel, async () => {
      if (message === undefined) throw new PostFailure('invalid', 'there is no message to edit');
      // The message that a thread was started from is in the channel; a forum's posts are in their own threads.
      const isOpening = thread === undefined || (thread === message && kind !== FORUM);
      const where = isOpening ? channel.channel : thread;
      const rendered = await renderReply(reply, services, { tenant: channel.tenant, keys });
      const change = () => rest.patch(Routes.channelMessage(where, message), rendered);
      try {
        await change();
      } catch (error) {
        if (codeOf(error) !== CODE.InvalidActionOnArchivedThread) throw error;
        await rest.patch(Routes.channel(where), { body: { archived: false } });
        await change();
      }
    });
  }

  missingRequirements(
    channel: ChannelRef,
    lacked?: readonly string[],
  ): Promise<readonly MissingRequirement[]> {
    const look = async () => missingIn(await this.#tools.rights.channel(channel), lacked);
    return this.#request(channel.tenant, 'optional', look).catch((failure: PostFailure) => {
      if (failure.missingRequirements.length > 0) return failure.missingRequirements;
      throw failure;
    });
  }

  mentionNeeds(channel: ChannelRef, role: string): Promise<MissingRequirement | undefined> {
    return this.#request(channel.tenant, 'optional', async () =>
      mentionNeeds(await this.#tools.rights.channel(channel), role),
    );
  }

  /** Retries a refused message unless the refusal is about the person: other refusals may be temporary. */
  postPrivately(post: PrivatePost): Promise<StoredPost> {
    return this.#request(post.channel.tenant, 'optional', () => this.#sendPrivately(post)).catch(
      (failure: PostFailure) => {
        const { cause, kind, message } = failure;
        if (UNREACHABLE.has(codeOf(cause))) throw new PostFailure('refused', message, { cause });
        throw kind === 'refused' ? new PostFailure('later', message, { cause }) : failure;
      },
    );
  }

  async membershipOf(channel: ChannelRef, person: string): Promise<Membership> {
    if (serverOf(channel.tenant) === undefined) return 'member';
    const look = () => this.#tools.rights.ofPerson(channel, person);
    const access = await this.#request(channel.tenant, 'optional', look);
    if (access === undefined) return 'gone';
    return access.permissions.has(WRITE_PERMISSIONS) && !access.isTimedOut ? 'member' : 'silent';
  }

  notify({ tenant }: ChannelRef, person: string, reply: Reply): Promise<void> {
    return this.#request(tenant, 'optional', async () => {
      const channel = await this.#openConversation(person);
      const { rest, services } = this.#tools;
      await rest.post(Routes.channelMessages(channel), await renderReply(reply, services, { tenant }));
    });
  }

  /** Runs requests about one server, once the database is known to belong to this application. Fails with a `PostFailure`. */
  async #request<Result>(tenant: string, purpose: Purpose, act: () => Promise<Result>): Promise<Result> {
    const { owner, guard } = this.#tools;
    try {
      return await guard.run(tenant, purpose, async () => {
        await owner.checkPosting();
        return act();
      });
    } catch (error) {
      throw postFailure(error);
    }
  }

  /** Opens a day in a text or announcement channel: a message, and a thread started from it. */
  async #openInChannel(post: OpeningPost): Promise<StoredPost> {
    const { channel } = post.channel;
    const earlier = post.posted?.message ?? (await this.#findEarlier(post))?.message;
    const { message = '' } =
      earlier === undefined
        ? await this.#sendMessage(post, channel, {}, post.ping)
        : await post.record({ ...post.posted, message: earlier });
    const thread = await this.#startThread(channel, message, post.threadName);
    return post.record({ message, thread });
  }

  /** A thread has the id of the message it is started from, so starting it twice does no harm. */
  async #startThread(channel: string, message: string, name: string): Promise<string> {
    const body = { name: shorten(name, LIMITS.threadName), auto_archive_duration: AUTO_ARCHIVE_MINUTES };
    const starting = this.#tools.rest.post(Routes.threads(channel, message), { body });
    await unless([CODE.ThreadAlreadyCreatedForMessage], starting);
    return message;
  }

  /** Opens a day in a forum: a post, which is a thread with its first message in one. */
  async #openInForum(post: OpeningPost): Promise<StoredPost> {
    const postedIds = (thread: string) => ({ message: thread, thread, kind: FORUM });
    const known = post.posted?.thread ?? (await this.#findEarlier(post))?.thread;
    if (known !== undefined) return post.record(postedIds(known));
    const thread = await this.#startForumPost(post);
    return post.recordSent(postedIds(thread), () => this.#removeForumPost(thread));
  }

  /** Retries with a tag if the forum requires one: Discord says so before anything is posted. */
  async #startForumPost(post: OpeningPost, tags?: readonly string[]): Promise<string> {
    const { channel, reply, key, ping, threadName, quiet, checkLease } = post;
    const { rest, rights, services } = this.#tools;
    const options = { tenant: channel.tenant, keys: [key], ping, quiet };
    const { body, files } = await renderReply(reply, services, options);
    const data = {
      name: shorten(threadName, LIMITS.threadName),
      auto_archive_duration: AUTO_ARCHIVE_MINUTES,
      message: body,
      applied_tags: tags,
    };
    try {
      const request = { body: data, files };
      return idOf(await rest.create(Routes.threads(channel.channel), request, checkLease));
    } catch (error) {
      const isTagMissing = codeOf(error) === CODE.TagRequiredToCreateAForumPostInThisChannel;
      if (!isTagMissing || tags !== undefined) throw error;
      const [usable] = tagsOf((await rights.channel(channel)).channel);
      if (usable === undefined) throw error;
      return this.#startForumPost(post, [usable]);
    }
  }

  /** Only moderators may delete a thread, but the bot may delete its message, and archive the thread that it started. */
  async #removeForumPost(thread: string): Promise<void> {
    const { rest } = this.#tools;
    await unless([CODE.UnknownMessage], rest.delete(Routes.channelMessage(thread, thread)));
    await rest.patch(Routes.channel(thread), { body: { archived: true } });
  }

  /** Sends a message to a person, unless an earlier attempt did: the bot can always read its own conversations. */
  async #sendPrivately(post: PrivatePost): Promise<StoredPost> {
    const { rest, rights, pace } = this.#tools;
    const { key, since, person } = post;
    if (post.posted?.thread === undefined) await reserveConversation(pace);
    const thread = post.posted?.thread ?? (await this.#openConversation(person));
    let earlier = post.posted?.message;
    if (earlier === undefined && post.outcomeUnknown) {
      const search = { channel: thread, keys: [key], since, me: await rights.me() };
      earlier = (await findMessages(rest, search)).get(key);
    }
    if (earlier !== undefined) return post.record({ message: earlier, thread });
    return this.#sendMessage(post, thread, { thread });
  }

  /** Discord returns an open conversation again, so a failure with an unknown outcome can simply be retried. */
  async #openConversation(person: string): Promise<string> {
    const { rest, pace } = this.#tools;
    try {
      return idOf(await rest.post(Routes.userChannels(), { body: { recipient_id: person } }));
    } catch (error) {
      if (codeOf(error) === CODE.OpeningDirectMessagesTooFast) await pauseConversations(pace);
      if (!(error instanceof PostFailure)) throw error;
      throw new PostFailure('later', error.message, { cause: error });
    }
  }

  /**
   * Sends a post's message. If it is sent again within some minutes, Discord recognizes the nonce and posts nothing new;
   * later, `#findEarlier` has to look first.
   */
  async #sendMessage(
    { channel: { tenant }, key, mergedKeys = [], reply, quiet, checkLease, recordSent }: Post,
    channel: string,
    where: Pick<Posted, 'thread'>,
    ping: string | null = null,
  ): Promise<StoredPost> {
    const { rest, services } = this.#tools;
    const keys = [key, ...mergedKeys];
    const { body, files } = await renderReply(reply, services, { tenant, keys, ping, quiet });
    const nonce = key.slice(0, LIMITS.nonce);
    const data = { body: { ...body, nonce, enforce_nonce: true }, files };
    const message = idOf(await rest.create(Routes.channelMessages(channel), data, checkLease));
    return recordSent({ message, ...where }, async () => {
      await rest.delete(Routes.channelMessage(channel, message));
    });
  }

  /** Looks for the post of an earlier attempt whose outcome is unknown. */
  async #findEarlier(
    { outcomeUnknown, channel, key, since }: Post,
    thread?: Posted,
  ): Promise<Posted | undefined> {
    if (!outcomeUnknown) return undefined;
    return (await findPosts({ channel, thread, keys: [key], since }, this.#tools)).get(key);
  }

  /**
   * Runs requests that a post of the daily thread depends on. A refusal is checked against the channel's permissions, since
   * Discord only says that something is missing. If nothing is, no requirement is made up: the channel would be tried again,
   * and its people notified again, hour after hour.
   */
  async #explainRefusals<Answer>(channel: ChannelRef, act: () => Promise<Answer>): Promise<Answer> {
    const { rights, log } = this.#tools;
    return this.#request(channel.tenant, 'needed', act).catch(async (failure: PostFailure) => {
      const { cause, kind, message } = failure;
      // The error says which part of the message is invalid. This is the only place that logs it.
      if (codeOf(cause) === CODE.InvalidFormBodyOrContentType)
        log.warn({ door: 'discord', detail: String(cause) }, 'Discord rejected a message as invalid');
      if (kind !== 'refused' || !(cause instanceof DiscordAPIError)) throw failure;
      const look = async () => missingIn(await rights.channel(channel));
      const missingRequirements = await this.#request(channel.tenant, 'optional', look).catch(
        () => failure.missingRequirements,
      );
      throw new PostFailure('refused', message, { missingRequirements, cause });
    });
  }
}

/** Errors about the person, not about the bot or the message. */
const UNREACHABLE: ReadonlySet<number | undefined> = new Set([
  CODE.CannotSendMessagesToThisUser,
  CODE.InvalidRecipients,
  CODE.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
  CODE.UnknownUser,
]);

const Created = v.object({ id: v.string() });

function idOf(answer: unknown): string {
  const created = v.safeParse(Created, answer);
  if (!created.success) throw new PostFailure('unknown', 'Discord answered without an id');
  return created.output.id;
}
