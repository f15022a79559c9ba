import { isDeepStrictEqual } from 'node:util';
import type { REST } from '@discordjs/rest';
import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type LocalizationMap,
  type RESTPostAPIApplicationCommandsJSONBody,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  Routes,
} from 'discord-api-types/v10';
import * as v from 'valibot';
import {
  type Command,
  type Option,
  offeredOptions,
  type Translation,
  type Translations,
} from '../../dispatch/contract.ts';
import { LIMITS } from './limits.ts';

const REGISTERED = ['unchanged', 'written'] as const;
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
export function areSame(wanted: readonly object[], known: readonly object[]): boolean {
  return (
    known.length === wanted.length && wanted.every((command) => known.some((other) => isSame(command, other)))
  );
}

/** Whether Discord has all that is declared, and nothing else that people see. */
export function isSame(wanted: object, known: object): boolean {
  // Discord adds them to a command of one server, where they are not declared.
  const places = 'contexts' in wanted ? [] : ['contexts', 'integration_types'];
  const compared = Object.entries(known).filter(([name]) => !places.includes(name));
  return isDeepStrictEqual(comparable(wanted), comparable(Object.fromEntries(compared)));
}

/** What may be declared. Discord adds other fields, such as ids. */
const DECLARED: ReadonlySet<string> = new Set([
  ...['type', 'name', 'description', 'contexts', 'integration_types', 'options', 'choices', 'value'],
  ...['autocomplete', 'required', 'min_value', 'max_value', 'min_length', 'max_length'],
  ...['name_localizations', 'description_localizations'],
]);

/** Without what Discord adds, and without what it leaves out: what is false or empty, and the order of numbers. */
function comparable(value: unknown, isMap = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => comparable(item));
    return items.every((item) => typeof item === 'number') ? items.toSorted() : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value)
    .filter(([name, field]) => (isMap || DECLARED.has(name)) && !isEmpty(field))
    .map(([name, field]) => [name, comparable(field, name.endsWith('_localizations'))]);
  return Object.fromEntries(fields);
}

function isEmpty(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

const COMMAND_NAME = 'letterboxed';
const DESCRIPTION = 'Letter Boxed: the day’s board, hints, your words checked, any board solved';
/** Characters: more than anybody types by hand. */
const LONGEST_TEXT = 2000;

/** The command in the menu of a message. */
export const MESSAGE_COMMAND_NAME = 'Add to my results';

/** Everything that is registered: `/letterboxed`, and the command on messages. */
export function declareAll(
  commands: readonly Command[],
  guild = false,
): readonly RESTPostAPIApplicationCommandsJSONBody[] {
  return [
    declare(commands, guild),
    { type: ApplicationCommandType.Message, name: MESSAGE_COMMAND_NAME, ...usableIn(guild) },
  ];
}

/** Where people can use a command. */
function usableIn(guild: boolean) {
  if (guild) return {};
  return {
    contexts: [
      InteractionContextType.Guild,
      InteractionContextType.BotDM,
      InteractionContextType.PrivateChannel,
    ],
    integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  };
}

/**
 * `/letterboxed` in the form in which it is registered with Discord: one subcommand for each command.
 *
 * @param guild for a registration in one server, which takes no contexts
 */
export function declare(
  commands: readonly Command[],
  guild = false,
): RESTPostAPIChatInputApplicationCommandsJSONBody {
  if (commands.length > LIMITS.options)
    throw new RangeError(`Discord takes at most ${LIMITS.options} subcommands, not ${commands.length}`);
  return {
    type: ApplicationCommandType.ChatInput,
    name: COMMAND_NAME,
    description: DESCRIPTION,
    options: commands.map(declareCommand),
    ...usableIn(guild),
  };
}

function declareCommand(command: Command): APIApplicationCommandSubcommandOption {
  const { name, description, translations } = command;
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name,
    description,
    ...localised(translations),
    options: offeredOptions(command).map(declareOption),
  };
}

/** No option is required: a missing one is asked for with a modal, which can show an example. */
function declareOption(option: Option): APIApplicationCommandBasicOption {
  const { kind, choices = [], min, max, complete, translations } = option;
  const named = { name: option.name, description: option.description, ...localised(translations) };
  switch (kind) {
    case 'flag':
      return { type: ApplicationCommandOptionType.Boolean, ...named };
    case 'whole':
      return { type: ApplicationCommandOptionType.Integer, ...named, min_value: min, max_value: max };
    default: {
      const text = { type: ApplicationCommandOptionType.String as const, ...named };
      if (complete !== undefined || choices.length > LIMITS.choices)
        return { ...text, autocomplete: true, max_length: LIMITS.choice };
      if (choices.length > 0) {
        const declared = choices.map((value) => ({
          name: value,
          value,
          name_localizations: translated(translations, (words) => words.choices?.[value]),
        }));
        return { ...text, choices: declared };
      }
      return { ...text, max_length: LONGEST_TEXT };
    }
  }
}

function localised(translations: Translations | undefined) {
  return {
    name_localizations: translated(translations, ({ name }) => name),
    description_localizations: translated(translations, ({ description }) => description),
  };
}

/** A word in each language that has one; undefined where none does. */
function translated(
  translations: Translations = {},
  pick: (translation: Translation) => string | undefined,
): LocalizationMap | undefined {
  const words = Object.entries(translations).map(([language, each]) => [language, pick(each)] as const);
  const known = words.filter(([, word]) => word !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}
