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
} from 'discord.js';
import {
  type Command,
  type Option,
  offeredOptions,
  type Translation,
  type Translations,
} from '../../../dispatch/contract.ts';
import { LIMITS } from '../render/limits.ts';

export const COMMAND_NAME = 'letterboxed';
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
