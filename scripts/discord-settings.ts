import { REST } from 'discord.js';
import { readEnvironment } from '../src/config/environment.ts';
import { readConfig } from '../src/config.ts';

/** Discord's API by the settings in the environment and `.env`; without a token it says what is missing and ends. */
export function openDiscord(file: string): { rest: REST; guildId: string | undefined } {
  try {
    const { discord, notices } = readConfig(readEnvironment(process.env, file));
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
