import {
  type APIApplicationCommandInteraction,
  type APIApplicationCommandInteractionDataOption,
  type APIInteraction,
  type APIModalInteractionResponseCallbackData,
  type APIModalSubmission,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  ChannelType,
  ComponentType,
  InteractionType,
  PermissionFlagsBits,
  TextInputStyle,
} from 'discord.js';
import { type ChannelRef, makeTenant } from '../../core/channel-ref.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import type { Asker, Person, RequestChannel } from '../../dispatch/contract.ts';
import type { Form, FormField, OptionValue } from '../../reply/model/types.ts';
import type { Store } from '../../store/store.ts';
import { LIMITS, shorten } from './limits.ts';
import { missingPermissions } from './permissions.ts';
import { ofPerson } from './tenants.ts';

const THREADS: readonly ChannelType[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
];

/** The subcommand of an interaction, and its options by name. */
export interface Invoked {
  readonly command: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option that is being typed, when suggestions are requested. */
  readonly focused?: { readonly name: string; readonly value: string };
}

/** Who asks, and where, from the interaction alone. */
export function askerOf(interaction: APIInteraction, store: Store): Asker {
  const user = interaction.member?.user ?? interaction.user;
  if (user === undefined) throw new Error('Discord sent an interaction of nobody');
  const where = channelOf(interaction, user.id);
  const isManager = where.direct || (permissionsOf(interaction) & PermissionFlagsBits.ManageGuild) !== 0n;
  return {
    door: 'discord',
    who: {
      id: user.id,
      mayManage: isManager,
      ...postingRights(interaction),
      lookUpAccess: (channel) =>
        hasManagerRole(interaction.member?.roles ?? [], { ...where, channel }, store),
    },
    where,
    ...chosenMessage(interaction),
    locale: 'locale' in interaction ? interaction.locale : 'en-US',
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

function permissionsOf({ member }: APIInteraction): bigint {
  return BigInt(member?.permissions ?? '0');
}

/** What the person may do without the bot, which posts nothing for them beyond it. Everything in private messages. */
function postingRights(interaction: APIInteraction): Omit<Person, 'id' | 'mayManage'> {
  if (interaction.member === undefined) return {};
  const permissions = permissionsOf(interaction);
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
function channelOf(interaction: APIInteraction, user: string): RequestChannel {
  const { guild_id: guild, authorizing_integration_owners: owners, channel } = interaction;
  const isMember = guild !== undefined && owners[ApplicationIntegrationType.GuildInstall] !== undefined;
  const id = channel?.id ?? user;
  if (!isMember) return { tenant: ofPerson(user), channel: id, direct: true };
  const type = channel?.type ?? ChannelType.GuildText;
  const parent = THREADS.includes(type) && channel && 'parent_id' in channel ? channel.parent_id : undefined;
  const server = { tenant: makeTenant('discord', guild), direct: false };
  // The interaction says neither the type of a thread's channel nor what that channel requires of a post.
  if (parent) return { ...server, channel: parent, thread: id };
  return {
    ...server,
    channel: id,
    missingRequirements: () => missingPermissions(BigInt(interaction.app_permissions ?? '0'), type),
  };
}

/** The message that a command on messages was chosen on. */
function chosenMessage(interaction: APIInteraction): Pick<Asker, 'message'> {
  if (interaction.type !== InteractionType.ApplicationCommand) return {};
  const { data } = interaction;
  if (data.type !== ApplicationCommandType.Message) return {};
  const message = data.resolved.messages[data.target_id];
  if (message === undefined) throw new Error('Discord sent a command on a message without the message');
  const { id, author, content, timestamp, edited_timestamp: edited } = message;
  return { message: { id, author: author.id, text: content, at: Date.parse(edited ?? timestamp) } };
}

/** What a command asks for: the one on messages, or a subcommand and what was typed with it. */
export function askedBy(data: APIApplicationCommandInteraction['data']): Invoked {
  if (data.type === ApplicationCommandType.Message) return { command: 'record', options: {} };
  return invokedBy('options' in data ? (data.options as APIApplicationCommandInteractionDataOption[]) : []);
}

/** Reads the subcommand and what was typed with it. */
export function invokedBy(options: readonly APIApplicationCommandInteractionDataOption[] = []): Invoked {
  const [subcommand] = options;
  if (subcommand?.type !== ApplicationCommandOptionType.Subcommand) return { command: 'help', options: {} };
  const given: Record<string, OptionValue> = {};
  let focused: Invoked['focused'];
  for (const option of subcommand.options ?? []) {
    if (!('value' in option)) continue;
    if ('focused' in option && option.focused) focused = { name: option.name, value: String(option.value) };
    else given[option.name] = option.value;
  }
  return { command: subcommand.name, options: given, ...(focused && { focused }) };
}

/** A form as Discord's modal. Its custom id is the packed action that the form belongs to. */
export function makeModal({ title, fields }: Form, packed: string): APIModalInteractionResponseCallbackData {
  return {
    custom_id: packed,
    title: shorten(title, LIMITS.modalTitle),
    components: fields.slice(0, LIMITS.modalFields).map((field) => ({
      type: ComponentType.Label,
      label: shorten(field.label, LIMITS.fieldLabel),
      ...(field.hint && { description: shorten(field.hint, LIMITS.fieldDescription) }),
      component: {
        type: ComponentType.TextInput,
        custom_id: field.name,
        style: field.long ? TextInputStyle.Paragraph : TextInputStyle.Short,
        required: field.required,
        max_length: LIMITS.fieldValue,
        ...optional(field),
      },
    })),
  };
}

function optional({ placeholder, value }: FormField) {
  return {
    ...(placeholder && { placeholder: shorten(placeholder, LIMITS.fieldPlaceholder) }),
    ...(value && { value: shorten(value, LIMITS.fieldValue) }),
  };
}

/** The values that were filled in, by the names of their fields. */
export function filledIn({ components }: APIModalSubmission): Record<string, string> {
  const filled: Record<string, string> = {};
  for (const part of components) {
    const inputs = 'component' in part ? [part.component] : 'components' in part ? part.components : [];
    for (const input of inputs) {
      if ('value' in input && typeof input.value === 'string' && input.value !== '')
        filled[input.custom_id] = input.value;
    }
  }
  return filled;
}
