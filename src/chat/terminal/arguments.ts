import { parseArgs } from 'node:util';
import { clip } from '../../solver/board.ts';
import { Mistake } from '../../solver/mistake.ts';
import type { Subcommand } from './subcommand.ts';

/** Every option of the command line; a subcommand names those it takes. */
export const OPTIONS = {
  json: { type: 'boolean', about: 'one line of JSON instead of text' },
  words: { type: 'string', about: 'your own word list, one word a line; +FILE adds it to ours' },
  help: { type: 'boolean', short: 'h', about: 'this text' },
  board: { type: 'string', short: 'b', about: 'the sides, such as "ozu nri lfa mbt"' },
  'words-exactly': { type: 'string', short: 'n', about: 'only solutions with exactly this many words' },
  'max-words': { type: 'string', about: 'no solution longer than this many words' },
  exclude: { type: 'string', short: 'e', about: 'words not to use, with commas between' },
  require: { type: 'string', short: 'r', about: 'words each solution has to contain' },
  played: { type: 'string', about: 'words already played, in order' },
  everyday: { type: 'boolean', about: 'only words most people know' },
  all: { type: 'boolean', short: 'a', about: 'every solution, not only the best' },
  'one-each': { type: 'boolean', about: 'one solution for each first word' },
  limit: { type: 'string', about: 'how many solutions or words to show (10)' },
  time: { type: 'string', about: 'give up after this many seconds and say so (10)' },
  batch: { type: 'boolean', about: 'read one board a line from standard input, print one JSON line each' },
  step: { type: 'string', about: 'one step of the ladder instead of all' },
  reveal: { type: 'boolean', about: 'the full solution too' },
  starts: { type: 'string', about: 'words that begin with this' },
  ends: { type: 'string', about: 'words that end with this' },
  uses: { type: 'string', about: 'words that use all these letters' },
  sort: { type: 'string', about: 'likely (default), length or coverage' },
  seed: { type: 'string', about: 'any text; the same one gives the same board' },
  difficulty: { type: 'string', about: 'easy, medium or hard' },
  sides: { type: 'string', about: 'number of sides, 3 to 8' },
  letters: { type: 'string', about: 'letters a side, 1 to 6' },
  dump: { type: 'boolean', about: 'every word with its tier and likelihood' },
} as const;
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
    throw new Mistake(
      'terminal.choice',
      `--${name} "${clip(value)}" should be one of: ${choices.join(', ')}.`,
    );
  }

  whole(name: OptionName, least: number, most: number): number | undefined {
    const value = this.text(name);
    if (value === undefined) return undefined;
    const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new Mistake(
      'terminal.number',
      `--${name} "${clip(value)}" should be a whole number from ${least} to ${most}.`,
    );
  }
}

/** Words as typed: commas, spaces or dashes between them, any case. */
export function splitWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s,;>\u2013\u2014-]+/)
    .filter((word) => word !== '');
}

export function readArguments(name: string, subcommand: Subcommand, typed: readonly string[]): Arguments {
  const taken = [...EVERYWHERE, ...subcommand.options] as OptionName[];
  const options = Object.fromEntries(taken.map((option) => [option, parseable(option)]));
  try {
    const { values, positionals } = parseArgs({
      args: [...typed],
      options,
      allowPositionals: true,
      strict: true,
    });
    return new Arguments(positionals, values as Record<string, string | boolean | undefined>);
  } catch (error) {
    // parseArgs says what is wrong in its first sentence, and quotes what was typed.
    const [reason = 'Not understood'] = (error as Error).message.split('. ');
    throw new Mistake('terminal.option', `${clip(reason, 100)}. See: npm run -s letterboxed -- help ${name}`);
  }
}

function parseable(name: OptionName): { type: 'boolean' | 'string'; short?: string } {
  const option = OPTIONS[name];
  return { type: option.type, ...('short' in option && { short: option.short }) };
}
