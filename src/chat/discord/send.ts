import type { REST } from '@discordjs/rest';
import { MessageFlags, Routes } from 'discord-api-types/v10';
import * as v from 'valibot';
import type { Log } from '../../core/log.ts';
import { type OpeningPost, type Post, type Posted, PostFailure } from '../../dispatch/poster.ts';
import { CODE, codeOf } from './errors.ts';
import { LIMITS, shorten } from './limits.ts';
import { missingPermission } from './permissions.ts';
import { type RenderServices, renderReply } from './render.ts';
import type { KnownChannel, Rights } from './rights.ts';
import { findMarked, findMarkedPost, markOf } from './search.ts';

/** What it takes to post. */
export interface PostTools {
  /** Makes no retries: a post whose outcome is unknown must be looked for before it is sent again. */
  readonly rest: REST;
  readonly rights: Rights;
  readonly services: RenderServices;
  readonly log: Log;
}

/**
 * Sends a post's message. If it is sent again within some minutes, Discord recognizes the nonce and posts nothing new;
 * later, `findEarlierPost` has to look first.
 */
export async function sendMessage(
  { key, also = [], reply, quiet = false }: Post,
  channel: string,
  ping: string | null,
  { rest, services }: Pick<PostTools, 'rest' | 'services'>,
): Promise<string> {
  const { body, files } = await renderReply(reply, services, {
    mark: markOf(key),
    alsoMarks: also.map(markOf),
    ping,
  });
  const nonce = key.slice(0, LIMITS.nonce);
  return idOf(
    await rest.post(Routes.channelMessages(channel), {
      body: { ...body, flags: flagsOf(body.flags, quiet), nonce, enforce_nonce: true },
      files,
    }),
  );
}

/** The flags of a new message. Discord takes the one against notifications only when a message is created. */
function flagsOf(flags: number, quiet: boolean): number {
  return quiet ? flags | MessageFlags.SuppressNotifications : flags;
}

/** After an attempt without an answer: the id of the message it posted, if it did. */
export async function findEarlierPost(
  { outcomeUnknown, key, since }: Post,
  { thread, channel }: { readonly thread: string; readonly channel: string },
  { rest, rights }: Pick<PostTools, 'rest' | 'rights'>,
): Promise<string | undefined> {
  if (!outcomeUnknown) return undefined;
  await demandHistory(rights, channel);
  const mark = markOf(key);
  const wanted = { channel: thread, marks: [mark], me: await rights.me(), since };
  const { found, isComplete } = await findMarked(rest, wanted);
  if (!isComplete)
    throw new PostFailure(
      'invalid',
      'Discord gave no answer, and the channel holds more messages since than can be searched for the post',
    );
  return found.get(mark);
}

/** Throws unless the bot may read: without that, Discord shows an empty channel, and the post would be sent twice. */
async function demandHistory(rights: Rights, channel: string): Promise<void> {
  // Not from the cache, for the same reason.
  rights.forget(channel);
  if (await rights.mayReadHistory(channel)) return;
  throw new PostFailure(
    'refused',
    'Discord gave no answer, and the channel can not be read to look for the post',
    { missingRequirements: [missingPermission('Read Message History')] },
  );
}

const CREATED = v.object({ id: v.string() });

/** The id in an answer to something that was created. */
export function idOf(answer: unknown): string {
  const created = v.safeParse(CREATED, answer);
  if (!created.success) throw new PostFailure('unknown', 'Discord answered without an id');
  return created.output.id;
}

/** Minutes without a message after which Discord archives a thread. */
const AUTO_ARCHIVE = 1440;
/** The channel flag "spoiler thread", which Discord takes only on an edit, and not on every server. */
const SPOILER_THREAD = 1 << 21;

/** Opens a day in a text or announcement channel: a message, and a thread started from it. */
export async function openInChannel(
  post: OpeningPost,
  { id }: KnownChannel,
  tools: PostTools,
): Promise<Posted> {
  const message =
    post.posted?.message ??
    (await findEarlierPost(post, { thread: id, channel: id }, tools)) ??
    (await sendMessage(post, id, post.ping, tools));
  if (!(await post.note({ message }))) throw new PostFailure('later', 'another process took this post over');
  const thread = post.posted?.thread ?? (await startThread(tools.rest, id, message, post.threadName));
  const posted = { message, thread };
  await post.note(posted);
  await setSpoilerFlag(thread, tools);
  return posted;
}

/** A thread has the id of the message it is started from, so starting it twice does no harm. */
async function startThread(rest: REST, channel: string, message: string, name: string): Promise<string> {
  try {
    await rest.post(Routes.threads(channel, message), {
      body: { name: shorten(name, LIMITS.threadName), auto_archive_duration: AUTO_ARCHIVE },
    });
  } catch (error) {
    if (codeOf(error) !== CODE.threadExists) throw error;
  }
  return message;
}

/** Opens a day in a forum: a post, which is a thread with its first message in one. */
export async function openInForum(post: OpeningPost, forum: KnownChannel, tools: PostTools): Promise<Posted> {
  const known = post.posted?.thread;
  if (known !== undefined) return { message: known, thread: known, kind: 'forum' };
  const thread =
    (await findEarlierForumPost(post, forum, tools)) ?? (await startForumPost(post, forum, tools));
  const posted = { message: thread, thread, kind: 'forum' };
  await post.note(posted);
  await setSpoilerFlag(thread, tools);
  return posted;
}

async function findEarlierForumPost(
  { outcomeUnknown, key }: OpeningPost,
  { id, guild }: KnownChannel,
  { rest, rights }: PostTools,
): Promise<string | undefined> {
  if (!outcomeUnknown || guild === undefined) return undefined;
  await demandHistory(rights, id);
  return findMarkedPost(rest, { guild, forum: id, mark: markOf(key), me: await rights.me() });
}

async function startForumPost(
  { reply, key, ping, threadName, quiet = false }: OpeningPost,
  { id, tags, mustTag }: KnownChannel,
  { rest, services }: PostTools,
): Promise<string> {
  const { body, files } = await renderReply(reply, services, { mark: markOf(key), ping });
  const started = await rest.post(Routes.threads(id), {
    body: {
      name: shorten(threadName, LIMITS.threadName),
      auto_archive_duration: AUTO_ARCHIVE,
      message: { ...body, flags: flagsOf(body.flags, quiet) },
      ...(mustTag && { applied_tags: tags.slice(0, 1) }),
    },
    files,
  });
  return idOf(started);
}

/** Best effort: many servers don't have spoiler threads yet, and the hints in it are hidden anyway. */
async function setSpoilerFlag(thread: string, { rest, log }: PostTools): Promise<void> {
  try {
    await rest.patch(Routes.channel(thread), { body: { flags: SPOILER_THREAD } });
  } catch (error) {
    log.debug({ door: 'discord', code: codeOf(error) }, 'the thread could not be marked as a spoiler');
  }
}
