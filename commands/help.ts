import { UserError } from '../src/core/errors.ts';
import { adviceFor } from '../src/core/nearest.ts';
import { clip } from '../src/core/text.ts';
import { type Command, type Option, offeredOptions, type Request, textOf } from '../src/dispatch/contract.ts';
import { bold, joined } from '../src/reply/model/text.ts';
import type { Block, Inline, Line, Reply } from '../src/reply/model/types.ts';

/** Help about a list of commands, generated from their declarations. The list includes this command itself. */
export function helpOn(commands: () => readonly Command[]): Command {
  return {
    name: 'help',
    description: 'What this bot can do; with a name, all about one command',
    options: [
      {
        name: 'command',
        description: 'The command to explain',
        kind: 'text',
        positional: true,
        example: 'hint',
        complete: async (typed) =>
          commands()
            .map(({ name }) => name)
            .filter((name) => name.startsWith(typed.toLowerCase())),
      },
    ],
    access: 'anyone',
    private: true,
    examples: ['help', 'help solve'],
    async run(request) {
      const asked = textOf(request, 'command')?.toLowerCase();
      return asked === undefined ? overview(commands(), request) : aboutOne(find(asked, commands()));
    },
  };
}

function overview(commands: readonly Command[], { door }: Request): Reply {
  return {
    title: 'What I can do',
    blocks: [
      {
        kind: 'text',
        lines: commands.map(({ name, description }): Line => [{ command: name }, ` – ${description}`]),
      },
      {
        kind: 'text',
        lines: [
          ['Options are typed as name:value, in any order. More about one: ', { command: 'help hint' }],
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
  line: 'Slack has no slash commands inside threads. Mention me there instead, followed by the command.',
};

function aboutOne(command: Command): Reply {
  const { name, description, more, examples, access } = command;
  const lines: Line[] = offeredOptions(command).map((option) => [
    bold(option.name),
    ` – ${describe(option)}`,
  ]);
  const typed = examples.map((example): Inline => ({ command: example }));
  return {
    title: `Help on ${name}`,
    blocks: [
      { kind: 'text', lines: [`${description}.`, ...(more === undefined ? [] : [more])] },
      ...(lines.length === 0 ? [] : [{ kind: 'text' as const, lines }]),
      ...(typed.length === 0
        ? []
        : [{ kind: 'text' as const, lines: [joined(['Examples: ', ...typed], ' ')] }]),
      ...(access === 'manager' ? [{ kind: 'note' as const, line: 'For those who manage this place.' }] : []),
    ],
    audience: 'asker',
    again: { command: 'help', options: { command: name } },
  };
}

function describe({ description, kind, choices, min, max, required }: Option): string {
  const what =
    kind === 'choice'
      ? `: ${choices?.join(', ')}`
      : kind === 'whole' && min !== undefined && max !== undefined
        ? `, ${min} to ${max}`
        : kind === 'flag'
          ? ' (yes or no)'
          : '';
  return `${description}${what}${required ? ' (asked for when left out)' : ''}`;
}

function find(asked: string, commands: readonly Command[]): Command {
  const name = asked.replace(/^\//, '');
  const found = commands.find((command) => command.name === name);
  if (found !== undefined) return found;
  const names = commands.map((command) => command.name);
  throw new UserError(
    'help.command',
    `There is no command "${clip(name)}" to help with. ${adviceFor(name, names)}`,
  );
}
