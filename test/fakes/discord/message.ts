/** developers/resources/message.mdx: a message as it is kept, and what a checked body makes of it. */
import { type Component, flatten, number } from './components.ts';
import { BITS } from './permissions.ts';
import { asList, asWire, type Wire } from './rules.ts';
import type { User, World } from './world.ts';

export const FLAG = {
  hasThread: 1 << 5,
  ephemeral: 1 << 6,
  loading: 1 << 7,
  suppressNotifications: 1 << 12,
  componentsV2: 1 << 15,
} as const;

export interface Attachment {
  id: string;
  filename: string;
  description?: string;
  content_type: string;
  size: number;
  url: string;
  proxy_url: string;
  flags: number;
}

export interface Message {
  id: string;
  channel_id: string;
  guild_id?: string;
  author: User;
  content: string;
  timestamp: string;
  edited_timestamp: string | null;
  mention_everyone: boolean;
  mentions: User[];
  mention_roles: string[];
  attachments: Attachment[];
  components: Component[];
  type: number;
  flags: number;
  application_id?: string;
  webhook_id?: string;
  nonce?: string | number;
  interaction_metadata?: Wire;
}

/** A file of a multipart request, under the n of its `files[n]`. */
export interface Upload {
  readonly index: number;
  readonly filename: string;
  readonly type: string;
  readonly content: Buffer;
}

const SPOILER_ATTACHMENT = 1 << 3;

/** A new message from a checked body. */
export function makeMessage(
  world: World,
  channelId: string,
  body: Wire,
  uploads: readonly Upload[],
  more: Partial<Message> = {},
): Message {
  const channel = world.channels.get(channelId);
  const message: Message = {
    id: world.snowflake(),
    channel_id: channelId,
    author: world.bot,
    content: '',
    timestamp: new Date(world.clock.now()).toISOString(),
    edited_timestamp: null,
    mention_everyone: false,
    mentions: [],
    mention_roles: [],
    attachments: [],
    components: [],
    type: 0,
    flags: 0,
    ...(channel?.guild_id === undefined ? {} : { guild_id: channel.guild_id }),
    ...more,
  };
  fill(world, message, body, uploads);
  return message;
}

/** Puts a checked body into a message: what it says replaces, what it leaves out stays. */
export function fill(world: World, message: Message, body: Wire, uploads: readonly Upload[]): void {
  if (body.content !== undefined) message.content = (body.content as string | null) ?? '';
  if (typeof body.flags === 'number') message.flags |= body.flags & ~FLAG.ephemeral;
  if (body.attachments !== undefined || uploads.length > 0) {
    const described = asList(body.attachments).map(asWire);
    const kept = message.attachments.filter(
      (old) => body.attachments === undefined || described.some((one) => String(one.id) === old.id),
    );
    message.attachments = [
      ...kept,
      ...uploads.map((upload) => {
        const words = described.find((one) => String(one.id) === String(upload.index)) ?? {};
        return store(world, message.channel_id, upload, words);
      }),
    ];
  }
  if (body.components !== undefined) {
    message.components = structuredClone(asList(body.components)) as Component[];
    number(message.components);
  }
  mention(world, message, body.allowed_mentions);
}

/** Whom a message calls: those named in its text, as far as it allows it. All of them where it says nothing. */
function mention(world: World, message: Message, allows: unknown): void {
  const text = [message.content, ...flatten(message.components).map((one) => one.content ?? '')].join('\n');
  const allowed = allows == null ? { parse: ['users', 'roles', 'everyone'] } : asWire(allows);
  const parse = asList(allowed.parse);
  const called = (kind: 'users' | 'roles', pattern: RegExp) => {
    const named = new Set([...text.matchAll(pattern)].map((match) => match[1] as string));
    return [...named].filter((id) => parse.includes(kind) || asList(allowed[kind]).includes(id));
  };
  message.mentions = called('users', /<@!?(\d+)>/g).flatMap((id) => world.users.get(id) ?? []);
  message.mention_roles = called('roles', /<@&(\d+)>/g).filter((id) => mayMention(world, message, id));
  message.mention_everyone = parse.includes('everyone') && /@(everyone|here)/.test(text);
}

/**
 * allowed_mentions are always checked against the permissions of the sender: a role that is not mentionable is notified
 * only by who has Mention Everyone.
 */
function mayMention(world: World, { author, channel_id, guild_id = '' }: Message, role: string): boolean {
  const known = world.guilds.get(guild_id)?.roles.find(({ id }) => id === role);
  const permissions = world.permissions(author.id, world.channels.get(channel_id)!);
  return known?.mentionable === true || (permissions & BITS.MENTION_EVERYONE) !== 0n;
}

function store(world: World, channelId: string, upload: Upload, words: Wire): Attachment {
  const id = world.snowflake();
  const filename = (words.filename as string | undefined) ?? upload.filename;
  const url = `https://cdn.discordapp.com/attachments/${channelId}/${id}/${filename}`;
  const kept: Attachment = {
    id,
    filename,
    ...(typeof words.description === 'string' ? { description: words.description } : {}),
    content_type: upload.type,
    size: upload.content.length,
    url,
    proxy_url: url,
    flags: words.is_spoiler === true ? SPOILER_ATTACHMENT : 0,
  };
  world.attachments.set(id, { ...kept, content: upload.content });
  return kept;
}
