import { grouped } from '../src/core/text.ts';
import {
  type Command,
  isCalled,
  isForManagers,
  type Option,
  offeredOptions,
  type Request,
  textOf,
} from '../src/dispatch/contract.ts';
import { unknownCommand } from '../src/dispatch/line.ts';
import { bold } from '../src/reply/model/text.ts';
import type { Block, Inline, Line, Reply } from '../src/reply/model/types.ts';
import { RULES } from '../src/reply/replies/board.ts';

/** Commands that help shows together. */
export interface CommandGroup {
  readonly name: string;
  readonly commands: readonly Command[];
}

/** Help about commands, generated from their declarations. The groups include this command itself. */
export function helpOn(groups: () => readonly CommandGroup[]): Command {
  const commands = () => groups().flatMap((group) => group.commands);
  return {
    name: 'help',
    alias: ['?', 'commands', 'rules'],
    description: 'The rules, and all commands or one',
    options: [
      {
        name: 'command',
        description: 'A command; left out, all of them',
        kind: 'text',
        positional: true,
        example: 'hint',
        get about() {
          return Object.fromEntries(commands().map(({ name, description }) => [name, description]));
        },
        complete: async (typed) =>
          commands()
            .map(({ name }) => name)
            .filter((name) => name.startsWith(typed.toLowerCase())),
      },
    ],
    access: 'read',
    readsStore: 'never',
    private: true,
    examples: ['help', 'help solve'],
    async run(request) {
      const asked = textOf(request, 'command')?.toLowerCase();
      return asked === undefined ? overview(groups(), request) : aboutOne(find(asked, commands()));
    },
  };
}

function overview(groups: readonly CommandGroup[], { door }: Request): Reply {
  return {
    title: 'What I can do',
    blocks: [
      { kind: 'text', lines: RULES },
      ...groups.map(({ name, commands }): Block => {
        const lines = commands.map((one): Line => [{ command: one.name }, ` – ${one.description}`]);
        return { kind: 'text', lines: [[bold(name)], ...lines] };
      }),
      {
        kind: 'text',
        lines: [
          ['Type options as name:value, in any order. More about a command: ', { command: 'help hint' }],
        ],
      },
      ...(door === 'slack' ? [IN_THREADS] : []),
    ],
    audience: 'asker',
    again: { command: 'help', options: {} },
  };
}

const IN_THREADS: Block = {
  kind: 'note',
  line: 'Slack has no slash commands in threads. Mention me there instead, then type the command.',
};

function aboutOne(command: Command): Reply {
  const { name, description, more, examples } = command;
  const lines: Line[] = offeredOptions(command).map((option) => [
    bold(option.name),
    ` – ${describe(option)}`,
  ]);
  const typed = examples.map((example): Inline => ({ command: example }));
  return {
    title: `Help: ${name}`,
    blocks: [
      { kind: 'text', lines: [`${description}.`, ...(more === undefined ? [] : [more])] },
      ...(lines.length === 0 ? [] : [{ kind: 'text' as const, lines }]),
      ...(typed.length === 0
        ? []
        : [{ kind: 'text' as const, lines: ['Examples:', ...typed.map((one): Line => [one])] }]),
      ...(isForManagers(command)
        ? [{ kind: 'note' as const, line: 'Only for people who manage this channel.' }]
        : []),
    ],
    audience: 'asker',
    again: { command: 'help', options: { command: name } },
  };
}

function describe({ description, kind, choices, min, max, required }: Option): string {
  const what =
    kind === 'choice'
      ? ` (${choices?.join(', ')})`
      : kind === 'whole' && min !== undefined && max !== undefined
        ? `, from ${grouped(min)} to ${grouped(max)}`
        : kind === 'flag'
          ? ' (yes or no)'
          : '';
  return `${description}${what}${required ? ', required' : ''}`;
}

function find(asked: string, commands: readonly Command[]): Command {
  const name = asked.replace(/^\//, '');
  const found = commands.find((command) => isCalled(command, name));
  if (found !== undefined) return found;
  throw unknownCommand(name, commands);
}
