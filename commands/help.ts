import { grouped, listed } from '../src/core/text.ts';
import {
  type Command,
  isCalled,
  isForManagers,
  type Option,
  offeredOptions,
  type Request,
  textOf,
} from '../src/dispatch/contract.ts';
import { unknownCommandError } from '../src/dispatch/line.ts';
import {
  bold,
  buttonsBlock,
  foldedBlock,
  type Maybe,
  notes,
  textBlock,
  toAsker,
} from '../src/reply/model/text.ts';
import type { Line, Reply } from '../src/reply/model/types.ts';
import { RULES } from '../src/reply/replies/board.ts';
import { named } from './names.ts';

export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}

/** Help about commands, generated from their declarations. The groups include this command itself. */
export function helpOn(groups: () => readonly CommandGroup[]): Command {
  const commands = () => groups().flatMap((group) => group.commands);
  return {
    ...named('help'),
    options: [
      {
        name: 'command',
        description: 'A command, all, or what you want to do',
        kind: 'text',
        positional: true,
        example: 'hint',
        get about() {
          return Object.fromEntries(commands().map(({ name, description }) => [name, description]));
        },
        accepts: (text) => text.toLowerCase() === ALL || commandCalled(text, commands()) !== undefined,
        complete: async (typed) =>
          commands()
            .map(({ name }) => name)
            .filter((name) => name.startsWith(typed.toLowerCase())),
      },
    ],
    access: 'anyone-reads',
    storeUse: 'none',
    private: true,
    examples: ['help', 'help all', 'help solve'],
    async run(request) {
      const asked = textOf(request, 'command')?.toLowerCase();
      if (asked === ALL) return allCommandsReply(groups(), request);
      const command = asked === undefined ? undefined : find(asked, commands());
      // "help rules" asks for the rules, although `rules` is another name of this command.
      const isOverview = command === undefined || (command.name === 'help' && asked !== command.name);
      return isOverview ? overviewReply(commands(), request) : commandReply(command, request);
    },
  };
}

const ALL = 'all';
/** What to try first. */
const FIRST_COMMANDS: readonly string[] = ['today', 'hint', 'check', 'relay', 'share'];

function overviewReply(commands: readonly Command[], request: Request): Reply {
  const first = FIRST_COMMANDS.flatMap((name) => commands.filter((command) => command.name === name));
  const all = { command: 'help', options: { command: ALL } };
  const blocks = [
    textBlock(RULES),
    textBlock(first.map(lineOf)),
    notes(inThreads(request)),
    buttonsBlock([{ label: 'All commands', action: all }]),
  ];
  return toAsker('What I can do', blocks, { rerun: { command: 'help', options: {} } });
}

function allCommandsReply(groups: readonly CommandGroup[], request: Request): Reply {
  const blocks = [
    groups.flatMap(({ name, commands }) => foldedBlock(name, commands.map(lineOf))),
    textBlock([
      // Discord has a field for each option.
      request.door !== 'discord' && 'Type options as name:value, in any order.',
      ['More about a command: ', { command: 'help hint', label: false }],
    ]),
    notes(inThreads(request)),
  ];
  return toAsker('All commands', blocks, { rerun: { command: 'help', options: { command: ALL } } });
}

function lineOf({ name, description }: Command): Line {
  return [{ command: name }, ` – ${description}`];
}

function inThreads({ door, where }: Request): Maybe<Line> {
  return (
    door === 'slack' &&
    !where.direct &&
    'Slack has no slash commands in threads. Mention me there instead, then type the command.'
  );
}

function commandReply(command: Command, { door }: Request): Reply {
  const { name, description, more, examples } = command;
  const options = offeredOptions(command);
  // Discord has a subcommand for each choice of such an option, and shows other options only where a subcommand takes them.
  const choosing = door === 'discord' ? options.find((option) => option.optionsOfChoice) : undefined;
  const { optionsOfChoice = {}, about = {} } = choosing ?? {};
  const choices = Object.keys(optionsOfChoice);
  const taken = Object.values(optionsOfChoice).flat();
  const shownOptions = choosing === undefined ? options : options.filter((one) => taken.includes(one.name));
  const shownExamples = examples.filter(
    (example) => !choices.some((choice) => example === `${name} ${choice}`),
  );
  const blocks = [
    textBlock([`${description}.`, more]),
    textBlock(choices.map((choice): Line => [{ command: `${name} ${choice}` }, ` – ${about[choice]}`])),
    textBlock(optionLines(shownOptions)),
    textBlock([
      shownExamples.length > 0 && 'Examples:',
      ...shownExamples.map((example): Line => [{ command: example }]),
    ]),
    notes(
      isForManagers(command) &&
        ('actions' in command
          ? 'Only people who manage this channel may change this.'
          : 'Only for people who manage this channel.'),
    ),
  ];
  return toAsker(`Help: ${name}`, blocks, { rerun: { command: 'help', options: { command: name } } });
}

/** Options that are explained one by one. A command with more lists their names, and its examples show their use. */
const MAX_EXPLAINED_OPTIONS = 16;

function optionLines(options: readonly Option[]): Line[] {
  return options.length > MAX_EXPLAINED_OPTIONS
    ? [[bold('Options'), `: ${listed(options.map(({ name }) => name))}`]]
    : options.map((option) => [bold(option.name), ` – ${describe(option)}`]);
}

function describe(option: Option): string {
  return `${option.description}${valuesOf(option)}${option.required ? ', required' : ''}`;
}

/** The values that an option takes, as the end of its description. */
function valuesOf({ kind, choices, min, max }: Option): string {
  if (kind === 'choice') return ` (${choices?.join(', ')})`;
  if (kind === 'flag') return ' (yes or no)';
  const isBounded = kind === 'integer' && min !== undefined && max !== undefined;
  return isBounded ? `, from ${grouped(min)} to ${grouped(max)}` : '';
}

function find(asked: string, commands: readonly Command[]): Command {
  const found = commandCalled(asked, commands);
  if (found !== undefined) return found;
  throw unknownCommandError(asked, commands);
}

/** Such as "/hint", "hints" or "hint?". */
function commandCalled(asked: string, commands: readonly Command[]): Command | undefined {
  const name = asked.toLowerCase().replace(/^\/|[?!.]+$/g, '');
  return commands.find((command) => isCalled(command, name) || isCalled(command, name.replace(/s$/, '')));
}
