import { makeTenant } from '../../core/channel-ref.ts';

/** The tenant of a server is its id. That of a person has an at sign before the id. */
const PERSON = makeTenant('discord', '@');
const SERVER = makeTenant('discord', '');

/** The tenant of a person who uses the bot outside of servers that added it. */
export const ofPerson = (id: string): string => `${PERSON}${id}`;

/** The id of a tenant's server; undefined for a person. */
export function serverOf(tenant: string): string | undefined {
  return tenant.startsWith(SERVER) && !tenant.startsWith(PERSON) ? tenant.slice(SERVER.length) : undefined;
}
