import * as v from 'valibot';
import type { ChannelRef } from '../../../core/channel-ref.ts';
import {
  type MissingRequirement,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type PostSearch,
  type PrivatePost,
  type ThreadPost,
} from '../../../dispatch/poster.ts';
import type { Reply } from '../../../reply/model/types.ts';
import { postFailure, privateFailure, REQUIREMENTS, readFailure, refusalOf } from '../api/errors.ts';
import { teamOf, type Workspaces } from '../install/workspaces.ts';
import { namesPeople } from '../render/mrkdwn.ts';
import { note, type Rendered } from '../render/render.ts';
import { findPost, findPosts, metadataOf } from './find-post.ts';
import { type SendTools, sendWithFallback } from './send-with-fallback.ts';
import type { UnconfirmedPosts } from './unconfirmed-posts.ts';

export interface PosterTools extends SendTools {
  readonly workspaces: Workspaces;
  readonly unconfirmed: UnconfirmedPosts;
}

const ChannelInfo = v.object({
  is_archived: v.optional(v.boolean()),
  is_member: v.optional(v.boolean()),
  is_im: v.optional(v.boolean()),
});

/** Posts the daily thread in Slack, where a thread is the replies to a message. */
export class SlackPoster implements Poster {
  readonly door = 'slack';
  readonly #tools: PosterTools;

  constructor(tools: PosterTools) {
    this.#tools = tools;
  }

  open(post: OpeningPost): Promise<Posted> {
    return withPostFailure(() => this.#postOnce(post, undefined, post.ping));
  }

  post(post: ThreadPost): Promise<Posted> {
    return withPostFailure(() => this.#postOnce(post, threadOf(post), null));
  }

  async find({
    channel: { tenant, channel },
    thread,
    keys,
    since,
  }: PostSearch): Promise<ReadonlyMap<string, Posted> | undefined> {
    const ts = thread && (thread.thread ?? thread.message);
    try {
      const found = await findPosts(this.#tools.api, {
        team: teamOf(tenant),
        channel,
        thread: ts,
        keys,
        since,
      });
      return found && new Map([...found].map(([key, message]) => [key, postedIds(message, ts)]));
    } catch (error) {
      if (refusalOf(error) === 'missing_scope') return undefined;
      throw postFailure(error);
    }
  }

  /** Slack's threads can't be archived. */
  async archive(): Promise<void> {}

  edit(channel: ChannelRef, message: Posted, reply: Reply): Promise<void> {
    return withPostFailure(() => this.#edit(channel, message, reply));
  }

  /** As far as the app may look; what it can't see shows when it posts. */
  async missingRequirements({ tenant, channel }: ChannelRef): Promise<readonly MissingRequirement[]> {
    const { api, workspaces } = this.#tools;
    const team = teamOf(tenant);
    const workspace = await workspaces.find(team);
    if (workspace === undefined) return [REQUIREMENTS.token];
    if (!workspace.scopes.includes('chat:write')) return [REQUIREMENTS.scope];
    try {
      const answer = await api.call(team, 'conversations.info', { channel });
      const info = v.parse(ChannelInfo, answer.channel);
      if (info.is_archived === true) return [REQUIREMENTS.archived];
      return info.is_member === false && info.is_im !== true ? [REQUIREMENTS.membership] : [];
    } catch (error) {
      const failure = postFailure(error);
      if (refusalOf(error) === 'missing_scope' || failure.kind !== 'refused') return [];
      return failure.missingRequirements;
    }
  }

  postPrivately(post: PrivatePost): Promise<Posted> {
    return sendPrivately(this.#tools, post);
  }

  async notify({ tenant }: ChannelRef, person: string, reply: Reply): Promise<boolean> {
    const { api, app } = this.#tools;
    const team = teamOf(tenant);
    const options = { surface: 'message', inThread: false } as const;
    try {
      await sendWithFallback(this.#tools, { team, reply, options }, ({ text, blocks }) =>
        api.call(team, 'chat.postMessage', { channel: person, text, blocks }),
      );
      return true;
    } catch (error) {
      app.log.info(
        { door: 'slack', team, failure: readFailure(error) },
        'a person could not be sent a message',
      );
      return false;
    }
  }

  async #postOnce(post: Post, thread: string | undefined, ping: string | null): Promise<Posted> {
    const earlier =
      post.posted?.message ?? (post.outcomeUnknown ? await this.#find(post, thread) : undefined);
    const message = earlier ?? (await this.#send(post, thread, ping));
    const posted = postedIds(message, thread);
    const isOurs = await post.note(posted);
    // Also in an earlier message: the process that posted it may have died before its edit.
    if (isOurs && namesPeople(post.reply)) await this.#addNames(post.channel, posted, post.reply);
    return posted;
  }

  /** The message of an attempt that ended without an answer. Where nothing can be read, nothing is sent either. */
  async #find({ channel, key, since }: Post, thread: string | undefined): Promise<string | undefined> {
    const { api, unconfirmed } = this.#tools;
    try {
      return await findPost(api, {
        team: teamOf(channel.tenant),
        channel: channel.channel,
        thread,
        key,
        since,
      });
    } catch (error) {
      if (refusalOf(error) !== 'missing_scope') throw error;
    }
    if (await unconfirmed.mayRepeat(channel.tenant, key)) return undefined;
    await unconfirmed.ask(channel, key);
    throw new PostFailure(
      'invalid',
      'Slack gave no answer, and the app may not read the channel to look for the post',
    );
  }

  async #send(
    { channel: { tenant, channel }, key, also = [], reply }: Post,
    thread: string | undefined,
    ping: string | null,
  ): Promise<string> {
    const team = teamOf(tenant);
    const send = async ({ text, blocks }: Rendered) => {
      const answer = await this.#tools.api.call(team, 'chat.postMessage', {
        channel,
        text,
        blocks: ping === null ? blocks : [note(mentionOf(ping)), ...blocks],
        metadata: metadataOf(key, also),
        unfurl_links: false,
        unfurl_media: false,
        ...(thread !== undefined && { thread_ts: thread }),
      });
      // An answer without the message's timestamp does not show that the message was posted.
      if (typeof answer.ts !== 'string')
        throw new PostFailure('unknown', 'Slack answered without a timestamp');
      return answer.ts;
    };
    const options = { surface: 'message', inThread: thread !== undefined, people: false } as const;
    return sendWithFallback(this.#tools, { team, reply, options }, send);
  }

  async #edit({ tenant, channel }: ChannelRef, { message: ts, thread }: Posted, reply: Reply): Promise<void> {
    const team = teamOf(tenant);
    const inThread = thread !== undefined && thread !== ts;
    const options = { surface: 'message', inThread } as const;
    await sendWithFallback(this.#tools, { team, reply, options }, ({ text, blocks }) =>
      this.#tools.api.call(team, 'chat.update', { channel, ts, text, blocks }),
    );
  }

  /** Best effort: a message without people's names must not fail the delivery. */
  async #addNames(channel: ChannelRef, posted: Posted, reply: Reply): Promise<void> {
    try {
      await this.#edit(channel, posted, reply);
    } catch (error) {
      this.#tools.app.log.info(
        { door: 'slack', ...channel, failure: readFailure(error) },
        "people's names could not be added to a post",
      );
    }
  }
}

function threadOf({ thread }: ThreadPost): string {
  const ts = thread.thread ?? thread.message;
  if (ts === undefined) throw new PostFailure('invalid', 'there is no thread to post in');
  return ts;
}

function postedIds(message: string, thread: string | undefined): Posted {
  return { message, thread: thread ?? message };
}

/** A user group by its id, or everybody who is online (`here`) or in the channel. */
function mentionOf(ping: string): string {
  return /^(here|channel)$/.test(ping) ? `<!${ping}>` : `<!subteam^${ping.replace(/\W/g, '')}>`;
}

async function withPostFailure<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    throw postFailure(error);
  }
}

const Conversation = v.object({ id: v.string() });

/** Sends a message to a person, unless an earlier attempt did: the bot looks into its conversation with them. */
async function sendPrivately(tools: SendTools, post: PrivatePost): Promise<Posted> {
  if (post.posted?.message !== undefined) return post.posted;
  try {
    const posted = (post.outcomeUnknown ? await find(tools, post) : undefined) ?? (await send(tools, post));
    await post.note(posted);
    return posted;
  } catch (error) {
    throw privateFailure(error);
  }
}

/** The message of an attempt that ended without an answer. Where the app may not look, nothing is sent either. */
async function find(
  { api }: SendTools,
  { channel: { tenant }, person, key, since }: PrivatePost,
): Promise<Posted | undefined> {
  const team = teamOf(tenant);
  try {
    // Only a message takes a person's id for a channel. Opening a conversation that is open already gives the same one.
    const answer = await api.call(team, 'conversations.open', { users: person });
    const { id } = v.parse(Conversation, answer.channel);
    const message = await findPost(api, { team, channel: id, thread: undefined, key, since });
    return message === undefined ? undefined : { message, thread: id };
  } catch (error) {
    if (refusalOf(error) !== 'missing_scope') throw error;
    throw new PostFailure(
      'invalid',
      'Slack gave no answer, and the app may not read the conversation to look for the message',
    );
  }
}

async function send(
  tools: SendTools,
  { channel: { tenant }, person, key, reply }: PrivatePost,
): Promise<Posted> {
  const team = teamOf(tenant);
  const options = { surface: 'message', inThread: false } as const;
  const answer = await sendWithFallback(tools, { team, reply, options }, ({ text, blocks }) =>
    tools.api.call(team, 'chat.postMessage', {
      channel: person,
      text,
      blocks,
      metadata: metadataOf(key),
    }),
  );
  const { ts, channel } = answer;
  // An answer without them does not show that the message was posted.
  if (typeof ts !== 'string' || typeof channel !== 'string')
    throw new PostFailure('unknown', 'Slack answered without a timestamp');
  return { message: ts, thread: channel };
}
