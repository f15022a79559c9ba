import { DiscordjsErrorCodes, GatewayCloseCodes } from 'discord.js';
import { StartError } from '../../../core/errors.ts';

const TOKEN =
  'Discord does not accept DISCORD_TOKEN. Copy the token from the page "Bot" of your application in the Discord ' +
  'Developer Portal, or reset it there if it was lost, set DISCORD_TOKEN to it and restart the bot.';
const INTENTS =
  'This Discord application may not use the intents that the bot asks for. The bot needs only "Guilds", which every ' +
  'application may use: check that DISCORD_TOKEN belongs to the right application, and update the bot.';
const SHARDS = 'Discord does not accept DISCORD_SHARDS. Correct it, or set it to auto, and restart the bot.';
const MORE_SHARDS =
  'The bot is in too many servers for one connection. Set DISCORD_SHARDS to auto, or divide the servers among ' +
  'processes as docs/hosting.md says, and restart the bot.';
const VERSION =
  'Discord no longer supports the version of its gateway that this bot uses. Update the bot and restart it.';

/** After these the gateway does not reconnect, for it would be closed again: a person has to change something. */
const FATAL: Readonly<Partial<Record<number, string>>> = {
  [GatewayCloseCodes.AuthenticationFailed]: TOKEN,
  [GatewayCloseCodes.InvalidShard]: SHARDS,
  [GatewayCloseCodes.ShardingRequired]: MORE_SHARDS,
  [GatewayCloseCodes.InvalidAPIVersion]: VERSION,
  [GatewayCloseCodes.InvalidIntents]: INTENTS,
  [GatewayCloseCodes.DisallowedIntents]: INTENTS,
};

/** What a gateway that closed for good means, and what to do about it. */
export function explainClose(code: number): string {
  return FATAL[code] ?? `Discord closed the gateway for good (${code}). Restart the bot.`;
}

/** The library's errors have no code, and each of these texts stands for one. */
const TEXTS: Readonly<Record<string, GatewayCloseCodes>> = {
  'Authentication failed': GatewayCloseCodes.AuthenticationFailed,
  'Invalid shard': GatewayCloseCodes.InvalidShard,
  'Sharding is required': GatewayCloseCodes.ShardingRequired,
  'Used an invalid API version': GatewayCloseCodes.InvalidAPIVersion,
  'Used invalid intents': GatewayCloseCodes.InvalidIntents,
  'Used disallowed intents': GatewayCloseCodes.DisallowedIntents,
};

/** The same for a start that failed. Other errors pass as they are. */
export function explainLogin(error: unknown): unknown {
  const { code, message = '' } = error as { code?: unknown; message?: string };
  const closed =
    code === DiscordjsErrorCodes.TokenInvalid ? GatewayCloseCodes.AuthenticationFailed : TEXTS[message];
  return closed === undefined ? error : new StartError(explainClose(closed), { cause: error });
}
