import * as v from 'valibot';
import { type Posted, PostFailure, type PrivatePost } from '../../../dispatch/poster.ts';
import { refusalOf } from '../api/errors.ts';
import { teamOf } from '../install/workspaces.ts';
import { findPost, metadataOf } from './find-post.ts';
import { privateFailure } from './post-failure.ts';
import { type SendTools, sendWithFallback } from './send-with-fallback.ts';

const Conversation = v.object({ id: v.string() });

/** Sends a message to a person, unless an earlier attempt did: the bot looks into its conversation with them. */
export async function sendPrivately(tools: SendTools, post: PrivatePost): Promise<Posted> {
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
  { api, app }: SendTools,
  { channel: { tenant }, person, key }: PrivatePost,
): Promise<Posted | undefined> {
  const team = teamOf(tenant);
  try {
    // Only a message takes a person's id for a channel. Opening a conversation that is open already gives the same one.
    const answer = await api.call(team, 'conversations.open', { users: person });
    const { id } = v.parse(Conversation, answer.channel);
    const message = await findPost(api, { team, channel: id, thread: undefined, key, now: app.clock.now() });
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
  return { message: String(answer.ts), thread: String(answer.channel) };
}
