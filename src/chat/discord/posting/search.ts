import { createHash } from 'node:crypto';
import { type REST, Routes } from 'discord.js';
import * as v from 'valibot';
import { CODE, codeOf } from './errors.ts';

const PAGE_SIZE = 100;
/** A delivery's attempts are hours apart at most; few channels get more messages in that time. */
const MOST_PAGES = 5;
/** The same for the bot's own posts in one forum. */
const MOST_POSTS = 5;

const MESSAGE = v.object({
  id: v.string(),
  author: v.object({ id: v.string() }),
  components: v.optional(v.array(v.object({ id: v.optional(v.number()) })), []),
});
const MESSAGES = v.array(MESSAGE);
const ACTIVE_THREADS = v.object({
  threads: v.array(
    v.object({ id: v.string(), parent_id: v.nullish(v.string()), owner_id: v.optional(v.string()) }),
  ),
});

/**
 * A delivery's key as the number that marks its message: the id of its container, which Discord stores and
 * shows to nobody. A nonce would not do, for it can't be read back.
 */
export function markOf(key: string): number {
  // 31 bits, and never 0, with which Discord would choose an id itself.
  return (createHash('sha256').update(key).digest().readUInt32BE(0) & 0x7fffffff) | 1;
}

/** The bot's message with this mark, among the newest of a channel or thread. */
export async function findMarked(
  rest: REST,
  { channel, mark, me }: { channel: string; mark: number; me: string },
): Promise<string | undefined> {
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = new URLSearchParams({ limit: `${PAGE_SIZE}`, ...(before !== undefined && { before }) });
    const messages = v.parse(MESSAGES, await rest.get(Routes.channelMessages(channel), { query }));
    const found = messages.find((message) => isMarked(message, mark, me));
    if (found !== undefined) return found.id;
    if (messages.length < PAGE_SIZE) return undefined;
    before = messages.at(-1)!.id;
  }
  return undefined;
}

/** The bot's forum post whose first message has this mark. A post and its first message share their id. */
export async function findMarkedPost(
  rest: REST,
  { guild, forum, mark, me }: { guild: string; forum: string; mark: number; me: string },
): Promise<string | undefined> {
  const { threads } = v.parse(ACTIVE_THREADS, await rest.get(Routes.guildActiveThreads(guild)));
  const ours = threads
    .filter(({ parent_id, owner_id }) => parent_id === forum && owner_id === me)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  for (const { id } of ours.slice(0, MOST_POSTS)) {
    const first = await messageUnlessDeleted(rest, id, id);
    if (first !== undefined && isMarked(first, mark, me)) return id;
  }
  return undefined;
}

function isMarked({ author, components }: v.InferOutput<typeof MESSAGE>, mark: number, me: string): boolean {
  return author.id === me && components.some(({ id }) => id === mark);
}

async function messageUnlessDeleted(rest: REST, channel: string, message: string) {
  try {
    return v.parse(MESSAGE, await rest.get(Routes.channelMessage(channel, message)));
  } catch (error) {
    if (codeOf(error) !== CODE.unknownMessage) throw error;
    return undefined;
  }
}
