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

const COMMAND_NAME = 'letterboxed';
const DESCRIPTION = 'Letter Boxed: the day’s board, hints, your words checked, any board solved';
/** Translations of the command itself; none so far. */
const TRANSLATIONS: Translations = {};
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
    ...localised(TRANSLATIONS),
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
      return {
        type: ApplicationCommandOptionType.Integer,
        ...named,
        ...(min !== undefined && { min_value: min }),
        ...(max !== undefined && { max_value: max }),
      };
    default: {
      const text = { type: ApplicationCommandOptionType.String as const, ...named };
      if (complete !== undefined || choices.length > LIMITS.choices)
        return { ...text, autocomplete: true, max_length: LIMITS.choice };
      if (choices.length > 0) {
        const declared = choices.map((value) => ({
          name: value,
          value,
          ...translated('name_localizations', translations, (words) => words.choices?.[value]),
        }));
        return { ...text, choices: declared };
      }
      return { ...text, max_length: LONGEST_TEXT };
    }
  }
}

function localised(translations: Translations | undefined) {
  return {
    ...translated('name_localizations', translations, ({ name }) => name),
    ...translated('description_localizations', translations, ({ description }) => description),
  };
}

/** One of Discord's fields for translations; left out where nothing is translated. */
function translated<Field extends string>(
  field: Field,
  translations: Translations = {},
  pick: (translation: Translation) => string | undefined,
): { readonly [name in Field]?: LocalizationMap } {
  const words = Object.entries(translations).map(([language, each]) => [language, pick(each)] as const);
  const known = words.filter(([, word]) => word !== undefined);
  const empty: { readonly [name in Field]?: LocalizationMap } = {};
  return known.length === 0 ? empty : { ...empty, [field]: Object.fromEntries(known) };
}
