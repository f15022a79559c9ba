import {
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
} from 'discord-api-types/v10';
import * as v from 'valibot';
import { type ChannelRef, makeTenant } from '../../core/channel-ref.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import type { Asker, Person, RequestChannel } from '../../dispatch/contract.ts';
import type { OptionValue } from '../../reply/model/types.ts';
import type { Store } from '../../store/store.ts';
import { missingPermissions } from './requirements.ts';

/** A Discord id becomes a part of addresses, tenants and keys, so nothing but digits is one. */
const Id = v.pipe(v.string(), v.regex(/^\d{1,20}$/));
const Bits = v.pipe(
  v.string(),
  v.regex(/^\d{1,40}$/),
  v.transform((digits) => BigInt(digits)),
);
const Text = v.pipe(v.string(), v.maxLength(6_000));
const Moment = v.pipe(
  v.string(),
  v.transform((text) => Date.parse(text)),
  v.finite(),
);
const User = v.object({ id: Id });

/** Discord allows 25 options, and an autocomplete option is among them. */
const Options = v.pipe(
  v.array(
    v.object({
      name: Text,
      type: v.number(),
      value: v.optional(v.union([Text, v.number(), v.boolean()])),
      focused: v.optional(v.boolean()),
    }),
  ),
  v.maxLength(25),
);
const Subcommand = v.object({ name: Text, type: v.number(), options: v.optional(Options, []) });
const Group = v.object({
  name: Text,
  type: v.literal(ApplicationCommandOptionType.SubcommandGroup),
  options: v.pipe(v.array(Subcommand), v.length(1)),
});

/** What was chosen in a list of commands. */
interface Invoked {
  /** The name of the subcommand, after the name of its group. */
  readonly path: readonly string[];
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option that is being typed, when suggestions are requested. */
  readonly focused?: { readonly name: string; readonly value: string };
  /** The message that a command on messages was chosen on. */
  readonly message?: Asker['message'];
}

const MessageCommand = v.pipe(
  v.object({
    type: v.literal(ApplicationCommandType.Message),
    target_id: Id,
    resolved: v.object({
      messages: v.record(
        v.string(),
        v.object({
          id: Id,
          author: User,
          content: Text,
          timestamp: Moment,
          edited_timestamp: v.nullish(Moment),
        }),
      ),
    }),
  }),
  v.check(({ target_id, resolved }) => target_id in resolved.messages),
  v.transform(({ target_id, resolved }): Invoked => {
    const { id, author, content, timestamp, edited_timestamp: edited } = resolved.messages[target_id]!;
    const message = { id, author: author.id, text: content, at: edited ?? timestamp };
    return { path: [], options: {}, message };
  }),
);

const ChatCommand = v.pipe(
  v.object({
    type: v.optional(v.literal(ApplicationCommandType.ChatInput)),
    options: v.optional(v.pipe(v.array(v.union([Group, Subcommand])), v.maxLength(25)), []),
  }),
  v.transform(({ options: [chosen] }): Invoked => {
    const [subcommand] =
      chosen?.type === ApplicationCommandOptionType.SubcommandGroup ? chosen.options : [chosen];
    // Something that claims to be a group but is none was read as a subcommand, whose options have no options.
    if (subcommand?.type !== ApplicationCommandOptionType.Subcommand || !('options' in subcommand))
      return { path: [], options: {} };
    const path = chosen === subcommand ? [subcommand.name] : [chosen!.name, subcommand.name];
    const options: Record<string, OptionValue> = {};
    let focused: Invoked['focused'];
    for (const { name, value, focused: isFocused } of subcommand.options) {
      if (value === undefined) continue;
      if (isFocused) focused = { name, value: String(value) };
      else options[name] = value;
    }
    return { path, options, focused };
  }),
);

const Command = v.union([MessageCommand, ChatCommand]);

/** The packed action of a button, or of the choice made in a menu. */
const Component = v.pipe(
  v.object({ custom_id: Text, values: v.optional(v.array(Text), []) }),
  v.transform(({ custom_id, values: [chosen = custom_id] }) => ({ packed: chosen })),
);

const Input = v.object({ custom_id: v.optional(Text, ''), value: v.optional(v.unknown()) });
const Modal = v.pipe(
  v.object({
    custom_id: Text,
    components: v.pipe(
      v.array(v.object({ component: v.optional(Input), components: v.optional(v.array(Input), []) })),
      v.maxLength(40),
    ),
  }),
  v.transform(({ custom_id, components }) => {
    const inputs = components.flatMap(({ component, components: row }) => component ?? row);
    const filled = inputs.flatMap(({ custom_id: name, value }) =>
      typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
    );
    return { packed: custom_id, filled: Object.fromEntries(filled) };
  }),
);

const BASE = {
  id: Id,
  application_id: Id,
  // It becomes a part of an address, and half of a surrogate pair can't.
  token: v.pipe(
    v.string(),
    v.minLength(1),
    v.maxLength(2_000),
    v.check((token) => token.isWellFormed()),
  ),
  user: v.optional(User),
  member: v.optional(
    v.object({
      user: User,
      permissions: v.optional(Bits, '0'),
      roles: v.optional(v.array(v.string()), []),
    }),
  ),
  guild_id: v.optional(Id),
  channel_id: v.optional(Id),
  channel: v.optional(v.object({ id: Id, type: v.number(), parent_id: v.nullish(Id) })),
  app_permissions: v.optional(Bits, '0'),
  authorizing_integration_owners: v.record(v.string(), v.unknown()),
  locale: v.optional(v.pipe(v.string(), v.maxLength(20)), 'en-US'),
  /** The message with the button. */
  message: v.optional(
    v.object({
      id: v.optional(Id),
      flags: v.optional(v.number(), 0),
      interaction_metadata: v.nullish(v.object({ user: User })),
    }),
  ),
};

/** The parts of an interaction that are read. Discord may change the rest without notice. */
const Interaction = v.pipe(
  v.variant('type', [
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommand), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.ApplicationCommandAutocomplete), data: Command }),
    v.object({ ...BASE, type: v.literal(InteractionType.MessageComponent), data: Component }),
    v.object({ ...BASE, type: v.literal(InteractionType.ModalSubmit), data: Modal }),
  ]),
  v.check(({ user, member }) => user !== undefined || member !== undefined),
  v.check(({ channel, channel_id }) => channel !== undefined || channel_id !== undefined),
  v.transform((interaction) => ({
    ...interaction,
    person: (interaction.member?.user ?? interaction.user)!.id,
    channel: interaction.channel ?? { id: interaction.channel_id!, type: ChannelType.GuildText },
  })),
);
export type Interaction = v.InferOutput<typeof Interaction>;

const Server = v.object({ id: Id, unavailable: v.optional(v.boolean(), false) });
const InServer = v.object({ guild_id: v.optional(Id) });
const Ready = v.object({
  guilds: v.array(Server),
  shard: v.optional(v.tuple([v.number(), v.pipe(v.number(), v.integer(), v.minValue(1))]), [0, 1]),
});
/** The start of a shard's session: which shard it is, and all servers it has. */
export type Ready = v.InferOutput<typeof Ready>;

const event = <Name extends string, Data extends v.GenericSchema>(name: Name, data: Data) =>
  v.object({ name: v.literal(name), data });
const EVENTS = [
  event('INTERACTION_CREATE', Interaction),
  event('READY', Ready),
  event('GUILD_CREATE', Server),
  event('GUILD_DELETE', Server),
  // After these the bot's permissions may differ. Its own membership needs no further intent.
  event('CHANNEL_UPDATE', InServer),
  event('CHANNEL_DELETE', InServer),
  event('GUILD_ROLE_UPDATE', InServer),
  event('GUILD_ROLE_DELETE', InServer),
  event('GUILD_MEMBER_UPDATE', InServer),
] as const;
const Event = v.variant('name', EVENTS);
const USED: ReadonlySet<string> = new Set(EVENTS.map(({ entries }) => entries.name.literal));

export type GatewayEvent = v.InferOutput<typeof Event>;

/** The parts of an event that are read; `malformed` if one of them is missing, `unused` if nothing of the event is read. */
export function readEvent(name: string, data: unknown): GatewayEvent | 'malformed' | 'unused' {
  if (!USED.has(name)) return 'unused';
  const read = v.safeParse(Event, { name, data });
  return read.success ? read.output : 'malformed';
}

/** The tenant of a server is its id. The tenant of a person has an at sign before the id. */
const PERSON = makeTenant('discord', '@');
const SERVER = makeTenant('discord', '');

/** The id of a tenant's server; undefined for a person, who uses the bot outside of servers that added it. */
export function serverOf(tenant: string): string | undefined {
  return tenant.startsWith(SERVER) && !tenant.startsWith(PERSON) ? tenant.slice(SERVER.length) : undefined;
}

const THREADS: readonly number[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
];

/** Who asks, and where, from the interaction alone. */
export function askerOf(interaction: Interaction, store: Store): Asker {
  const { person: id, member, data, locale } = interaction;
  const where = channelOf(interaction);
  const permissions = member?.permissions ?? 0n;
  return {
    door: 'discord',
    who: {
      id,
      mayManage: where.direct || (permissions & PermissionFlagsBits.ManageGuild) !== 0n,
      ...(member && postingRights(permissions)),
      lookUpAccess: (channel) => hasManagerRole(member?.roles ?? [], { ...where, channel }, store),
    },
    where,
    message: 'message' in data ? data.message : undefined,
    locale,
  };
}

/** Whether one of these roles was chosen to manage the channel's settings. */
async function hasManagerRole(
  roles: readonly string[],
  { tenant, channel }: ChannelRef,
  store: Store,
): Promise<boolean> {
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  const role = subscription && parseStored(subscription.settings).managers;
  return role != null && roles.includes(role);
}

/** What the person may do without the bot, which posts no more than that for them. */
function postingRights(permissions: bigint): Omit<Person, 'id' | 'mayManage'> {
  const has = (bit: bigint) => (permissions & (bit | PermissionFlagsBits.Administrator)) !== 0n;
  return {
    mayPost: has(PermissionFlagsBits.SendMessages),
    mayPostInThreads: has(PermissionFlagsBits.SendMessagesInThreads),
    mayOpenThreads: has(PermissionFlagsBits.CreatePublicThreads),
  };
}

/**
 * For a person who installed the bot only for themselves, what is stored belongs to the person, and nothing but
 * answers is posted in the server, even if the server has added the bot as well.
 */
function channelOf(interaction: Interaction): RequestChannel {
  const { guild_id: guild, authorizing_integration_owners: owners, channel, person } = interaction;
  const { id, type } = channel;
  if (guild === undefined || owners[ApplicationIntegrationType.GuildInstall] === undefined)
    return { tenant: `${PERSON}${person}`, channel: id, direct: true };
  const server = { tenant: makeTenant('discord', guild), direct: false };
  const parent = 'parent_id' in channel && THREADS.includes(type) ? channel.parent_id : undefined;
  // The interaction says neither the type of a thread's channel nor what that channel requires of a post.
  if (parent) return { ...server, channel: parent, thread: id };
  return {
    ...server,
    channel: id,
    missingRequirements: () => missingPermissions(interaction.app_permissions, type),
  };
}

/** A message changes in place only for the person it was made for; others get one of their own. */
export function mayReplaceMessage({ message, person }: Interaction): boolean {
  if (message === undefined) return false;
  const isPrivate = (message.flags & MessageFlags.Ephemeral) !== 0;
  return isPrivate || message.interaction_metadata?.user.id === person;
}
