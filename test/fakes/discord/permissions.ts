/** developers/topics/permissions.mdx: the bits the fake knows, and how they come together in a channel. */
import type { Channel, Guild } from './world.ts';

export const BITS = {
  ADMINISTRATOR: 1n << 3n,
  MANAGE_CHANNELS: 1n << 4n,
  MANAGE_GUILD: 1n << 5n,
  VIEW_CHANNEL: 1n << 10n,
  SEND_MESSAGES: 1n << 11n,
  MANAGE_MESSAGES: 1n << 13n,
  ATTACH_FILES: 1n << 15n,
  READ_MESSAGE_HISTORY: 1n << 16n,
  MENTION_EVERYONE: 1n << 17n,
  USE_APPLICATION_COMMANDS: 1n << 31n,
  MANAGE_THREADS: 1n << 34n,
  CREATE_PUBLIC_THREADS: 1n << 35n,
  CREATE_PRIVATE_THREADS: 1n << 36n,
  SEND_MESSAGES_IN_THREADS: 1n << 38n,
  USE_EMBEDDED_ACTIVITIES: 1n << 39n,
} as const;
export type Permission = keyof typeof BITS;

const EVERYTHING = (1n << 53n) - 1n;

export const bitsOf = (names: readonly Permission[]): bigint =>
  names.reduce((sum, name) => sum | BITS[name], 0n);

/** What a member may do in a channel at a moment; for a thread ask with its parent channel. */
export function permissionsIn(guild: Guild, userId: string, now: number, channel?: Channel): bigint {
  if (guild.owner_id === userId) return EVERYTHING;
  const mine = guild.members.get(userId)?.roles ?? [];
  let permissions = 0n;
  for (const role of guild.roles) {
    if (role.id === guild.id || mine.includes(role.id)) permissions |= BigInt(role.permissions);
  }
  if (permissions & BITS.ADMINISTRATOR) return EVERYTHING;
  if (channel === undefined) return permissions;
  const overwrites = channel.permission_overwrites ?? [];
  const layers = [
    overwrites.filter((one) => one.id === guild.id),
    overwrites.filter((one) => one.type === 0 && mine.includes(one.id)),
    overwrites.filter((one) => one.type === 1 && one.id === userId),
  ];
  for (const layer of layers) {
    for (const one of layer) permissions &= ~BigInt(one.deny);
    for (const one of layer) permissions |= BigInt(one.allow);
  }
  // "Timed out members will temporarily lose all permissions except VIEW_CHANNEL and READ_MESSAGE_HISTORY."
  const until = guild.members.get(userId)?.communication_disabled_until;
  if (until != null && Date.parse(until) > now) permissions &= BITS.VIEW_CHANNEL | BITS.READ_MESSAGE_HISTORY;
  return permissions & BITS.VIEW_CHANNEL ? permissions : 0n;
}
