/** developers/resources/message.mdx: a message as it is kept, and what a checked body makes of it. */
import * as v from 'valibot';
import { HOUR } from '../../../src/core/clock.ts';
import { type Component, flatten, messageComponents, number } from './components.ts';
import {
  asList,
  asWire,
  bits,
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
import type { ThreadLimits } from './threads.ts';
import { BITS, CHANNEL, type Channel, isThread, type User, type World } from './world.ts';

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
    resolveMedia(message);
  }
  mention(world, message, body.allowed_mentions);
}

/** "Any attached files that are not referenced in embeds or components": the others are in the components alone, each as an upload. */
function resolveMedia(message: Message): void {
  const uploaded = flatten(message.components).flatMap(({ file, items = [] }) => [
    ...(file === undefined ? [] : [file]),
    ...items.map(({ media }) => media),
  ]);
  for (const media of uploaded) {
    const found = message.attachments.find(({ filename }) => media.url === `attachment://${filename}`);
    if (found === undefined) continue;
    Object.assign(media, { url: found.url, content_type: found.content_type, attachment_id: found.id });
    message.attachments = message.attachments.filter((one) => one !== found);
  }
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

const MAX_REQUEST = 25 * 2 ** 20;
const MAX_FILE = 10 * 2 ** 20;

const mentions = v.pipe(
  v.strictObject({
    parse: v.optional(list(v.picklist(['roles', 'users', 'everyone']), 0, 3)),
    roles: v.optional(list(snowflake, 0, 100)),
    users: v.optional(list(snowflake, 0, 100)),
  }),
  v.check(
    ({ parse = [], users = [], roles = [] }) =>
      !(parse.includes('users') && users.length > 0) && !(parse.includes('roles') && roles.length > 0),
    'A kind of mention is in parse and as a list.',
  ),
);
const attachment = v.strictObject({
  id: v.union([v.number(), text(1, 20, /^\d+$/)]),
  filename: v.optional(text(1, 1024)),
  description: v.nullish(text(0, 1024)),
  is_spoiler: flag,
});

export type Purpose = 'create' | 'forum' | 'edit' | 'answer' | 'follow-up' | 'edit-answer';

const { suppressNotifications, componentsV2, ephemeral } = FLAG;
/**
 * The documentation's text allows a forum post only the two suppressing flags, but the same page lists
 * components for it and the OpenAPI description takes containers there, which need IS_COMPONENTS_V2.
 */
const FLAGS: Readonly<Record<Purpose, number>> = {
  create: suppressNotifications | componentsV2,
  forum: suppressNotifications | componentsV2,
  edit: componentsV2,
  answer: ephemeral | componentsV2 | suppressNotifications,
  'follow-up': ephemeral | componentsV2 | suppressNotifications,
  'edit-answer': componentsV2,
};

/** Every field of a message that the bot sends. */
const messageBody = (purpose: Purpose) =>
  v.strictObject({
    content: v.nullish(text(0, 2000)),
    allowed_mentions: v.nullish(mentions),
    components: v.nullish(list(v.unknown(), 0, 40)),
    attachments: v.nullish(list(attachment, 0, 10)),
    flags: v.nullish(bits(FLAGS[purpose])),
    ...((purpose === 'create' && {
      nonce: v.nullish(v.union([v.pipe(v.number(), v.integer()), text(0, 25)])),
      enforce_nonce: flag,
    }) as v.ObjectEntries),
  });

/** Checks a message's body with its files; `before` is the message being edited. */
export function checkMessage(
  body: unknown,
  uploads: readonly Upload[],
  purpose: Purpose,
  before?: Message,
): void {
  hold(body, messageBody(purpose));
  checkSizes(body, uploads);
  const { flags, attachments, content, components } = asWire(body);
  const v2 = ((Number(flags ?? 0) | (before?.flags ?? 0)) & componentsV2) !== 0;
  const old = before?.attachments ?? [];
  const kept = asList(attachments).map((one) => String(asWire(one).id));
  const known = new Set([...uploads.map(({ index }) => String(index)), ...old.map(({ id }) => id)]);
  const stray = kept.findIndex((id) => !known.has(id));
  if (stray >= 0) throw invalid([`There is no files[${kept[stray]}].`, ['attachments', stray]]);
  if (v2 && content) throw invalid(['Not with IS_COMPONENTS_V2.', ['content']]);
  if (!v2 && asList(components).length > 0)
    throw invalid(['The bot sends no components without IS_COMPONENTS_V2.', ['components']]);
  if (v2 && components != null) {
    const shown = old.filter(({ id }) => attachments === undefined || kept.includes(id));
    const names = new Set([...uploads, ...shown].map(({ filename }) => filename));
    hold(body, v.looseObject({ components: messageComponents(names) }));
  }
  const isEmpty = !content && asList(components).length === 0;
  const isEdit = purpose === 'edit' || purpose === 'edit-answer';
  if (!isEdit && isEmpty && (uploads.length === 0 || v2)) throw new Refusal(50006);
}

function checkSizes(body: unknown, uploads: readonly Upload[]): void {
  let sum = Buffer.byteLength(JSON.stringify(body));
  for (const { content } of uploads) {
    if (content.length > MAX_FILE) throw new Refusal(50045, undefined, 413);
    sum += content.length;
  }
  if (sum > MAX_REQUEST) throw new Refusal(40005);
  hold(uploads.length, whole(0, 10));
}

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
  refuseLocked(world, channel);
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

/** "Users won't be able to create or update messages in locked threads", without Manage Threads; no code is named for an update. */
function refuseLocked(world: World, channel: Channel): void {
  const isModerator = (world.permissions(world.bot.id, channel) & BITS.MANAGE_THREADS) !== 0n;
  if (channel.thread_metadata?.locked && !isModerator) throw new Refusal(160005);
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
  refuseLocked(world, channel);
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
