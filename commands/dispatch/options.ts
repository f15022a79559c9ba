import type { OptionValue } from '../../src/reply/types.ts';
import { clip } from '../../src/solver/board.ts';
import { Mistake } from '../../src/solver/mistake.ts';
import type { Command, Option, OptionKind, Options } from '../types.ts';
import { nearest } from './nearest.ts';

/** Longest text of each kind, in characters; doors that type their options declare it. */
export const LONGEST: Readonly<Record<OptionKind, number>> = {
  text: 300,
  words: 600,
  sides: 100,
  date: 40,
  whole: 12,
  flag: 12,
  choice: 40,
};

const YES = ['yes', 'y', 'true', 'on', '1'];
const NO = ['no', 'n', 'false', 'off', '0'];

/**
 * Options as they come from a platform, a typed line or a button, checked against the declaration: texts
 * trimmed, numbers in range, choices among those there are. Throws a Mistake that names the option.
 */
export function readOptions(command: Command, given: Options): Options {
  const read: Record<string, OptionValue> = {};
  for (const [name, value] of Object.entries(given)) {
    const option = command.options.find((option) => option.name === name);
    if (option === undefined) throw unknownOption(command, name);
    const checked = readOption(option, value);
    if (checked !== undefined) read[name] = checked;
  }
  return read;
}

export function unknownOption(command: Command, name: string): Mistake {
  const names = command.options.map((option) => option.name);
  const meant = nearest(name, names);
  const known = names.length === 0 ? 'It takes none.' : `It takes: ${names.join(', ')}.`;
  return new Mistake(
    'option.unknown',
    `"${command.name}" has no option "${clip(name)}". ${meant === undefined ? known : `Did you mean "${meant}"?`}`,
  );
}

function readOption(option: Option, value: OptionValue): OptionValue | undefined {
  const text = String(value).trim();
  if (text.length > LONGEST[option.kind]) {
    throw new Mistake(
      'option.long',
      `"${option.name}" is too long: ${text.length} characters, at most ${LONGEST[option.kind]} are read.${example(option)}`,
    );
  }
  if (text === '') return undefined;
  switch (option.kind) {
    case 'flag':
      return readFlag(option, text.toLowerCase());
    case 'whole':
      return readWhole(option, text);
    case 'choice':
      return readChoice(option, text.toLowerCase());
    default:
      return text;
  }
}

function readFlag(option: Option, text: string): boolean {
  if (YES.includes(text)) return true;
  if (NO.includes(text)) return false;
  throw new Mistake('option.flag', `"${option.name}" should be yes or no, not "${clip(text)}".`);
}

function readWhole(option: Option, text: string): number {
  const { min = 0, max = 1_000_000 } = option;
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new Mistake(
    'option.number',
    `"${option.name}" should be a whole number from ${min} to ${max}, not "${clip(text)}".`,
  );
}

function readChoice(option: Option, text: string): string {
  const { choices = [] } = option;
  if (choices.includes(text)) return text;
  const meant = nearest(text, choices);
  throw new Mistake(
    'option.choice',
    `"${option.name}" can't be "${clip(text)}". ${meant === undefined ? '' : `Did you mean "${meant}"? `}It can be: ${choices.join(', ')}.`,
  );
}

function example(option: Option): string {
  return option.example === undefined ? '' : ` For example: ${option.name}:${option.example}`;
}
