import type { ChannelRef } from '../../../core/channel-ref.ts';
import {
  type MissingRequirement,
  type OpeningPost,
  type Post,
  type Posted,
  type Poster,
  PostFailure,
  type ThreadPost,
} from '../../../dispatch/poster.ts';
import type { Reply } from '../../../reply/model/types.ts';
import { fittingOf, type Tools } from '../answer/answers.ts';
import { sendWithFallback } from '../answer/send-with-fallback.ts';
import { teamOf, type Workspaces } from '../install/workspaces.ts';
import { namesPeople } from '../render/names.ts';
import { note, type Rendered } from '../render/render.ts';
import { readFailure, refusalOf } from './errors.ts';
import { LACKS, postFailure } from './post-failure.ts';
import { findPost } from './search.ts';
import type { UnconfirmedPosts } from './unconfirmed-posts.ts';

export const METADATA_TYPE = 'letterboxed_post';

export interface PosterParts extends Tools {
  readonly workspaces: Workspaces;
  readonly unsure: UnconfirmedPosts;
}

/** Slack's part of the daily thread: threads are replies to a message, and no message is scheduled. */
export function makePoster(parts: PosterParts): Poster {
  const { api, app, unsure } = parts;

  async function postOnce(post: Post, thread: string | undefined, ping: string | null): Promise<Posted> {
    const known = post.posted?.message;
    if (known !== undefined) return ids(known, thread);
    const found = post.outcomeUnknown ? await look(post, thread) : undefined;
    const message = found ?? (await send(post, thread, ping));
    const posted = ids(message, thread);
    const isOurs = await post.note(posted);
    if (isOurs && namesPeople(post.reply)) await name(post.channel, posted, post.reply);
    return posted;
  }

  /** The message of an attempt that ended without an answer. Where nothing can be read, nothing is sent either. */
  async function look({ channel, key }: Post, thread: string | undefined): Promise<string | undefined> {
    try {
      return await findPost(api, {
        team: teamOf(channel.tenant),
        channel: channel.channel,
        thread,
        key,
        now: app.clock.now(),
      });
    } catch (error) {
      if (refusalOf(error) !== 'missing_scope') throw error;
    }
    if (await unsure.mayRepeat(channel.tenant, key)) return undefined;
    await unsure.ask(channel.tenant, channel.channel, key);
    throw new PostFailure(
      'invalid',
      'Slack gave no answer, and the app may not read the channel to look for the post',
    );
  }

  async function send(
    { channel, key, reply }: Post,
    thread: string | undefined,
    ping: string | null,
  ): Promise<string> {
    const team = teamOf(channel.tenant);
    const call = async ({ text, blocks }: Rendered) => {
      const answer = await api.call(team, 'chat.postMessage', {
        channel: channel.channel,
        text,
        blocks: ping === null ? blocks : [note(mentionOf(ping)), ...blocks],
        metadata: { event_type: METADATA_TYPE, event_payload: { key } },
        unfurl_links: false,
        unfurl_media: false,
        ...(thread !== undefined && { thread_ts: thread }),
      });
      // An answer without the message's place is no answer.
      if (typeof answer.ts !== 'string')
        throw new PostFailure('unknown', 'Slack answered without a timestamp');
      return answer.ts;
    };
    const options = { surface: 'message', inThread: thread !== undefined, people: false } as const;
    return sendWithFallback(fittingOf(parts, team, reply, options), call);
  }

  async function edit(channel: ChannelRef, { message: ts, thread }: Posted, reply: Reply): Promise<void> {
    const team = teamOf(channel.tenant);
    const inThread = thread !== undefined && thread !== ts;
    const call = ({ text, blocks }: Rendered) =>
      api.call(team, 'chat.update', { channel: channel.channel, ts, text, blocks });
    await sendWithFallback(fittingOf(parts, team, reply, { surface: 'message', inThread }), call);
  }

  /** A message that names nobody yet is better than none, so nothing here fails it. */
  async function name(channel: ChannelRef, posted: Posted, reply: Reply): Promise<void> {
    try {
      await edit(channel, posted, reply);
    } catch (error) {
      app.log.info({ door: 'slack', ...channel, failure: readFailure(error) }, 'people could not be named');
    }
  }

  /** Told as far as the app may look; what it can't see shows at posting. */
  async function lacks(channelRef: ChannelRef): Promise<readonly MissingRequirement[]> {
    const team = teamOf(channelRef.tenant);
    const workspace = await parts.workspaces.find(team);
    if (workspace === undefined) return [LACKS.token];
    if (!workspace.scopes.includes('chat:write')) return [LACKS.scope];
    try {
      const answer = await api.call(team, 'conversations.info', { channel: channelRef.channel });
      const channel = answer.channel as Record<string, unknown>;
      if (channel.is_archived === true) return [LACKS.archived];
      return channel.is_member === false && channel.is_im !== true ? [LACKS.membership] : [];
    } catch (error) {
      const failure = postFailure(error);
      if (refusalOf(error) === 'missing_scope' || failure.kind !== 'refused') return [];
      return failure.missingRequirements;
    }
  }

  return {
    door: 'slack',
    open: (post: OpeningPost) => failing(() => postOnce(post, undefined, post.ping)),
    post: (post: ThreadPost) => failing(() => postOnce(post, threadOf(post), null)),
    // Slack's threads need no rest: they sink by themselves.
    archive: async () => {},
    edit: (channel, message, reply) => failing(() => edit(channel, message, reply)),
    missingRequirements: lacks,
    async tell(channel, person, reply) {
      const team = teamOf(channel.tenant);
      const call = ({ text, blocks }: Rendered) =>
        api.call(team, 'chat.postMessage', { channel: person, text, blocks });
      try {
        await sendWithFallback(fittingOf(parts, team, reply, { surface: 'message', inThread: false }), call);
        return true;
      } catch (error) {
        app.log.info({ door: 'slack', team, failure: readFailure(error) }, 'a person could not be told');
        return false;
      }
    },
  };
}

function threadOf({ thread }: ThreadPost): string {
  const ts = thread.thread ?? thread.message;
  if (ts === undefined) throw new PostFailure('invalid', 'there is no thread to post in');
  return ts;
}

function ids(message: string, thread: string | undefined): Posted {
  return { message, thread: thread ?? message };
}

/** A user group by its id, or all who are here or in the channel. */
function mentionOf(ping: string): string {
  return /^(here|channel)$/.test(ping) ? `<!${ping}>` : `<!subteam^${ping.replace(/\W/g, '')}>`;
}

async function failing<Answer>(act: () => Promise<Answer>): Promise<Answer> {
  try {
    return await act();
  } catch (error) {
    throw postFailure(error);
  }
}
