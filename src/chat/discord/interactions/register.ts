import type { REST } from 'discord.js';
import { Routes } from 'discord.js';
import type { Command } from '../../../dispatch/contract.ts';
import { COMMAND_NAME, declare } from './declare.ts';

export const REGISTERED = ['unchanged', 'written'] as const;
export type Registered = (typeof REGISTERED)[number];

export interface Registration {
  readonly rest: REST;
  readonly applicationId: string;
  readonly commands: readonly Command[];
  /** For development: in this server at once, and nowhere else. */
  readonly guildId?: string;
}

/**
 * Makes Discord know the command as it is declared. Nothing is written when nothing differs, for writes are
 * counted; and the command stands either everywhere or in one server, for people would see it twice.
 */
export async function register(registration: Registration): Promise<Registered> {
  const { applicationId, guildId } = registration;
  const everywhere = Routes.applicationCommands(applicationId);
  if (guildId === undefined) return write(registration, everywhere, false);
  const there = await write(registration, Routes.applicationGuildCommands(applicationId, guildId), true);
  const taken = await remove(registration.rest, everywhere);
  return taken ? 'written' : there;
}

/** Takes back what was registered for one server, once the command is everywhere. */
export function unregisterIn({ rest, applicationId }: Registration, guildId: string): Promise<boolean> {
  return remove(rest, Routes.applicationGuildCommands(applicationId, guildId));
}

/** Else Discord shows the words of one language instead of all that stand there. */
const TRANSLATED = new URLSearchParams({ with_localizations: 'true' });

async function write(
  { rest, commands }: Registration,
  route: `/${string}`,
  guild: boolean,
): Promise<Registered> {
  const wanted = declare(commands, guild);
  const known = (await rest.get(route, { query: TRANSLATED })) as readonly object[];
  if (known.length === 1 && isSame(wanted, known[0])) return 'unchanged';
  await rest.put(route, { body: [wanted] });
  return 'written';
}

async function remove(rest: REST, route: `/${string}`): Promise<boolean> {
  const known = (await rest.get(route)) as readonly { name: string }[];
  if (!known.some(({ name }) => name === COMMAND_NAME)) return false;
  await rest.put(route, { body: [] });
  return true;
}

/**
 * Whether all that we declare stands there. Discord adds fields of its own, leaves out what is false or
 * empty, and gives lists such as contexts in an order of its own.
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
  const there = known as Record<string, unknown>;
  const asked = wanted as Record<string, unknown>;
  const left = OURS.filter((name) => !(name in asked) && there[name] !== undefined && !isEmpty(there[name]));
  return (
    left.length === 0 &&
    Object.entries(asked).every(([name, value]) =>
      name.endsWith(LOCALISED) ? isSameMap(value, there[name]) : isSame(value, there[name]),
    )
  );
}

const LOCALISED = '_localizations';

/** A language that is no longer declared is a difference too. */
function isSameMap(wanted: unknown, known: unknown): boolean {
  const sorted = (map: unknown) =>
    JSON.stringify(Object.entries(map ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  return sorted(wanted) === sorted(known);
}

/** Fields that change what people see: one that stands there and is no longer declared is a difference. */
const OURS = [
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
