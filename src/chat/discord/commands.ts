import {
  type APIApplicationCommandBasicOption,
  type APIApplicationCommandSubcommandOption,
  type ApplicationCommand,
  type ApplicationCommandData,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  type ClientApplication,
  EntryPointCommandHandlerType,
  InteractionContextType,
  type RESTPostAPIChatInputApplicationCommandsJSONBody,
  type RESTPostAPIContextMenuApplicationCommandsJSONBody,
} from 'discord.js';
import {
  type Command,
  type Dispatcher,
  type Option,
  type Options,
  offeredOptions,
} from '../../dispatch/contract.ts';
import type { Action } from '../../reply/model/types.ts';
import { waysToInstall } from './application.ts';
import { MESSAGE_COMMANDS } from './interaction.ts';
import { codeMarkdown, LIMITS } from './markdown.ts';

/** The order in which Discord lists the commands: the most used first, then groups. A phone shows twelve. */
const COMMAND_ORDER: readonly string[] = [
  ...['today', 'play', 'hint', 'check', 'reveal', 'solve', 'share', 'leaderboard', 'help'],
  ...['relay', 'race', 'board', 'me', 'tools', 'daily'],
];
/** Groups and their descriptions. A command that is neither in `COMMAND_ORDER` nor in `GROUP_OF` is in `tools`. */
const GROUPS: Readonly<Record<string, string>> = {
  me: 'Your results, reminders and data',
  tools: 'Words, past boards, and everything else',
};
const GROUP_OF: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['stats', 'missing', 'remind', 'calm', 'record', 'privacy'].map((name) => [name, 'me']),
  ),
  set: 'daily',
};

const NO_OPTIONS: Options = {};
/** The choice that is meant by a command alone, without options. */
const DEFAULT_CHOICE: Readonly<Record<string, string>> = { daily: 'show', board: 'list', relay: 'word' };

export interface Entry {
  /** The subcommand's name, after the name of its group if it is in one. */
  readonly path: readonly string[];
  readonly command: Command;
  readonly description: string;
  readonly options: readonly Option[];
  /** The choice of the command that this entry stands for, such as `do: 'on'`; none for a command without choices. */
  readonly choice: Options;
  /** The options that it adds to the request: `choice`, unless its option of the same name implies it, as in `daily zone`. */
  readonly added: Options;
}

/** An entry for each command, or for each of its choices if those offer options of their own. */
export function entriesOf(commands: readonly Command[]): Entry[] {
  const entries = commands.flatMap((command): Entry[] => {
    const { name, description } = command;
    const options = offeredOptions(command);
    const choosing = options.find(({ optionsOfChoice }) => optionsOfChoice !== undefined);
    if (choosing === undefined) {
      const group = COMMAND_ORDER.includes(name) ? [] : [GROUP_OF[name] ?? 'tools'];
      return [
        { path: [...group, name], command, description, options, choice: NO_OPTIONS, added: NO_OPTIONS },
      ];
    }
    return Object.entries(choosing.optionsOfChoice!).map(([value, names]) => ({
      path: [name, value],
      command,
      description: choosing.about?.[value] ?? choosing.description,
      options: options.filter((option) => names.includes(option.name)),
      choice: { [choosing.name]: value },
      added: names.includes(value) ? NO_OPTIONS : { [choosing.name]: value },
    }));
  });
  return entries.toSorted((a, b) => COMMAND_ORDER.indexOf(a.path[0]!) - COMMAND_ORDER.indexOf(b.path[0]!));
}

/** A typed line as people can use it on Discord. */
export type ShowCommand = (line: string) => string;

/**
 * A command as a mention that puts it into the message field, and what to choose there.
 *
 * @param idOf the id of the registered command; undefined while it is not known
 * @example showCommand('missing join') // '</letterboxed me missing:123> with `do:join`'
 */
export function makeShowCommand(
  entries: readonly Entry[],
  actionOf: Dispatcher['actionOf'],
  idOf: () => string | undefined,
): ShowCommand {
  return (line) => {
    const asked = actionOf(line);
    const entry = asked && entryFor(asked, entries);
    if (entry === undefined) return codeMarkdown(`/letterboxed ${line}`);
    const id = idOf();
    const path = `/letterboxed ${entry.path.join(' ')}`;
    // The value of `remind at 19:00` is "at 19:00", which is chosen as `at:19:00`.
    const optionTexts = Object.entries(entry.options).map(([name, value]) =>
      codeMarkdown(`${name}:${String(value).replace(`${name} `, '')}`),
    );
    const shown = id === undefined ? codeMarkdown(path) : `<${path}:${id}>`;
    return optionTexts.length === 0 ? shown : `${shown} with ${optionTexts.join(' ')}`;
  };
}

/** The entry in which somebody finds a command with its options, and the options that are left to choose there. */
function entryFor(
  { command, options: given }: Action,
  entries: readonly Entry[],
): (Pick<Action, 'options'> & Pick<Entry, 'path'>) | undefined {
  const candidates = entries.filter((entry) => entry.command.name === command);
  if (Object.keys(given).length === 0) {
    const isDefault = ({ path }: Entry) => path.at(-1) === DEFAULT_CHOICE[command];
    const entry = candidates.find(isDefault) ?? candidates[0];
    return entry && { path: entry.path, options: NO_OPTIONS };
  }
  const isChosen = ({ choice }: Entry) =>
    Object.entries(choice).some(([name, value]) => given[name] === value);
  // An entry fits if its path adds nothing that was not given, and its options take the rest. The given choice's goes first.
  for (const entry of [...candidates.filter(isChosen), ...candidates]) {
    const { path, options: offered, choice, added } = entry;
    if (Object.entries(added).some(([name, value]) => given[name] !== value)) continue;
    const left = Object.entries(given).filter(([name, value]) => choice[name] !== value);
    if (left.every(([name]) => offered.some((option) => option.name === name)))
      return { path, options: Object.fromEntries(left) };
    // `daily zone Berlin` has Berlin as its bare `value`: in the entry, it is the value of the only option, `zone`.
    if (isChosen(entry) && left.length === 1 && offered.length === 1)
      return { path, options: { [offered[0]!.name]: left[0]![1] } };
  }
  return undefined;
}

/**
 * Registers the commands as they are declared. Nothing is written when nothing differs, because Discord limits the writes
 * of a day.
 *
 * @returns the id of `/letterboxed`, for mentions of it
 * @param opensBoard whether the bot answers the command that Discord adds for Activities, and opens its board
 */
export async function register(
  application: ClientApplication,
  commands: readonly Command[],
  opensBoard = false,
): Promise<{ readonly isWritten: boolean; readonly id: string }> {
  const registered = await fetchCommands(application);
  const wanted = wantedOf(application, commands, registered, opensBoard);
  const isWritten = differing(wanted, registered) !== undefined;
  const now = isWritten ? [...(await application.commands.set(wanted)).values()] : registered;
  return { isWritten, id: now.find(({ name }) => name === COMMAND_NAME)!.id };
}

export async function fetchCommands({ commands }: ClientApplication): Promise<readonly ApplicationCommand[]> {
  const registered = [...(await commands.fetch({ cache: false })).values()];
  // Discord may return them in another order, which `equals` compares.
  for (const { contexts, integrationTypes } of registered) {
    contexts?.sort();
    integrationTypes?.sort();
  }
  return registered;
}

/**
 * The declared commands, and the one that Discord adds for Activities: Discord refuses lists without it (50240). With
 * `opensBoard`, that one is changed so that the bot answers it.
 */
export function wantedOf(
  application: ClientApplication,
  commands: readonly Command[],
  registered: readonly ApplicationCommand[],
  opensBoard = false,
): readonly ApplicationCommandData[] {
  const added = registered
    .filter(({ type }) => type === ApplicationCommandType.PrimaryEntryPoint)
    .map((command) => {
      // It has no options, and need not have a description.
      const { options, description, ...rest } = command;
      const handler = opensBoard ? EntryPointCommandHandlerType.AppHandler : command.handler;
      return { ...rest, handler, ...(description !== '' && { description }) };
    });
  return [...declareAll(commands, waysToInstall(application)), ...added] as ApplicationCommandData[];
}

/** The name of a command that is not registered as it is wanted, or not wanted at all; undefined if there is none. */
export function differing(
  wanted: readonly ApplicationCommandData[],
  registered: readonly ApplicationCommand[],
): string | undefined {
  const enforceOptionOrder = true;
  const changed = wanted.find(
    (one) => !registered.some((command) => command.equals(one, enforceOptionOrder)),
  );
  const unwanted = registered.find(({ name }) => !wanted.some((declared) => declared.name === name));
  return (changed ?? unwanted)?.name;
}

const COMMAND_NAME = 'letterboxed';
const DESCRIPTION = 'Letter Boxed: the day’s board, hints, your words checked, any board solved';
/** Characters: more than anybody types by hand. */
const MAX_TEXT_LENGTH = 2000;

/**
 * Everything that is registered: `/letterboxed` with its subcommands and groups, and the commands on messages.
 *
 * @param installed how the application can be installed
 */
export function declareAll(
  commands: readonly Command[],
  installed: readonly ApplicationIntegrationType[],
): [RESTPostAPIChatInputApplicationCommandsJSONBody, ...RESTPostAPIContextMenuApplicationCommandsJSONBody[]] {
  const { Guild, BotDM, PrivateChannel } = InteractionContextType;
  const forPeople = installed.includes(ApplicationIntegrationType.UserInstall);
  const usable = {
    contexts: forPeople ? [Guild, BotDM, PrivateChannel] : [Guild, BotDM],
    integration_types: [...installed],
  };
  const listed = Map.groupBy(entriesOf(commands), ({ path }) => path[0]!);
  const options = [...listed].map(([name, entries]) =>
    entries[0]!.path.length === 1
      ? declareEntry(entries[0]!)
      : {
          type: ApplicationCommandOptionType.SubcommandGroup as const,
          name,
          // A group that holds the choices of a command has its description.
          description: GROUPS[name] ?? entries[0]!.command.description,
          options: entries.map(declareEntry),
        },
  );
  return [
    {
      type: ApplicationCommandType.ChatInput,
      name: COMMAND_NAME,
      description: DESCRIPTION,
      options,
      ...usable,
    },
    ...Object.values(MESSAGE_COMMANDS).map((name) => ({
      type: ApplicationCommandType.Message as const,
      name,
      ...usable,
    })),
  ];
}

/** Only a door with files has it: the dispatcher gets the picture, not an option. */
const PICTURE_OPTION = {
  type: ApplicationCommandOptionType.Attachment as const,
  name: 'picture',
  description: 'A screenshot of a board, in place of its sides',
  required: false,
};

function declareEntry({ path, command, description, options }: Entry): APIApplicationCommandSubcommandOption {
  const name = path.at(-1)!;
  return {
    type: ApplicationCommandOptionType.Subcommand,
    name,
    description,
    // Discord returns no empty list, so `equals` would see a difference.
    ...(options.length > 0 && {
      options: [
        ...options.map((option) => ({
          ...declareOption(option),
          // Unlike what `declareOption` says, `daily zone` needs its only option, `zone`: no form asks for a single setting. A
          // role is the exception: left out, a form asks for it, in which it can be taken away, too.
          required:
            name !== command.name && options.length === 1 && option.name === name && option.isRole !== true,
        })),
        ...(command.name === 'solve' ? [PICTURE_OPTION] : []),
      ],
    }),
  };
}

/** Options are not required here: a missing one is asked for with a modal, which can show an example. */
function declareOption(option: Option): APIApplicationCommandBasicOption {
  const { name, description, kind, choices = [], min, max, complete, optionsOfChoice } = option;
  const named = { name, description };
  if (option.isRole) return { type: ApplicationCommandOptionType.Role, ...named };
  if (option.isPerson) return { type: ApplicationCommandOptionType.User, ...named };
  if (kind === 'flag') return { type: ApplicationCommandOptionType.Boolean, ...named };
  if (kind === 'integer')
    return { type: ApplicationCommandOptionType.Integer, ...named, min_value: min, max_value: max };
  const text = { type: ApplicationCommandOptionType.String as const, ...named };
  // An option whose choices are entries, such as relay's `word`, gets no suggestions: they would name the other entries.
  if (complete !== undefined && optionsOfChoice === undefined)
    return { ...text, autocomplete: true, max_length: LIMITS.choice };
  if (choices.length > 0) return { ...text, choices: choices.map((value) => ({ name: value, value })) };
  return { ...text, max_length: MAX_TEXT_LENGTH };
}
