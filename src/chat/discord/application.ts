/** What the owner of an application sets up in Discord's Developer Portal: for the set-up and for scripts. */
import { DiscordAPIError, HTTPError, REST } from '@discordjs/rest';
import { ApplicationFlags, ApplicationIntegrationType, OAuth2Routes, Routes } from 'discord-api-types/v10';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/config.ts';
import { errorCodes } from '../../core/errors.ts';
import { INVITE_BITS } from './requirements.ts';

const { GuildInstall, UserInstall } = ApplicationIntegrationType;
const TOKEN_REFUSED = 401;

const APPLICATION = v.object({
  id: v.string(),
  name: v.optional(v.string(), ''),
  flags: v.optional(v.number(), 0),
  bot_require_code_grant: v.optional(v.boolean(), false),
  integration_types_config: v.optional(v.record(v.string(), v.unknown()), { [GuildInstall]: {} }),
});
export type Application = v.InferOutput<typeof APPLICATION>;
const GUILDS = v.array(v.object({ name: v.string() }));

/** For a few requests while somebody waits for them. */
export function makeOwnerRest({ token, apiUrl }: Pick<DiscordConfig, 'token' | 'apiUrl'>): REST {
  return new REST({ version: '10', ...(apiUrl !== undefined && { api: apiUrl }) }).setToken(token);
}

export async function readOwnApplication(rest: REST): Promise<Application> {
  return v.parse(APPLICATION, await rest.get(Routes.currentApplication()));
}

/** How it can be installed, as ticked on its page Installation: Discord refuses commands for other ways. */
export function waysToInstall({
  integration_types_config: config,
}: Pick<Application, 'integration_types_config'>): ApplicationIntegrationType[] {
  return [GuildInstall, UserInstall].filter((type) => type in config);
}

/** The name of a server that the bot is in. */
export async function nameOfServer(rest: REST): Promise<string | undefined> {
  const query = new URLSearchParams({ limit: '1' });
  return v.parse(GUILDS, await rest.get(Routes.userGuilds(), { query }))[0]?.name;
}

/** The link that adds the bot to a server, with only the permissions it needs. */
export function inviteLink({ id }: Pick<Application, 'id'>): string {
  const scope = 'bot applications.commands';
  const query = new URLSearchParams({ client_id: id, scope, permissions: String(INVITE_BITS) });
  return `${OAuth2Routes.authorizationURL}?${query}`;
}

const { GatewayPresence, GatewayGuildMembers, GatewayMessageContent } = ApplicationFlags;
const { GatewayPresenceLimited, GatewayGuildMembersLimited, GatewayMessageContentLimited } = ApplicationFlags;
const INTENTS: Readonly<Record<string, number>> = {
  Presence: GatewayPresence | GatewayPresenceLimited,
  'Server Members': GatewayGuildMembers | GatewayGuildMembersLimited,
  'Message Content': GatewayMessageContent | GatewayMessageContentLimited,
};

/** Settings on the application's pages that should be changed, although the bot runs. */
export function advice(application: Application): string[] {
  const { flags, bot_require_code_grant: needsGrant, integration_types_config: installs } = application;
  const names = Object.keys(INTENTS).filter((name) => (flags & INTENTS[name]!) !== 0);
  return [
    ...(names.length === 0
      ? []
      : [`The bot needs no privileged intent. Switch off on the page Bot: ${names.join(', ')}.`]),
    ...(needsGrant
      ? ['Switch off “Requires OAuth2 Code Grant” on the page Bot: with it, nobody can add the bot.']
      : []),
    ...(String(GuildInstall) in installs
      ? []
      : ['Tick “Guild Install” on the page Installation: without it, nobody can add the bot to a server.']),
  ];
}

/** Why a request failed, in a sentence. Undefined for a fault of ours, which should show its stack trace. */
export function reasonOf(error: unknown): string | undefined {
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    return error.status === TOKEN_REFUSED
      ? 'Discord refuses DISCORD_TOKEN (401). Copy it again from the application’s page "Bot".'
      : `Discord refused this: ${error.message.replace(/[.\s]*$/, '')} (${error.status}).`;
  }
  const isAborted = error instanceof Error && error.name === 'AbortError';
  const trouble = isAborted
    ? 'no answer in time'
    : errorCodes(error).find((code) => typeof code === 'string');
  if (typeof trouble !== 'string' || /^ERR_(?!TLS|SSL)/.test(trouble)) return undefined;
  return `Discord can't be reached (${trouble}). Check this machine's network, and DISCORD_API_URL if it is set.`;
}
