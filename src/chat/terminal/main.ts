import { ConfigError } from '../../config/read.ts';
import { errorCode, UserError } from '../../core/errors.ts';
import { clip } from '../../core/text.ts';
import { hasRepeats, parseBoard } from '../../solver/board.ts';
import { LexiconError } from '../../solver/lexicon.ts';
import { readArguments, readCommandArguments } from './arguments.ts';
import { findCommand, runCommand } from './command.ts';
import type { CompletedTable } from './completions.ts';
import { wrap } from './screen.ts';
import { EXIT, jsonOf, type Subcommand, type TerminalWorld } from './world.ts';

/** Subcommands that only the terminal has. Each is loaded when it is called. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<Subcommand>>> = {
  backup: async () => (await import('./db.ts')).backup,
  daily: async () => (await import('./daily.ts')).daily,
  db: async () => (await import('./db.ts')).db,
  completions: async () => (await import('./completions.ts')).completionsOf(TABLE),
  lexicon: async () => lexicon,
  setup: async () => (await import('./setup.ts')).setup,
};

const lexicon: Subcommand = {
  usage: 'lexicon [--dump]',
  about: 'What the word list holds',
  flags: ['dump'],
  run(typed, world) {
    const list = world.lexicon(typed.text('words'));
    const tiers = { everyday: 0, wide: 0 };
    let likely = 0;
    for (const { tier, likelihood } of list.entries()) {
      tiers[tier]++;
      likely += likelihood;
    }
    const bytes = list.graph.byteLength + list.likelihoods.byteLength + list.tiers.byteLength;
    const statistics = { words: list.size, ...tiers, expectedAccepted: Math.round(likely), bytes };
    const dump = typed.flag('dump');
    return {
      exit: EXIT.answered,
      json: () => (dump ? [...list.entries()] : statistics),
      *lines() {
        if (dump)
          for (const { word, tier, likelihood } of list.entries())
            yield `${word}\t${tier}\t${likelihood.toFixed(4)}`;
        else for (const [name, value] of Object.entries(statistics)) yield `${name.padEnd(18)} ${value}`;
      },
    };
  },
};

const VERSION = ['--version', '-v', '-V'];

/** What completions are made of. */
const TABLE: CompletedTable = {
  async commands() {
    const { COMMANDS } = await import('../../../commands/index.ts');
    const found = await Promise.all(COMMANDS.map(({ name }) => findCommand(name)));
    return found.filter((one) => one !== undefined);
  },
  subcommands: () =>
    Promise.all(Object.entries(SUBCOMMANDS).map(async ([name, from]) => [name, await from()] as const)),
};

/** @returns the exit status */
export async function runCommandLine(typed: readonly string[], world: TerminalWorld): Promise<number> {
  process.stdout.on('error', endWithItsReader);
  const [first = 'help', ...rest] = typed;
  const isHelp = first === 'help' || first === '--help' || first === '-h';
  try {
    if (isHelp) return await help(rest[0], world);
    if (VERSION.includes(first)) return await version();
    const subcommand = await load(first);
    if (subcommand !== undefined) return await runSubcommand(first, subcommand, rest, world);
    const called = await findCommand(first);
    // As in a chat, a board alone is to be solved.
    const found = called ?? (isBoard(typed) ? await findCommand('solve') : undefined);
    if (found === undefined) throw await unknown(typed, world);
    const options = readCommandArguments(found, called === undefined ? typed : rest);
    return options.help ? await help(first, world) : await runCommand(found, options, world);
  } catch (error) {
    if (!EXPLAINED.some((kind) => error instanceof kind)) throw error;
    console.error(wrap((error as Error).message, world.errorScreen));
    return EXIT.badInput;
  } finally {
    process.stdout.off('error', endWithItsReader);
  }
}

/** Errors that are shown as a sentence; anything else is a fault. */
const EXPLAINED = [UserError, LexiconError, ConfigError];

/** `head` and the like close the pipe once they have read enough. */
function endWithItsReader(error: Error): void {
  if (errorCode(error) === 'EPIPE') process.exit(EXIT.answered);
  throw error;
}

async function runSubcommand(
  name: string,
  subcommand: Subcommand,
  typed: readonly string[],
  world: TerminalWorld,
): Promise<number> {
  const options = readArguments(name, subcommand.flags, typed);
  if (options.help) return help(name, world);
  const answer = await subcommand.run(options, world);
  for (const line of options.json ? [jsonOf(answer.json())] : answer.lines()) console.log(line);
  return answer.exit;
}

async function version(): Promise<number> {
  const { readAbout } = await import('../../core/about.ts');
  console.log(`letterboxed ${readAbout().version}`);
  return EXIT.answered;
}

async function help(name: string | undefined, { screen }: TerminalWorld): Promise<number> {
  const texts = await import('./help.ts');
  const show = (text: string) => console.log(wrap(text, screen));
  if (name === undefined) {
    const own = Object.entries(SUBCOMMANDS).map(async ([one, from]) => [one, (await from()).about] as const);
    const { COMMANDS } = await import('../../../commands/index.ts');
    const commands = COMMANDS.filter(({ name: one }) => !Object.hasOwn(SUBCOMMANDS, one)).map(
      (command) => [command.name, command.description] as const,
    );
    show(texts.help([...commands, ...(await Promise.all(own))], screen));
    return EXIT.answered;
  }
  const subcommand = await load(name);
  const found = subcommand === undefined ? await findCommand(name) : undefined;
  if (subcommand !== undefined) show(texts.helpOnSubcommand(subcommand, screen));
  else if (found !== undefined) show(texts.helpOnCommand(found, screen));
  else throw texts.nothingToHelpWith(name);
  return EXIT.answered;
}

function isBoard(typed: readonly string[]): boolean {
  const flags = typed.findIndex((word) => word.startsWith('-'));
  try {
    return !hasRepeats(parseBoard(typed.slice(0, flags < 0 ? undefined : flags).join(' ')));
  } catch {
    return false;
  }
}

async function load(name: string): Promise<Subcommand | undefined> {
  return Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.() : undefined;
}

async function unknown(typed: readonly string[], world: TerminalWorld): Promise<UserError> {
  const [name = ''] = typed;
  const { COMMANDS } = await import('../../../commands/index.ts');
  const { adviceFor, nearest, noCommandButWords } = await import('../../core/text.ts');
  const known = [...new Set([...COMMANDS.map((command) => command.name), ...Object.keys(SUBCOMMANDS)])];
  if (nearest(name, known) === undefined) {
    const lexicon = world.lexicon(undefined);
    const played = noCommandButWords(typed.join(' '), (word) => lexicon.find(word) !== undefined);
    if (played !== undefined) return played;
  }
  return new UserError('terminal.subcommand', `There is no "${clip(name)}" here. ${adviceFor(name, known)}`);
}
