import { type ParseArgsConfig, parseArgs } from 'node:util';
import { UserError } from '../../core/errors.ts';
import { clip, splitWords } from '../../core/text.ts';

/** What is typed before a command. In a clone the program is not on the PATH. */
export const CALL = callOf(import.meta.url, process.env.npm_command);

export function callOf(file: string, npmCommand: string | undefined): string {
  if (!file.includes('/node_modules/')) return 'npm run -s letterboxed --';
  return npmCommand === 'exec' ? 'npx letterboxed-bot' : 'letterboxed';
}

/** A list may be given in several parts, anything else once. */
export type FlagKind = 'boolean' | 'string' | 'list';

/** Every option of the command line; a subcommand names those it takes. */
export const OPTIONS = {
  json: { type: 'boolean', about: 'one line of JSON instead of text' },
  words: { type: 'string', about: 'your own word list, one word a line; +FILE adds it to ours' },
  help: { type: 'boolean', short: 'h', about: 'this text' },
  board: { type: 'string', short: 'b', about: 'the sides, such as "ozu nri lfa mbt"' },
  'words-exactly': { type: 'string', short: 'n', about: 'only solutions with exactly this many words' },
  'max-words': { type: 'string', about: 'no solution longer than this many words' },
  exclude: { type: 'list', short: 'e', about: 'words not to use, with commas between' },
  require: { type: 'list', short: 'r', about: 'words each solution has to contain' },
  played: { type: 'list', about: 'words already played, in order' },
  everyday: { type: 'boolean', about: 'only words most people know' },
  all: { type: 'boolean', short: 'a', about: 'every one, in one long list' },
  'one-each': { type: 'boolean', about: 'one solution for each first word' },
  limit: { type: 'string', about: 'a list of so many (10)' },
  time: { type: 'string', about: 'give up after this many seconds and say so (10)' },
  batch: { type: 'boolean', about: 'read one board a line from standard input, print one JSON line each' },
  spoilers: { type: 'string', about: '"hide" keeps solutions and hints hidden, for a shared screen' },
  solution: { type: 'boolean', about: 'with --json: a whole solution as well' },
  dump: { type: 'boolean', about: 'every word with its tier and likelihood' },
  at: { type: 'string', about: 'the moment to look at, such as 2026-11-21T08:00 (now)' },
  days: { type: 'string', about: 'how many days to look ahead (1)' },
  'dry-run': { type: 'boolean', about: 'write messages to files instead of posting them' },
  repair: { type: 'boolean', about: 'repair what can be repaired' },
  out: { type: 'string', about: 'the folder for them (dry-run)' },
} as const satisfies Readonly<Record<string, { type: FlagKind; short?: string; about: string }>>;
export type OptionName = keyof typeof OPTIONS;
const EVERYWHERE: readonly OptionName[] = ['json', 'words', 'help'];

/** A typed command: bare words, and options by name. */
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

  /** The same without one option. */
  without(name: OptionName): Arguments {
    return new Arguments(this.bare, { ...this.#values, [name]: undefined });
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  /** Every option that was given, by its name. */
  given(): [name: string, value: string | boolean][] {
    return Object.entries(this.#values).filter(
      (entry): entry is [string, string | boolean] => entry[1] !== undefined,
    );
  }

  flag(name: OptionName): boolean {
    return this.#values[name] === true;
  }

  text(name: OptionName): string | undefined {
    const value = this.#values[name];
    return typeof value === 'string' ? value : undefined;
  }

  list(name: OptionName): string[] {
    return splitWords(this.text(name) ?? '');
  }

  choice<Choice extends string>(name: OptionName, choices: readonly Choice[]): Choice | undefined {
    const value = this.text(name)?.toLowerCase();
    if (value === undefined) return undefined;
    const found = choices.find((choice) => choice === value);
    if (found !== undefined) return found;
    throw new UserError(
      'terminal.choice',
      `--${name} "${clip(value)}" should be one of: ${choices.join(', ')}.`,
    );
  }

  whole(name: OptionName, least: number, most: number): number | undefined {
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

/** Reads what follows the name of a subcommand; `taken` are the options it takes beside those that all take. */
export function readArguments(
  name: string,
  taken: readonly string[],
  typed: readonly string[],
  kindOf: (option: string) => FlagKind = () => 'string',
): Arguments {
  const kinds = new Map([...EVERYWHERE, ...taken].map((option) => [option, kindNamed(option, kindOf)]));
  const options = Object.fromEntries(
    Array.from(kinds, ([option, kind]) => [option, parseable(option, kind)]),
  );
  const { values, positionals } = parse(name, typed, options);
  const given = Object.entries(values).map(([option, value]) => {
    if (!Array.isArray(value)) return [option, value] as const;
    if (value.length > 1 && kinds.get(option) !== 'list')
      throw new UserError('terminal.twice', `--${option} is given ${value.length} times; once is enough.`);
    return [option, value.join(',')] as const;
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

function kindNamed(name: string, kindOf: (option: string) => FlagKind): FlagKind {
  return Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName].type : kindOf(name);
}

function parseable(name: string, kind: FlagKind): Parseable[string] {
  const option = Object.hasOwn(OPTIONS, name) ? OPTIONS[name as OptionName] : undefined;
  const short = option !== undefined && 'short' in option ? { short: option.short } : {};
  return kind === 'boolean' ? { type: kind, ...short } : { type: 'string', multiple: true, ...short };
}
