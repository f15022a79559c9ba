/**
 * `npm run register` registers the command with Discord, if its declaration differs from what Discord has. `npm run invite`
 * prints the link that adds the bot to a server, with only the permissions it needs.
 */
import { DiscordAPIError, HTTPError, REST } from '@discordjs/rest';
import { OAuth2Routes, Routes } from 'discord-api-types/v10';
import { COMMANDS } from '../commands/index.ts';
import { register } from '../src/chat/discord/register.ts';
import { INVITE_BITS } from '../src/chat/discord/requirements.ts';
import { readSettings } from '../src/config/config.ts';
import { errorCode } from '../src/core/errors.ts';

const TOKEN_REFUSED = 401;

const { rest, guildId } = openDiscord();
const { id } = (await answered(rest.get(Routes.currentApplication()))) as { id: string };
if (process.argv[2] === 'invite') {
  const query = new URLSearchParams({
    client_id: id,
    scope: 'bot applications.commands',
    permissions: String(INVITE_BITS),
  });
  console.log(`${OAuth2Routes.authorizationURL}?${query}`);
} else {
  const { isWritten } = await answered(register({ rest, commands: COMMANDS, guildId }));
  const where = guildId === undefined ? 'everywhere' : `in the server ${guildId} only`;
  console.log(
    isWritten
      ? `/letterboxed is registered ${where}.`
      : `/letterboxed was registered ${where} already, just like this.`,
  );
}

/** A client of Discord's API from the settings. Without a token, prints what is missing and exits. */
function openDiscord(): { rest: REST; guildId: string | undefined } {
  try {
    const { discord, notices } = readSettings(process.env, { opensDoors: false });
    if (discord === undefined) {
      const said = notices.filter((notice) => notice.includes('DISCORD_'));
      throw new Error(said.join('\n') || 'DISCORD_TOKEN is not set: put the bot’s token into .env first.');
    }
    const { token, apiUrl, guildId } = discord;
    const rest = new REST({ version: '10', api: apiUrl }).setToken(token);
    return { rest, guildId };
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/** Waits for Discord's answer. If Discord refuses or can't be reached, prints the reason and exits. */
async function answered<Answer>(asking: Promise<Answer>): Promise<Answer> {
  try {
    return await asking;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    console.error(reason);
    process.exit(1);
  }
}

/** Undefined for a fault of ours, which should show its stack trace. */
function reasonOf(error: unknown): string | undefined {
  if (error instanceof DiscordAPIError || error instanceof HTTPError) {
    return error.status === TOKEN_REFUSED
      ? 'Discord refuses DISCORD_TOKEN (401). Copy it again from the application’s page "Bot".'
      : `Discord refused this: ${error.message.replace(/[.\s]*$/, '')} (${error.status}).`;
  }
  const isAborted = error instanceof Error && error.name === 'AbortError';
  const trouble = isAborted ? 'no answer in time' : errorCode(error);
  if (typeof trouble !== 'string' || /^ERR_(?!TLS|SSL)/.test(trouble)) return undefined;
  return `Discord can't be reached (${trouble}). Check this machine's network, and DISCORD_API_URL if it is set.`;
}
