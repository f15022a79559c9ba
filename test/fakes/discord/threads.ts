/** developers/topics/threads.mdx and resources/channel.mdx: starting and changing threads. */
import * as v from 'valibot';
import { checkMessage, FLAG, type Message, makeMessage, type Upload } from './message.ts';
import {
  asList,
  asWire,
  flag,
  hold,
  invalid,
  list,
  Refusal,
  snowflake,
  text,
  type Wire,
  whole,
} from './rules.ts';
import { BITS, CHANNEL, type Channel, isThread, THREAD, type World } from './world.ts';

const REQUIRE_TAG = 1 << 4;

const ARCHIVING = v.optional(v.picklist([60, 1440, 4320, 10080]));
const starting = {
  name: text(1, 100),
  auto_archive_duration: ARCHIVING,
  rate_limit_per_user: v.nullish(whole(0, 21600)),
};

export interface ThreadLimits {
  /** Active threads a guild may have; the documentation gives no number. */
  activeThreads: number;
  /** Edits an hour of one message that is older than an hour; the documentation gives no number here either. */
  oldEdits: number;
}

export function threadFromMessage(
  world: World,
  limits: ThreadLimits,
  channelId: string,
  messageId: string,
  body: unknown,
): Channel {
  const channel = world.visible(channelId);
  hold(body, v.strictObject(starting));
  if (channel.type !== CHANNEL.text && channel.type !== CHANNEL.announcement) throw new Refusal(50024);
  world.demand(channel, 'CREATE_PUBLIC_THREADS');
  const message = world.messageOf(channelId, messageId);
  if (world.channels.has(messageId)) throw new Refusal(160004);
  const type = channel.type === CHANNEL.text ? THREAD.public : THREAD.announcement;
  const thread = openThread(world, limits, channel, messageId, type, asWire(body));
  message.flags |= FLAG.hasThread;
  return thread;
}

/** A forum post: a thread with its first message. */
export function forumPost(
  world: World,
  limits: ThreadLimits,
  channelId: string,
  body: unknown,
  uploads: readonly Upload[],
): { thread: Channel; message: Message } {
  const channel = world.visible(channelId);
  // The bot starts all other threads from a message.
  if (channel.type !== CHANNEL.forum) throw new Refusal(50024);
  const applied_tags = v.optional(list(snowflake, 0, 5));
  hold(body, v.strictObject({ ...starting, message: v.unknown(), applied_tags }));
  const wire = asWire(body);
  checkMessage(wire.message, uploads, 'forum');
  // "CREATE_PUBLIC_THREADS is ignored": a forum asks for SEND_MESSAGES only.
  world.demand(channel, 'SEND_MESSAGES');
  if (uploads.length > 0) world.demand(channel, 'ATTACH_FILES');
  const tags = asList(wire.applied_tags);
  const known = new Set<unknown>(channel.available_tags?.map(({ id }) => id));
  const stray = tags.findIndex((tag) => !known.has(tag));
  if (stray >= 0) throw invalid(['This forum has no such tag.', ['applied_tags', stray]]);
  if (channel.flags & REQUIRE_TAG && tags.length === 0) throw new Refusal(40067);
  const thread = openThread(world, limits, channel, world.snowflake(), THREAD.public, wire);
  thread.applied_tags = tags as string[];
  const message = makeMessage(world, thread.id, asWire(wire.message), uploads, { id: thread.id });
  world.messages.set(thread.id, [message]);
  channel.last_message_id = thread.id;
  thread.last_message_id = message.id;
  return { thread, message };
}

function openThread(
  world: World,
  limits: ThreadLimits,
  parent: Channel,
  id: string,
  type: number,
  wire: Wire,
): Channel {
  // "Do not send rate_limit_per_user, even 0: it needs MANAGE_THREADS" (discord/discord-api-docs#5573).
  if (wire.rate_limit_per_user !== undefined) world.demand(parent, 'MANAGE_THREADS');
  const guildId = parent.guild_id as string;
  const active = world.channelsOf(guildId).filter((one) => one.thread_metadata?.archived === false);
  if (active.length >= limits.activeThreads)
    throw new Refusal(type === THREAD.announcement ? 160007 : 160006);
  const now = new Date(world.clock.now()).toISOString();
  return world.keepChannel({
    id,
    type,
    guild_id: guildId,
    parent_id: parent.id,
    name: wire.name as string,
    owner_id: world.bot.id,
    last_message_id: null,
    flags: 0,
    message_count: 0,
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: (wire.auto_archive_duration as number | undefined) ?? 4320,
      archive_timestamp: now,
      create_timestamp: now,
    },
  });
}

const threadChanges = v.strictObject({
  name: v.optional(text(1, 100)),
  archived: flag,
  auto_archive_duration: ARCHIVING,
  locked: flag,
});

export function modifyChannel(world: World, channelId: string, body: unknown): Channel {
  const channel = world.visible(channelId);
  // The bot changes no channel but its threads.
  if (!isThread(channel)) throw new Refusal(50024);
  hold(body, threadChanges);
  const wire = asWire(body);
  const state = channel.thread_metadata as NonNullable<Channel['thread_metadata']>;
  const moderator = (world.permissions(world.bot.id, channel) & BITS.MANAGE_THREADS) !== 0n;
  const mine = channel.owner_id === world.bot.id;
  if (!moderator && (wire.locked !== undefined || !mine)) throw new Refusal(50013);
  if (!moderator && state.locked && wire.archived === false) throw new Refusal(50013);
  if (state.archived && wire.archived !== false) throw new Refusal(50083);
  const { archived, locked, auto_archive_duration, ...rest } = wire;
  Object.assign(channel, rest);
  Object.assign(state, {
    ...(archived === undefined ? {} : { archived }),
    ...(locked === undefined ? {} : { locked }),
    ...(auto_archive_duration === undefined ? {} : { auto_archive_duration }),
    archive_timestamp: new Date(world.clock.now()).toISOString(),
  });
  return channel;
}
