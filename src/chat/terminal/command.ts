import { UserError } from '../../core/errors.ts';
import {
  type Asker,
  type Command,
  type CommandOutcome,
  type Dispatcher,
  isCalled,
  offeredOptions,
  type Prepared,
  type Request,
} from '../../dispatch/contract.ts';
import { typeOption } from '../../reply/model/action.ts';
import type { Reply } from '../../reply/model/types.ts';
import { type Arguments, CALL, type OptionName, readArguments } from './arguments.ts';
import { fillForm, withKeyboard } from './ask.ts';
import { EXTRAS, type Extra, NOTHING_EXTRA } from './extras.ts';
import { Progress } from './progress.ts';
import { type Answer, type DataAnswer, EXIT, exitOf, jsonOf } from './subcommand.ts';
import { mistakeText, replyText } from './text.ts';
import type { TerminalWorld } from './world.ts';

/** A command as the terminal has it. */
export interface TerminalCommand {
  readonly command: Command;
  readonly extra: Omit<Extra, 'command'>;
}

/** The command of a name: alone where that is possible, so that the others need not be loaded. */
export async function findCommand(name: string): Promise<TerminalCommand | undefined> {
  const extra = Object.hasOwn(EXTRAS, name) ? EXTRAS[name] : undefined;
  if (extra !== undefined) return { command: await extra.command(), extra };
  const { COMMANDS } = await import('../../../commands/index.ts');
  const command = COMMANDS.find((one) => isCalled(one, name));
  return command && { command, extra: NOTHING_EXTRA };
}

/** The flags a command takes beside those that all take. */
export function flagsOf({ command, extra }: TerminalCommand): string[] {
  const own = offeredOptions(command)
    .map(({ name }) => name)
    .filter((name) => name !== 'words');
  return [...new Set([...own, ...Object.keys(extra.flags), ...extra.own, 'spoilers'])];
}

export function readFlags(found: TerminalCommand, typed: readonly string[]): Arguments {
  const { options, name } = found.command;
  return readArguments(name, flagsOf(found), typed, (option) => {
    const kind = options.find((one) => one.name === option)?.kind;
    return kind === 'flag' ? 'boolean' : kind === 'words' ? 'list' : 'string';
  });
}

/** Commands about a board that may be typed with them, and commands that need no board. */
const BOARD_ONLY = ['solve', 'check', 'next', 'words'];
const NOTHING_KEPT = ['generate', 'help', 'about'];
const SECONDS = 10;
const SPOILERS = ['show', 'hide'] as const;

/** Runs a command as every door does, or computes its answer as data; prints, and returns the exit status. */
export async function runCommand(
  found: TerminalCommand,
  typed: Arguments,
  world: TerminalWorld,
): Promise<number> {
  const run = await openRun(found, typed, world);
  try {
    const prepared = await run.fillIn(run.dispatcher.prepareLine(lineOf(found, typed), run.asker));
    if (prepared.kind === 'refusal') return run.show(prepared.reply);
    const { request } = prepared;
    const needsStore = needsStoreFor(run.command, request, typed);
    if (needsStore) await run.loadPuzzles();
    const { session, data, listing } = found.extra;
    if (session?.isAsked(request.options) && !typed.json) {
      const { app, dispatcher } = run;
      return await (await session.open())(request, {
        app,
        dispatcher,
        screen: world.screen,
        ...keyboardOf(world),
      });
    }
    const isList = listing.some((name) => typed.has(name) || request.options[name] === true);
    if (data !== undefined && (typed.json || isList)) {
      const answer = await (await data())(request, run.app, typed, run.progress);
      run.progress.clear();
      return 'reply' in answer ? run.show(answer.reply) : print(answer, typed);
    }
    // Seen hints count for results, and there are no results for typed boards.
    const answer = needsStore
      ? prepared
      : await run.fillIn(run.dispatcher.prepare({ ...request, recordsHints: false }));
    return run.show(answer.kind === 'refusal' ? answer.reply : await answer.run());
  } finally {
    await run.close();
  }
}

/** The program opened for one command, and how its reply is shown. */
async function openRun(found: TerminalCommand, typed: Arguments, world: TerminalWorld) {
  // Each line of a batch has its own board, so no option is required.
  const command = typed.flag('batch') ? withoutRequired(found.command) : found.command;
  const words = typed.text('words');
  const isHiding = typed.choice('spoilers', SPOILERS) === 'hide';
  const seconds = typed.whole('time', 1, 3600) ?? SECONDS;
  const progress = new Progress(world.errorScreen);
  let outcome: CommandOutcome = 'answered';
  const opened = await world.open({
    commands: [command, ...((await found.extra.session?.uses()) ?? [])],
    patience: 1000 * seconds,
    onWait: () => progress.show((passed) => `Searching: ${passed} s of at most ${seconds} s`),
    ...(words !== undefined && { words }),
    onDone: (done) => {
      outcome = done.outcome;
    },
  });
  // A hint that stays hidden is not seen: the next call shows that one.
  const asker: Asker = { ...ASKER, recordsHints: typed.json || !isHiding };
  return {
    ...opened,
    command,
    asker,
    progress,
    fillIn: (prepared: Prepared) => fillIn(opened.dispatcher, prepared, asker, command),
    show(reply: Reply): number {
      progress.clear();
      if (outcome !== 'answered') {
        console.error(mistakeText(reply, world.errorScreen));
        return outcome === 'fault' ? EXIT.fault : EXIT.badInput;
      }
      console.log(
        typed.json ? JSON.stringify(reply) : replyText(reply, { reveal: !isHiding, screen: world.screen }),
      );
      return exitOf(reply);
    },
  };
}

/** A typed board is answered without the puzzles and people that are stored. */
function needsStoreFor({ name }: Command, { options }: Request, typed: Arguments): boolean {
  const isTypedBoard = BOARD_ONLY.includes(name) && (options.sides !== undefined || typed.flag('batch'));
  return !isTypedBoard && !NOTHING_KEPT.includes(name);
}

function keyboardOf({ screen, hasCursor }: TerminalWorld) {
  if (screen.isTerminal && process.stdin.isTTY && hasCursor) {
    return { input: process.stdin, output: process.stdout };
  }
  throw new UserError(
    'terminal.keyboard',
    `To play the board, run this in a terminal. Here you can enter a solution, like: ${CALL} play forum,mozart`,
  );
}

/** The person at the terminal runs this installation. */
const ASKER: Asker = {
  door: 'terminal',
  who: { id: 'terminal', mayManage: true },
  where: { tenant: 'terminal:local', channel: 'terminal', direct: true },
};

/** Asks for missing options until there are none. */
async function fillIn(
  dispatcher: Dispatcher,
  prepared: Prepared,
  asker: Asker,
  command: Command,
): Promise<Exclude<Prepared, { kind: 'form' }>> {
  if (prepared.kind !== 'form') return prepared;
  const { form } = prepared;
  const filled = await withKeyboard((ask) => fillForm(form, command, ask));
  const { command: name, options } = form.action;
  const again = dispatcher.prepare({ ...asker, command: name, options: { ...options, ...filled } });
  return fillIn(dispatcher, again, asker, command);
}

function withoutRequired(command: Command): Command {
  return { ...command, options: command.options.map((option) => ({ ...option, required: false })) };
}

/** The command with its options as one line, whether they were typed as name:value, as a flag or bare. */
function lineOf({ command, extra }: TerminalCommand, typed: Arguments): string {
  const flags = typed
    .given()
    // The word list is an option of the terminal, not of the command.
    .filter(([flag]) => flag !== 'words')
    .map(([flag, value]) => [extra.flags[flag as OptionName] ?? flag, value] as const)
    .filter(([name]) => command.options.some((option) => option.name === name));
  const named = flags.map(([name, value]) => (value === true ? name : typeOption(name, String(value))));
  return [command.name, ...typed.bare.map(retype), ...named].join(' ');
}

/** The shell removes quotation marks, which the parser of lines needs around values with spaces. */
function retype(word: string): string {
  // Most words need no quotes, and the expression below takes milliseconds to compile.
  if (!/\s/.test(word)) return word;
  const [, name, value] = /^(\p{L}[\p{L}\p{N}_-]*)[:=]([^"].*\s.*)$/su.exec(word) ?? [];
  return name === undefined || value === undefined ? word : typeOption(name, value);
}

function print(answer: Answer | DataAnswer, typed: Arguments): number {
  // Of a batch, each answer was printed as it came.
  const isPlain = 'lines' in answer && (!typed.json || typed.flag('batch'));
  if (!isPlain) console.log(jsonOf(answer.json()));
  else for (const line of answer.lines()) console.log(line);
  return answer.exit;
}
