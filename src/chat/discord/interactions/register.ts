import { ApplicationCommandType, type REST, Routes } from 'discord.js';
import * as v from 'valibot';
import type { Command } from '../../../dispatch/contract.ts';
import { declareAll } from './declare.ts';

export const REGISTERED = ['unchanged', 'written'] as const;
export type Registered = (typeof REGISTERED)[number];

export interface Registration {
  readonly rest: REST;
  readonly applicationId: string;
  readonly commands: readonly Command[];
  /** For development: registers in this server only, where it takes effect at once. */
  readonly guildId?: string;
}

/**
 * Registers the commands as they are declared: everywhere or in one server, for in both people would see them twice.
 * Nothing is written when nothing differs, because Discord limits the writes of a day.
 */
export async function register(registration: Registration): Promise<Registered> {
  const { applicationId, guildId } = registration;
  const everywhere = Routes.applicationCommands(applicationId);
  if (guildId === undefined) return write(registration, everywhere, false);
  const done = await write(registration, Routes.applicationGuildCommands(applicationId, guildId), true);
  const isRemoved = await remove(registration.rest, everywhere);
  return isRemoved ? 'written' : done;
}

/** Removes what was registered for one server during development, once the command is registered everywhere. */
export function unregisterIn({ rest, applicationId }: Registration, guildId: string): Promise<boolean> {
  return remove(rest, Routes.applicationGuildCommands(applicationId, guildId));
}

/** Without this, Discord returns one language instead of all translations. */
const TRANSLATED = new URLSearchParams({ with_localizations: 'true' });

/** Of an answer that leaves the type out. */
const CHAT_INPUT = ApplicationCommandType.ChatInput;
const COMMANDS = v.array(v.looseObject({ name: v.string(), type: v.optional(v.number(), CHAT_INPUT) }));

async function write(
  { rest, commands }: Registration,
  route: `/${string}`,
  guild: boolean,
): Promise<Registered> {
  const wanted = declareAll(commands, guild);
  const known = v.parse(COMMANDS, await rest.get(route, { query: TRANSLATED }));
  if (areSame(wanted, known)) return 'unchanged';
  await rest.put(route, { body: wanted });
  return 'written';
}

async function remove(rest: REST, route: `/${string}`): Promise<boolean> {
  const known = v.parse(COMMANDS, await rest.get(route));
  const ours = declareAll([], true).map(({ name }) => name);
  if (!known.some(({ name }) => ours.includes(name))) return false;
  await rest.put(route, { body: [] });
  return true;
}

/** Whether Discord has these commands and no others, in whatever order. */
export function areSame(wanted: readonly unknown[], known: readonly unknown[]): boolean {
  return (
    known.length === wanted.length && wanted.every((command) => known.some((other) => isSame(command, other)))
  );
}

/**
 * Whether Discord has all that is declared. It adds fields, leaves out what is false or empty, and returns
 * lists such as contexts in another order.
 */
export function isSame(wanted: unknown, known: unknown): boolean {
  if (Array.isArray(wanted)) {
    if (!Array.isArray(known)) return wanted.length === 0 && known === undefined;
    if (wanted.length !== known.length) return false;
    if (wanted.every((item) => typeof item === 'number'))
      return [...wanted].sort().join() === [...known].sort().join();
    return wanted.every((item, at) => isSame(item, known[at]));
  }
  if (typeof wanted !== 'object' || wanted === null) return wanted === (known ?? false) || wanted === known;
  if (typeof known !== 'object' || known === null) return false;
  const registered = known as Record<string, unknown>;
  const declared = wanted as Record<string, unknown>;
  const outdated = VISIBLE_FIELDS.filter(
    (name) => !(name in declared) && registered[name] !== undefined && !isEmpty(registered[name]),
  );
  return (
    outdated.length === 0 &&
    Object.entries(declared).every(([name, value]) =>
      name.endsWith(LOCALISED) ? isSameMap(value, registered[name]) : isSame(value, registered[name]),
    )
  );
}

const LOCALISED = '_localizations';

/** Compares whole maps: a language that is no longer declared is a difference too. */
function isSameMap(wanted: unknown, known: unknown): boolean {
  const sorted = (map: unknown) =>
    JSON.stringify(Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(wanted) === sorted(known);
}

/** Fields that change what people see, so one that is registered but no longer declared is a difference. */
const VISIBLE_FIELDS = [
  'options',
  'choices',
  'autocomplete',
  'required',
  'min_value',
  'max_value',
  'min_length',
  'max_length',
  `name${LOCALISED}`,
  `description${LOCALISED}`,
];

function isEmpty(value: unknown): boolean {
  return value === null || value === false || (typeof value === 'object' && Object.keys(value).length === 0);
}
