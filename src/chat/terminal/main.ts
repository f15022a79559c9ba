import { fstatSync } from 'node:fs';
import { COMMAND_NAMES } from '../../../commands/names.ts';
import { ConfigError } from '../../config/read.ts';
import { errorCode, StoreError, UserError } from '../../core/errors.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { clip, nearest } from '../../core/text.ts';
import type { Command } from '../../dispatch/contract.ts';
import {
  areWordsToPlay,
  hasNewspaperShape,
  looksLikeBoard,
  possibleBoardIn,
} from '../../dispatch/typed-board.ts';
import { dateAt, findDate } from '../../puzzle/calendar.ts';
import { hasRepeats } from '../../solver/board.ts';
import { LexiconError } from '../../solver/lexicon.ts';
import { readLexicon } from '../../wordlists/load.ts';
import {
  EXIT,
  flagNamed,
  jsonOf,
  readArguments,
  readCommandArguments,
  type Subcommand,
  type TerminalServices,
} from './contract.ts';
import type { Help } from './help.ts';
import { type Screen, wrap } from './screen.ts';
import type { CompletedTable } from './subcommands.ts';

/** Subcommands that only the terminal has. Each is loaded when it is called. */
export const SUBCOMMANDS: Readonly<Record<string, { about: string; load: () => Promise<Subcommand> }>> = {
  backup: {
    about: 'Copy the database to a new file, while the bot runs or not',
    load: async () => (await import('./db.ts')).backup,
  },
  daily: {
    about: 'What the daily thread would post and when; try failed posts again, or leave them out',
    load: async () => (await import('./daily.ts')).daily,
  },
  db: {
    about: 'Say whether the database is intact; or give it to another Discord application',
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
  licences: {
    about: 'The licences of the program and of everything in it; also: about licences',
    load: async () => (await import('./subcommands.ts')).licences,
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
      Object.entries(SUBCOMMANDS).map(async ([name, { about, load }]) => ({
        ...(await load()),
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
    const [first, ...rest] = withCommand(await withSides(typed), services.errorScreen);
    if (HELP.includes(first)) return await help(startsWithBoard(rest) ? [SOLVE] : rest, services);
    if (VERSION.includes(first)) return await version();
    const subcommand = await findSubcommand(first);
    if (subcommand !== undefined) return await runSubcommand(first, subcommand, rest, services);
    const command = await findCommand(first);
    if (command === undefined) throw unknownCommand(typed);
    const options = readCommandArguments(command, rest);
    if (options.flag('help'))
      return await help([command.name, ...(options.flag('json') ? ['--json'] : [])], services);
    const { runCommand } = await import('./command.ts');
    return await runCommand(command, options, services);
  } catch (error) {
    if (!EXPLAINED_ERRORS.some((kind) => error instanceof kind)) throw error;
    console.error(wrap((error as Error).message, services.errorScreen));
    return EXIT.badInput;
  }
}

/** A file of a picture that a board may be read from, and what may name the option before it. */
const PICTURE_FILE = /^((?:--)?sides[:=])?([^-].*\.(?:png|jpe?g|gif|webp|heic))$/i;

/** The line with the sides of a board in place of its picture: a file, or what is piped in where sides are missing. */
async function withSides(typed: readonly string[]): Promise<readonly string[]> {
  const at = typed.findIndex(
    (word, index) =>
      PICTURE_FILE.test(word) && (typed[index - 1] === '--sides' || !isValueOf(typed[index - 1], word)),
  );
  const isWithoutSides = typed.every((word) => word === SOLVE) && hasPipedLines();
  if (at < 0 && !isWithoutSides) return typed;
  const { pipedPicture, sidesInPicture } = await import('./picture.ts');
  const [, option = '', file] = PICTURE_FILE.exec(typed[at] ?? '') ?? [];
  const picture = file ?? (await pipedPicture());
  if (picture === undefined) return typed;
  const sides = await sidesInPicture(picture);
  return at < 0 ? [...typed, sides] : typed.with(at, option + sides);
}

/**
 * The line as it is meant, with its command first; in this order:
 *
 *     ozu nri lfa mbt 2     solve ozu nri lfa mbt 2
 *     --json today          today --json
 *     slove ozu nri lfa mbt solve ozu nri lfa mbt
 *     about licences        licences
 *     dog cat men fry       solve dog cat men fry, which looks less like a board
 *     --json                solve --json
 */
function withCommand(typed: readonly string[], errorScreen: Screen): [command: string, ...rest: string[]] {
  const [start = ''] = typed;
  // `solve` says what is wrong after a board.
  const isBoard = !isName(start) && typed.some((_, at) => startsWithBoard(typed.slice(0, at + 1)));
  const isForSolve = typed.length === 0 ? hasPipedLines() : isBoard;
  if (isForSolve) return [SOLVE, ...typed];
  const [first = 'help', ...rest] = corrected(commandFirst(typed), errorScreen);
  if (first === 'about' && /^licen[cs]es?$/i.test(rest[0] ?? '')) return ['licences', ...rest.slice(1)];
  const isFlag = first.startsWith('-') && !HELP.includes(first) && !VERSION.includes(first);
  const isMaybeForSolve = isFlag || (!isName(first) && mayStartWithBoard([first, ...rest]));
  return isMaybeForSolve ? [SOLVE, first, ...rest] : [first, ...rest];
}

/** Moves the command before the flags: `--json today` must not be read as a board to solve. */
function commandFirst(typed: readonly string[]): readonly string[] {
  const at = typed.findIndex((word, index) => !word.startsWith('-') && !isValueOf(typed[index - 1], word));
  if (at <= 0 || !isName(typed[at]!)) return typed;
  return [typed[at]!, ...typed.toSpliced(at, 1)];
}

/**
 * Whether a word belongs to the one before it, as in `--spoilers hide`. After an option of a command, any word does that is not
 * the name of a command.
 */
function isValueOf(before: string | undefined, word: string): boolean {
  if (before === undefined || !before.startsWith('-') || before.includes('=')) return false;
  const flag = flagNamed(before.slice(2));
  return flag === undefined ? !isName(word) : flag.type !== 'boolean';
}

function isName(word: string): boolean {
  return word === 'help' || Object.hasOwn(SUBCOMMANDS, word) || commandNamed(word) !== undefined;
}

/** The line with its command corrected: a mistyped command with a whole board after it can only mean that command. */
function corrected(typed: readonly string[], errorScreen: Screen): readonly string[] {
  const [first = '', ...rest] = typed;
  const isMistyped = first !== '' && !first.startsWith('-') && !isName(first) && startsWithBoard(rest);
  const name = isMistyped ? nearest(first, Object.keys(COMMAND_NAMES)) : undefined;
  if (name === undefined) return typed;
  console.error(
    wrap(`There is no "${clip(first)}". This is: ${[PROGRAM_CALL, name, ...rest].join(' ')}`, errorScreen),
  );
  return [name, ...rest];
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
  if (options.flag('help')) return help([name, ...(options.flag('json') ? ['--json'] : [])], services);
  const answer = await subcommand.run(options, services);
  for (const line of options.flag('json') ? [jsonOf(answer.data)] : answer.lines) console.log(line);
  return answer.exit ?? EXIT.answered;
}

async function version(): Promise<number> {
  const { readAbout } = await import('../../core/program.ts');
  console.log(`letterboxed ${readAbout().version}`);
  return EXIT.answered;
}

async function help(typed: readonly string[], { screen }: TerminalServices): Promise<number> {
  const name = typed.find((word) => !word.startsWith('-'));
  const { text, data } = await helpOn(name);
  if (typed.includes('--json')) console.log(jsonOf(data));
  else console.log(wrap(text(screen), screen));
  return EXIT.answered;
}

async function helpOn(name: string | undefined): Promise<Help> {
  const { helpOnAll, helpOnCommand, helpOnSubcommand } = await import('./help.ts');
  if (name === undefined || name === 'all') return helpOnAll(SUBCOMMANDS);
  const subcommand = await findSubcommand(name);
  if (subcommand !== undefined) return helpOnSubcommand(SUBCOMMANDS[name]!.about, subcommand);
  const command = await findCommand(name);
  if (command !== undefined) return helpOnCommand(command);
  const advice = `There is no "${clip(name)}" to help with. Try: ${PROGRAM_CALL} help`;
  throw new UserError('terminal.subcommand', advice);
}

function isWord(word: string): boolean {
  return readLexicon().find(word) !== undefined;
}

function startsWithBoard(typed: readonly string[]): boolean {
  return looksLikeBoard(sidesIn(typed), isWord);
}

/** The words before the first flag, option or number (the most words of a solution). */
function sidesIn(typed: readonly string[]): string {
  const end = typed.findIndex((word) => /^(-|\d+$|\p{L}[\p{L}_-]*[:=])/u.test(word));
  return typed.slice(0, end < 0 ? undefined : end).join(' ');
}

/** Whether words that begin with no command can be a board, though they may just as well be a sentence. */
function mayStartWithBoard(typed: readonly string[]): boolean {
  const sides = sidesIn(typed);
  const board = possibleBoardIn(sides);
  const isOneWord = isWord(sides.toLowerCase());
  if (board === undefined || isOneWord || areWordsToPlay(sides, isWord)) return false;
  const isLikeNewspaper = hasNewspaperShape(board) && !hasRepeats(board);
  const isMistypedName = nearest(typed[0]!, knownNames()) !== undefined;
  return isLikeNewspaper || !isMistypedName;
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

async function findSubcommand(name: string): Promise<Subcommand | undefined> {
  return Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]!.load() : undefined;
}

function knownNames(): string[] {
  return [...new Set([...Object.keys(COMMAND_NAMES), ...Object.keys(SUBCOMMANDS)])];
}

function unknownCommand(typed: readonly string[]): UserError {
  const [name = ''] = typed;
  const line = typed.join(' ');
  const known = knownNames();
  const meant = nearest(name, known);
  const notHere = (advice: string) =>
    new UserError('terminal.subcommand', `There is no "${clip(name)}" here. ${advice}`);
  const noCommand = (advice: string) =>
    new UserError('line.words', `"${clip(line)}" isn’t a command. ${advice} before it.`);
  if (meant !== undefined) return notHere(`Did you mean ${meant}?`);
  if (findDate(line, dateAt(Date.now())) !== undefined) return noCommand('For that day’s board, type today');
  if (areWordsToPlay(line, isWord)) return noCommand('To play it on the day’s board, type play');
  return notHere(`There is: ${known.join(', ')}.`);
}
