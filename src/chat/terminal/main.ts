/** The command line: `npm run -s letterboxed -- solve ozu nri lfa mbt`. Never loads a chat platform. */
import { clip } from '../../solver/board.ts';
import { LexiconError } from '../../solver/lexicon.ts';
import { Mistake } from '../../solver/mistake.ts';
import { readArguments } from './arguments.ts';
import { check } from './check.ts';
import { generate } from './generate.ts';
import { help } from './help.ts';
import { hint } from './hint.ts';
import { lexicon } from './lexicon.ts';
import { next } from './next.ts';
import { solve } from './solve.ts';
import { type Answer, EXIT, type Subcommand } from './subcommand.ts';
import { words } from './words.ts';

const SUBCOMMANDS: Readonly<Record<string, Subcommand>> = {
  solve,
  hint,
  check,
  next,
  words,
  generate,
  lexicon,
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
  const subcommand = Object.hasOwn(SUBCOMMANDS, name) ? SUBCOMMANDS[name] : undefined;
  try {
    if (isHelp) {
      console.log(help(SUBCOMMANDS, rest[0]));
      return EXIT.answered;
    }
    if (subcommand === undefined) {
      const known = Object.keys(SUBCOMMANDS).join(', ');
      throw new Mistake('terminal.subcommand', `There is no "${clip(name)}" here; there is: ${known}, help.`);
    }
    const options = readArguments(name, subcommand, rest);
    if (options.help) {
      console.log(help(SUBCOMMANDS, name));
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

function linesOf(answer: Answer, json: boolean): Iterable<string> {
  if (!json) return answer.lines();
  return [JSON.stringify(answer.json(), (_, value) => (typeof value === 'bigint' ? String(value) : value))];
}
