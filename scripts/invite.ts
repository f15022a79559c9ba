/** `npm run invite`: prints the link that adds the bot to a server, with only the permissions it needs. */
import { OAuth2Routes, Routes } from 'discord-api-types/v10';
import { INVITE_BITS } from '../src/chat/discord/rights.ts';
import { answered, openDiscord } from './discord-settings.ts';

const { rest } = openDiscord();
const { id } = (await answered(rest.get(Routes.currentApplication()))) as { id: string };
const query = new URLSearchParams({
  client_id: id,
  scope: 'bot applications.commands',
  permissions: String(INVITE_BITS),
});
console.log(`${OAuth2Routes.authorizationURL}?${query}`);
