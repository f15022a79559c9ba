import { UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { type Option, offeredOptions } from '../../dispatch/contract.ts';
import { CALL, OPTIONS, type OptionName } from './arguments.ts';
import { flagsOf, type TerminalCommand } from './command.ts';
import { type Screen, styled } from './screen.ts';
import type { Subcommand } from './subcommand.ts';

const NAME_COLUMNS = 13;
const OPTION_COLUMNS = 21;

/** The list of subcommands and commands: their names, and what they do. */
export function help(rows: readonly (readonly [name: string, about: string])[], screen: Screen): string {
  const lines = rows.map(([name, about]) => row(name, about, NAME_COLUMNS, screen));
  const call = styled('title', `${CALL} <command> [options]`, screen);
  return [call, '', ...lines, '', `More on one: ${CALL} help solve`].join('\n');
}

/** All about one subcommand of the terminal alone. */
export function helpOnSubcommand({ usage, about, options }: Subcommand, screen: Screen): string {
  const rows = (['json', 'words', ...options] as OptionName[]).map((option) =>
    flagRow(option, OPTIONS[option].about, screen),
  );
  return [styled('title', `${CALL} ${usage}`, screen), '', `${about}.`, '', ...rows].join('\n');
}

/** All about a command as the terminal has it. */
export function helpOnCommand(found: TerminalCommand, screen: Screen): string {
  const { name, description, more, examples } = found.command;
  const options = offeredOptions(found.command);
  const declared = options.map((option) =>
    row(`${option.name}:`, option.description, OPTION_COLUMNS, screen),
  );
  const flags = (['json', 'words', ...flagsOf(found)] as OptionName[])
    .filter((flag) => Object.hasOwn(OPTIONS, flag))
    .map((flag) => flagRow(flag, OPTIONS[flag].about, screen));
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

function flagRow(option: OptionName, about: string, screen: Screen): string {
  const declared = OPTIONS[option];
  const short = 'short' in declared ? `-${declared.short}, ` : '    ';
  return row(`${short}--${option}`, about, OPTION_COLUMNS, screen);
}

function row(name: string, about: string, columns: number, screen: Screen): string {
  return `  ${styled('command', name, screen)}${' '.repeat(Math.max(2, columns - name.length))}${about}`;
}
