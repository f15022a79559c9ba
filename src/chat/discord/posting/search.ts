import { createHash } from 'node:crypto';
import type { REST } from 'discord.js';
import { Routes } from 'discord.js';
import { CODE, codeOf } from './errors.ts';

const PAGE = 100;
/** Attempts of one delivery lie hours apart at the most; few channels see more messages in that time. */
const MOST_PAGES = 5;
/** The same for posts of ours in one forum. */
const MOST_POSTS = 5;

interface WireMessage {
  readonly id: string;
  readonly author: { readonly id: string };
  readonly components?: readonly { readonly id?: number }[];
}

/**
 * A delivery's key as the number that its message carries: the id of its container, which Discord keeps and
 * shows to nobody. A nonce can't be read back.
 */
export function markOf(key: string): number {
  // 31 bits, and never 0, which means that Discord is to choose.
  return (createHash('sha256').update(key).digest().readUInt32BE(0) & 0x7fffffff) | 1;
}

/** The message of ours that carries a mark, among the newest of a channel or thread. */
export async function findMarked(
  rest: REST,
  { channel, mark, me }: { channel: string; mark: number; me: string },
): Promise<string | undefined> {
  let before: string | undefined;
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = new URLSearchParams({ limit: `${PAGE}`, ...(before !== undefined && { before }) });
    const messages = (await rest.get(Routes.channelMessages(channel), { query })) as WireMessage[];
    const found = messages.find((message) => isMarked(message, mark, me));
    if (found !== undefined) return found.id;
    if (messages.length < PAGE) return undefined;
    before = messages.at(-1)!.id;
  }
  return undefined;
}

interface WireThread {
  readonly id: string;
  readonly parent_id?: string | null;
  readonly owner_id?: string;
}

/** The forum post of ours whose first message carries a mark. A post and its first message share their id. */
export async function findMarkedPost(
  rest: REST,
  { guild, forum, mark, me }: { guild: string; forum: string; mark: number; me: string },
): Promise<string | undefined> {
  const { threads } = (await rest.get(Routes.guildActiveThreads(guild))) as { threads: WireThread[] };
  const ours = threads
    .filter(({ parent_id, owner_id }) => parent_id === forum && owner_id === me)
    .sort((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
  for (const { id } of ours.slice(0, MOST_POSTS)) {
    const first = (await rest.get(Routes.channelMessage(id, id)).catch(noneIfDeleted)) as
      | WireMessage
      | undefined;
    if (first !== undefined && isMarked(first, mark, me)) return id;
  }
  return undefined;
}

function isMarked({ author, components = [] }: WireMessage, mark: number, me: string): boolean {
  return author.id === me && components.some(({ id }) => id === mark);
}

function noneIfDeleted(error: unknown): undefined {
  if (codeOf(error) !== CODE.unknownMessage) throw error;
}
