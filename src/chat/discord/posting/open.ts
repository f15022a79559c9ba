import { type REST, Routes } from 'discord.js';
import type { Log } from '../../../core/log.ts';
import { type OpeningPost, type Posted, PostFailure } from '../../../dispatch/poster.ts';
import { LIMITS, shorten } from '../render/limits.ts';
import { type RenderServices, renderReply } from '../render/render.ts';
import { CODE, codeOf } from './errors.ts';
import type { KnownChannel, Rights } from './rights.ts';
import { findMarkedPost, markOf } from './search.ts';
import { demandHistory, findEarlierPost, flagsOf, idOf, sendMessage } from './send.ts';

/** Minutes without a message after which Discord archives a thread. */
const AUTO_ARCHIVE = 1440;
/** The channel flag "spoiler thread", which Discord takes only on an edit, and not on every server. */
const SPOILER_THREAD = 1 << 21;

export interface OpeningTools {
  readonly rest: REST;
  readonly rights: Rights;
  readonly services: RenderServices;
  readonly log: Log;
}

/** Opens a day in a text or announcement channel: a message, and a thread started from it. */
export async function openInChannel(
  post: OpeningPost,
  { id }: KnownChannel,
  tools: OpeningTools,
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
export async function openInForum(
  post: OpeningPost,
  forum: KnownChannel,
  tools: OpeningTools,
): Promise<Posted> {
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
  { rest, rights }: OpeningTools,
): Promise<string | undefined> {
  if (!outcomeUnknown || guild === undefined) return undefined;
  await demandHistory(rights, id);
  return findMarkedPost(rest, { guild, forum: id, mark: markOf(key), me: await rights.me() });
}

async function startForumPost(
  { reply, key, ping, threadName, quiet = false }: OpeningPost,
  { id, tags, mustTag }: KnownChannel,
  { rest, services }: OpeningTools,
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
async function setSpoilerFlag(thread: string, { rest, log }: OpeningTools): Promise<void> {
  try {
    await rest.patch(Routes.channel(thread), { body: { flags: SPOILER_THREAD } });
  } catch (error) {
    log.debug({ door: 'discord', code: codeOf(error) }, 'the thread could not be marked as a spoiler');
  }
}
