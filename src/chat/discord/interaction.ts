import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ChannelType,
  Constants,
  InteractionType,
  PermissionsBitField,
} from 'discord.js';
import * as v from 'valibot';
import { makeTenant, privateTenant } from '../../core/channel-ref.ts';
import type { Asker, RequestChannel } from '../../dispatch/contract.ts';
import type { OptionValue } from '../../reply/model/types.ts';

/** Only digits, since an id becomes a part of addresses, tenants and keys. */
export const Id = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const Permissions = v.pipe(
  v.string(),
  v.regex(/^\d{1,40}$/),
  v.transform((digits) => new PermissionsBitField(BigInt(digits))),
);
const Text = v.pipe(v.string(), v.maxLength(6_000));
const Moment = v.pipe(v.string(), v.transform(Date.parse), v.finite());
export const WithId = v.object({ id: Id });

/** Discord allows 25 options at each level. */
const listOf = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.maxLength(25));
const Given = v.object({
  type: v.optional(v.number()),
  name: Text,
  value: v.optional(v.union([Text, v.number(), v.boolean()])),
  focused: v.optional(v.boolean(), false),
});
const Subcommand = v.object({
  type: v.literal(ApplicationCommandOptionType.Subcommand),
  name: Text,
  options: v.optional(listOf(Given), []),
});
const Group = v.object({
  type: v.literal(ApplicationCommandOptionType.SubcommandGroup),
  name: Text,
  options: v.tuple([Subcommand]),
});

export interface Invoked {
  /** The name of the subcommand, after the name of its group; empty if there is none, as in an earlier declaration. */
  readonly path: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option that is being typed, when suggestions are requested. */
  readonly focused?: { readonly name: string; readonly value: string };
  /** The address of a picture; null if it was to be taken from a message that has none. */
  readonly picture?: string | null;
  /** The message in whose menu a command was chosen. */
  readonly message?: Asker['message'];
}

const ChatCommand = v.pipe(
  v.object({
    type: v.optional(v.literal(ApplicationCommandType.ChatInput)),
    options: v.fallback(listOf(v.variant('type', [Group, Subcommand])), []),
    resolved: v.optional(v.object({ attachments: v.optional(v.record(Id, v.object({ url: Text }))) })),
  }),
  v.transform(({ options: [chosen], resolved }): Invoked => {
    if (chosen === undefined) return { path: [], options: {} };
    const isGroup = chosen.type === ApplicationCommandOptionType.SubcommandGroup;
    const { name, options: given } = isGroup ? chosen.options[0] : chosen;
    const options: Record<string, OptionValue> = {};
    let focused: Invoked['focused'];
    let picture: string | undefined;
    for (const option of given)
      if (option.focused) focused = { name: option.name, value: String(option.value ?? '') };
      else if (option.type === ApplicationCommandOptionType.Attachment)
        picture = resolved?.attachments?.[String(option.value)]?.url;
      else if (option.value !== undefined) options[option.name] = option.value;
    return { path: isGroup ? [chosen.name, name] : [name], options, focused, picture };
  }),
);

/** The commands in the menu of a message. */
export const MESSAGE_COMMANDS = { record: 'Add to my results', solve: 'Solve the board' } as const;

const FILE = { url: Text, content_type: v.optional(Text, '') };
/** A message with components, such as the bot's own, has its pictures in galleries, and not among its attachments. */
const Gallery = v.object({
  items: v.fallback(v.array(v.object({ media: v.object({ ...FILE, attachment_id: v.nullish(Id) }) })), []),
});
const Components = v.fallback(
  v.array(v.object({ ...Gallery.entries, components: v.fallback(v.array(Gallery), []) })),
  [],
);
const WithFiles = v.object({
  attachments: v.fallback(v.array(v.object(FILE)), []),
  components: Components,
});

function filesIn({ attachments, components }: v.InferOutput<typeof WithFiles>) {
  const galleries = components.flatMap((one) => [one, ...one.components]);
  const media = galleries.flatMap(({ items }) => items.map((item) => item.media));
  // What is not an upload is elsewhere.
  return [...attachments, ...media.filter(({ attachment_id }) => attachment_id != null)];
}

const TargetMessage = v.object({
  id: Id,
  author: WithId,
  content: Text,
  timestamp: Moment,
  edited_timestamp: v.nullish(Moment),
  ...WithFiles.entries,
  /** What somebody forwarded: the message itself has none of it. */
  message_snapshots: v.fallback(v.array(v.object({ message: WithFiles })), []),
});
/** A command in the menu of a message, which stands for `record`, or for `solve` with the picture in the message. */
const MessageCommand = v.pipe(
  v.object({
    type: v.literal(ApplicationCommandType.Message),
    name: Text,
    target_id: Id,
    resolved: v.object({ messages: v.record(v.string(), TargetMessage) }),
  }),
  v.check(({ target_id, resolved }) => Object.hasOwn(resolved.messages, target_id)),
  v.transform(({ name, target_id, resolved }): Invoked => {
    const target = resolved.messages[target_id]!;
    if (name === MESSAGE_COMMANDS.solve) {
      const forwarded = target.message_snapshots.flatMap(({ message }) => filesIn(message));
      const files = [...filesIn(target), ...forwarded];
      const picture = files.find(({ content_type: type }) => type.startsWith('image/'));
      return { path: ['solve'], options: {}, picture: picture?.url ?? null };
    }
    const { id, author, content, timestamp, edited_timestamp: edited } = target;
    const message = { id, author: author.id, text: content, at: edited ?? timestamp };
    return { path: ['me', 'record'], options: {}, message };
  }),
);

/** The command that opens the Activity stands for `play`, if Discord leaves it to the bot. */
const EntryPoint = v.pipe(
  v.object({ type: v.literal(ApplicationCommandType.PrimaryEntryPoint) }),
  v.transform((): Invoked => ({ path: ['play'], options: {} })),
);

const Command = v.union([MessageCommand, EntryPoint, ChatCommand]);

/** The packed action of a button, or of the choice made in a menu. */
const Component = v.pipe(
  v.object({ custom_id: Text, values: v.optional(v.array(Text), []) }),
  v.transform(({ custom_id, values: [chosen = custom_id] }) => ({ packed: chosen, filled: {} })),
);

/** A text that was left empty is sent as an empty one, a choice as null, and roles as none, which takes the role away. */
const Input = v.union([
  v.pipe(
    v.object({ custom_id: Text, value: v.nullable(Text) }),
    v.transform(({ custom_id, value }) => [custom_id, value ?? ''] as const),
  ),
  v.pipe(
    v.object({ custom_id: Text, values: listOf(Id) }),
    v.transform(({ custom_id, values: [id = 'off'] }) => [custom_id, id] as const),
  ),
]);
const Modal = v.pipe(
  // A board above the inputs is no input.
  v.object({ custom_id: Text, components: listOf(v.object({ component: v.optional(Input) })) }),
  v.transform(({ custom_id, components }) => {
    const filled = components.flatMap(({ component }) => (component === undefined ? [] : [component]));
    return { packed: custom_id, filled: Object.fromEntries(filled.filter(([, value]) => value !== '')) };
  }),
);

export const Channel = v.object({
  id: Id,
  type: v.number(),
  parent_id: v.nullish(Id),
  thread_metadata: v.nullish(v.object({ locked: v.optional(v.boolean(), false) })),
});

const BASE = {
  id: Id,
  application_id: Id,
  token: v.pipe(v.string(), v.minLength(1), v.maxLength(2_000)),
  user: v.optional(WithId),
  member: v.optional(
    v.object({
      user: WithId,
      permissions: v.optional(Permissions, '0'),
      roles: v.optional(v.array(v.string()), []),
    }),
  ),
  guild_id: v.optional(Id),
  channel_id: v.optional(Id),
  channel: v.optional(Channel),
  app_permissions: v.optional(Permissions),
  authorizing_integration_owners: v.record(v.string(), v.unknown()),
  /** The message with the button. */
  message: v.optional(
    v.object({
      flags: v.optional(v.number(), 0),
      interaction_metadata: v.nullish(v.object({ user: WithId })),
    }),
  ),
};

/**
 * The parts of an interaction that are read, from the gateway or over HTTP. The classes of discord.js would keep all of it,
 * and check nothing. Discord may change the rest without notice.
 */
export const Interaction = v.pipe(
  v.variant('type', [
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommand), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommandAutocomplete), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.MessageComponent), data: Component }),
    v.object({ ...BASE, type: v.literal(InteractionType.ModalSubmit), data: Modal }),
  ]),
  v.rawTransform(({ dataset: { value }, addIssue, NEVER }) => {
    const user = value.member?.user ?? value.user;
    const { channel_id: id } = value;
    const { channel = id && { id, type: ChannelType.GuildText, parent_id: null } } = value;
    if (user && channel) return { ...value, person: user.id, channel };
    addIssue();
    return NEVER;
  }),
);
export type Interaction = v.InferOutput<typeof Interaction>;

/** As numbers: the type of a channel may be newer than the library. */
const THREAD_TYPES: readonly number[] = Constants.ThreadChannelTypes;

/** Where requests from a channel belong: those from a thread to the channel that it is in. */
export function placeOf({
  id,
  type,
  parent_id: parent,
}: Interaction['channel']): Pick<RequestChannel, 'channel' | 'thread'> {
  return parent && THREAD_TYPES.includes(type) ? { channel: parent, thread: id } : { channel: id };
}

/** The beginning of a server's tenant, which its id follows. */
const SERVER = makeTenant('discord', '');

/** The id of a tenant's server; undefined for a person, who uses the bot outside of servers that added it. */
export function serverOf(tenant: string): string | undefined {
  return tenant.startsWith(SERVER) && !tenant.startsWith(privateTenant('discord', ''))
    ? tenant.slice(SERVER.length)
    : undefined;
}
