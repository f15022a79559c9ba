/** developers/resources/message.mdx: sending, changing and reading messages. */

import { HOUR } from '../../../src/core/clock.ts';
import { fill, type Message, makeMessage, type Upload } from './message.ts';
import { checkMessage } from './message-rules.ts';
import { BITS } from './permissions.ts';
import { Refusal } from './refusal.ts';
import { asWire, invalid } from './rules.ts';
import type { ThreadLimits } from './threads.ts';
import { CHANNEL, isThread, type World } from './world.ts';

const DUPLICATE_WINDOW = 5 * 60_000;

/** A message into a channel, a thread or a private conversation. */
export function createMessage(
  world: World,
  channelId: string,
  body: unknown,
  uploads: readonly Upload[],
): { message: Message; repeated: boolean } {
  const channel = world.visible(channelId);
  checkMessage(body, uploads, 'create');
  const wire = asWire(body);
  if (channel.type === CHANNEL.forum) throw new Refusal(40058);
  if (channel.type === CHANNEL.voice || channel.type === CHANNEL.category) throw new Refusal(50008);
  world.demand(channel, isThread(channel) ? 'SEND_MESSAGES_IN_THREADS' : 'SEND_MESSAGES');
  if (uploads.length > 0) world.demand(channel, 'ATTACH_FILES');
  const state = channel.thread_metadata;
  const moderator = (world.permissions(world.bot.id, channel) & BITS.MANAGE_THREADS) !== 0n;
  if (state?.locked && !moderator) throw new Refusal(160005);
  if (wire.enforce_nonce === true && wire.nonce !== undefined && wire.nonce !== null) {
    const now = world.clock.now();
    // "Checked for uniqueness in the past few minutes": the documentation gives no number; five here.
    const earlier = world
      .messagesOf(channelId)
      .find((one) => one.nonce === wire.nonce && now - Date.parse(one.timestamp) < DUPLICATE_WINDOW);
    if (earlier) return { message: earlier, repeated: true };
  }
  if (state?.archived) state.archived = false;
  const message = makeMessage(world, channelId, wire, uploads, {
    ...(wire.nonce === undefined || wire.nonce === null ? {} : { nonce: wire.nonce as string }),
  });
  world.messages.set(channelId, [...world.messagesOf(channelId), message]);
  channel.last_message_id = message.id;
  if (channel.message_count !== undefined) channel.message_count += 1;
  return { message, repeated: false };
}

export function editMessage(
  world: World,
  limits: ThreadLimits,
  channelId: string,
  messageId: string,
  body: unknown,
  uploads: readonly Upload[],
): Message {
  const channel = world.visible(channelId);
  const message = world.messageOf(channelId, messageId);
  if (channel.thread_metadata?.archived) throw new Refusal(50083);
  if (message.author.id !== world.bot.id) throw new Refusal(50005);
  checkMessage(body, uploads, 'edit', message);
  const now = world.clock.now();
  if (now - Date.parse(message.timestamp) > HOUR) {
    const recent = (world.oldEdits.get(messageId) ?? []).filter((at) => now - at < HOUR);
    if (recent.length >= limits.oldEdits) throw new Refusal(30046);
    world.oldEdits.set(messageId, [...recent, now]);
  }
  fill(world, message, asWire(body), uploads);
  message.edited_timestamp = new Date(world.clock.now()).toISOString();
  return message;
}

/** developers/resources/message.mdx, "Get Channel Messages": newest first, none without the history right. */
export function readMessages(world: World, channelId: string, query: URLSearchParams): Message[] {
  const channel = world.visible(channelId);
  const limit = Number(query.get('limit') ?? 50);
  if (!Number.isInteger(limit) || limit < 1 || limit > 100)
    throw invalid(['int value should be between 1 and 100.', ['limit']]);
  if (
    channel.guild_id !== undefined &&
    !(world.permissions(world.bot.id, channel) & BITS.READ_MESSAGE_HISTORY)
  ) {
    return [];
  }
  const before = query.get('before');
  const all = world.messagesOf(channelId);
  const older = before === null ? all : all.filter((one) => BigInt(one.id) < BigInt(before));
  return older.slice(-limit).reverse();
}

/** What a bot without the message content intent gets to read: other people's words are left out. */
export function withoutContent(world: World, message: Message): Message {
  if (message.author.id === world.bot.id) return withoutNonce(message);
  return { ...withoutNonce(message), content: '', attachments: [], components: [] };
}

/** A nonce "will appear in the Message Create event"; nothing says that it can be read back later. */
export function withoutNonce(message: Message): Message {
  const { nonce: _, ...rest } = message;
  return rest;
}
