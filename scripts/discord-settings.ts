import { DiscordAPIError, HTTPError, REST } from '@discordjs/rest';
import { readSettings } from '../src/config/config.ts';
import { errorCode } from '../src/core/errors.ts';

const TOKEN_REFUSED = 401;

/** A client of Discord's API from the settings. Without a token, prints what is missing and exits. */
export function openDiscord(): { rest: REST; guildId: string | undefined } {
  try {
    const { discord, notices } = readSettings(process.env, { opensDoors: false });
    if (discord === undefined) {
      const said = notices.filter((notice) => notice.includes('DISCORD_'));
      throw new Error(said.join('\n') || 'DISCORD_TOKEN is not set: put the bot’s token into .env first.');
    }
    const { token, apiUrl, guildId } = discord;
    const rest = new REST({ version: '10', ...(apiUrl !== undefined && { api: apiUrl }) }).setToken(token);
    return { rest, guildId };
  } catch (error) {
    console.error((error as Error).message);
    process.exit(2);
  }
}

/** Waits for Discord's answer. If Discord refuses or can't be reached, prints the reason and exits. */
export async function answered<Answer>(asking: Promise<Answer>): Promise<Answer> {
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
