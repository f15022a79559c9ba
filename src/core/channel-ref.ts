import type { PuzzleDate } from './clock.ts';

export const DOORS = ['discord', 'slack', 'web', 'terminal'] as const;
export type DoorName = (typeof DOORS)[number];

export interface ChannelRef {
  /** The platform, and its id of a server or workspace or, in private messages, of a person: `discord:123`. */
  readonly tenant: string;
  /** The platform's id. */
  readonly channel: string;
}

/**
 * One string for a channel, or for something that belongs to it, as the key of a map. Its parts are joined with line
 * breaks, which platforms' ids do not contain.
 *
 * @example channelKey({ tenant: 'discord:123', channel: '456' }, '2026-11-20', 'opening')
 */
export function channelKey({ tenant, channel }: ChannelRef, ...more: readonly string[]): string {
  return [tenant, channel, ...more].join('\n');
}

/** The key of an event or an action that is erased with its tenant. */
export function tenantKey(tenant: string, thing: string): string {
  return `${tenant}\n${thing}`;
}

/** @example makeTenant('discord', '123') // 'discord:123' */
export function makeTenant(door: DoorName, id: string): string {
  return `${door}:${id}`;
}

/**
 * The tenant of a person's private conversations, where a platform has none of its own for them.
 *
 * @example privateTenant('discord', '123') // 'discord:@123'
 */
export function privateTenant(door: string, person: string): string {
  return `${door}:@${person}`;
}

/** @example doorOf('discord:123') // 'discord' */
export function doorOf(tenant: string): string {
  const [, door] = /^([a-z]+):./s.exec(tenant) ?? [];
  if (door === undefined) throw new Error(`a tenant is written door:id, not "${tenant}"`);
  return door;
}

/**
 * Where an id means the same person as in a tenant: in all of Discord, but in one workspace of Slack, since two might use the
 * same id. The scope of a scope is itself, so the store's functions over all tenants take either. Those functions also look in the
 * other workspaces of an organization that `setOrganization` has named.
 *
 * @example identityScope('slack:T1') // 'slack:T1'
 */
export function identityScope(tenant: string): string {
  return tenant.startsWith('slack:') || !tenant.includes(':') ? tenant : doorOf(tenant);
}

/** Whether a scope is a door with all its tenants, such as `discord`. */
export function isWholeDoor(scope: string): boolean {
  return !scope.includes(':');
}

/** In the store, what happens at a time is a delivery, named by its channel, date and kind. This is a channel's day. */
export const DAY_KIND = 'day' as const;
/** A person's reminder, which comes each day. */
export const REMINDER_KIND = 'reminder' as const;
/** The date of a reminder's row, since the key needs one: after all others, so that the row is never swept as old. */
export const EVERY_DATE: PuzzleDate = '9999-12-31';
/** Kinds for each date in a channel, and reminders. `players` updates a day's message. To add a kind, see CONTRIBUTING.md. */
export type DatedKind = typeof DAY_KIND | typeof REMINDER_KIND | 'players';
/** Kinds for each thing in a channel, such as a board that somebody made: the row's channel ends with the thing's id. */
export type ThingKind = 'hunt' | 'made-board' | 'made-board-end' | 'relay-end' | 'race-end';
export type Kind = DatedKind | ThingKind;

/**
 * Stands for the channel in deliveries to one person. It is no platform's channel, as their ids have no colon.
 *
 * @example personChannel('U123') // 'person:U123'
 */
export function personChannel(person: string): string {
  return `person:${person}`;
}
