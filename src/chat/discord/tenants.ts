/** A tenant in the store is a server, or a person with an at sign before the id. */
const PERSON = 'discord:@';
const SERVER = 'discord:';

/** @example ofServer('123') // 'discord:123' */
export const ofServer = (id: string): string => `${SERVER}${id}`;

/** The tenant of a person who uses the bot outside of servers that added it. */
export const ofPerson = (id: string): string => `${PERSON}${id}`;

/** The id of a tenant's server; undefined for a person. */
export function serverOf(tenant: string): string | undefined {
  return tenant.startsWith(SERVER) && !tenant.startsWith(PERSON) ? tenant.slice(SERVER.length) : undefined;
}
