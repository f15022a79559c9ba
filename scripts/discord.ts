/**
 * `npm run register` registers the command with Discord, if its declaration differs from what Discord has. `npm run invite`
 * prints the link that adds the bot to a server, with only the permissions it needs.
 */
import { COMMANDS } from '../commands/index.ts';
import { fetchApplication } from '../src/chat/discord/application.ts';
import { register } from '../src/chat/discord/commands.ts';
import { BotRest, makeClient } from '../src/chat/discord/rest.ts';
import { type DiscordConfig, readSettings } from '../src/config/config.ts';
import { inviteLink, reasonOf } from '../src/operations/discord-application.ts';

const config = readDiscord();
const application = await answered(fetchApplication(makeClient(new BotRest(config))));
if (process.argv[2] === 'invite') {
  console.log(inviteLink(application));
} else {
  const opensBoard = config.clientSecret !== undefined;
  const { isWritten } = await answered(register(application, COMMANDS, opensBoard));
  console.log(
    isWritten ? '/letterboxed is registered.' : '/letterboxed was registered already, just like this.',
  );
}

/** Without a token, prints what is missing and exits. */
function readDiscord(): DiscordConfig {
  try {
    const { discord, notices } = readSettings(process.env, { opensDoors: false });
    if (discord !== undefined) return discord;
    const said = notices.filter((notice) => notice.includes('DISCORD_'));
    throw new Error(said.join('\n') || 'DISCORD_TOKEN is not set: put the bot’s token into .env first.');
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
