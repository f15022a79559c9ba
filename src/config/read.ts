import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { errorCode } from '../core/errors.ts';
import { clip, nearest } from '../core/text.ts';
import { CHAPTERS, SETTINGS, type Setting, type SettingName, type Values } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that somebody has to correct before anything can start; one line each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** The environment, completed by a file such as `.env`, if it exists. The environment takes precedence. */
export function readEnvironment(environment: Environment, file: string): Environment {
  const filled = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined));
  if (!existsSync(file)) return filled;
  // Loaded only where there is such a file: it takes as long as reading all settings.
  const dotenv: typeof import('dotenv') = createRequire(import.meta.url)('dotenv');
  return { ...dotenv.parse(plainText(file)), ...filled };
}

function plainText(file: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(file);
  } catch (error) {
    throw new ConfigError([`${file} is there but can't be read (${errorCode(error)}).`]);
  }
  // Windows' shell writes UTF-16, in which no setting would be found.
  if (bytes.includes(0)) throw new ConfigError([`${file} is not plain text: save it as UTF-8.`]);
  return bytes;
}

/** Something wrong with one setting, in a sentence that names it, what was expected, and where it is explained. */
export interface Problem {
  readonly name: SettingName;
  readonly message: string;
}

/** Reads every declared setting. An empty one counts as not set, as `NAME=` in a file of settings means. */
export function readValues(environment: Environment): { values: Values; problems: readonly Problem[] } {
  const values: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const setting of SETTINGS) {
    const given = environment[setting.name]?.trim() || setting.default;
    if (given === undefined) continue;
    const value = setting.kind.read(given);
    if (value === undefined) problems.push({ name: setting.name, message: malformed(setting, given) });
    else values[setting.name] = value;
  }
  return { values: values as Values, problems };
}

export function missing(name: SettingName): string {
  const { kind } = SETTINGS.find((setting) => setting.name === name)!;
  return `${name} is missing: expected ${kind.expected} (${whereIs(name)})`;
}

/** Names in the environment that look like misspelled settings of ours; all others are left alone. */
export function likelyTypos(environment: Environment): string[] {
  const names = SETTINGS.map(({ name }) => name);
  const known = new Set<string>(names);
  // `nearest` compares small letters.
  const small = names.map((name) => name.toLowerCase());
  return Object.keys(environment)
    .filter((name) => name.length > 7 && !known.has(name)) // Short names resemble too many others.
    .flatMap((name) => {
      const meant = nearest(name, small)?.toUpperCase();
      if (meant === undefined) return [];
      return [`${clip(name)} is not a setting of this program; ${meant} is (${whereIs(meant)})`];
    });
}

/** Where tests put their fakes. Operators need none of these. */
export const OVERRIDES = ['DISCORD_API_URL', 'SLACK_API_URL', 'NEWSPAPER_URL'] as const;

export function overrideOf(environment: Environment, name: (typeof OVERRIDES)[number]): string | undefined {
  return environment[name]?.trim() || undefined;
}

function malformed(setting: Setting, given: string): string {
  const shown = setting.secret ? 'what is set is something else' : `not "${clip(given)}"`;
  return `${setting.name}: expected ${setting.kind.expected}, ${shown} (${whereIs(setting.name)})`;
}

export function whereIs(name: string): string {
  return `see ${EXAMPLE_FILE}, line ${exampleLine(name)}`;
}

const EXAMPLE_FILE = '.env.example';
const EXAMPLE_HEADER = [
  '# Settings of the Letter Boxed bot. Copy this file to .env, which git ignores, and fill in what you need:',
  '# what is left empty counts as not set, and nothing at all gives the local chat. The environment itself',
  '# goes before .env. This file is made from the settings in src/config, by npm run env-example.',
];

export function makeExample(): string {
  const lines = [...EXAMPLE_HEADER];
  for (const { title, settings } of CHAPTERS) {
    lines.push('', `# ${title}`, `# ${'-'.repeat(title.length)}`);
    for (const setting of settings)
      lines.push('', ...wrap(setting.about), ...shownFor(setting), `${setting.name}=`);
  }
  return `${lines.join('\n')}\n`;
}

/** The line of a setting in `.env.example`, counted from 1. */
export function exampleLine(name: string): number {
  return makeExample().split('\n').indexOf(`${name}=`) + 1;
}

/** The lines about a setting's values: its choices and its default, or an example. */
function shownFor(setting: Setting): string[] {
  const { example, kind } = setting;
  if (setting.default !== undefined) return [...choicesOf(kind), `# Default: ${setting.default}`];
  return example === undefined ? choicesOf(kind) : [`# Such as: ${example}`];
}

function choicesOf({ choices }: Setting['kind']): string[] {
  return choices === undefined ? [] : [`# One of: ${choices.join(', ')}`];
}

/** In lines of at most 100 characters, unless a single word is longer. */
function wrap(about: string): string[] {
  return Array.from(about.matchAll(/(.{1,98}|\S+)(?: |$)/g), ([, line]) => `# ${line}`);
}
