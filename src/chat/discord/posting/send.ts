import { MessageFlags, type REST, Routes } from 'discord.js';
import * as v from 'valibot';
import { type Post, PostFailure } from '../../../dispatch/poster.ts';
import { LIMITS } from '../render/limits.ts';
import { type RenderServices, renderReply } from '../render/render.ts';
import { missingPermission } from './permissions.ts';
import type { Rights } from './rights.ts';
import { findMarked, markOf } from './search.ts';

/**
 * Sends a post's message. If it is sent again within some minutes, Discord recognizes the nonce and posts nothing new;
 * later, `findEarlierPost` has to look first.
 */
export async function sendMessage(
  { key, also = [], reply, quiet = false }: Post,
  channel: string,
  ping: string | null,
  { rest, services }: { readonly rest: REST; readonly services: RenderServices },
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
export function flagsOf(flags: number, quiet: boolean): number {
  return quiet ? flags | MessageFlags.SuppressNotifications : flags;
}

/** After an attempt without an answer: the id of the message it posted, if it did. */
export async function findEarlierPost(
  { outcomeUnknown, key }: Post,
  { thread, channel }: { readonly thread: string; readonly channel: string },
  { rest, rights }: { readonly rest: REST; readonly rights: Rights },
): Promise<string | undefined> {
  if (!outcomeUnknown) return undefined;
  await demandHistory(rights, channel);
  const mark = markOf(key);
  const { found } = await findMarked(rest, { channel: thread, marks: [mark], me: await rights.me() });
  return found.get(mark);
}

/** Throws unless the bot may read: without that, Discord shows an empty channel, and the post would be sent twice. */
export async function demandHistory(rights: Rights, channel: string): Promise<void> {
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
