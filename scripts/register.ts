/** `npm run register`: registers the command with Discord, if its declaration differs from what Discord has. */
import { Routes } from 'discord-api-types/v10';
import { COMMANDS } from '../commands/index.ts';
import { register } from '../src/chat/discord/register.ts';
import { answered, openDiscord } from './discord-settings.ts';

const { rest, guildId } = openDiscord();
const { id } = (await answered(rest.get(Routes.currentApplication()))) as { id: string };
const done = await answered(
  register({ rest, applicationId: id, commands: COMMANDS, ...(guildId !== undefined && { guildId }) }),
);
const where = guildId === undefined ? 'everywhere' : `in the server ${guildId} only`;
console.log(
  done === 'written'
    ? `/letterboxed is registered ${where}.`
    : `/letterboxed was registered ${where} already, just like this.`,
);
