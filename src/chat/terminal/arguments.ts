import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../../core/errors.ts';
import { clip, splitWords } from '../../core/text.ts';
import { type Command, offeredOptions } from '../../dispatch/contract.ts';

/** What is typed before a command. In a clone the program is not on the PATH. */
export const CALL = callOf(import.meta.url, process.env.npm_command);

export function callOf(file: string, npmCommand: string | undefined): string {
  if (!file.includes('/node_modules/')) return 'npm run -s letterboxed --';
  return npmCommand === 'exec' ? 'npx letterboxed-bot' : 'letterboxed';
}

interface Flag {
  /** A list may be given in several parts, anything else once. */
  readonly type: 'boolean' | 'string' | 'list';
  readonly short?: string;
  readonly about: string;
  /** The commands that take it, with the option of theirs that it sets; null where it is the terminal's alone. */
  readonly of?: Readonly<Record<string, string | null>>;
}

const SIDES = { solve: 'sides', hint: 'sides', check: 'sides', next: 'sides', words: 'sides', play: 'sides' };

/**
 * Every flag of the terminal's own. Those without commands are of all of them, or of the subcommands that name them. A
 * command takes a flag for each of its options, too; some of those have a short name and a text here.
 */
export const FLAGS = {
  json: { type: 'boolean', about: 'one line of JSON instead of text' },
  words: { type: 'string', about: 'your own word list, one word a line; +FILE adds it to ours' },
  help: { type: 'boolean', short: 'h', about: 'this text' },
  exclude: { type: 'list', short: 'e', about: 'words not to use, with commas between' },
  require: { type: 'list', short: 'r', about: 'words each solution has to contain' },
  everyday: { type: 'boolean', about: 'only words most people know' },
  'words-exactly': {
    type: 'string',
    short: 'n',
    about: 'only solutions with exactly this many words',
    of: { solve: 'words' },
  },
  'one-each': { type: 'boolean', about: 'one solution for each first word', of: { solve: 'each' } },
  board: { type: 'string', short: 'b', about: 'the sides, such as "ozu nri lfa mbt"', of: SIDES },
  played: { type: 'list', about: 'words already played, in order', of: { solve: null, hint: 'words' } },
  'max-words': { type: 'string', about: 'no solution longer than this many words', of: { solve: null } },
  limit: { type: 'string', about: 'a list of so many (10)', of: { solve: null, next: null, words: null } },
  all: { type: 'boolean', short: 'a', about: 'every one, in one long list', of: { words: null } },
  batch: {
    type: 'boolean',
    about: 'read one board a line from standard input, print one JSON line each',
    of: { solve: null },
  },
  time: {
    type: 'string',
    about: 'give up after this many seconds and say so (10)',
    of: { solve: null, hint: null, check: null, next: null },
  },
  solution: {
    type: 'boolean',
    about: 'with --json: a whole solution as well',
    of: { hint: null, generate: null },
  },
  spoilers: { type: 'string', about: '"hide" keeps solutions and hints hidden, for a shared screen' },
  dump: { type: 'boolean', about: 'every word with its tier and likelihood' },
  at: { type: 'string', about: 'the moment to look at, such as 2026-11-21T08:00 (now)' },
  days: { type: 'string', about: 'how many days to look ahead (1)' },
  'dry-run': { type: 'boolean', about: 'write messages to files instead of posting them' },
  repair: { type: 'boolean', about: 'repair what can be repaired' },
  out: { type: 'string', about: 'the folder for them (dry-run)' },
} as const satisfies Readonly<Record<string, Flag>>;
export type FlagName = keyof typeof FLAGS;

const EVERYWHERE: readonly FlagName[] = ['json', 'words', 'help'];

export function flagNamed(name: string): Flag | undefined {
  return Object.hasOwn(FLAGS, name) ? FLAGS[name as FlagName] : undefined;
}

/** The flags that a command takes beside the flags of all commands. */
export function flagsOf(command: Command): string[] {
  const declared = offeredOptions(command)
    .map(({ name }) => name)
    .filter((name) => name !== 'words');
  const own = Object.keys(FLAGS).filter((name) => flagNamed(name)?.of?.[command.name] !== undefined);
  return [...new Set([...declared, ...own, 'spoilers'])];
}

/** The option that a flag sets, whether it goes by the option's name or by one of the terminal's own. */
export function optionOf({ name, options }: Command, flag: string): string | undefined {
  const set = flagNamed(flag)?.of?.[name] ?? flag;
  // The word list is an option of the terminal, not of the command.
  return flag !== 'words' && options.some((option) => option.name === set) ? set : undefined;
}

/** A typed command: bare words, and flags by name. */
export class Arguments {
  readonly bare: readonly string[];
  readonly #values: Readonly<Record<string, string | boolean | undefined>>;

  constructor(bare: readonly string[], values: Readonly<Record<string, string | boolean | undefined>>) {
    this.bare = bare;
    this.#values = values;
  }

  get json(): boolean {
    return this.flag('json');
  }

  get help(): boolean {
    return this.flag('help');
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** Every flag that was given, by its name. */
  given(): [name: string, value: string | boolean][] {
    return Object.entries(this.#values).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value] as [string, string | boolean]],
    );
  }

  flag(name: FlagName): boolean {
    return this.#values[name] === true;
  }

  text(name: FlagName): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: FlagName): string[] | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : splitWords(text);
  }

  choice<Choice extends string>(name: FlagName, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new UserError(
      'terminal.choice',
      `--${name} "${clip(value)}" should be one of: ${choices.join(', ')}.`,
    );
  }

  whole(name: FlagName, least: number, most: number): number | undefined {
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

/** Reads what follows the name of a command of every door. */
export function readCommandArguments(command: Command, typed: readonly string[]): Arguments {
  const kindOf = (name: string) => command.options.find((option) => option.name === name)?.kind;
  return readArguments(command.name, flagsOf(command), typed, (flag) => {
    const kind = kindOf(flag);
    return kind === 'flag' ? 'boolean' : kind === 'words' ? 'list' : 'string';
  });
}

/** Reads what follows the name of a subcommand; `taken` are the flags it takes beside the flags of all commands. */
export function readArguments(
  name: string,
  taken: readonly string[],
  typed: readonly string[],
  typeOf: (flag: string) => Flag['type'] = () => 'string',
): Arguments {
  const types = new Map(
    [...EVERYWHERE, ...taken].map((flag) => [flag, flagNamed(flag)?.type ?? typeOf(flag)]),
  );
  const options = Object.fromEntries(Array.from(types, ([flag, type]) => [flag, parseable(flag, type)]));
  const { values, positionals } = parse(name, typed, options);
  const given = Object.entries(values).map(([flag, value]) => {
    if (!Array.isArray(value)) return [flag, value] as const;
    if (value.length > 1 && types.get(flag) !== 'list')
      throw new UserError('terminal.twice', `--${flag} is given ${value.length} times; once is enough.`);
    return [flag, value.join(',')] as const;
  });
  return new Arguments(positionals, Object.fromEntries(given));
}

type Parseable = NonNullable<ParseArgsConfig['options']>;

function parse(name: string, typed: readonly string[], options: Parseable) {
  try {
    return parseArgs({ args: [...typed], options, allowPositionals: true, strict: true });
  } catch (error) {
    // The first sentence of parseArgs' message says what is wrong, and quotes what was typed.
    const [first = 'Not understood'] = (error as Error).message.split(/\.\s/);
    const [, lacking] = /^Option '(?:-., )?(--[\w-]+)[^']*' argument/.exec(first) ?? [];
    const reason = lacking === undefined ? first : `${lacking} needs a value after it`;
    throw new UserError('terminal.option', `${clip(reason, 100)}. See: ${CALL} help ${name}`);
  }
}

function parseable(name: string, type: Flag['type']): Parseable[string] {
  const short = flagNamed(name)?.short;
  const named = short === undefined ? {} : { short };
  return type === 'boolean' ? { type, ...named } : { type: 'string', multiple: true, ...named };
}
