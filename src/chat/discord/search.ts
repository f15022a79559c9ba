import {
  type APIMessage,
  type APIThreadChannel,
  ChannelType,
  RESTJSONErrorCodes as CODE,
  type GuildBasedChannel,
  PermissionFlagsBits,
  type REST,
  type RESTGetAPIChannelMessagesResult,
  Routes,
  SnowflakeUtil,
} from 'discord.js';
import { MINUTE } from '../../core/clock.ts';
import { type Posted, PostFailure, type PostSearch, threadId } from '../../dispatch/poster.ts';
import { REQUIREMENTS, unless } from './errors.ts';
import { containerIdOf } from './render.ts';
import type { Rights } from './rights.ts';

const MESSAGES_PER_PAGE = 100;
/** Few channels get more messages between two attempts at a delivery, which are hours apart at most. */
const MAX_PAGES = 10;
/** The most forum posts of the bot whose first message is read. */
const MAX_POSTS = 5;
/** Milliseconds that Discord's clock may be behind ours. */
const CLOCK_DIFFERENCE_MS = 5 * MINUTE;

/** Thrown where the bot can't find out whether a post exists. */
export class Unsearchable extends PostFailure {}

/** Only a post that was sent without an answer is searched for. */
const NO_ANSWER = 'Discord gave no answer';

interface Search extends Pick<PostSearch, 'keys' | 'since'> {
  /** A channel, thread or conversation that the bot may read. */
  readonly channel: string;
  readonly me: string;
}

/**
 * The ids of the bot's messages by the keys of their posts.
 *
 * @throws Unsearchable where not all that was written since can be read
 */
export async function findMessages(
  rest: REST,
  { channel, keys, since, me }: Search,
): Promise<ReadonlyMap<string, string>> {
  const wanted = keys.map((key) => [key, containerIdOf(key)] as const);
  const found = new Map<string, string>();
  let before: string | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const query = new URLSearchParams({ limit: `${MESSAGES_PER_PAGE}`, ...(before && { before }) });
    const answer = await rest.get(Routes.channelMessages(channel), { query });
    const messages = answer as RESTGetAPIChannelMessagesResult;
    for (const message of messages) {
      if (message.author.id !== me) continue;
      const ids = idsIn(message);
      for (const [key, id] of wanted) if (ids.has(id)) found.set(key, message.id);
    }
    const last = messages.at(-1);
    const isEnd = messages.length < MESSAGES_PER_PAGE || last === undefined;
    if (
      isEnd ||
      found.size === keys.length ||
      SnowflakeUtil.timestampFrom(last.id) < since - CLOCK_DIFFERENCE_MS
    )
      return found;
    before = last.id;
  }
  throw new Unsearchable('invalid', `${NO_ANSWER}, and too much was written since to find the post`);
}

/** The bot's forum post whose first message has this container. A post and its first message share their id. */
async function findForumPost(
  rest: REST,
  forum: GuildBasedChannel,
  container: number,
  me: string,
): Promise<string | undefined> {
  const answer = await rest.get(Routes.guildActiveThreads(forum.guildId));
  const { threads } = answer as { threads: APIThreadChannel[] };
  const ours = threads
    .filter(({ parent_id, owner_id }) => parent_id === forum.id && owner_id === me)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  for (const { id } of ours.slice(0, MAX_POSTS)) {
    // A thread of the bot begins with a message of the bot.
    const first = await unless([CODE.UnknownMessage], rest.get(Routes.channelMessage(id, id)));
    if (first !== undefined && idsIn(first as APIMessage).has(container)) return id;
  }
  return undefined;
}

/** The ids of the containers of a message, and of what is in them. */
function idsIn({ components = [] }: APIMessage): Set<number | undefined> {
  return new Set(
    components.flatMap((each) => [
      each.id,
      ...('components' in each ? each.components.map(({ id }) => id) : []),
    ]),
  );
}

/**
 * Posts by their keys: openings in a channel or forum, others in their thread.
 *
 * @throws Unsearchable where the bot may not read, or not all that was written since can be read
 */
export async function findPosts(
  { channel: place, thread: within, keys, since }: PostSearch,
  { rest, rights }: { readonly rest: REST; readonly rights: Rights },
): Promise<ReadonlyMap<string, Posted>> {
  // Discord shows an empty channel if the permission is missing, and the post would be sent twice.
  const { channel, permissions } = await rights.channel(place);
  if (!permissions.has(PermissionFlagsBits.ReadMessageHistory))
    throw new Unsearchable('refused', `${NO_ANSWER}, and the channel can not be read to look for the post`, {
      missingRequirements: [REQUIREMENTS.history],
    });
  const thread = within && threadId(within);
  const posts = new Map<string, Posted>();
  const me = await rights.me();
  if (thread === undefined && channel.type === ChannelType.GuildForum) {
    for (const key of keys) {
      const id = await findForumPost(rest, channel, containerIdOf(key), me);
      if (id !== undefined) posts.set(key, { message: id, thread: id, kind: 'forum' });
    }
    return posts;
  }
  // A deleted thread has no posts; posting in it will fail with the same error.
  const gone = thread === undefined ? [] : [CODE.UnknownChannel];
  const finding = findMessages(rest, { channel: thread ?? channel.id, keys, since, me });
  for (const [key, message] of (await unless(gone, finding)) ?? []) posts.set(key, { message, thread });
  return posts;
}
