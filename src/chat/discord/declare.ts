import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
} from 'discord.js';
import type { Command, Option } from '../../../commands/types.ts';
import { LIMITS } from './limits.ts';

export const COMMAND_NAME = 'letterboxed';
const DESCRIPTION = 'Letter Boxed: the day’s board, hints, your words checked, any board solved';
/** Nobody types more by hand, and the dispatcher reads no more. */
const LONGEST_TEXT = 2000;

/**
 * `/letterboxed` as Discord wants to be told of it: one subcommand for each command, from its own declaration.
 *
 * @param guild for one server alone, which knows no contexts.
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
    ...(!guild && {
      contexts: [
        InteractionContextType.Guild,
        InteractionContextType.BotDM,
        InteractionContextType.PrivateChannel,
      ],
      integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
    }),
  };
}

function declareCommand({ name, description, options }: Command): APIApplicationCommandSubcommandOption {
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name,
    description,
    options: options.map(declareOption),
  };
}

/** None is required: what is missing is asked for with a modal, which shows an example too. */
function declareOption(option: Option): APIApplicationCommandBasicOption {
  const { name, description, kind, choices = [], min, max, complete } = option;
  switch (kind) {
    case 'flag':
      return { type: ApplicationCommandOptionType.Boolean, name, description };
    case 'whole':
      return {
        type: ApplicationCommandOptionType.Integer,
        name,
        description,
        ...(min !== undefined && { min_value: min }),
        ...(max !== undefined && { max_value: max }),
      };
    default: {
      const text = { type: ApplicationCommandOptionType.String as const, name, description };
      if (complete !== undefined || choices.length > LIMITS.choices)
        return { ...text, autocomplete: true, max_length: LIMITS.choice };
      if (choices.length > 0) return { ...text, choices: choices.map((value) => ({ name: value, value })) };
      return { ...text, max_length: LONGEST_TEXT };
    }
  }
}
