import { readableChannel } from '../channels.ts';
import { Refusal } from '../refusal.ts';
import type { Call } from '../slack.ts';
import { type Channel, directChannel, type Json, type Message } from '../world.ts';
import { messageJson } from './message-json.ts';
import { FLAG, type Method, NEEDED, TEXT, WHOLE } from './method.ts';

const TIMELINE = {
  channel: NEEDED,
  cursor: TEXT,
  include_all_metadata: FLAG,
  inclusive: FLAG,
  latest: TEXT,
  limit: WHOLE,
  oldest: TEXT,
};

export const conversationMethods: Record<string, Method> = {
  'conversations.info': {
    token: 'bot',
    scopes: [],
    tier: 3,
    args: { channel: NEEDED, include_locale: FLAG, include_num_members: FLAG },
    run(call) {
      return { channel: channelJson(call, readableChannel(call, 'read')) };
    },
  },

  'conversations.members': {
    token: 'bot',
    scopes: [],
    tier: 4,
    args: { channel: NEEDED, cursor: TEXT, limit: WHOLE },
    run(call) {
      const members = [...readableChannel(call, 'read').members];
      const { items, next } = pageOf(members, call.args, 100);
      return { members: items, response_metadata: { next_cursor: next } };
    },
  },

  'conversations.history': {
    token: 'bot',
    scopes: [],
    tier: 3,
    args: TIMELINE,
    run(call) {
      const channel = readableChannel(call, 'history');
      const tops = channel.messages.filter(({ threadTs }) => threadTs === undefined);
      return timeline(call, tops.toReversed());
    },
  },

  'conversations.replies': {
    token: 'bot',
    scopes: [],
    tier: 3,
    args: { ...TIMELINE, ts: NEEDED },
    run(call) {
      const channel = readableChannel(call, 'history');
      const { ts } = call.args;
      const thread = channel.messages.filter((message) => message.ts === ts || message.threadTs === ts);
      if (thread.length === 0) throw new Refusal('thread_not_found');
      return timeline(call, thread);
    },
  },

  'conversations.open': {
    token: 'bot',
    scopes: ['im:write'],
    tier: 3,
    args: { users: NEEDED, return_im: FLAG, prevent_creation: FLAG },
    run({ slack, workspace, args }) {
      if (!workspace.users.has(args.users)) throw new Refusal('user_not_found');
      return { channel: { id: directChannel(slack.world, workspace, args.users).id } };
    },
  },
};

function channelJson({ workspace }: Call, channel: Channel): Json {
  return {
    id: channel.id,
    name: channel.name,
    is_channel: channel.kind === 'public',
    is_private: channel.kind === 'private',
    is_im: channel.kind === 'im',
    is_archived: channel.isArchived,
    is_member: channel.members.has(workspace.botUser),
  };
}

function timeline(call: Call, messages: readonly Message[]): Json {
  const { args, workspace, slack } = call;
  const within = messages.filter(({ ts, isDeleted }) => {
    const isAfter = args.oldest === undefined || ts > args.oldest || (args.inclusive && ts === args.oldest);
    const isBefore = args.latest === undefined || ts < args.latest || (args.inclusive && ts === args.latest);
    return isAfter && isBefore && !isDeleted;
  });
  const { items, next } = pageOf(within, args, 100);
  return {
    messages: items.map((message) =>
      messageJson(workspace, slack.app.id, message, args.include_all_metadata === true),
    ),
    has_more: next !== '',
    response_metadata: { next_cursor: next },
  };
}

function pageOf<Item>(all: readonly Item[], args: Json, most: number): { items: Item[]; next: string } {
  const from = args.cursor ? Number(Buffer.from(args.cursor, 'base64').toString()) : 0;
  if (!Number.isInteger(from) || from < 0) throw new Refusal('invalid_cursor');
  const to = from + Math.min(args.limit ?? most, 999);
  return {
    items: all.slice(from, to),
    next: to < all.length ? Buffer.from(String(to)).toString('base64') : '',
  };
}
