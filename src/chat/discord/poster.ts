import {
  type APIMessage,
  ChannelType,
  RESTJSONErrorCodes as CODE,
  channelLink,
  DiscordAPIError,
  type ForumChannel,
  PermissionFlagsBits,
  type REST,
  type RESTGetAPIChannelMessagesResult,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import * as v from 'valibot';
import type { ChannelRef } from '../../core/channel-ref.ts';
import { MINUTE } from '../../core/clock.ts';
import { shorten } from '../../core/text.ts';
import type { App } from '../../dispatch/contract.ts';
import {
  type Given,
  type Membership,
  type MissingRequirement,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type PrivatePost,
  type StoredPost,
  type ThreadPost,
  threadId,
} from '../../dispatch/poster.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { OwnApplication } from './application.ts';
import { codeOf, postFailure, UNREADABLE } from './errors.ts';
import { serverOf, WithId } from './interaction.ts';
import type { Purpose } from './invalid-requests.ts';
import { LIMITS } from './markdown.ts';
import { pauseConversations, reserveConversation } from './pace.ts';
import { containerIdOf, type RenderServices, renderReply } from './render.ts';
import { ignoring, type PostingRest } from './rest.ts';
import { lackingFailure, type makeAccess, mentionNeeds, missingIn, REQUIREMENTS, tagsOf } from './rights.ts';

interface PosterTools {
  readonly app: Pick<App, 'store' | 'log'>;
  readonly rest: PostingRest;
  readonly access: ReturnType<typeof makeAccess>;
  readonly application: OwnApplication;
  readonly services: RenderServices;
}

/** Minutes without a message after which Discord archives a thread. */
const AUTO_ARCHIVE_MINUTES = 1440;
/** The value of `Posted.kind` for a forum post. */
const FORUM = 'forum';

/** Posts the daily thread on Discord: a message with a thread, or a post in a forum. */
export class DiscordPoster implements Poster {
  readonly door = 'discord';
  readonly #tools: PosterTools;

  constructor(tools: PosterTools) {
    this.#tools = tools;
  }

  open(post: OpeningPost): Promise<StoredPost> {
    return this.#request(post.channel, 'needed', async () => {
      let isForum = post.recentOpening?.kind === FORUM;
      if (post.recentOpening === undefined) {
        // Without a recent opening, all requirements are checked first, so that no thread is left half made.
        const access = await this.#tools.access(post.channel);
        const missing = missingIn(access);
        if (missing.length > 0) throw lackingFailure(missing);
        isForum = access.channel.type === ChannelType.GuildForum;
      }
      return isForum ? this.#openInForum(post) : this.#openInChannel(post);
    });
  }

  /** A deleted thread ends its day; the channel can have the next one. If the channel is gone, too, `access` throws. */
  post(post: ThreadPost): Promise<StoredPost> {
    return this.#request(post.channel, 'needed', async () => {
      const find = () => this.#find(post, post.thread);
      if (post.thread === undefined) return this.#postOnce(post, post.channel.channel, {}, find);
      const thread = threadId(post.thread);
      if (thread === undefined) throw new PostFailure('invalid', 'there is no thread to post in');
      try {
        return await this.#postOnce(post, thread, { thread }, find);
      } catch (error) {
        if (codeOf(error) !== CODE.UnknownChannel) throw error;
        await this.#tools.access(post.channel);
        throw new PostFailure('closed', 'the thread is gone', { cause: error });
      }
    });
  }

  linkTo({ tenant }: ChannelRef, posted: Posted): string | undefined {
    const thread = threadId(posted);
    return thread && channelLink(thread, serverOf(tenant)!);
  }

  /** Optional, since Discord archives a thread by itself a day later. */
  async archive(channel: ChannelRef, { thread }: Posted): Promise<void> {
    if (thread !== undefined)
      await this.#request(channel, 'optional', () =>
        this.#tools.rest.patch(Routes.channel(thread), { body: { archived: true } }),
      );
  }

  edit(
    channel: ChannelRef,
    { message, thread, kind }: Posted,
    reply: Reply,
    { keys, ping }: Given = {},
  ): Promise<void> {
    const { rest, services } = this.#tools;
    return this.#request(channel, 'needed', async () => {
      if (message === undefined) throw new PostFailure('invalid', 'there is no message to edit');
      // The message that a thread was started from is in the channel; a forum's posts are in their own threads.
      const isOpening = thread === undefined || (thread === message && kind !== FORUM);
      const where = isOpening ? channel.channel : thread;
      const rendered = await renderReply(reply, services, { tenant: channel.tenant, keys, ping });
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
    const look = async () => missingIn(await this.#tools.access(channel), lacked);
    return this.#request(channel, 'optional', look).catch((failure: PostFailure) => {
      if (failure.missingRequirements.length > 0) return failure.missingRequirements;
      throw failure;
    });
  }

  mentionNeeds(channel: ChannelRef, role: string): Promise<MissingRequirement | undefined> {
    return this.#request(channel, 'optional', async () =>
      mentionNeeds(await this.#tools.access(channel), role),
    );
  }

  /** A refused message is tried again later, unless the refusal is about the person: other refusals may be temporary. */
  postPrivately(post: PrivatePost): Promise<StoredPost> {
    return this.#request(post.channel, 'optional', () => this.#sendPrivately(post)).catch(
      (failure: PostFailure) => {
        const { cause, kind, message } = failure;
        if (UNREACHABLE.has(codeOf(cause))) throw new PostFailure('refused', message, { cause });
        throw kind === 'refused' ? new PostFailure('later', message, { cause }) : failure;
      },
    );
  }

  async membershipOf(channel: ChannelRef, person: string): Promise<Membership> {
    if (serverOf(channel.tenant) === undefined) return 'member';
    const notThere = [CODE.UnknownMember, CODE.UnknownUser];
    const look = () => ignoring(notThere, this.#tools.access(channel, person));
    const access = await this.#request(channel, 'optional', look);
    const { permissions, isTimedOut } = access ?? {};
    // In a private channel, people are members by a permission.
    if (!permissions?.has(PermissionFlagsBits.ViewChannel)) return 'gone';
    if (isTimedOut || !permissions.has(PermissionFlagsBits.SendMessagesInThreads)) return 'silent';
    return permissions.has(PermissionFlagsBits.SendMessages) ? 'member' : 'in-threads';
  }

  async reach(): Promise<void> {
    const answer = await this.#tools.rest.get(Routes.gateway(), { auth: false });
    v.parse(v.object({ url: v.string() }), answer);
  }

  notify(channel: ChannelRef, person: string, reply: Reply): Promise<void> {
    return this.#request(channel, 'optional', async () => {
      const conversation = await this.#openConversation(person);
      const { rest, services } = this.#tools;
      const { tenant } = channel;
      await rest.post(Routes.channelMessages(conversation), await renderReply(reply, services, { tenant }));
    });
  }

  /**
   * Runs requests about a channel, once the database is known to belong to this application. Fails with a `PostFailure`.
   *
   * After a refusal of what is needed, the failure names what the bot lacks in the channel, since Discord only says that
   * something is missing. If it lacks nothing, nothing is named, and the channel is tried again with the next puzzle: if a
   * requirement were named that is met, it would be tried again every hour.
   */
  async #request<Result>(channel: ChannelRef, purpose: Purpose, act: () => Promise<Result>): Promise<Result> {
    const { application, rest } = this.#tools;
    try {
      return await rest.guard.run(channel.tenant, purpose, async () => {
        if (!application.isConfirmed) await application.checkPosting();
        return act();
      });
    } catch (error) {
      const failure = postFailure(error);
      throw purpose === 'needed' ? await this.#explain(channel, failure) : failure;
    }
  }

  async #explain(channel: ChannelRef, failure: PostFailure): Promise<PostFailure> {
    const { cause, kind, message } = failure;
    // The error says which part of the message is invalid. This is the only place that logs it.
    if (codeOf(cause) === CODE.InvalidFormBodyOrContentType)
      this.#tools.app.log.warn(
        { door: 'discord', detail: String(cause) },
        'Discord rejected a message as invalid',
      );
    if (kind !== 'refused' || !(cause instanceof DiscordAPIError)) return failure;
    const missingRequirements = await this.missingRequirements(channel).catch(
      () => failure.missingRequirements,
    );
    return new PostFailure('refused', message, { missingRequirements, cause });
  }

  /** Opens a day in a text or announcement channel: a message, and a thread started from it. */
  async #openInChannel(post: OpeningPost): Promise<StoredPost> {
    const { channel } = post.channel;
    const find = () => this.#find(post);
    const { message = '' } = await this.#postOnce(post, channel, { ...post.posted }, find, post.ping);
    // A thread has the id of the message it is started from, so starting it twice does no harm.
    const starting = this.#tools.rest.post(Routes.threads(channel, message), { body: threadOf(post) });
    await ignoring([CODE.ThreadAlreadyCreatedForMessage], starting);
    return post.record({ message, thread: message });
  }

  /** Opens a day in a forum: a post, which is a thread with its first message in one. */
  async #openInForum(post: OpeningPost): Promise<StoredPost> {
    const postedIds = (id: string) => ({ message: id, thread: id, kind: FORUM });
    const known = post.posted?.thread ?? (post.outcomeUnknown ? await this.#find(post) : undefined)?.thread;
    if (known !== undefined) return post.record(postedIds(known));
    const { rest } = this.#tools;
    const thread = await this.#startForumPost(post);
    return post.recordSent(postedIds(thread), async () => {
      // Only moderators may delete a thread, but the bot may delete its message, and archive the thread that it started.
      await ignoring([CODE.UnknownMessage], rest.delete(Routes.channelMessage(thread, thread)));
      await rest.patch(Routes.channel(thread), { body: { archived: true } });
    });
  }

  /** Retries with a tag if the forum requires one: Discord says so before anything is posted. */
  async #startForumPost(post: OpeningPost, tags?: readonly string[]): Promise<string> {
    const { channel, reply, key, ping, quiet, checkLease } = post;
    const { rest, access, services } = this.#tools;
    const options = { tenant: channel.tenant, keys: [key], ping, quiet };
    const { body: message, files } = await renderReply(reply, services, options);
    const request = { body: { ...threadOf(post), message, applied_tags: tags }, files };
    try {
      return idOf(await rest.create(Routes.threads(channel.channel), request, checkLease));
    } catch (error) {
      const isTagMissing = codeOf(error) === CODE.TagRequiredToCreateAForumPostInThisChannel;
      if (!isTagMissing || tags !== undefined) throw error;
      const [usable] = tagsOf((await access(channel)).channel);
      if (usable === undefined) throw error;
      return this.#startForumPost(post, [usable]);
    }
  }

  /** The bot can always read its own conversations, to look for what an earlier attempt sent. */
  async #sendPrivately(post: PrivatePost): Promise<StoredPost> {
    const { rest, application, app } = this.#tools;
    const { key, since, person, posted } = post;
    if (posted?.thread === undefined) await reserveConversation(app.store.pace);
    const thread = posted?.thread ?? (await this.#openConversation(person));
    return this.#postOnce(post, thread, { thread }, async () => {
      return findMessage(rest, { channel: thread, thread, key, since, me: await application.botId() });
    });
  }

  /** Discord returns an open conversation again, so a failure with an unknown outcome can simply be retried. */
  async #openConversation(person: string): Promise<string> {
    const { rest, app } = this.#tools;
    try {
      return idOf(await rest.post(Routes.userChannels(), { body: { recipient_id: person } }));
    } catch (error) {
      if (codeOf(error) === CODE.OpeningDirectMessagesTooFast) await pauseConversations(app.store.pace);
      if (!(error instanceof PostFailure)) throw error;
      // Also where the outcome is unknown.
      throw new PostFailure('later', error.message, { cause: error });
    }
  }

  /**
   * Sends a post's message, unless an earlier attempt did. If it is sent again within some minutes, Discord recognizes the
   * nonce and posts nothing new; later, it has to be looked for first.
   *
   * @param ids other ids that are stored with the message's
   * @param find looks for the message of an earlier attempt
   */
  async #postOnce(
    { channel: { tenant }, key, mergedKeys = [], ...post }: Post,
    channel: string,
    ids: Posted,
    find: () => Promise<Posted | undefined>,
    ping: string | null = null,
  ): Promise<StoredPost> {
    const { rest, services } = this.#tools;
    const earlier = post.posted?.message ?? (post.outcomeUnknown ? await find() : undefined)?.message;
    if (earlier !== undefined) return post.record({ ...ids, message: earlier });
    const options = { tenant, keys: [key, ...mergedKeys], ping, quiet: post.quiet };
    const { body, files } = await renderReply(post.reply, services, options);
    const nonce = key.slice(0, LIMITS.nonce);
    const data = { body: { ...body, nonce, enforce_nonce: true }, files };
    const message = idOf(await rest.create(Routes.channelMessages(channel), data, post.checkLease));
    return post.recordSent({ ...ids, message }, async () => {
      await rest.delete(Routes.channelMessage(channel, message));
    });
  }

  /** Looks for the post of an earlier attempt whose outcome is unknown: an opening in a channel or forum, others in their thread. */
  async #find({ channel: place, key, since }: Post, within?: Posted): Promise<Posted | undefined> {
    const { rest, access, application } = this.#tools;
    // Discord shows an empty channel if the permission is missing, and the post would be sent twice.
    const { channel, permissions } = await access(place);
    if (!permissions.has(PermissionFlagsBits.ReadMessageHistory))
      throw new PostFailure('refused', `${NO_ANSWER}, and the channel can not be read to look for the post`, {
        missingRequirements: [REQUIREMENTS.history],
      });
    const thread = within && threadId(within);
    const me = await application.botId();
    if (thread === undefined && channel.type === ChannelType.GuildForum)
      return findForumPost(rest, channel, key, me);
    return findMessage(rest, { channel: thread ?? channel.id, thread, key, since, me });
  }
}

/** Errors about the person, not about the bot or the message. */
const UNREACHABLE: ReadonlySet<number | undefined> = new Set([
  CODE.CannotSendMessagesToThisUser,
  CODE.InvalidRecipients,
  CODE.CannotSendMessagesToThisUserDueToHavingNoMutualGuilds,
  CODE.UnknownUser,
]);

function threadOf({ threadName }: OpeningPost) {
  return { name: shorten(threadName, LIMITS.threadName), auto_archive_duration: AUTO_ARCHIVE_MINUTES };
}

/** The id of what was written. `PostingRest` has checked that it is there. */
function idOf(answer: unknown): string {
  return v.parse(WithId, answer).id;
}

/** What is read of a message when posts are looked for. Discord sends all of it. */
const Written = v.object({
  id: v.string(),
  author: v.object({ id: v.string() }),
  components: v.array(v.unknown()),
});

const MESSAGES_PER_PAGE = 100;
/** Few channels get more messages between two attempts at a delivery, which are hours apart at most. */
const MAX_PAGES = 10;
/** The most forum posts of the bot whose first message is read. */
const MAX_POSTS = 5;
/** Milliseconds that Discord's clock may be behind ours. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE;

/** Only a post that was sent without an answer is searched for. */
const NO_ANSWER = 'Discord gave no answer';

interface Search extends Pick<Post, 'key' | 'since'> {
  /** A channel, thread or conversation that the bot may read. */
  readonly channel: string;
  /** `channel`, if it is a thread or a conversation. */
  readonly thread?: string | undefined;
  readonly me: string;
}

/** The bot's message with a post, if there is one. Throws if not all messages after `since` can be read to look for it. */
export async function findMessage(
  rest: REST,
  { channel, thread, key, since, me }: Search,
): Promise<Posted | undefined> {
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ limit: `${MESSAGES_PER_PAGE}`, ...(before && { before }) });
    const answer = await rest.get(Routes.channelMessages(channel), { query });
    // What is no list of messages must not count as a channel without the post.
    if (!v.is(v.array(Written), answer)) throw new PostFailure('later', UNREADABLE);
    const messages = answer as RESTGetAPIChannelMessagesResult;
    const found = messages.findLast((message) => message.author.id === me && hasPost(message, key));
    if (found !== undefined) return { message: found.id, thread };
    const last = messages.at(-1);
    const isEnd = messages.length < MESSAGES_PER_PAGE || last === undefined;
    if (isEnd || SnowflakeUtil.timestampFrom(last.id) < since - CLOCK_DIFFERENCE_MS) return undefined;
    before = last.id;
  }
  throw new PostFailure('invalid', `${NO_ANSWER}, and too much was written since to find the post`);
}

/** The bot's post in a forum. A post and its first message share their id. */
async function findForumPost(
  rest: REST,
  forum: ForumChannel,
  key: string,
  me: string,
): Promise<Posted | undefined> {
  const { threads } = await forum.threads.fetchActive(false);
  // Discord sends the newest first.
  for (const id of threads.filter(({ ownerId }) => ownerId === me).firstKey(MAX_POSTS)) {
    // A thread of the bot begins with a message of the bot.
    const first = await ignoring([CODE.UnknownMessage], rest.get(Routes.channelMessage(id, id)));
    if (first !== undefined && !v.is(Written, first)) throw new PostFailure('later', UNREADABLE);
    if (first !== undefined && hasPost(first as APIMessage, key))
      return { message: id, thread: id, kind: FORUM };
  }
  return undefined;
}

/** Whether a message contains a post: the ids of its containers, and of what is in them, are made from the keys of its posts. */
function hasPost({ components = [] }: APIMessage, key: string): boolean {
  const wanted = containerIdOf(key);
  return components.some(
    (each) => each.id === wanted || ('components' in each && each.components.some(({ id }) => id === wanted)),
  );
}
