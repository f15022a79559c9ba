import { randomUUID } from 'node:crypto';
import type { OptionValue, Reply } from '../src/reply/types.ts';
import { clip, parseBoard } from '../src/solver/board.ts';
import { Mistake } from '../src/solver/mistake.ts';
import { packAction, unpackAction } from './actions.ts';
import { placeBare } from './bare.ts';
import { completions } from './complete.ts';
import { faultReply, mistakeReply, notAllowedReply, refusedReply } from './faults.ts';
import { formFor } from './form.ts';
import { splitLine } from './line.ts';
import { nearest } from './nearest.ts';
import { missingOptions, readOptions } from './options.ts';
import { Rate } from './rate.ts';
import type { App, Command, Dispatch, Dispatcher, DoorName, Options, Request } from './types.ts';

/** `form`: something was missing and is asked for; `refused`: not theirs to use; `limited`: too much at once. */
export const OUTCOMES = ['answered', 'form', 'mistake', 'refused', 'limited', 'fault'] as const;
export type Outcome = (typeof OUTCOMES)[number];

/** One command, over and done with, for metrics. */
export interface Done {
  readonly door: DoorName;
  /** `unknown` for what is no command of ours, so that nobody can make up metrics. */
  readonly command: string;
  readonly outcome: Outcome;
  readonly milliseconds: number;
}

export interface DispatcherOptions {
  readonly commands: readonly Command[];
  readonly onDone?: (done: Done) => void;
  /** A clock for durations, in milliseconds. */
  readonly timer?: () => number;
  /** What a person is told and the log repeats when something breaks. */
  readonly reference?: () => string;
}

type Asker = Omit<Request, 'command' | 'options'>;
/** What was asked for, or how it could not be understood. */
type Asked =
  | { readonly command: string; readonly options: Options }
  | { readonly mistake: Mistake; readonly command?: string };

/**
 * The one way from a request to its answer, for every door: rate, permission, options, form, handler. It
 * never throws; what goes wrong is an answer too.
 *
 * @example makeDispatcher(app, { commands: COMMANDS }).dispatchLine('hint step:lengths', asker)
 */
export function makeDispatcher(app: App, options: DispatcherOptions): Dispatcher {
  const {
    commands,
    onDone,
    timer = () => performance.now(),
    reference = () => randomUUID().slice(0, 8),
  } = options;
  const byName = new Map(commands.map((command) => [command.name, command]));
  const rate = new Rate();

  function take(asker: Asker, asked: Asked): Dispatch {
    const began = timer();
    const known = byName.get(asked.command ?? '');
    const done = (outcome: Outcome) => report(asker.door, known?.name ?? 'unknown', outcome, timer() - began);
    const answer = (outcome: Outcome, reply: Reply): Dispatch => {
      done(outcome);
      return { kind: 'answer', private: true, reply: Promise.resolve(reply) };
    };
    const failed = (error: unknown): [Outcome, Reply] => {
      if (error instanceof Mistake)
        return ['mistake', mistakeReply(error, known === undefined ? 'help' : `help ${known.name}`)];
      return ['fault', faultReply(note(error, asker.door, known?.name))];
    };
    try {
      const { who, where } = asker;
      const rated = rate.take(
        `${where.tenant} ${who.id}`,
        `${where.tenant} ${where.channel}`,
        app.clock.now(),
      );
      if (!rated.ok) return answer('limited', refusedReply(rated));
      if ('mistake' in asked) throw asked.mistake;
      if (known === undefined) throw unknownCommand(asked.command, commands);
      if (known.access === 'manager' && !who.mayManage) return answer('refused', notAllowedReply(known.name));
      const options = readOptions(known, asked.options);
      const missing = missingOptions(known, options);
      if (missing.length > 0) {
        done('form');
        return { kind: 'form', form: formFor(known, missing, options) };
      }
      const request: Request = { ...asker, command: known.name, options };
      return { kind: 'answer', private: known.private, reply: run(known, request, done, failed) };
    } catch (error) {
      return answer(...failed(error));
    }
  }

  async function run(
    command: Command,
    request: Request,
    done: (outcome: Outcome) => void,
    failed: (error: unknown) => [Outcome, Reply],
  ): Promise<Reply> {
    try {
      const reply = await command.run(request, app);
      done('answered');
      return command.private && reply.audience === 'everyone' ? { ...reply, audience: 'asker' } : reply;
    } catch (error) {
      const [outcome, reply] = failed(error);
      done(outcome);
      return reply;
    }
  }

  function report(door: DoorName, command: string, outcome: Outcome, milliseconds: number): void {
    const rounded = Math.round(milliseconds * 10) / 10;
    app.log.info({ door, command, outcome, milliseconds: rounded }, 'command');
    onDone?.({ door, command, outcome, milliseconds });
  }

  /** Options stay out of it: they may hold what others must not read. */
  function note(error: unknown, door: DoorName, command = 'unknown'): string {
    const made = reference();
    app.log.error({ err: error, reference: made, door, command }, 'a command failed');
    return made;
  }

  function readLine(line: string): Asked {
    try {
      const pieces = splitLine(line);
      if (pieces[0]?.name === undefined && /^[/@]?letterboxed$/i.test(pieces[0]?.value ?? '')) pieces.shift();
      const [first, ...rest] = pieces;
      if (first === undefined) return { command: 'help', options: {} };
      const name = first.name === undefined ? first.value.replace(/^\//, '').toLowerCase() : first.name;
      const command = byName.get(name);
      if (command === undefined || first.name !== undefined) {
        return { mistake: unknownCommand(first.value, commands, line) };
      }
      return { command: name, options: readPieces(command, rest) };
    } catch (error) {
      if (error instanceof Mistake) return { mistake: error };
      throw error;
    }
  }

  return {
    commands,
    dispatch: (request) => take(request, request),
    dispatchLine(line, asker) {
      return take(asker, readLine(line));
    },
    complete: (option, typed, request) =>
      completions(byName.get(request.command), option, typed, request, app),
    packAction: (action) => packAction(action, app),
    unpackAction: (text) => unpackAction(text, app),
  };
}

function readPieces(command: Command, pieces: ReturnType<typeof splitLine>): Options {
  const given = new Map<string, OptionValue>();
  const bare: string[] = [];
  for (const { name, value } of pieces) {
    if (name === undefined) bare.push(value);
    else if (given.has(name))
      throw new Mistake('line.twice', `${clip(name)} is given twice; once is enough.`);
    else given.set(name, value);
  }
  for (const [name, value] of placeBare(command, bare, new Set(given.keys()))) given.set(name, value);
  return Object.fromEntries(given);
}

function unknownCommand(typed: string, commands: readonly Command[], line = typed): Mistake {
  const names = commands.map(({ name }) => name);
  const meant = nearest(typed, names);
  const board = meant === undefined ? boardIn(line) : undefined;
  const advice =
    board !== undefined
      ? `To solve that board, type: solve ${board}`
      : meant !== undefined
        ? `Did you mean ${meant}?`
        : `There is: ${names.join(', ')}.`;
  return new Mistake('line.command', `There is no command "${clip(typed)}". ${advice}`);
}

/** People paste a board and nothing else. */
function boardIn(line: string): string | undefined {
  try {
    return parseBoard(line).sides.join(' ');
  } catch {
    return undefined;
  }
}
