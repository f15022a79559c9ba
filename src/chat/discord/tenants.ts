/** Servers and people as the store knows them; an at sign tells them apart. */
const PERSON = 'discord:@';
const SERVER = 'discord:';

/** @example ofServer('123') // 'discord:123' */
export const ofServer = (id: string): string => `${SERVER}${id}`;

/** Of whoever uses the bot on their own. */
export const ofPerson = (id: string): string => `${PERSON}${id}`;

/** The server's id; undefined for a person. */
export function serverOf(tenant: string): string | undefined {
  return tenant.startsWith(SERVER) && !tenant.startsWith(PERSON) ? tenant.slice(SERVER.length) : undefined;
}
