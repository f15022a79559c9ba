import { fstatSync } from 'node:fs';
import { COMMAND_NAMES } from '../../../commands/names.ts';
import { ConfigError } from '../../config/read.ts';
import { errorCode, StoreError, UserError } from '../../core/errors.ts';
import { optimizeCode } from '../../core/program.ts';
import { clip, nearest } from '../../core/text.ts';
import { type Command, type Option, offeredOptions } from '../../dispatch/contract.ts';
import { areWordsToPlay, looksLikeBoard } from '../../dispatch/typed-board.ts';
import { LexiconError } from '../../solver/lexicon.ts';
import { readLexicon } from '../../wordlists/load.ts';
import {
  EXIT,
  flagNamed,
  flagsOf,
  jsonOf,
  readArguments,
  readCommandArguments,
  type Subcommand,
  shortOf,
  type TerminalServices,
} from './contract.ts';
import { PROGRAM_CALL, type Screen, styled, wrap } from './screen.ts';
import type { CompletedTable } from './subcommands.ts';

/** Subcommands that only the terminal has. Each is loaded when it is called. */
const SUBCOMMANDS: Readonly<Record<string, { about: string; load: () => Promise<Subcommand> }>> = {
  backup: {
    about: 'Copy the database to a new file, while the bot runs or not',
    load: async () => (await import('./db.ts')).backup,
  },
  daily: {
    about: 'What the daily thread would post and when; try failed posts again, or leave them out',
    load: async () => (await import('./daily.ts')).daily,
  },
  db: {
    about: 'Say whether the database is intact, and repair it; or give it to another Discord application',
    load: async () => (await import('./db.ts')).db,
  },
  completions: {
    about: 'A script that completes commands in your shell',
    load: async () => (await import('./subcommands.ts')).completionsOf(COMPLETION_TABLE),
  },
  lexicon: {
    about: 'What the word list holds',
    load: async () => (await import('./subcommands.ts')).lexicon,
  },
  setup: {
    about: 'Connect the bot with Discord or Slack, step by step',
    load: async () => (await import('./subcommands.ts')).setup,
  },
};

/** Commands that are loaded without the others, which take longer to load than these to answer. */
const STANDALONE_COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  solve: async () => (await import('../../../commands/solve.ts')).solve,
  hint: async () => (await import('../../../commands/hint.ts')).hint,
  check: async () => (await import('../../../commands/check.ts')).check,
  next: async () => (await import('../../../commands/next.ts')).next,
  words: async () => (await import('../../../commands/words.ts')).words,
  play: async () => (await import('../../../commands/play.ts')).play,
  generate: async () => (await import('../../../commands/generate.ts')).generate,
};

/** The name of each command, with its description and its other names. */
const COMMANDS: readonly (readonly [name: string, { alias?: readonly string[]; description: string }])[] =
  Object.entries(COMMAND_NAMES);

async function findCommand(typed: string): Promise<Command | undefined> {
  const name = commandNamed(typed);
  if (name === undefined) return undefined;
  const loadAlone = STANDALONE_COMMANDS[name];
  if (loadAlone !== undefined) return loadAlone();
  const { COMMANDS: all } = await import('../../../commands/index.ts');
  return all.find((one) => one.name === name);
}

function commandNamed(typed: string): string | undefined {
  return COMMANDS.find(([name, { alias = [] }]) => name === typed || alias.includes(typed))?.[0];
}

/** The command for a board that is typed alone. */
const SOLVE = 'solve';
const HELP = ['help', '--help', '-h'];
const VERSION = ['--version', '-v', '-V'];

/** Everything that completions offer. */
const COMPLETION_TABLE: CompletedTable = {
  commands: async () => (await import('../../../commands/index.ts')).COMMANDS,
  subcommands: () =>
    Promise.all(
      Object.entries(SUBCOMMANDS).map(async ([name, { about, load: from }]) => ({
        ...(await from()),
        name,
        about,
      })),
    ),
};

/** @returns the exit status */
export async function runCommandLine(typed: readonly string[], services: TerminalServices): Promise<number> {
  // Not removed at the end: a failed write is reported only after this function has returned.
  process.stdout.off('error', endUnwritten).on('error', endUnwritten);
  try {
    const [first, ...rest] = await withCommand(typed);
    if (HELP.includes(first)) return await help(isBoard(rest) ? SOLVE : rest[0], services);
    if (VERSION.includes(first)) return await version();
    const subcommand = await load(first);
    if (subcommand !== undefined) return await runSubcommand(first, subcommand, rest, services);
    const command = await findCommand(first);
    if (command === undefined) throw unknown(typed, services);
    const options = readCommandArguments(command, rest);
    if (options.flag('help')) return await help(command.name, services);
    const { runCommand } = await import('./command.ts');
    return await runCommand(command, options, services);
  } catch (error) {
    if (!EXPLAINED_ERRORS.some((kind) => error instanceof kind)) throw error;
    console.error(wrap((error as Error).message, services.errorScreen));
    return EXIT.badInput;
  }
}

/** The line as it is meant, with its command first. Sides alone, as in a chat, and flags alone are for `solve`. */
async function withCommand(typed: readonly string[]): Promise<[command: string, ...rest: string[]]> {
  const [start = ''] = typed;
  const isOnlyBoard = typed.length === 0 ? hasPipedLines() : !isName(start) && isBoard(typed);
  if (isOnlyBoard) return [SOLVE, ...typed];
  const [first = 'help', ...rest] = await meantBy(commandFirst(typed));
  const isOtherFlag = first.startsWith('-') && !HELP.includes(first) && !VERSION.includes(first);
  return isOtherFlag ? [SOLVE, first, ...rest] : [first, ...rest];
}

/** Moves the command before the flags: `--json today` must not be read as a board to solve. */
function commandFirst(typed: readonly string[]): readonly string[] {
  const at = typed.findIndex((word, index) => !word.startsWith('-') && !isValueOf(typed[index - 1], word));
  if (at <= 0 || !isName(typed[at]!)) return typed;
  return [typed[at]!, ...typed.toSpliced(at, 1)];
}

/** Whether a word belongs to the one before it, as in `--spoilers hide`. Not every option of a command has a value. */
function isValueOf(before: string | undefined, word: string): boolean {
  if (before === undefined || !before.startsWith('-') || before.includes('=')) return false;
  const flag = flagNamed(before.slice(2));
  return flag === undefined ? !isName(word) : flag.type !== 'boolean';
}

function isName(word: string): boolean {
  return word === 'help' || Object.hasOwn(SUBCOMMANDS, word) || commandNamed(word) !== undefined;
}

/** Reads phrases such as "give me a hint", as every door does. Boards skip the table of phrases. */
async function meantBy(typed: readonly string[]): Promise<readonly string[]> {
  if (typed.some((word) => word.startsWith('-'))) return typed;
  const [first = 'help', ...rest] = typed;
  const isKnown = isName(first);
  if (isKnown && (rest.length === 0 || isBoard(rest))) return typed;
  const { lineMeantBy } = await import('../../dispatch/phrases.ts');
  const meant = lineMeantBy(typed.join(' '));
  // An unsure meaning counts only where the line as typed begins with no command.
  if (meant !== undefined && (meant.how !== 'unsure' || !isKnown)) return meant.line.split(' ');
  // A mistyped command with a whole board after it can only mean that command.
  if (isKnown || !isBoard(rest)) return typed;
  const name = nearest(first, Object.keys(COMMAND_NAMES));
  return name === undefined ? typed : [name, ...rest];
}

/** Errors that are shown as a sentence, since the operator sits here; anything else is a fault. */
const EXPLAINED_ERRORS = [UserError, LexiconError, ConfigError, StoreError];

/** `head` and the like close the pipe once they have read enough; a full disk is a real fault. */
function endUnwritten(error: Error): void {
  const code = errorCode(error);
  if (code === 'EPIPE') process.exit(EXIT.answered);
  console.error(`The answer can't be written (${code}).`);
  process.exit(EXIT.fault);
}

async function runSubcommand(
  name: string,
  subcommand: Subcommand,
  typed: readonly string[],
  services: TerminalServices,
): Promise<number> {
  const options = readArguments(name, subcommand.flags, typed);
  if (options.flag('help')) return help(name, services);
  // bin/letterboxed.js forbids V8 to optimize at first, which suits short answers; a subcommand may take longer.
  optimizeCode();
  const answer = await subcommand.run(options, services);
  for (const line of options.flag('json') ? [jsonOf(answer.json())] : answer.lines()) console.log(line);
  return answer.exit;
}

async function version(): Promise<number> {
  const { readAbout } = await import('../../core/program.ts');
  console.log(`letterboxed ${readAbout().version}`);
  return EXIT.answered;
}

async function help(name: string | undefined, { screen }: TerminalServices): Promise<number> {
  const show = (text: string) => console.log(wrap(text, screen));
  const subcommand = name === undefined ? undefined : await load(name);
  if (name === undefined) {
    const own = Object.entries(SUBCOMMANDS).map(([one, { about }]) => [one, about] as const);
    const commands = COMMANDS.filter(([one]) => !Object.hasOwn(SUBCOMMANDS, one)).map(
      ([one, { description }]) => [one, description] as const,
    );
    show(helpOnAll([...commands, ...own], screen));
  } else if (subcommand !== undefined) {
    show(helpOnSubcommand(SUBCOMMANDS[name]!.about, subcommand, screen));
  } else {
    const found = await findCommand(name);
    if (found === undefined)
      throw new UserError(
        'terminal.subcommand',
        `There is no "${clip(name)}" to help with. Try: ${PROGRAM_CALL} help`,
      );
    show(helpOnCommand(found, screen));
  }
  return EXIT.answered;
}

const NAME_COLUMNS = 13;
const OPTION_COLUMNS = 21;

/** The list of subcommands and commands: their names, and what they do. */
function helpOnAll(rows: readonly (readonly [name: string, about: string])[], screen: Screen): string {
  const lines = rows.map(([name, about]) => row(name, about, NAME_COLUMNS, screen));
  const call = styled('title', `${PROGRAM_CALL} <command> [options]`, screen);
  return [call, '', ...lines, '', `More on one: ${PROGRAM_CALL} help solve`].join('\n');
}

/** All about one subcommand of the terminal alone. */
function helpOnSubcommand(about: string, { usage, flags }: Subcommand, screen: Screen): string {
  const rows = ['json', 'words', ...flags].map((flag) => flagRow(flag, screen));
  return [styled('title', `${PROGRAM_CALL} ${usage}`, screen), '', `${about}.`, '', ...rows].join('\n');
}

/** All about a command as the terminal has it. */
function helpOnCommand(command: Command, screen: Screen): string {
  const { name, description, more, examples } = command;
  const options = offeredOptions(command);
  const declared = options.map(({ name: option, alias = [], description: about }) => {
    const short = shortOf(option, ...alias);
    return row(`${option}:`, short === undefined ? about : `${about} (${short})`, OPTION_COLUMNS, screen);
  });
  const flags = ['json', 'words', ...flagsOf(command)].map((flag) => flagRow(flag, screen));
  return [
    styled('title', `${PROGRAM_CALL} ${name}`, screen),
    '',
    `${description}.`,
    ...(more === undefined ? [] : [more]),
    '',
    ...(declared.length === 0 ? [] : [howTyped(options), ...declared, '']),
    'In the terminal:',
    ...flags,
    '',
    'Examples:',
    ...examples.map((example) => `  ${PROGRAM_CALL} ${example}`),
  ].join('\n');
}

/** The flag `--words` is taken: it names a word list. */
function howTyped(options: readonly Option[]): string {
  const exception = options.some(({ name }) => name === 'words') ? ' (words: only as words:value)' : '';
  return `Options, typed as name:value or as --name value${exception}:`;
}

function flagRow(name: string, screen: Screen): string {
  const short = shortOf(name);
  const typed = short === undefined ? `    --${name}` : `${short}, --${name}`;
  return row(typed, flagNamed(name)!.about, OPTION_COLUMNS, screen);
}

function row(name: string, about: string, columns: number, screen: Screen): string {
  return `  ${styled('command', name, screen)}${' '.repeat(Math.max(2, columns - name.length))}${about}`;
}

function isWord(word: string): boolean {
  return readLexicon().find(word) !== undefined;
}

/** Whether this is a board. Flags may follow it, or a number: the most words of a solution. */
function isBoard(typed: readonly string[]): boolean {
  const end = typed.findIndex((word) => /^(-|\d+$)/.test(word));
  return looksLikeBoard(typed.slice(0, end < 0 ? undefined : end).join(' '), isWord);
}

/** Sides that a shell pipes in without a command. Other programs connect the input by a socket, and often leave it open. */
function hasPipedLines(): boolean {
  try {
    const input = fstatSync(process.stdin.fd);
    return input.isFIFO() || input.isFile();
  } catch {
    return false;
  }
}

async function load(name: string): Promise<Subcommand | undefined> {
  return Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.load() : undefined;
}

function unknown(typed: readonly string[], services: TerminalServices): UserError {
  const [name = ''] = typed;
  const known = [...new Set([...Object.keys(COMMAND_NAMES), ...Object.keys(SUBCOMMANDS)])];
  const meant = nearest(name, known);
  if (meant === undefined) {
    const lexicon = services.lexicon(undefined);
    if (areWordsToPlay(typed.join(' '), (word) => lexicon.find(word) !== undefined))
      return new UserError(
        'line.words',
        `"${clip(typed.join(' '))}" isn’t a command. To play it on the day’s board, type play before it.`,
      );
  }
  const advice = meant === undefined ? `There is: ${known.join(', ')}.` : `Did you mean ${meant}?`;
  return new UserError('terminal.subcommand', `There is no "${clip(name)}" here. ${advice}`);
}
