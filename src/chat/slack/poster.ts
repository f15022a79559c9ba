import type { webApi } from '@slack/bolt';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import type { ChannelRef } from '../../core/channel-ref.ts';
import { HOUR } from '../../core/clock.ts';
import { atMost } from '../../core/concurrency.ts';
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
import type { SlackApi } from './api.ts';
import { postFailure, privateFailure, REQUIREMENTS, refusalOf } from './errors.ts';
import { teamOf, WithId } from './events.ts';
import type { Surroundings } from './mrkdwn.ts';
import type { RenderOptions } from './render.ts';
import { addMentions, namesFor, type SlackTools, sendWithFallback } from './send.ts';
import { askIfPosted } from './unconfirmed.ts';

const Members = v.array(v.string());
/** The most that Slack returns: one call for most channels, and five for a channel of 5,000 people. */
const MEMBERS_PER_PAGE = 999;
const MAX_MEMBER_PAGES = 5;

const MAX_SEARCHES = 1_000;

const InThread = v.object({ thread_ts: v.string() });

interface Destination extends Omit<Surroundings, 'inThread'>, Pick<RenderOptions, 'ping' | 'foldsHidden'> {
  /** The id of a channel, or of a person. */
  readonly channel: string;
  readonly thread?: string | undefined;
}

/** Only an attempt to post shows that these are missing. */
const SHOWN_BY_POSTING: readonly string[] = [REQUIREMENTS.kind.what, REQUIREMENTS.posting.what];

/** Marks a message that exists according to a person. */
const CONFIRMED_POST = Symbol('there');
/** The kind of a message that carries the day's thread, but not its board. */
const ANCHOR_KIND = 'anchor';
const ANCHOR_REPLY: Reply = {
  title: 'The day’s hints come here',
  blocks: [{ kind: 'note', line: ['They are in this thread. The board is further up in the channel.'] }],
  audience: 'everyone',
};

/** Posts the daily thread in Slack, where a thread is the replies to a message, and can't be archived. */
export class SlackPoster implements Poster {
  readonly door = 'slack';
  readonly #tools: SlackTools;
  /** The next pages of searches that could not be finished. */
  readonly #searches = new LRUCache<string, string>({ ...atMost(MAX_SEARCHES), ttl: HOUR });

  constructor(tools: SlackTools) {
    this.#tools = tools;
  }

  open(post: OpeningPost): Promise<StoredPost> {
    return failing(postFailure, () => this.#postOnce(post, undefined, post.ping));
  }

  post(post: ThreadPost): Promise<StoredPost> {
    return failing(postFailure, () => {
      const thread = post.thread && threadId(post.thread);
      if (post.thread !== undefined && thread === undefined)
        throw new PostFailure('invalid', 'there is no thread to post in');
      return this.#postOnce(post, thread, null);
    });
  }

  async archive(): Promise<void> {}

  async edit(
    { tenant, channel }: ChannelRef,
    { message: ts, thread, kind }: Posted,
    reply: Reply,
    { fold, ping }: Given = {},
  ): Promise<void> {
    // The board is in another message.
    if (kind === ANCHOR_KIND) return;
    const inThread = thread !== undefined && thread !== ts;
    await this.#sayIn(teamOf(tenant), 'chat.update', { channel, ts }, reply, {
      inThread,
      ping,
      foldsHidden: fold,
    });
  }

  /**
   * Finds only what the app may look up; other requirements show when it posts.
   *
   * @param lacked what earlier posts lacked: what can't be looked up still counts as missing
   */
  async missingRequirements(
    channel: ChannelRef,
    lacked: readonly string[] = [],
  ): Promise<readonly MissingRequirement[]> {
    const missing = await this.#missingIn(channel);
    const stillLacked = lacked.filter((what) => missing === undefined || SHOWN_BY_POSTING.includes(what));
    return [...(missing ?? []), ...stillLacked.map((what) => ({ what, how: '' }))];
  }

  /** Undefined where Slack tells nothing of a channel. */
  async #missingIn({ tenant, channel }: ChannelRef): Promise<readonly MissingRequirement[] | undefined> {
    const { api, workspaces } = this.#tools;
    const team = teamOf(tenant);
    const workspace = await workspaces.find(team);
    if (workspace === undefined) return [REQUIREMENTS.installation];
    if (!(await api.may(team, 'chat:write'))) return [REQUIREMENTS.scope];
    try {
      const info: webApi.ConversationsInfoResponse = await api.call(team, 'conversations.info', { channel });
      const { is_archived, is_member } = info.channel ?? {};
      if (is_archived) return [REQUIREMENTS.archived];
      return is_member === false ? [REQUIREMENTS.membership] : [];
    } catch (error) {
      const failure = postFailure(error);
      if (refusalOf(error) === 'missing_scope' || failure.kind !== 'refused') return undefined;
      return failure.missingRequirements;
    }
  }

  /** Looks into the bot's conversation with the person first, since an earlier attempt may have sent it. */
  postPrivately(post: PrivatePost): Promise<StoredPost> {
    return failing(privateFailure, async () => {
      const known = post.posted?.message === undefined ? undefined : post.posted;
      const earlier = known ?? (post.outcomeUnknown ? await this.#findPrivately(post) : undefined);
      if (earlier !== undefined) return post.record(earlier);
      const to = { channel: post.person, direct: true };
      // The id of the conversation is stored as the thread's.
      const posted = await this.#send(post, to, (message, thread) => ({ message, thread }));
      await this.#tools.directChannels.add(teamOf(post.channel.tenant), threadId(posted) ?? '');
      return posted;
    });
  }

  linkTo({ tenant, channel }: ChannelRef, posted: Posted): string | undefined {
    const thread = threadId(posted);
    return thread && `https://app.slack.com/client/${teamOf(tenant)}/${channel}/thread/${channel}-${thread}`;
  }

  /**
   * Reads the channel's members, who include external people; `users.conversations` may not list those. The
   * members include deactivated accounts, and Slack does not say who of them may write.
   */
  membershipOf({ tenant, channel }: ChannelRef, person: string): Promise<Membership | undefined> {
    const { people } = this.#tools;
    const team = teamOf(tenant);
    return failing(postFailure, async () => {
      if ((await people.lookUp(team, person))?.isDeactivated) return 'gone';
      // An id that begins with D is a conversation of this person, with the bot or with somebody else. Nobody can leave it.
      return channel.startsWith('D') ? 'member' : this.#isAmongMembers(team, channel, person);
    });
  }

  /** Undefined where there are too many members to go through. */
  async #isAmongMembers(team: string, channel: string, person: string): Promise<Membership | undefined> {
    let cursor: string | undefined;
    for (let page = 0; page < MAX_MEMBER_PAGES; page++) {
      const args = { channel, limit: MEMBERS_PER_PAGE, cursor };
      const answer = await this.#tools.api.call(team, 'conversations.members', args);
      if (v.parse(Members, answer.members).includes(person)) return 'member';
      cursor = answer.response_metadata?.next_cursor || undefined;
      if (cursor === undefined) return 'gone';
    }
    return undefined;
  }

  reach(): Promise<void> {
    return this.#tools.api.reach();
  }

  async notify({ tenant }: ChannelRef, person: string, reply: Reply): Promise<void> {
    await this.#sayIn(teamOf(tenant), 'chat.postMessage', { channel: person }, reply);
  }

  #sayIn(
    team: string,
    method: string,
    where: object,
    reply: Reply,
    look: Pick<RenderOptions, 'inThread' | 'ping' | 'foldsHidden'> = { inThread: false },
  ): Promise<unknown> {
    const options = { surface: 'message', ...look } as const;
    return failing(postFailure, () =>
      sendWithFallback(this.#tools, { team, reply, options }, (rendered) =>
        this.#tools.api.call(team, method, { ...where, ...rendered }),
      ),
    );
  }

  async #postOnce(post: Post, thread: string | undefined, ping: string | null): Promise<StoredPost> {
    const { channel } = post.channel;
    const earlier =
      post.posted?.message ?? (post.outcomeUnknown ? await this.#find(post, thread) : undefined);
    // Somebody has said that the opening is there, but nobody knows its timestamp, so a small message gets the thread of hints.
    // Only an opening comes here: any other post that a person confirms counts as sent, and is not tried again.
    if (earlier === CONFIRMED_POST)
      return this.#send({ ...post, reply: ANCHOR_REPLY }, { channel }, (message) => ({
        ...postedIds(message, undefined),
        kind: ANCHOR_KIND,
      }));
    const { reply } = post;
    const team = teamOf(post.channel.tenant);
    // People are shown by their names, and mentioned only where a name is not known. A mention in a new message would notify
    // them, and one that an edit adds does not: so the message is sent without mentions, and then changed.
    const { areAllKnown } = await namesFor(this.#tools, team, reply);
    const foldsHidden = post.fold;
    const to = { channel, thread, ping, foldsHidden, mayMention: false };
    const posted =
      earlier === undefined
        ? await this.#send(post, to, (message) => postedIds(message, thread))
        : await post.record(postedIds(earlier, thread));
    // An earlier message may lack its mentions, too: its process may have died before it added them.
    const options = { surface: 'message', inThread: thread !== undefined, ping, foldsHidden } as const;
    const message = { channel, ts: posted.message };
    if (!areAllKnown) await addMentions(this.#tools, { team, reply, options }, message);
    return posted;
  }

  /** Finds what an attempt without an answer sent. If it can't look, the post is given up, until a person says what to do. */
  async #find(
    { channel, key, since, question, verdict }: Post,
    thread: string | undefined,
  ): Promise<string | typeof CONFIRMED_POST | undefined> {
    const { app, api } = this.#tools;
    try {
      const where = { team: teamOf(channel.tenant), channel: channel.channel, thread };
      return await findPost(this.#tools.api, { ...where, key, since }, this.#searches);
    } catch (error) {
      if (refusalOf(error) !== 'missing_scope') throw error;
    }
    if (verdict !== undefined) return verdict === 'there' ? CONFIRMED_POST : undefined;
    if (question !== null) await askIfPosted(app, api, { ...channel, ...question });
    throw new PostFailure(
      'invalid',
      'Slack gave no answer, and the app may not read the channel to look for the post',
    );
  }

  /** The same in the conversation with a person. If it can't look, nobody is asked: the message is given up. */
  async #findPrivately({ channel, person, key, since }: PrivatePost): Promise<Posted | undefined> {
    const { api } = this.#tools;
    const team = teamOf(channel.tenant);
    try {
      // Only a message takes a person's id for a channel. Opening a conversation that is open already gives the same one.
      const answer = await api.call(team, 'conversations.open', { users: person });
      const { id } = v.parse(WithId, answer.channel);
      const where = { team, channel: id, thread: undefined };
      const message = await findPost(api, { ...where, key, since }, this.#searches);
      return message === undefined ? undefined : { message, thread: id };
    } catch (error) {
      if (refusalOf(error) !== 'missing_scope') throw error;
      throw new PostFailure(
        'invalid',
        'Slack gave no answer, and the app may not read the conversation to look for the message',
      );
    }
  }

  /** @param idsOf the ids of a message in a channel, as they are stored */
  async #send(
    { channel: { tenant }, key, mergedKeys = [], reply, checkLease, recordSent }: Post,
    { channel: to, thread, ...surroundings }: Destination,
    idsOf: (message: string, channel: string) => Posted,
  ): Promise<StoredPost> {
    const team = teamOf(tenant);
    const options = { surface: 'message', inThread: thread !== undefined, ...surroundings } as const;
    const { api } = this.#tools;
    const message = {
      channel: to,
      // The message is found by its key, and by the keys of posts that it contains.
      metadata: {
        event_type: 'letterboxed_post',
        event_payload: { key: [key, ...mergedKeys].join(' ') },
      },
      unfurl_links: false,
      unfurl_media: false,
      thread_ts: thread,
    };
    const answer = await sendWithFallback(this.#tools, { team, reply, options }, (rendered) =>
      api.call(team, 'chat.postMessage', { ...message, ...rendered }, checkLease),
    );
    const { ts, channel } = answer;
    // An answer without them does not show that the message was posted.
    if (typeof ts !== 'string' || typeof channel !== 'string')
      throw new PostFailure('unknown', 'Slack answered without a timestamp');
    const takeBack = async () => {
      await api.call(team, 'chat.delete', { channel, ts });
    };
    // Slack posts a reply to a message that was deleted as a message of the channel.
    if (thread !== undefined && answer.message !== undefined && !v.is(InThread, answer.message)) {
      await takeBack().catch(() => undefined);
      throw new PostFailure('closed', 'the message of the thread was deleted');
    }
    return recordSent(idsOf(ts, channel), takeBack);
  }
}

function postedIds(message: string, thread: string | undefined): Posted {
  return { message, thread: thread ?? message };
}

async function failing<Answer>(
  failureOf: (error: unknown) => PostFailure,
  act: () => Promise<Answer>,
): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    throw failureOf(error);
  }
}

interface Wanted extends Pick<Post, 'key' | 'since'> {
  readonly team: string;
  readonly channel: string;
  readonly thread: string | undefined;
}

/** What is asked for. Apps that are neither listed nor made for one workspace get 15 messages a page, and one page a minute. */
const MESSAGES_PER_PAGE = 100;
/** Pages read in one attempt; the next attempt continues after them. */
const MAX_PAGES = 10;
/** Seconds that Slack's clock may be behind ours. */
const CLOCK_DIFFERENCE_SECONDS = 300;

const Messages = v.array(
  v.object({
    ts: v.string(),
    /** Messages of other apps carry other metadata. */
    metadata: v.fallback(v.optional(v.object({ event_payload: v.object({ key: v.string() }) })), undefined),
  }),
);

/**
 * The timestamp of a message with a delivery key in its metadata. Throws if there are too many messages to search at once:
 * a search that was not finished, or that Slack told to wait, goes on where it ended.
 */
export async function findPost(
  api: SlackApi,
  { team, channel, thread, key, since }: Wanted,
  searches?: LRUCache<string, string>,
): Promise<string | undefined> {
  const method = thread === undefined ? 'conversations.history' : 'conversations.replies';
  const oldest = String(Math.floor(since / 1000) - CLOCK_DIFFERENCE_SECONDS);
  const args = { channel, ts: thread, oldest, include_all_metadata: true, limit: MESSAGES_PER_PAGE };
  const search = JSON.stringify([team, channel, thread, key, since]);
  let cursor = searches?.get(search);
  for (let page = 0; page < MAX_PAGES; page++) {
    const answer = await api.call(team, method, { ...args, cursor });
    const found = v
      .parse(Messages, answer.messages)
      .find(({ metadata }) => metadata?.event_payload.key.split(' ').includes(key));
    cursor = answer.response_metadata?.next_cursor || undefined;
    if (cursor === undefined || found !== undefined) {
      searches?.delete(search);
      return found?.ts;
    }
    searches?.set(search, cursor);
  }
  throw new PostFailure('later', 'the channel holds more messages than can be searched at once');
}
