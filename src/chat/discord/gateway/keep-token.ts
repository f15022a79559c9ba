import type { REST } from 'discord.js';

/**
 * The library throws its token away at the first 401, for as long as the process lives. One that came by mistake,
 * from a proxy or an outage, would silence the bot until someone restarts it.
 */
export function keepToken(rest: REST, token: string): void {
  rest.setToken(token);
  rest.setToken = () => rest;
}
