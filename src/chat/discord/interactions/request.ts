import {
  type APIApplicationCommandInteractionDataOption,
  type APIInteraction,
  ApplicationCommandOptionType,
  ApplicationIntegrationType,
  ChannelType,
  PermissionFlagsBits,
} from 'discord.js';
import { parseStored } from '../../../daily/settings/settings.ts';
import type { Request, RequestChannel } from '../../../dispatch/contract.ts';
import type { OptionValue } from '../../../reply/model/types.ts';
import type { Store } from '../../../store/types.ts';
import { lacksIn } from '../posting/permissions.ts';
import { ofPerson, ofServer } from '../tenants.ts';

const THREADS: readonly ChannelType[] = [
  ChannelType.PublicThread,
  ChannelType.PrivateThread,
  ChannelType.AnnouncementThread,
];

/** An interaction's options by name, of the subcommand that was used. */
export interface Invoked {
  readonly command: string;
  readonly options: Readonly<Record<string, OptionValue>>;
  /** The option being typed, for suggestions. */
  readonly focused?: { readonly name: string; readonly value: string };
}

type Asker = Omit<Request, 'command' | 'options'>;

/** Who asks, and where, as the interaction tells it: nothing has to be waited for. */
export function askerOf(interaction: APIInteraction): Asker {
  const user = interaction.member?.user ?? interaction.user;
  if (user === undefined) throw new Error('Discord sent an interaction of nobody');
  const where = placeOf(interaction, user.id);
  const isManager = where.direct || (permissionsOf(interaction) & PermissionFlagsBits.ManageGuild) !== 0n;
  return {
    door: 'discord',
    who: { id: user.id, mayManage: isManager },
    where,
    locale: 'locale' in interaction ? interaction.locale : 'en-US',
  };
}

/** The same request, for somebody who may manage the place by the role that was chosen for it. */
export async function withRole(request: Request, { member }: APIInteraction, store: Store): Promise<Request> {
  const { tenant, channel } = request.where;
  const subscription = await store.tenant(tenant).subscriptions.get(channel);
  const role = subscription && parseStored(subscription.settings).managers;
  const mayManage = role != null && (member?.roles.includes(role) ?? false);
  return { ...request, who: { ...request.who, mayManage } };
}

function permissionsOf({ member }: APIInteraction): bigint {
  return BigInt(member?.permissions ?? '0');
}

/**
 * Installed by the person alone, the bot is a guest in the server: what is kept belongs to the person, and
 * nothing is posted there besides answers, whoever may have invited the bot as well.
 */
function placeOf(interaction: APIInteraction, user: string): RequestChannel {
  const { guild_id: guild, authorizing_integration_owners: owners, channel } = interaction;
  const isMember = guild !== undefined && owners[ApplicationIntegrationType.GuildInstall] !== undefined;
  const id = channel?.id ?? user;
  if (!isMember) return { tenant: ofPerson(user), channel: id, direct: true };
  const type = channel?.type ?? ChannelType.GuildText;
  const parent = THREADS.includes(type) && channel && 'parent_id' in channel ? channel.parent_id : undefined;
  const here = { tenant: ofServer(guild), direct: false };
  // What kind of channel a thread belongs to isn't told with it, nor what that one asks of a post.
  if (parent) return { ...here, channel: parent, thread: id };
  return {
    ...here,
    channel: id,
    missingRequirements: lacksIn(BigInt(interaction.app_permissions ?? '0'), type),
  };
}

/** The subcommand used and what was typed with it. */
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
