/**
 * `npm run register` registers the command with Discord, if its declaration differs from what Discord has. `npm run invite`
 * prints the links that add the bot to a server, with only the permissions it needs, and to a person's account.
 */
import { ApplicationIntegrationType } from 'discord.js';
import { COMMANDS } from '../commands/index.ts';
import { fetchApplication, waysToInstall } from '../src/chat/discord/application.ts';
import { register } from '../src/chat/discord/commands.ts';
import { BotRest, makeClient } from '../src/chat/discord/rest.ts';
import { readSettings } from '../src/config/config.ts';
import { ConfigError, type Environment } from '../src/config/read.ts';
import { inviteLink, reasonOf, userInstallLink } from '../src/operations/discord-application.ts';

const EXIT = { done: 0, refused: 1, settings: 2 } as const;

if (import.meta.main) process.exitCode = await main(process.argv[2], process.env);

/** @returns the exit status */
export async function main(task: string | undefined, environment: Environment): Promise<number> {
  try {
    const { discord, notices } = readSettings(environment, { opensDoors: false });
    if (discord === undefined) {
      const said = notices.filter((notice) => notice.includes('DISCORD_'));
      console.error(said.join('\n') || 'DISCORD_TOKEN is not set: put the bot’s token into .env first.');
      return EXIT.settings;
    }
    const application = await fetchApplication(makeClient(new BotRest(discord)));
    if (task === 'invite') {
      console.log(`For a server: ${inviteLink(application)}`);
      if (waysToInstall(application).includes(ApplicationIntegrationType.UserInstall))
        console.log(`For yourself: ${userInstallLink(application)}`);
    } else {
      const { isWritten } = await register(application, COMMANDS, discord.clientSecret !== undefined);
      console.log(`/letterboxed ${isWritten ? 'is registered.' : 'was registered already, just like this.'}`);
    }
    return EXIT.done;
  } catch (error) {
    const reason = error instanceof ConfigError ? error.message : reasonOf(error);
    if (reason === undefined) throw error;
    console.error(reason);
    return error instanceof ConfigError ? EXIT.settings : EXIT.refused;
  }
}
