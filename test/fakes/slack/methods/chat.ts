import { writableChannel } from '../channels.ts';
import { readContent, readMetadata } from '../content.ts';
import { Refusal } from '../refusal.ts';
import { type Call, show } from '../slack.ts';
import { addMessage, type Channel, type Message, type Workspace } from '../world.ts';
import { messageJson } from './message-json.ts';
import { FLAG, JSON_VALUE, type Method, NEEDED, TEXT } from './method.ts';

const WRITING = {
  channel: NEEDED,
  text: TEXT,
  blocks: JSON_VALUE,
  attachments: JSON_VALUE,
  markdown_text: TEXT,
  parse: TEXT,
  link_names: FLAG,
  thread_ts: TEXT,
};
const AUTHORSHIP = { as_user: FLAG, icon_emoji: TEXT, icon_url: TEXT, username: TEXT };
const UPDATE_TEXT_MOST = 4000;
const EPHEMERAL_TEXT_MOST = 40_000;

export const chatMethods: Record<string, Method> = {
  'chat.postMessage': {
    token: 'bot',
    scopes: ['chat:write'],
    args: {
      ...WRITING,
      ...AUTHORSHIP,
      metadata: JSON_VALUE,
      mrkdwn: FLAG,
      reply_broadcast: FLAG,
      unfurl_links: FLAG,
      unfurl_media: FLAG,
    },
    run(call) {
      const { slack, workspace, args } = call;
      refuseCustomAuthor(call);
      const channel = writableChannel(call);
      const content = readContent(slack, workspace, args);
      const metadata = readMetadata(args.metadata);
      const threadTs = threadOf(channel, args.thread_ts);
      slack.pace.post(channel.id);
      const message = addMessage(slack.world, workspace, channel, {
        ...content,
        user: workspace.botUser,
        metadata,
        threadTs,
      });
      show(slack, { workspace: workspace.id, message });
      return {
        channel: channel.id,
        ts: message.ts,
        message: messageJson(workspace, slack.app.id, message, true),
      };
    },
  },

  'chat.postEphemeral': {
    token: 'bot',
    scopes: ['chat:write'],
    tier: 4,
    args: { ...WRITING, ...AUTHORSHIP, user: NEEDED },
    run(call) {
      const { slack, workspace, args } = call;
      refuseCustomAuthor(call);
      const channel = writableChannel(call);
      if (!channel.members.has(args.user)) throw new Refusal('user_not_in_channel');
      if ((args.text ?? '').length > EPHEMERAL_TEXT_MOST) throw new Refusal('msg_too_long');
      const message = addMessage(slack.world, workspace, channel, {
        ...readContent(slack, workspace, args),
        user: workspace.botUser,
        only: args.user,
        threadTs: threadOf(channel, args.thread_ts),
      });
      // Nobody sees one in a thread that is not there yet, though Slack says nothing of it.
      const isThread = channel.messages.some(({ threadTs }) => threadTs === message.threadTs);
      if (message.threadTs === undefined || isThread) show(slack, { workspace: workspace.id, message });
      return { message_ts: message.ts };
    },
  },

  'chat.update': {
    token: 'bot',
    scopes: ['chat:write'],
    tier: 3,
    args: {
      channel: NEEDED,
      ts: NEEDED,
      text: TEXT,
      blocks: JSON_VALUE,
      attachments: JSON_VALUE,
      markdown_text: TEXT,
      as_user: FLAG,
      file_ids: JSON_VALUE,
      link_names: FLAG,
      metadata: JSON_VALUE,
      parse: TEXT,
      reply_broadcast: FLAG,
    },
    run(call) {
      const { slack, workspace, args } = call;
      const { channel, message } = ownMessage(call);
      if (channel.isArchived) throw new Refusal('is_inactive');
      if ((args.text ?? '').length > UPDATE_TEXT_MOST) throw new Refusal('msg_too_long');
      Object.assign(message, readContent(slack, workspace, args), { isEdited: true });
      show(slack, { workspace: workspace.id, message });
      return {
        channel: channel.id,
        ts: message.ts,
        text: message.text,
        message: messageJson(workspace, slack.app.id, message, true),
      };
    },
  },

  'chat.delete': {
    token: 'bot',
    scopes: ['chat:write'],
    tier: 3,
    args: { channel: NEEDED, ts: NEEDED, as_user: FLAG },
    run(call) {
      const { channel, message } = ownMessage(call);
      message.isDeleted = true;
      return { channel: channel.id, ts: message.ts };
    },
  },

  'chat.getPermalink': {
    token: 'bot',
    scopes: [],
    args: { channel: NEEDED, message_ts: NEEDED },
    run({ workspace, args }) {
      const channel = workspace.channels.get(args.channel);
      if (channel === undefined) throw new Refusal('channel_not_found');
      messageAt(channel, args.message_ts);
      return { channel: channel.id, permalink: permalink(workspace, channel, args.message_ts) };
    },
  },
};

function permalink(workspace: Workspace, channel: Channel, ts: string): string {
  return `https://${workspace.domain}.slack.com/archives/${channel.id}/p${ts.replace('.', '')}`;
}

/** Another name or picture than the app's own needs a scope of its own. */
function refuseCustomAuthor({ grant, args }: Call): void {
  if (args.as_user) throw new Refusal('as_user_not_supported');
  const isCustom = args.username ?? args.icon_emoji ?? args.icon_url;
  if (isCustom !== undefined && !grant.scopes.includes('chat:write.customize'))
    throw new Refusal('missing_scope', { needed: 'chat:write.customize', provided: grant.scopes.join(',') });
}

/** The parent of a thread; a reply's own ts means its thread. */
function threadOf(channel: Channel, ts: string | undefined): string | undefined {
  if (ts === undefined) return undefined;
  const parent = channel.messages.find((message) => message.ts === ts && !message.isDeleted);
  if (parent === undefined) throw new Refusal('cannot_reply_to_message');
  return parent.threadTs ?? parent.ts;
}

function messageAt(channel: Channel, ts: string): Message {
  const message = channel.messages.find((other) => other.ts === ts && !other.isDeleted);
  if (message === undefined) throw new Refusal('message_not_found');
  return message;
}

function ownMessage({ workspace, args }: Call): { channel: Channel; message: Message } {
  const channel = workspace.channels.get(args.channel);
  if (channel === undefined) throw new Refusal('channel_not_found');
  const message = messageAt(channel, args.ts);
  if (!message.byApp) throw new Refusal('cant_update_message');
  return { channel, message };
}
