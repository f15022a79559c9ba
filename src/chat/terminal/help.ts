import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { type Command, type Option, offeredOptions } from '../../dispatch/contract.ts';
import { CALL, flagNamed, flagsOf } from './arguments.ts';
import { type Screen, styled } from './screen.ts';
import type { Subcommand } from './world.ts';

const NAME_COLUMNS = 13;
const OPTION_COLUMNS = 21;

/** The list of subcommands and commands: their names, and what they do. */
export function help(rows: readonly (readonly [name: string, about: string])[], screen: Screen): string {
  const lines = rows.map(([name, about]) => row(name, about, NAME_COLUMNS, screen));
  const call = styled('title', `${CALL} <command> [options]`, screen);
  return [call, '', ...lines, '', `More on one: ${CALL} help solve`].join('\n');
}

/** All about one subcommand of the terminal alone. */
export function helpOnSubcommand({ usage, about, flags }: Subcommand, screen: Screen): string {
  const rows = ['json', 'words', ...flags].flatMap((flag) => flagRow(flag, screen));
  return [styled('title', `${CALL} ${usage}`, screen), '', `${about}.`, '', ...rows].join('\n');
}

/** All about a command as the terminal has it. */
export function helpOnCommand(command: Command, screen: Screen): string {
  const { name, description, more, examples } = command;
  const options = offeredOptions(command);
  const declared = options.map((option) =>
    row(`${option.name}:`, option.description, OPTION_COLUMNS, screen),
  );
  const flags = ['json', 'words', ...flagsOf(command)].flatMap((flag) => flagRow(flag, screen));
  return [
    styled('title', `${CALL} ${name}`, screen),
    '',
    `${description}.`,
    ...(more === undefined ? [] : [more]),
    '',
    ...(declared.length === 0 ? [] : [howTyped(options), ...declared, '']),
    'In the terminal:',
    ...flags,
    '',
    'Examples:',
    ...examples.map((example) => `  ${CALL} ${example}`),
  ].join('\n');
}

export function nothingToHelpWith(name: string): UserError {
  return new UserError('terminal.subcommand', `There is no "${clip(name)}" to help with. Try: ${CALL} help`);
}

/** The flag of that name is taken: it names a word list. */
function howTyped(options: readonly Option[]): string {
  const exception = options.some(({ name }) => name === 'words') ? ' (words: only as words:value)' : '';
  return `Options, typed as name:value or as --name value${exception}:`;
}

/** Nothing for a flag that is an option of the command, which has its row already. */
function flagRow(name: string, screen: Screen): string[] {
  const flag = flagNamed(name);
  if (flag === undefined) return [];
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `;
  return [row(`${short}--${name}`, flag.about, OPTION_COLUMNS, screen)];
}

function row(name: string, about: string, columns: number, screen: Screen): string {
  return `  ${styled('command', name, screen)}${' '.repeat(Math.max(2, columns - name.length))}${about}`;
}
