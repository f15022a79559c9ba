import { COMMAND_NAMES } from '../../../commands/names.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { type Command, type Option, offeredOptions } from '../../dispatch/contract.ts';
import { COMMON_FLAGS, flagNamed, flagsOf, type Subcommand, shortOf } from './contract.ts';
import { type Screen, styled } from './screen.ts';

/** What help shows: as text, or as data for `--json`. */
export interface Help {
  readonly text: (screen: Screen) => string;
  readonly data: unknown;
}

type About = Readonly<Record<string, { readonly about: string }>>;

/** The commands that help lists, by what they are for. Some are subcommands that only the terminal has. */
export const HELP_GROUPS = {
  'Any board': ['solve', 'hint', 'next', 'check', 'words', 'reveal', 'review', 'play', 'generate'],
  'The day’s board': [
    'today',
    'archive',
    'share',
    'record',
    'stats',
    'leaderboard',
    'hunt',
    'missing',
    'calm',
    'relay',
    'board',
    'thread',
    'set',
  ],
  'This program': ['setup', 'daily', 'db', 'backup', 'lexicon', 'completions', 'privacy', 'about', 'help'],
} as const;

const FIRST_EXAMPLES = ['ozu nri lfa mbt', 'hint', 'check forum,mozart ozu nri lfa mbt'];
const PROGRAM_FLAGS = [...COMMON_FLAGS, 'spoilers', 'version'] as const;
const NAME_COLUMNS = 13;
const OPTION_COLUMNS = 24;

/** All commands, the flags of all of them, and three examples. */
export function helpOnAll(subcommands: About): Help {
  const groups = Object.entries(HELP_GROUPS).map(([group, names]) => ({
    group,
    commands: names.map((name) => ({ name, about: aboutOf(name, subcommands) })),
  }));
  const flags = PROGRAM_FLAGS.map(flagData);
  const usage = `${PROGRAM_CALL} <command> [options]`;
  return {
    data: { usage, groups, flags, examples: FIRST_EXAMPLES },
    text: (screen) =>
      [
        styled('title', usage, screen),
        ...groups.flatMap(({ group, commands }) => [
          '',
          styled('title', group, screen),
          ...commands.map(({ name, about }) => row(name, about, NAME_COLUMNS, screen)),
        ]),
        '',
        styled('title', 'With every command', screen),
        ...flags.map((flag) => flagRow(flag, screen)),
        '',
        ...examplesOf(FIRST_EXAMPLES),
        '',
        `More on one: ${PROGRAM_CALL} help solve`,
      ].join('\n'),
  };
}

function aboutOf(name: string, subcommands: About): string {
  return subcommands[name]?.about ?? COMMAND_NAMES[name as keyof typeof COMMAND_NAMES].description;
}

/** All about one subcommand of the terminal alone. */
export function helpOnSubcommand(about: string, { usage, flags }: Subcommand): Help {
  const shown = ['json', 'words', ...flags].map(flagData);
  return {
    data: { usage: `${PROGRAM_CALL} ${usage}`, about, flags: shown },
    text: (screen) =>
      [
        styled('title', `${PROGRAM_CALL} ${usage}`, screen),
        '',
        `${about}.`,
        '',
        ...shown.map((flag) => flagRow(flag, screen)),
      ].join('\n'),
  };
}

/** All about a command as the terminal has it. */
export function helpOnCommand(command: Command): Help {
  const { name, description, more, examples } = command;
  const options = offeredOptions(command).map(optionData);
  const flags = ['json', 'words', ...flagsOf(command)].map(flagData);
  return {
    data: { name, about: description, more, options, flags, examples },
    text: (screen) =>
      [
        styled('title', `${PROGRAM_CALL} ${name}`, screen),
        '',
        `${description}.`,
        ...(more === undefined ? [] : [more]),
        '',
        ...(options.length === 0
          ? []
          : [howTyped(options), ...options.map((one) => optionRow(one, screen)), '']),
        'In the terminal:',
        ...flags.map((flag) => flagRow(flag, screen)),
        '',
        ...examplesOf(examples),
      ].join('\n'),
  };
}

function examplesOf(examples: readonly string[]): string[] {
  return ['Examples:', ...examples.map((example) => `  ${PROGRAM_CALL} ${example}`)];
}

/** The option `words` can't be typed as `--words`, which is a flag that names a word list. */
function howTyped(options: readonly OptionData[]): string {
  const exception = options.some(({ name }) => name === 'words') ? ' (words: only as words:value)' : '';
  return `Options, typed as name:value or as --name value${exception}:`;
}

const PLACEHOLDERS: Readonly<Partial<Record<Option['kind'], string>>> = {
  integer: 'N',
  words: 'WORDS',
  sides: 'SIDES',
  date: 'DATE',
  text: 'TEXT',
};

function optionData({ name, alias = [], description, kind, choices, min, max }: Option) {
  return { name, short: shortOf(name, ...alias), about: description, kind, choices, min, max };
}
type OptionData = ReturnType<typeof optionData>;

/** More choices than fit beside the name are listed after the description. */
const MAX_CHOICES_WIDTH = 18;

function optionRow(option: OptionData, screen: Screen): string {
  const { name, short, about, kind, choices, min, max } = option;
  const listed = choices?.join('|') ?? '';
  const isShort = choices !== undefined && listed.length <= MAX_CHOICES_WIDTH;
  const value = isShort ? listed : (PLACEHOLDERS[kind] ?? name.toUpperCase());
  const notes = [
    ...(choices !== undefined && !isShort ? [`one of ${choices.join(', ')}`] : []),
    // Nobody reaches the bound of `page`, so it is not shown.
    ...(min !== undefined && max !== undefined && max < 1000 ? [`${min} to ${max}`] : []),
    ...(short === undefined ? [] : [short]),
  ];
  const noted = notes.length === 0 ? about : `${about} (${notes.join('; ')})`;
  return row(kind === 'flag' ? name : `${name}:${value}`, noted, OPTION_COLUMNS, screen);
}

function flagData(name: string) {
  const { about, value } = flagNamed(name)!;
  return { name: `--${name}`, short: shortOf(name), value, about };
}

function flagRow({ name, short, value, about }: ReturnType<typeof flagData>, screen: Screen): string {
  const typed = `${short === undefined ? '    ' : `${short}, `}${name}${value === undefined ? '' : ` ${value}`}`;
  return row(typed, about, OPTION_COLUMNS, screen);
}

function row(name: string, about: string, columns: number, screen: Screen): string {
  return `  ${styled('command', name, screen)}${' '.repeat(Math.max(2, columns - name.length))}${about}`;
}
