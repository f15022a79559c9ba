/** What the owner of an application sets up in Discord's Developer Portal: for the set-up, the doctor and scripts. */
import {
  ApplicationFlags,
  ApplicationIntegrationType,
  type Client,
  type ClientApplication,
  DiscordAPIError,
  HTTPError,
  PermissionsBitField,
  RateLimitError,
  type REST,
} from 'discord.js';
import { exchange } from '../chat/discord/activity.ts';
import { waysToInstall } from '../chat/discord/application.ts';
import { NEEDED_PERMISSIONS } from '../chat/discord/rights.ts';
import type { Values } from '../config/settings.ts';
import { networkTrouble } from '../core/errors.ts';
import { listed } from '../core/text.ts';
import { PostFailure } from '../dispatch/poster.ts';
import { present } from '../reply/model/text.ts';

/** The name of one of the servers that the bot is in. */
export async function nameOfAServer(client: Client): Promise<string | undefined> {
  return (await client.guilds.fetch({ limit: 1 })).first()?.name;
}

/** The address in Discord's documentation; discord.js knows only the one of the API. */
const AUTHORIZE = 'https://discord.com/oauth2/authorize';

/** The link that adds the bot to a server, with only the permissions it needs. */
export function inviteLink({ id }: Pick<ClientApplication, 'id'>): string {
  const scope = 'bot applications.commands';
  const permissions = String(PermissionsBitField.resolve(Object.values(NEEDED_PERMISSIONS)));
  const query = new URLSearchParams({ client_id: id, scope, permissions });
  return `${AUTHORIZE}?${query}`;
}

/** The link with which people add the bot to their own account. */
export function userInstallLink({ id }: Pick<ClientApplication, 'id'>): string {
  const integration_type = String(ApplicationIntegrationType.UserInstall);
  return `${AUTHORIZE}?${new URLSearchParams({ client_id: id, integration_type, scope: 'applications.commands' })}`;
}

const { GatewayPresence, GatewayGuildMembers, GatewayMessageContent } = ApplicationFlags;
const { GatewayPresenceLimited, GatewayGuildMembersLimited, GatewayMessageContentLimited } = ApplicationFlags;
/** By the names on the page. Discord sets the limited flags for bots in fewer than 100 servers. */
const INTENTS: Readonly<Record<string, number>> = {
  Presence: GatewayPresence | GatewayPresenceLimited,
  'Server Members': GatewayGuildMembers | GatewayGuildMembersLimited,
  'Message Content': GatewayMessageContent | GatewayMessageContentLimited,
};

/** Settings on the application's pages that should be changed, although the bot runs. */
export function advice(
  application: ClientApplication,
  { DISCORD_PUBLIC_KEY }: Pick<Values, 'DISCORD_PUBLIC_KEY'>,
): string[] {
  const names = Object.keys(INTENTS).filter((name) => application.flags?.any(INTENTS[name]!));
  return present([
    names.length > 0 && `The bot needs no privileged intent. Switch off ${listed(names)} on the page Bot.`,
    application.botRequireCodeGrant === true &&
      'Switch off “Requires OAuth2 Code Grant” on the page Bot: with it, nobody can add the bot.',
    !waysToInstall(application).includes(ApplicationIntegrationType.GuildInstall) &&
      'Tick “Guild Install” on the page Installation: without it, nobody can add the bot to a server.',
    application.interactionsEndpointURL !== null &&
      DISCORD_PUBLIC_KEY === undefined &&
      'Empty “Interactions Endpoint URL” on the page General Information: Discord sends commands there, and none to this bot, which has no DISCORD_PUBLIC_KEY.',
  ]);
}

/** Why a request failed, in a sentence. Undefined for a fault of ours, which should show its stack trace. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    return error.status === 401
      ? 'Discord refuses DISCORD_TOKEN (401). Copy it again from the application’s page "Bot".'
      : `Discord refused this: ${error.message.replace(/[.\s]*$/, '')} (${error.status}).`;
  }
  if (error instanceof RateLimitError) return 'Discord asks to wait (429). Try again in a few minutes.';
  // Thrown for an answer that is not Discord's.
  const trouble = error instanceof PostFailure ? error.message : networkTrouble(error);
  return trouble && `Discord can't be reached: ${trouble}. Check this machine's network.`;
}

/** Whether Discord takes a client secret. OAuth 2.0 refuses one with either status. */
export async function acceptsSecret(rest: REST, client_id: string, client_secret: string): Promise<boolean> {
  try {
    await exchange(rest, { client_id, client_secret, grant_type: 'client_credentials', scope: 'identify' });
    return true;
  } catch (error) {
    if (error instanceof DiscordAPIError && (error.status === 401 || error.status === 400)) return false;
    throw error;
  }
}
