/** The command line: `npm run -s letterboxed -- solve ozu nri lfa mbt`. Never loads a chat platform. */
import { clip } from '../../solver/board.ts';
import { LexiconError } from '../../solver/lexicon.ts';
import { Mistake } from '../../solver/mistake.ts';
import { readArguments } from './arguments.ts';
import { help, helpOn } from './help.ts';
import { type Answer, EXIT, type Subcommand } from './subcommand.ts';

/** The table of contents. Only the one that is asked for is loaded: a start should take no time. */
const SUBCOMMANDS: Readonly<Record<string, () => Promise<Subcommand>>> = {
  solve: async () => (await import('./solve.ts')).solve,
  hint: async () => (await import('./hint.ts')).hint,
  check: async () => (await import('./check.ts')).check,
  next: async () => (await import('./next.ts')).next,
  words: async () => (await import('./words.ts')).words,
  generate: async () => (await import('./generate.ts')).generate,
  lexicon: async () => (await import('./lexicon.ts')).lexicon,
};

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader had enough, as `head` does.
  if (error.code === 'EPIPE') process.exit(EXIT.answered);
  throw error;
});
process.exitCode = await run(process.argv.slice(2));

async function run(typed: readonly string[]): Promise<number> {
  const [name = 'help', ...rest] = typed;
  const isHelp = name === 'help' || name === '--help' || name === '-h';
  const subcommand = await load(name);
  try {
    if (isHelp) {
      console.log(rest[0] === undefined ? await contents() : helpOn(rest[0], await load(rest[0])));
      return EXIT.answered;
    }
    if (subcommand === undefined) {
      const known = Object.keys(SUBCOMMANDS).join(', ');
      throw new Mistake('terminal.subcommand', `There is no "${clip(name)}" here; there is: ${known}, help.`);
    }
    const options = readArguments(name, subcommand, rest);
    if (options.help) {
      console.log(helpOn(name, subcommand));
      return EXIT.answered;
    }
    const answer = await subcommand.run(options);
    for await (const line of linesOf(answer, options.json)) console.log(line);
    return answer.exit;
  } catch (error) {
    if (!(error instanceof Mistake || error instanceof LexiconError)) throw error;
    console.error(error.message);
    return EXIT.badInput;
  }
}

async function load(name: string): Promise<Subcommand | undefined> {
  return Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name]?.() : undefined;
}

async function contents(): Promise<string> {
  const loaded = Object.entries(SUBCOMMANDS).map(async ([name, from]) => [name, await from()] as const);
  return help(await Promise.all(loaded));
}

function linesOf(answer: Answer, json: boolean): Iterable<string> {
  if (!json) return answer.lines();
  return [JSON.stringify(answer.json(), (_, value) => (typeof value === 'bigint' ? String(value) : value))];
}
