import { resolve } from 'node:path';
import type { ParseArgsConfig } from 'node:util';
import type { Config } from '../../config/config.ts';
import { errorCode, UserError } from '../../core/errors.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { clip, splitWords } from '../../core/text.ts';
import {
  type App,
  type Command,
  type Dispatcher,
  type FinishedCommand,
  type Option,
  offeredOptions,
} from '../../dispatch/contract.ts';
import { typeOption } from '../../reply/model/text.ts';
import type { Reply } from '../../reply/model/types.ts';
import type { Lexicon } from '../../solver/lexicon.ts';
import type { Store } from '../../store/store.ts';
import { type Screen, util } from './screen.ts';

interface Flag {
  /** A `string` may be given once. Several values of `list` are one list; each value of `files` is one file. */
  readonly type: 'boolean' | 'string' | 'list' | 'files';
  readonly about: string;
  /** What stands for its value in help. */
  readonly value?: string;
  /** The commands that take it; missing for flags that every command takes, or that subcommands name themselves. */
  readonly of?: readonly string[];
}

/** Every flag of the terminal alone. A command takes a flag for each of its options, too. */
const FLAGS = {
  json: { type: 'boolean', about: 'one line of JSON instead of text' },
  plain: {
    type: 'boolean',
    about: 'one solution or word a line, in lower case, and nothing else',
    of: ['solve', 'next', 'words'],
  },
  words: {
    type: 'files',
    value: 'FILE',
    about:
      'your own word list, one word a line; +FILE adds it to ours, - reads it from standard input, a second list is tried after the first',
  },
  help: { type: 'boolean', about: 'this text' },
  version: { type: 'boolean', about: 'the version of this program' },
  played: { type: 'list', value: 'WORDS', about: 'words already played, in order', of: ['solve'] },
  limit: { type: 'string', value: 'N', about: 'the length of the list (10)', of: ['solve', 'next', 'words'] },
  all: { type: 'boolean', about: 'every one, in one long list', of: ['words'] },
  batch: {
    type: 'boolean',
    about: 'read one board a line from standard input, print one JSON line each',
    of: ['solve'],
  },
  time: {
    type: 'string',
    value: 'SECONDS',
    about: 'give up after this many seconds and say so (10)',
    of: ['solve', 'hint', 'check', 'next'],
  },
  picture: {
    type: 'string',
    value: 'FILE',
    about:
      'a file for the picture of the first solution: .png, or .svg, in which the lines are drawn in order',
    of: ['solve'],
  },
  solution: { type: 'boolean', about: 'with --json: a whole solution as well', of: ['hint', 'generate'] },
  spoilers: { type: 'string', value: 'hide', about: 'keep solutions and hints hidden, for a shared screen' },
  dump: { type: 'boolean', about: 'every word with its tier and likelihood' },
  at: { type: 'string', value: 'MOMENT', about: 'the moment to look at, such as 2026-11-21T08:00 (now)' },
  days: { type: 'string', value: 'N', about: 'how many days to look ahead (1)' },
  'dry-run': { type: 'boolean', about: 'write messages to files instead of posting them' },
  out: { type: 'string', value: 'FOLDER', about: 'the folder for them (dry-run)' },
} as const satisfies Readonly<Record<string, Flag>>;
export type FlagName = keyof typeof FLAGS;

export const COMMON_FLAGS: readonly FlagName[] = ['json', 'words', 'help'];

/** One letter for flags, and for options of commands. */
const SHORT_FLAGS: Readonly<Record<string, string>> = {
  all: 'a',
  exclude: 'e',
  help: 'h',
  num: 'n',
  require: 'r',
  version: 'v',
};

/** The short form, such as `-e`; undefined for names without one. */
export function shortOf(...names: readonly string[]): string | undefined {
  const letter = names.map((name) => SHORT_FLAGS[name]).find((one) => one !== undefined);
  return letter === undefined ? undefined : `-${letter}`;
}

export function flagNamed(name: string): Flag | undefined {
  return Object.hasOwn(FLAGS, name) ? FLAGS[name as FlagName] : undefined;
}

/** The flags of the terminal that a command takes beside the flags of all commands. */
export function flagsOf({ name }: Command): string[] {
  return [...Object.keys(FLAGS).filter((flag) => flagNamed(flag)?.of?.includes(name)), 'spoilers'];
}

/** Between the files of one flag, which may have commas in their names. */
export const FILE_SEPARATOR = '\n';

/** A file or folder that was typed. npm runs the program in the clone's folder, and says in which folder the person is. */
export function typedFile(name: string): string {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = process.env;
  return script === 'letterboxed' && folder !== undefined ? resolve(folder, name) : name;
}

/** @throws UserError where a file or folder can't be written */
export function whileWriting(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new UserError('terminal.file', `"${clip(file, 80)}" can't be written (${errorCode(error)}).`);
  }
}

/** A typed command. */
export class Arguments {
  /** Bare words, and options of the command as name:value, in the order in which they were typed. */
  readonly line: readonly string[];
  readonly #flags: ReadonlyMap<string, string | true>;

  constructor(line: readonly string[], flags: ReadonlyMap<string, string | true>) {
    this.line = line;
    this.#flags = flags;
  }

  has(name: string): boolean {
    return this.#flags.has(name);
  }

  flag(name: FlagName): boolean {
    return this.#flags.get(name) === true;
  }

  text(name: FlagName): string | undefined {
    const value = this.#flags.get(name);
    return value === true ? undefined : value;
  }

  list(name: FlagName): string[] | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : splitWords(text);
  }

  integer(name: FlagName, least: number, most: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UserError(
      'terminal.number',
      `--${name} "${clip(value)}" should be a whole number from ${least} to ${most}.`,
    );
  }
}

/** Reads what follows the name of a command that every door has: its options go into the line that every door reads. */
export function readCommandArguments(command: Command, typed: readonly string[]): Arguments {
  const options = offeredOptions(command)
    // The flag `--words` names the word list: it is the terminal's, not the command's option.
    .flatMap((option) => [option.name, ...(option.alias ?? [])].map((name) => [name, option] as const))
    .filter(([name]) => name !== 'words');
  return readArguments(command.name, flagsOf(command), typed, new Map(options));
}

/**
 * Reads the arguments of a subcommand.
 *
 * @param options of a command, by the names of their flags
 */
export function readArguments(
  name: string,
  taken: readonly string[],
  typed: readonly string[],
  options: ReadonlyMap<string, Option> = new Map(),
): Arguments {
  const line: string[] = [];
  const lists = new Map<string, { readonly at: number; readonly words: string[] }>();
  const flags = new Map<string, string | true>();
  const types = new Map<string, Flag['type']>(
    Array.from(options, ([flag, { kind }]) => [flag, kind === 'flag' ? 'boolean' : 'string']),
  );
  for (const flag of [...COMMON_FLAGS, ...taken]) types.set(flag, flagNamed(flag)!.type);
  for (const token of tokensOf(name, typed, types)) {
    if (token.kind === 'positional') line.push(retype(token.value));
    if (token.kind !== 'option') continue;
    const { name: flag, value = true } = token;
    const option = options.get(flag);
    if (option === undefined) flags.set(flag, flagValue(flag, types.get(flag), value, flags.get(flag)));
    else if (value === true) line.push(option.name);
    else if (option.kind === 'words') {
      // All parts of a list stand where its first part was typed.
      const list = lists.get(option.name) ?? { at: line.length, words: [] };
      list.words.push(value);
      line[list.at] = typeOption(option.name, list.words.join(','));
      lists.set(option.name, list);
    } else line.push(typeOption(option.name, value));
  }
  return new Arguments(line, flags);
}

/** The value of a flag, together with the one that was typed earlier. @throws UserError if the flag may be given only once */
function flagValue(
  flag: string,
  type: Flag['type'] | undefined,
  value: string | true,
  earlier: string | true | undefined,
): string | true {
  if (earlier === undefined) return value;
  if (type === 'string') throw new UserError('terminal.twice', `--${flag} is there twice. Give it once.`);
  return value === true ? value : `${earlier}${type === 'files' ? FILE_SEPARATOR : ','}${value}`;
}

/** The shell removes quotation marks, which the parser of lines needs around values with spaces. */
function retype(word: string): string {
  // Most words need no quotes, and the expression below takes milliseconds to compile.
  if (!/\s/.test(word)) return word;
  const [, name, value] = /^(\p{L}[\p{L}\p{N}_-]*)[:=]([^"].*\s.*)$/su.exec(word) ?? [];
  return name === undefined || value === undefined ? word : typeOption(name, value);
}

/** The arguments in the order in which they were typed. */
function tokensOf(name: string, typed: readonly string[], types: ReadonlyMap<string, Flag['type']>) {
  const options: NonNullable<ParseArgsConfig['options']> = Object.fromEntries(
    Array.from(types, ([flag, type]) => {
      const short = SHORT_FLAGS[flag];
      return [
        flag,
        {
          type: type === 'boolean' ? type : 'string',
          multiple: true,
          // Node refuses an undefined one.
          ...(short !== undefined && { short }),
        },
      ];
    }),
  );
  try {
    const { tokens } = util.parseArgs({ args: [...typed], options, allowPositionals: true, tokens: true });
    return tokens;
  } catch (error) {
    // The first sentence of parseArgs' message says what is wrong, and quotes what was typed.
    const [first = 'Not understood'] = (error as Error).message.split(/\.\s/);
    const [, lacking] = /^Option '(?:-., )?(--[\w-]+)[^']*' argument/.exec(first) ?? [];
    const reason = lacking === undefined ? first : `${lacking} needs a value after it`;
    throw new UserError('terminal.option', `${clip(reason, 100)}. See: ${PROGRAM_CALL} help ${name}`);
  }
}

/**
 * Exit statuses: scripts rely on them. `noSolution`: nothing was found, or a word is not right; `unknown`: the time ran
 * out before anything was found.
 */
export const EXIT = { answered: 0, noSolution: 1, badInput: 2, fault: 3, unknown: 4 } as const;

/** A command of the terminal alone. */
export interface Subcommand {
  readonly usage: string;
  /** The flags it takes beside --json, --words and --help, from `FLAGS`. */
  readonly flags: readonly string[];
  /** Bare words that may follow its name, which shells complete. */
  readonly words?: readonly string[];
  run(typed: Arguments, services: TerminalServices): SubcommandResult | Promise<SubcommandResult>;
}

/** What a subcommand found, for programs and for people. */
export interface SubcommandResult {
  /** The exit status; left out, 0. */
  readonly exit?: number;
  readonly data: unknown;
  readonly lines: Iterable<string>;
}

/** Prints one line of JSON; counts too large for a number become text. */
export function jsonOf(data: unknown): string {
  return JSON.stringify(data, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

/** Renders a message of a door as the content of a file. */
export interface Renderer {
  /** The ending of the file's name. */
  readonly type: string;
  render(reply: Reply): string | Promise<string>;
}

export interface OpenOptions {
  readonly commands: readonly Command[];
  /** `--words`: a word list to use instead of that of the settings. */
  readonly words?: string;
  /** How long a solver may take, in milliseconds. */
  readonly jobTimeout: number;
  /** Called again and again while a search keeps the calling thread busy. */
  readonly onWait: () => void;
  readonly onDone: (done: FinishedCommand) => void;
}

/** The app and its dispatcher, for one command. */
export interface OpenedApp {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Opens the store and loads what the puzzles of days need; a command about a typed board starts sooner without. */
  load(): Promise<void>;
  /** Closes the store if it was opened. */
  close(): Promise<void>;
}

export const SETUP_PLATFORMS = ['discord', 'slack'] as const;
export type SetupPlatform = (typeof SETUP_PLATFORMS)[number];

/** A person at the terminal, who may leave at every question. */
export interface TerminalDialog {
  say(text: string): void;
  /** Text to copy: its lines stay as they are. */
  print(text: string): void;
  ask(question: string): Promise<string>;
  /** What is typed is not shown. */
  askSecret(question: string): Promise<string>;
}

/** What the terminal gets from the program's start (`src/terminal.ts`); each part is made when it is asked for. */
export interface TerminalServices {
  /** Where answers are shown. */
  readonly screen: Screen;
  /** Whether the cursor can be moved on it, which a `dumb` terminal can't. */
  readonly hasCursor: boolean;
  /** Where mistakes, questions and progress are shown: standard error. */
  readonly errorScreen: Screen;
  /** @throws ConfigError */
  settings(): Config;
  lexicon(words: string | undefined): Lexicon;
  open(options: OpenOptions): Promise<OpenedApp>;
  /** The data folder of the bot that runs in this folder. */
  botFolder(): string;
  /** The store of the bot that runs in this folder; it is never made here. */
  openBotStore(): Promise<Store>;
  /** Connects the bot of this folder with platforms, and runs it. @returns its exit status */
  setUp(platforms: readonly SetupPlatform[], talk: TerminalDialog): Promise<number>;
  /** How messages look at every door. */
  renderers(): Promise<Readonly<Record<string, Renderer>>>;
}
