import type { App, Command, Options, Outcome, Request } from '../../dispatch/contract.ts';
import { makeDispatcher } from '../../dispatch/dispatcher.ts';
import { formFor } from '../../dispatch/form.ts';
import { readLine } from '../../dispatch/parse/line.ts';
import { missingOptions, readOptions } from '../../dispatch/parse/options.ts';
import { typeOption } from '../../reply/model/action.ts';
import type { Form, Reply } from '../../reply/model/types.ts';
import { openApp } from './app.ts';
import { type Arguments, type OptionName, readArguments } from './arguments.ts';
import { fillForm, withKeyboard } from './ask.ts';
import { EXTRAS, type Extra, NOTHING_EXTRA } from './extras.ts';
import { type Answer, type DataAnswer, EXIT, exitOf, jsonOf } from './subcommand.ts';
import { mistakeText, replyText } from './text.ts';

/** A command as the terminal has it. */
export interface TerminalCommand {
  readonly command: Command;
  readonly extra: Omit<Extra, 'command' | 'data'>;
  readonly data?: Extra['data'];
}

/** The command of a name: alone where that is possible, for a start should take no time. */
export async function findCommand(name: string): Promise<TerminalCommand | undefined> {
  const extra = Object.hasOwn(EXTRAS, name) ? EXTRAS[name] : undefined;
  if (extra !== undefined) return { command: await extra.command(), extra, data: extra.data };
  const { COMMANDS } = await import('../../../commands/index.ts');
  const command = COMMANDS.find((one) => one.name === name);
  return command && { command, extra: NOTHING_EXTRA };
}

/** The flags a command takes beside those that all take. */
export function flagsOf({ command, extra }: TerminalCommand): string[] {
  const own = command.options.map(({ name }) => name).filter((name) => name !== 'words');
  return [...new Set([...own, ...Object.keys(extra.flags), ...extra.own, 'reveal'])];
}

export function readFlags(found: TerminalCommand, typed: readonly string[]): Arguments {
  const { options, name } = found.command;
  return readArguments(name, flagsOf(found), typed, (option) => {
    const kind = options.find((one) => one.name === option)?.kind;
    return kind === 'flag' ? 'boolean' : kind === 'words' ? 'list' : 'string';
  });
}

/** Runs a command as every door does, or works out its answer as data; prints, and returns the exit status. */
export async function runCommand(found: TerminalCommand, typed: Arguments): Promise<number> {
  const { command, extra, data } = found;
  let options = readOptions(command, optionsFrom(found, typed));
  const { app, close } = await openApp(found.command.name, options, typed);
  const asker = { door: 'terminal', who: WHO, where: WHERE } as const;
  const requestFor = (all: Options): Request => ({ ...asker, command: command.name, options: all });
  const isList = extra.listing.some((name) => typed.has(name) || options[name] === true);
  try {
    if (data !== undefined && (typed.json || isList)) {
      if (!typed.flag('batch')) options = { ...options, ...(await ask(command, options)) };
      return print(await (await data())(requestFor(options), app, typed), typed);
    }
    const { reply, outcome } = await converse(command, requestFor(options), app);
    if (outcome !== 'answered') {
      console.error(mistakeText(reply));
      return outcome === 'fault' ? EXIT.fault : EXIT.badInput;
    }
    console.log(typed.json ? JSON.stringify(reply) : replyText(reply, typed.flag('reveal')));
    return exitOf(reply.notFound);
  } finally {
    await close();
  }
}

/** Whoever sits at the terminal runs this installation. */
const WHO = { id: 'terminal', mayManage: true };
const WHERE = { tenant: 'terminal:local', channel: 'terminal', direct: true };

interface Conversation {
  readonly reply: Reply;
  readonly outcome: Outcome;
}

async function converse(command: Command, request: Request, app: App): Promise<Conversation> {
  let outcome: Outcome = 'answered';
  const { COMMANDS } =
    command.name === 'help' ? await import('../../../commands/index.ts') : { COMMANDS: [command] };
  const dispatcher = makeDispatcher(app, {
    commands: COMMANDS,
    onDone: (done) => {
      outcome = done.outcome;
    },
  });
  let asked = request;
  let dispatch = dispatcher.dispatch(asked);
  while (dispatch.kind === 'form') {
    asked = { ...asked, options: { ...asked.options, ...(await fill(dispatch.form, command)) } };
    dispatch = dispatcher.dispatch(asked);
  }
  return { reply: await dispatch.reply, outcome };
}

async function ask(command: Command, options: Options): Promise<Options> {
  const missing = missingOptions(command, options);
  return missing.length === 0 ? {} : fill(formFor(command, missing, options), command);
}

function fill(form: Form, command: Command): Promise<Options> {
  return withKeyboard((ask) => fillForm(form, command, ask));
}

/** The options of the command, whether typed as name:value, as a flag or bare. */
function optionsFrom({ command, extra }: TerminalCommand, typed: Arguments): Options {
  const flags = typed
    .given()
    // The word list to use is the terminal's business, not the command's.
    .filter(([flag]) => flag !== 'words')
    .map(([flag, value]) => [extra.flags[flag as OptionName] ?? flag, value] as const)
    .filter(([name]) => command.options.some((option) => option.name === name));
  const named = flags.map(([name, value]) => (value === true ? name : typeOption(name, String(value))));
  return readLine([command.name, ...typed.bare.map(retype), ...named].join(' '), [command]).options();
}

/** The shell took the quotation marks off. */
function retype(word: string): string {
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
