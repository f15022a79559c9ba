import type { OptionValue } from '../../src/reply/types.ts';
import { clip, parseBoard } from '../../src/solver/board.ts';
import { Mistake } from '../../src/solver/mistake.ts';
import type { Board } from '../../src/solver/types.ts';
import type { Command, Option, Options } from '../types.ts';
import { nearest } from './nearest.ts';
import { unknownOption } from './options.ts';

const LONGEST = 2000;
const INVISIBLE = /\p{Cf}/gu;
const CONTROL = /\p{Cc}/gu;
const CURLY_QUOTES = /[\u201c\u201d\u201e\u201f]/g;
const OWN_NAME = /^\/?letterboxed\b\s*/i;
const TOKEN = /(?:(?<name>[a-z][a-z-]*)\s*[:=]\s*)?(?:"(?<quoted>[^"]*)"?|(?<plain>[^\s"]+))/giu;

export interface TypedLine {
  readonly command: string;
  readonly options: Options;
}

interface Token {
  readonly name?: string;
  readonly text: string;
}

/**
 * Reads a typed command: `name:value` pairs, quotes around values with spaces, flags by their name alone,
 * and bare words for the options that take them. A board alone is a wish to have it solved.
 *
 * @example parseLine('check forum, mozart ozu nri lfa mbt', COMMANDS) // { command: 'check', options: { words: 'forum, mozart', sides: 'ozu nri lfa mbt' } }
 */
export function parseLine(line: string, commands: readonly Command[]): TypedLine {
  if (line.length > LONGEST) {
    throw new Mistake(
      'line.long',
      `That is too long: ${line.length} characters, at most ${LONGEST} are read. Try: help`,
    );
  }
  const text = line
    .replace(INVISIBLE, '')
    .replace(CONTROL, ' ')
    .replace(CURLY_QUOTES, '"')
    .trim()
    .replace(OWN_NAME, '');
  const [typed = ''] = text.split(/\s/, 1);
  if (typed === '') return { command: 'help', options: {} };
  const command = commands.find(({ name }) => name === typed.toLowerCase());
  if (command === undefined) {
    if (isBoardOf(text.split(/\s+/))) return { command: 'solve', options: { sides: text } };
    throw unknownCommand(typed, commands);
  }
  return { command: command.name, options: readTokens(command, tokensOf(text.slice(typed.length))) };
}

export function unknownCommand(typed: string, commands: readonly Command[]): Mistake {
  const meant = nearest(
    typed,
    commands.map(({ name }) => name),
  );
  return new Mistake(
    'command.unknown',
    `There is no command "${clip(typed)}". ${meant === undefined ? '' : `Did you mean "${meant}"? `}"help" lists them all.`,
  );
}

function tokensOf(text: string): Token[] {
  return [...text.matchAll(TOKEN)].map(({ groups }) => ({
    ...(groups?.name !== undefined && { name: groups.name.toLowerCase() }),
    text: groups?.quoted ?? groups?.plain ?? '',
  }));
}

function readTokens(command: Command, tokens: readonly Token[]): Options {
  const options: Record<string, OptionValue> = {};
  const bare: string[] = [];
  let last: Option | undefined;
  for (const { name, text } of tokens) {
    if (name !== undefined) {
      last = command.options.find((option) => option.name === name);
      if (last === undefined) throw unknownOption(command, name);
      if (options[name] !== undefined) throw twice(name);
      options[name] = text;
      continue;
    }
    const named = namedBy(command, text.toLowerCase(), options);
    if (named !== undefined) {
      [options[named.name], last] = [named.value, undefined];
    } else if (last !== undefined && takesMore(last) && !hasBare(command, options)) {
      options[last.name] += ` ${text}`;
    } else bare.push(text);
  }
  return { ...options, ...readBare(command, bare, options) };
}

/** A word that can only mean one thing: a flag's name, or one of an open option's choices. */
function namedBy(command: Command, text: string, options: Options) {
  const isOpen = (option: Option) => options[option.name] === undefined;
  const flag = command.options.find((option) => option.kind === 'flag' && option.name === text);
  if (flag !== undefined && isOpen(flag)) return { name: flag.name, value: true };
  const choice = command.options.find(
    (option) => option.bare && isOpen(option) && option.choices?.includes(text),
  );
  return choice && { name: choice.name, value: text };
}

/** Options that hold several words go on until the next name: `sides:ozu nri lfa mbt`. */
function takesMore({ kind }: Option): boolean {
  return kind === 'words' || kind === 'sides' || kind === 'text' || kind === 'date';
}

function hasBare(command: Command, options: Options): boolean {
  return command.options.some(
    (option) => option.bare && !option.choices && options[option.name] === undefined,
  );
}

/** Bare words fill the open options that take them: the last one takes all that is left. */
function readBare(command: Command, bare: readonly string[], options: Options): Options {
  if (bare.length === 0) return {};
  const open = command.options.filter((option) => option.bare && options[option.name] === undefined);
  const [first, second] = open.filter((option) => takesMore(option));
  if (first?.kind === 'words' && second?.kind === 'sides') {
    const at = whereSidesBegin(bare);
    return {
      [first.name]: bare.slice(0, at).join(' '),
      ...(at < bare.length && { [second.name]: bare.slice(at).join(' ') }),
    };
  }
  const read: Record<string, OptionValue> = {};
  let at = 0;
  for (const option of open) {
    if (at >= bare.length) break;
    read[option.name] = takesMore(option) ? bare.slice(at).join(' ') : bare[at]!;
    at = takesMore(option) ? bare.length : at + 1;
  }
  if (at < bare.length) throw unexpected(command, bare[at]!);
  return read;
}

/** Words, then sides: the sides are a board of even sides at the end that has every letter of the words. */
function whereSidesBegin(bare: readonly string[]): number {
  for (let at = 1; at < bare.length; at++) {
    const board = isBoardOf(bare.slice(at));
    const letters = bare
      .slice(0, at)
      .join('')
      .toLowerCase()
      .replace(/[^a-z]/g, '');
    if (board && [...letters].every((letter) => board.letters.includes(letter))) return at;
  }
  return bare.length;
}

/** A board that nobody types by accident: all its sides are alike in length. */
function isBoardOf(words: readonly string[]): Board | undefined {
  try {
    const board = parseBoard(words.join(' '));
    return board.sides.every((side) => side.length === board.sides[0]!.length) ? board : undefined;
  } catch (error) {
    if (error instanceof Mistake) return undefined;
    throw error;
  }
}

function twice(name: string): Mistake {
  return new Mistake('option.twice', `"${name}" was given twice. Give it once, like: ${name}:…`);
}

function unexpected(command: Command, text: string): Mistake {
  const names = command.options.map(({ name }) => name);
  const meant = nearest(
    text,
    command.options.flatMap(({ name, choices = [] }) => [name, ...choices]),
  );
  const hint =
    meant !== undefined
      ? `Did you mean "${meant}"?`
      : names.length === 0
        ? 'It takes nothing.'
        : `It takes: ${names.map((name) => `${name}:…`).join(' ')}`;
  return new Mistake(
    'line.unexpected',
    `"${command.name}" doesn't know what to do with "${clip(text)}". ${hint}`,
  );
}
