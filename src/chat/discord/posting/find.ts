import { ChannelType, type REST } from 'discord.js';
import type { Posted, PostSearch } from '../../../dispatch/poster.ts';
import { CODE, codeOf } from './errors.ts';
import type { Rights } from './rights.ts';
import { findMarked, findMarkedPost, markOf } from './search.ts';

/** Posts by their keys: openings in a channel or forum, others in their thread. */
export async function findPosts(
  { channel: { channel }, thread: within, keys, since }: PostSearch,
  { rest, rights }: { readonly rest: REST; readonly rights: Rights },
): Promise<ReadonlyMap<string, Posted> | undefined> {
  rights.forget(channel);
  const { type, guild } = await rights.channel(channel);
  if (!(await rights.mayReadHistory(channel))) return undefined;
  const me = await rights.me();
  const thread = within?.thread ?? within?.message;
  if (thread === undefined && type === ChannelType.GuildForum) {
    const posts = new Map<string, Posted>();
    if (guild === undefined) return posts;
    for (const key of keys) {
      const id = await findMarkedPost(rest, { guild, forum: channel, mark: markOf(key), me });
      if (id !== undefined) posts.set(key, { message: id, thread: id, kind: 'forum' });
    }
    return posts;
  }
  const marks = keys.map(markOf);
  const { found, isComplete } = await findMarked(rest, {
    channel: thread ?? channel,
    marks,
    me,
    since,
  }).catch((error: unknown) => {
    // Posting in a thread that was deleted says so.
    if (thread === undefined || codeOf(error) !== CODE.unknownChannel) throw error;
    return { found: new Map<number, string>(), isComplete: true };
  });
  if (!isComplete) return undefined;
  const posts = keys.map((key): [string, Posted] | undefined => {
    const message = found.get(markOf(key));
    return message === undefined ? undefined : [key, { message, ...(thread !== undefined && { thread }) }];
  });
  return new Map(posts.filter((post) => post !== undefined));
}
