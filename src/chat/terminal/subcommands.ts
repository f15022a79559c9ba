import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { UserError } from '../../core/errors.ts';
import { licenceTexts } from '../../core/licences.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import { clip } from '../../core/text.ts';
import { type Command, offeredOptions } from '../../dispatch/contract.ts';
import {
  COMMON_FLAGS,
  flagsOf,
  SETUP_PLATFORMS,
  type Subcommand,
  type TerminalDialog,
  type TerminalServices,
} from './contract.ts';
import { wrap } from './screen.ts';

/** Fewer do not tell all likelihoods of a word list apart. */
const LIKELIHOOD_DIGITS = 6;

export const lexicon: Subcommand = {
  usage: 'lexicon [--dump]',
  flags: ['dump'],
  run(typed, services) {
    const list = services.lexicon(typed.text('words'));
    const tiers = { everyday: 0, wide: 0 };
    let likely = 0;
    for (const { tier, likelihood } of list.entries()) {
      tiers[tier]++;
      likely += likelihood;
    }
    const bytes = list.graph.byteLength + list.likelihoods.byteLength + list.tiers.byteLength;
    const statistics = { words: list.size, ...tiers, expectedAccepted: Math.round(likely), bytes };
    if (!typed.flag('dump'))
      return {
        data: statistics,
        lines: Object.entries(statistics).map(([name, value]) => `${name.padEnd(18)} ${value}`),
      };
    const entries = [...list.entries()];
    const lines = entries.map(
      ({ word, tier, likelihood }) => `${word}\t${tier}\t${likelihood.toFixed(LIKELIHOOD_DIGITS)}`,
    );
    return { data: entries, lines };
  },
};

export const licences: Subcommand = {
  usage: 'licences',
  flags: [],
  run() {
    const texts = [...licenceTexts()];
    return { data: texts, lines: texts.map((text) => `${text}\n`) };
  },
};

const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What can follow the name of a command. */
interface Completed {
  readonly name: string;
  readonly about: string;
  /** Whole words. */
  readonly words: readonly string[];
  /** Beginnings such as `date:`, which are followed by a value. */
  readonly beginnings: readonly string[];
}

/** What completions are made from: all commands, and the terminal's subcommands, which hide commands of the same name. */
export interface CompletedTable {
  commands(): Promise<readonly Command[]>;
  subcommands(): Promise<readonly (Subcommand & { readonly name: string; readonly about: string })[]>;
}

/** A script for a shell, generated from the table of commands, so that it offers what this version has. */
export function completionsOf(table: CompletedTable): Subcommand {
  return {
    usage: `completions ${SHELLS.join('|')}`,
    flags: [],
    words: SHELLS,
    async run({ line: [typed = ''] }) {
      const shell = SHELLS.find((one) => one === typed);
      if (shell === undefined) {
        throw new UserError(
          'terminal.shell',
          `Which shell? ${typed === '' ? '' : `"${clip(typed)}" is none of these. `}Type one of: ${SHELLS.join(', ')}.`,
        );
      }
      const script = SCRIPTS[shell](await completedBy(table));
      return { data: { shell, script }, lines: [script] };
    },
  };
}

async function completedBy(table: CompletedTable): Promise<Completed[]> {
  const subcommands = await table.subcommands();
  const own = new Set(subcommands.map(({ name }) => name));
  const commands = (await table.commands()).filter(({ name }) => !own.has(name));
  const names = [...commands.map(({ name }) => name), ...own];
  return [
    ...commands.map((command) => ofCommand(command, names)),
    ...subcommands.map(({ name, about, flags: taken, words = [] }) => ({
      name,
      about,
      words: [...words, ...flags(taken)],
      beginnings: [],
    })),
  ];
}

function ofCommand(command: Command, names: readonly string[]): Completed {
  const { name, description: about } = command;
  const options = offeredOptions(command);
  const choices = options.flatMap((option) => {
    const values = option.choices ?? [];
    const named = values.map((value) => `${option.name}:${value}`);
    return option.positional ? [...values, ...named] : named;
  });
  const switches = options.filter(({ kind }) => kind === 'flag').map((option) => option.name);
  const valued = options.filter(({ kind, choices: values }) => kind !== 'flag' && values === undefined);
  return {
    name,
    about,
    words: [...(name === 'help' ? names : []), ...choices, ...switches, ...flags(flagsOf(command))],
    beginnings: valued.map((option) => `${option.name}:`),
  };
}

function flags(taken: readonly string[]): string[] {
  return [...COMMON_FLAGS, ...taken].map((name) => `--${name}`);
}

/** Quoted as all of these shells read it: outside of quotation marks, each takes `\'` for an apostrophe. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

const SCRIPTS: Readonly<Record<Shell, (commands: readonly Completed[]) => string>> = {
  bash: (commands) => `# In ~/.bashrc: source <(letterboxed completions bash)
_letterboxed() {
  local line="\${COMP_LINE:0:COMP_POINT}" typed choices one before
  typed="\${line##*[[:space:]]}"
  read -ra before <<< "\${line%"$typed"}"
  case "\${before[1]-}" in
    '') choices=${quoted(commands.map(({ name }) => name).join(' '))} ;;
${commands.map((command) => `    ${command.name}) choices=${quoted(offered(command).join(' '))} ;;`).join('\n')}
    *) choices='' ;;
  esac
  # Bash takes a colon for the end of a word, so what is before it stays on the line.
  local head=''
  [[ "$COMP_WORDBREAKS" == *:* && "$typed" == *:* ]] && head="\${typed%"\${typed##*:}"}"
  COMPREPLY=()
  while read -r one; do
    COMPREPLY+=("\${one#"$head"}")
  done < <(compgen -W "$choices" -- "$typed")
  [[ "\${COMPREPLY[0]-}" == *: ]] && compopt -o nospace 2> /dev/null
  return 0
}
complete -F _letterboxed letterboxed`,

  zsh: (commands) => `#compdef letterboxed
# In ~/.zshrc, after compinit: source <(letterboxed completions zsh)
_letterboxed() {
  local -a commands
  commands=(
${commands.map(({ name, about }) => `    ${quoted(`${name}:${about.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  case $words[2] in
${commands
  .map(
    ({ name, words, beginnings }) =>
      `    ${name}) compadd -- ${words.map(quoted).join(' ')}${
        beginnings.length === 0 ? '' : `; compadd -S '' -- ${beginnings.map(quoted).join(' ')}`
      } ;;`,
  )
  .join('\n')}
  esac
}
compdef _letterboxed letterboxed`,

  fish: (commands) => `# In ~/.config/fish/config.fish: letterboxed completions fish | source
function __letterboxed_is
    set -l words (commandline -opc)
    test "$words[2]" = "$argv[1]"
end
complete -c letterboxed -f
${commands
  .flatMap((command) => {
    const { name, about } = command;
    return [
      `complete -c letterboxed -n '__letterboxed_is ""' -a ${name} -d ${quoted(about)}`,
      `complete -c letterboxed -n '__letterboxed_is ${name}' -a ${quoted(offered(command).join(' '))}`,
    ];
  })
  .join('\n')}`,
};

function offered({ words, beginnings }: Completed): string[] {
  return [...words, ...beginnings];
}

/** The person pressed Ctrl-C, or there is nothing more to read. */
class DialogEnded extends Error {}
const INTERRUPTED_STATUS = 130;

const BOTH = 'both';
const SETUP_ANSWERS = [...SETUP_PLATFORMS, BOTH];

export const setup: Subcommand = {
  usage: `setup [${SETUP_ANSWERS.join('|')}]`,
  flags: [],
  words: SETUP_ANSWERS,
  async run({ line: [typed] }, services) {
    if (!process.stdin.isTTY || !services.screen.isTerminal)
      throw new UserError(
        'terminal.keyboard',
        'The set-up asks questions, and takes no answers from a pipe or a file: run it in a terminal. Without one, write DISCORD_TOKEN, or SLACK_BOT_TOKEN and SLACK_APP_TOKEN, into .env.',
      );
    const exit = await talk(typed, services).catch((error: unknown) => {
      if (!(error instanceof DialogEnded)) throw error;
      console.log(`\nWhat is done is kept. To go on: ${PROGRAM_CALL} setup`);
      return INTERRUPTED_STATUS;
    });
    return { exit, data: { exit }, lines: [] };
  },
};

async function talk(typed: string | undefined, services: TerminalServices): Promise<number> {
  const said: TerminalDialog = {
    say: (text) => console.log(`\n${wrap(text, services.screen)}`),
    print: (text) => console.log(text),
    ask,
    askSecret: (question) => ask(question, { isSecret: true }),
  };
  const answer = typed ?? (await ask('Discord, Slack or both? '));
  const named = answer.toLowerCase();
  const platforms = SETUP_PLATFORMS.filter((one) => named.includes(one) || named.trim() === BOTH);
  if (platforms.length > 0) return services.setUp(platforms, said);
  if (typed === undefined) return talk(typed, services);
  throw new UserError(
    'terminal.setup',
    `"${clip(answer)}" is no platform. Type: ${PROGRAM_CALL} setup ${BOTH}, or discord or slack in its place.`,
  );
}

async function ask(question: string, { isSecret = false } = {}): Promise<string> {
  const nowhere = new Writable({ write: (_, __, done) => done() });
  const output = isSecret ? nowhere : process.stdout;
  // No history is kept: the arrow keys would find a secret in it.
  const reader = createInterface({ input: process.stdin, output, terminal: true, historySize: 0 });
  const left = new AbortController();
  for (const event of ['SIGINT', 'close'] as const) reader.on(event, () => left.abort());
  try {
    if (isSecret) process.stdout.write(question);
    return await reader.question(isSecret ? '' : question, { signal: left.signal });
  } catch {
    throw new DialogEnded();
  } finally {
    reader.close();
    if (isSecret) process.stdout.write('\n');
  }
}
