import { UserError } from '../core/errors.ts';
import type { Reply } from '../reply/model/types.ts';
import { completions } from './complete.ts';
import type { App, Command, Dispatch, Dispatcher, DoorName, Request } from './contract.ts';
import { faultReply, mistakeReply, notAllowedReply, refusedReply } from './error-replies.ts';
import { formFor } from './form.ts';
import { type ReadLine, readLine, unknownCommand } from './parse/line.ts';
import { missingOptions, readOptions } from './parse/options.ts';
import { Rate } from './rate-limit.ts';
import { packAction, unpackAction } from './stored-actions.ts';
import { makeTurns } from './yield-to-event-loop.ts';

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
    reference = () => crypto.randomUUID().slice(0, 8),
  } = options;
  const byName = new Map(commands.map((command) => [command.name, command]));
  const rate = new Rate();
  const turn = makeTurns();

  function take(asker: Asker, asked: ReadLine): Dispatch {
    const began = timer();
    const known = byName.get(asked.command);
    const done = (outcome: Outcome) => report(asker.door, known?.name ?? 'unknown', outcome, timer() - began);
    const answer = (outcome: Outcome, reply: Reply): Dispatch => {
      done(outcome);
      return { kind: 'answer', private: true, reply: Promise.resolve(reply) };
    };
    const failed = (error: unknown): [Outcome, Reply] => {
      if (error instanceof UserError) {
        const isNamed = known !== undefined && known.name !== 'help';
        return ['mistake', mistakeReply(error, isNamed ? `help ${known.name}` : 'help')];
      }
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
      const given = asked.options();
      if (known === undefined) throw unknownCommand(asked.command, commands);
      if (known.access === 'manager' && !who.mayManage) return answer('refused', notAllowedReply(known.name));
      const options = readOptions(known, given);
      const missing = missingOptions(known, options);
      if (missing.length > 0) {
        done('form');
        return { kind: 'form', form: formFor(known, missing, options) };
      }
      const request: Request = { ...asker, command: known.name, options };
      const isPrivate = known.private || (known.privateIn?.(request, app) ?? false);
      return { kind: 'answer', private: isPrivate, reply: run(known, request, isPrivate, done, failed) };
    } catch (error) {
      return answer(...failed(error));
    }
  }

  async function run(
    command: Command,
    request: Request,
    isPrivate: boolean,
    done: (outcome: Outcome) => void,
    failed: (error: unknown) => [Outcome, Reply],
  ): Promise<Reply> {
    try {
      // A door gets to send word that it is at work before a handler keeps the process busy.
      await turn();
      const reply = await command.run(request, app);
      done('answered');
      return isPrivate && reply.audience === 'everyone' ? { ...reply, audience: 'asker' } : reply;
    } catch (error) {
      const [outcome, reply] = failed(error);
      done(outcome);
      return reply;
    }
  }

  function report(door: DoorName, command: string, outcome: Outcome, milliseconds: number): void {
    const rounded = Math.round(milliseconds * 10) / 10;
    app.log.info({ door, command, outcome, milliseconds: rounded }, 'command');
    try {
      onDone?.({ door, command, outcome, milliseconds });
    } catch (error) {
      // Whoever counts commands must not cost anyone their answer.
      app.log.error({ err: error, door, command }, 'a command could not be counted');
    }
  }

  /** Options stay out of it: they may hold what others must not read. */
  function note(error: unknown, door: DoorName, command = 'unknown'): string {
    const made = reference();
    app.log.error({ err: error, reference: made, door, command }, 'a command failed');
    return made;
  }

  return {
    commands,
    dispatch: (request) => take(request, { command: request.command, options: () => request.options }),
    dispatchLine: (line, asker) => take(asker, readLine(line, commands)),
    complete: (option, typed, request) =>
      completions(byName.get(request.command), option, typed, request, app),
    packAction: (action) => packAction(action, app),
    unpackAction: (text) => unpackAction(text, app),
  };
}
