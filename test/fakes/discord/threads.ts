/** developers/topics/threads.mdx and resources/channel.mdx: starting and changing threads. */
import { FLAG, type Message, makeMessage, type Upload } from './message.ts';
import { checkMessage } from './message-rules.ts';
import { BITS } from './permissions.ts';
import { Refusal } from './refusal.ts';
import {
  asList,
  asWire,
  bits,
  flag,
  hold,
  list,
  may,
  must,
  nullable,
  oneOf,
  shape,
  snowflake,
  text,
  type Wire,
  whole,
} from './rules.ts';
import { CHANNEL, type Channel, isThread, THREAD } from './shapes.ts';
import type { World } from './world.ts';

const REQUIRE_TAG = 1 << 4;
const PINNED = 1 << 1;
export const SPOILER_CHANNEL = 1 << 21;

const starting = {
  name: must(text(1, 100)),
  auto_archive_duration: may(oneOf(60, 1440, 4320, 10080)),
  rate_limit_per_user: may(nullable(whole(0, 21600))),
};

export interface ThreadLimits {
  /** Active threads a guild may have; the documentation gives no number. */
  activeThreads: number;
  /** Edits an hour of one message that is older than an hour; the documentation gives no number here either. */
  oldEdits: number;
  /** Whether this server's Discord takes IS_SPOILER_CHANNEL for a thread. */
  spoilerThreads: boolean;
}

export function threadFromMessage(
  world: World,
  limits: ThreadLimits,
  channelId: string,
  messageId: string,
  body: unknown,
): Channel {
  const channel = world.visible(channelId);
  hold(body, shape(starting));
  if (channel.type !== CHANNEL.text && channel.type !== CHANNEL.announcement) throw new Refusal(50024);
  world.demand(channel, 'CREATE_PUBLIC_THREADS');
  const message = world.messageOf(channelId, messageId);
  if (world.channels.has(messageId)) throw new Refusal(160004);
  const type = channel.type === CHANNEL.text ? THREAD.public : THREAD.announcement;
  const thread = openThread(world, limits, channel, messageId, type, asWire(body));
  message.flags |= FLAG.hasThread;
  return thread;
}

/** A forum post, or a thread of its own in a text channel. */
export function threadInChannel(
  world: World,
  limits: ThreadLimits,
  channelId: string,
  body: unknown,
  uploads: readonly Upload[],
): { thread: Channel; message?: Message } {
  const channel = world.visible(channelId);
  if (channel.type === CHANNEL.forum || channel.type === CHANNEL.media) {
    return forumPost(world, limits, channel, body, uploads);
  }
  if (channel.type !== CHANNEL.text && channel.type !== CHANNEL.announcement) throw new Refusal(50024);
  hold(body, shape({ ...starting, type: may(oneOf(10, 11, 12)), invitable: may(flag) }));
  const type = (asWire(body).type as number | undefined) ?? THREAD.private;
  world.demand(channel, type === THREAD.private ? 'CREATE_PRIVATE_THREADS' : 'CREATE_PUBLIC_THREADS');
  return { thread: openThread(world, limits, channel, world.snowflake(), type, asWire(body)) };
}

function forumPost(
  world: World,
  limits: ThreadLimits,
  channel: Channel,
  body: unknown,
  uploads: readonly Upload[],
): { thread: Channel; message: Message } {
  const applied = may(list(snowflake, 0, 5));
  hold(body, shape({ ...starting, message: must(() => undefined), applied_tags: applied }));
  const wire = asWire(body);
  checkMessage(wire.message, uploads, 'forum');
  // "CREATE_PUBLIC_THREADS is ignored": a forum asks for SEND_MESSAGES only.
  world.demand(channel, 'SEND_MESSAGES');
  if (uploads.length > 0) world.demand(channel, 'ATTACH_FILES');
  const tags = asList(wire.applied_tags);
  hold(body, (_, at) => {
    for (const [index, tag] of tags.entries()) {
      if (!channel.available_tags?.some((one) => one.id === tag)) {
        at.in('applied_tags').in(index).wrong('INVALID_TAG', 'This forum has no such tag.');
      }
    }
  });
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
  if (active.length >= limits.activeThreads) throw new Refusal(160006);
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
    member_count: 1,
    rate_limit_per_user: 0,
    thread_metadata: {
      archived: false,
      locked: false,
      auto_archive_duration: (wire.auto_archive_duration as number | undefined) ?? 4320,
      archive_timestamp: now,
      create_timestamp: now,
    },
  });
}

const threadChanges = shape({
  name: may(text(1, 100)),
  archived: may(flag),
  auto_archive_duration: may(oneOf(60, 1440, 4320, 10080)),
  locked: may(flag),
  invitable: may(flag),
  rate_limit_per_user: may(nullable(whole(0, 21600))),
  flags: may(bits(PINNED | SPOILER_CHANNEL)),
  applied_tags: may(list(snowflake, 0, 5)),
});

export function modifyChannel(world: World, limits: ThreadLimits, channelId: string, body: unknown): Channel {
  const channel = world.visible(channelId);
  if (!isThread(channel)) {
    world.demand(channel, 'MANAGE_CHANNELS');
    hold(body, shape({ name: may(text(1, 100)), topic: may(nullable(text(0, 1024))) }));
    Object.assign(channel, body);
    return channel;
  }
  hold(body, threadChanges);
  const wire = asWire(body);
  const state = channel.thread_metadata as NonNullable<Channel['thread_metadata']>;
  const moderator = (world.permissions(world.bot.id, channel) & BITS.MANAGE_THREADS) !== 0n;
  const mine = channel.owner_id === world.bot.id;
  const guarded = wire.locked !== undefined || wire.rate_limit_per_user !== undefined;
  if (!moderator && (guarded || !mine)) throw new Refusal(50013);
  if (!moderator && state.locked && wire.archived === false) throw new Refusal(50013);
  if (state.archived && wire.archived !== false) throw new Refusal(50083);
  if (typeof wire.flags === 'number') setFlags(world, limits, channel, wire.flags);
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

function setFlags(world: World, limits: ThreadLimits, channel: Channel, flags: number): void {
  const parent = world.channels.get(channel.parent_id ?? '');
  hold(flags, (_, at) => {
    if (flags & SPOILER_CHANNEL && (!limits.spoilerThreads || parent?.nsfw)) {
      at.in('flags').wrong('CHANNEL_FLAGS_INVALID', 'IS_SPOILER_CHANNEL cannot be set on this channel.');
    }
    if (flags & PINNED && parent?.type !== CHANNEL.forum && parent?.type !== CHANNEL.media) {
      at.in('flags').wrong('CHANNEL_FLAGS_INVALID', 'PINNED can only be set in forum and media channels.');
    }
  });
}
