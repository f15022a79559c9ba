import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import type { ChannelRef, DoorName } from '../core/channel-ref.ts';
import { SECOND } from '../core/clock.ts';
import { UserError, unlessMistake } from '../core/errors.ts';
import { currentRequestId } from '../core/log.ts';
import { capitalized, clip, counted } from '../core/text.ts';
import { buttonsBlock, chainText, notes, sentenceReply, textBlock, toAsker } from '../reply/model/text.ts';
import type { Action, Button, Form, Line, Reply } from '../reply/model/types.ts';
import { judgeWords } from '../solver/check.ts';
import type { SeenBoard } from '../vision/board-from-pixels.ts';
import { withAdvice } from './advice.ts';
import {
  type App,
  type Asker,
  type ChannelPermission,
  type Claim,
  type Command,
  type CommandOutcome,
  type Dispatcher,
  type FinishedCommand,
  type Handler,
  handlerOf,
  type Option,
  type Options,
  type Ownership,
  type Person,
  type Prepared,
  type PreparedAnswer,
  type Request,
  replyOf,
} from './contract.ts';
import { factsAsSent, recordFacts } from './hint-record.ts';
import { type AskedCommand, readLine, unknownCommandError } from './line.ts';
import { completions, formFor, missingOptions, readOptions, settingsForm } from './options.ts';
import { type Limited, RateLimiter } from './rate-limiter.ts';
import { storedBoardOfThread, targetOf } from './target.ts';

export interface DispatcherOptions {
  readonly commands: readonly Command[];
  /** Called with each request, a picture's once it was read, before anything about it is decided. Must not throw. */
  readonly onRequest?: (asker: Asker) => void;
  readonly onDone?: (done: FinishedCommand) => void;
}

/**
 * The one way from a request to its answer, for every door. `prepare` checks the rate limit, the options and the right, and
 * asks for what is missing in a form. What it returns runs the handler, and records which facts the reply reveals. Neither
 * throws: whatever goes wrong on the way becomes an answer, too (`#failed`).
 *
 * @example makeDispatcher(app, { commands: COMMANDS }).prepareLine('hint step:lengths', asker)
 */
export function makeDispatcher(app: App, options: DispatcherOptions): Dispatcher {
  const { commands } = options;
  const runner = new CommandRunner(app, options);
  return {
    commands,
    prepare(request, guess) {
      const { command, options } = request;
      const { command: topic } = options;
      // On Discord, people type what they want in this field for a command's name. One word is a topic, not a word to play.
      if (command === 'help' && typeof topic === 'string')
        return runner.prepare(request, /\S\s+\S/.test(topic) ? topic : `help ${topic}`);
      return runner.prepare(request, { command, options, guess, countsHalf: Number(options.page) > 1 });
    },
    prepareLine: (line, asker) => runner.prepare(asker, line),
    preparePicture: (read, asker, options) => runner.preparePicture(read, asker, options),
    actionOf: (line) => actionIn(runner.readLine(line)),
    complete(name, typed, request) {
      const command = commands.find((one) => one.name === request.command);
      return completions(command, { name, typed }, request, app);
    },
    recordOpened: (asker, opened) => recordFacts(asker, app, opened),
    errorReply: (error, fields, message) =>
      error instanceof UserError ? mistakeReply(error) : runner.faultReply(error, fields, message),
  };
}

/** Undefined if its options can't be read. */
function actionIn({ command, options }: AskedCommand): Action | undefined {
  return options instanceof UserError ? undefined : { command, options };
}

/** A request under way, for the log and the metrics. */
interface RequestTrace {
  readonly door: DoorName;
  /** Undefined while no command of ours was recognized. */
  readonly command: Command | undefined;
  /** By `performance.now()`. */
  readonly began: number;
}

/** Thrown where a request ends before its handler without anybody's mistake. */
class Refused extends Error {
  readonly outcome: CommandOutcome;
  readonly reply: Reply;

  constructor(outcome: CommandOutcome, reply: Reply) {
    super(outcome);
    this.outcome = outcome;
    this.reply = reply;
  }
}

/**
 * On all log lines of a request, and shown to the person as the reference when it fails. It need not be hard to guess, and
 * Node's cryptography would take 15 ms to load in the terminal.
 */
const newRequestId = () => Math.random().toString(36).slice(2, 10);

/** An answer for the asker alone, in a message of its own. */
function privateAnswer(request: Request, run: () => Promise<Reply>): Extract<Prepared, { kind: 'answer' }> {
  return {
    kind: 'answer',
    request,
    private: true,
    inPlace: false,
    guess: [],
    forManagers: false,
    // Bound, since the door calls it later: what is logged then has the id of this request, too.
    run: AsyncLocalStorage.bind(run),
  };
}

/** Pictures that are read at once, in all and for one person. */
const MAX_PICTURES = 8;
const MAX_PICTURES_OF_PERSON = 2;

class CommandRunner {
  readonly #app: App;
  readonly #options: DispatcherOptions;
  readonly #byName: ReadonlyMap<string, Command>;
  readonly #rateLimiter: RateLimiter;
  /** Who waits for a picture to be read. */
  readonly #seeing: string[] = [];
  /** Resolves in the turn of the event loop in which the latest handler starts. */
  #turn: Promise<void> = Promise.resolve();

  constructor(app: App, options: DispatcherOptions) {
    this.#app = app;
    this.#options = options;
    this.#byName = new Map(options.commands.map((command) => [command.name, command]));
    this.#rateLimiter = new RateLimiter(app.limits);
  }

  readonly #isWord = (word: string): boolean => this.#app.lexicon.find(word) !== undefined;

  readLine(line: string): AskedCommand {
    return readLine(line, this.#options.commands, this.#isWord);
  }

  /** @param given what was asked for, or a typed line */
  prepare(asker: Asker, given: AskedCommand | string): Prepared {
    let trace: RequestTrace = { door: asker.door, command: undefined, began: performance.now() };
    return currentRequestId.run(newRequestId(), () => {
      this.#options.onRequest?.(asker);
      try {
        this.#countHalf(asker);
        const asked = typeof given === 'string' ? this.readLine(given) : given;
        trace = { ...trace, command: this.#byName.get(asked.command) };
        return this.#orWords(trace, asker, asked);
      } catch (error) {
        return { kind: 'refusal', reply: this.#failed(trace, error) };
      }
    });
  }

  preparePicture(read: () => Promise<Uint8Array>, asker: Asker, given: Options = {}): Prepared {
    const command = this.#byName.get('solve');
    const trace: RequestTrace = { door: asker.door, command, began: performance.now() };
    return currentRequestId.run(newRequestId(), () => {
      try {
        this.#countHalf(asker);
      } catch (error) {
        return { kind: 'refusal', reply: this.#failed(trace, error) };
      }
      const run = async () => {
        try {
          // Loaded with the first picture: few commands in the terminal have one.
          const { actionOfSeen } = await import('./seen-board.ts');
          const seen = await this.#see(read, asker);
          const { command: name, options: board } = await actionOfSeen(seen, asker.where, this.#app.puzzles);
          // The board is that of the picture, and the other options say how it is solved.
          const { sides: _, date: __, ...others } = given;
          const options = { ...others, ...board };
          return await replyOf(this.prepare(asker, { command: name, options, countsHalf: true }));
        } catch (error) {
          return this.#failed(trace, error);
        }
      };
      return privateAnswer({ ...asker, command: 'solve', options: {} }, run);
    });
  }

  /** Bounded before anything is loaded: each picture has megabytes, and can take one worker seconds. */
  async #see(read: () => Promise<Uint8Array>, asker: Asker): Promise<SeenBoard> {
    const { id } = asker.who;
    const own = this.#seeing.filter((person) => person === id).length;
    if (this.#seeing.length >= MAX_PICTURES || own >= MAX_PICTURES_OF_PERSON)
      throw new UserError('picture.busy', 'I’m reading other pictures. Try again in a moment.');
    this.#seeing.push(id);
    try {
      return await this.#app.work.see(await read(), asker);
    } finally {
      this.#seeing.splice(this.#seeing.indexOf(id), 1);
    }
  }

  /** Counts half a command. `#decide` counts the other half of one that searches a board. */
  #countHalf({ who, where }: Asker): void {
    const limited = this.#rateLimiter.take(who.id, where, this.#app.clock.now(), 0.5);
    if (limited !== undefined) throw new Refused('limited', limitedReply(limited));
  }

  /** Refuses what can't be read, which is not reported yet, and else gives the answer or a form. */
  #decide(trace: RequestTrace, asker: Asker, asked: AskedCommand): Prepared {
    const { command } = trace;
    if (command?.searches && !asked.countsHalf) this.#countHalf(asker);
    const given = asked.options;
    if (given instanceof UserError || command === undefined) {
      const mistake =
        given instanceof UserError ? given : unknownCommandError(asked.command, this.#options.commands);
      const buttons = this.#buttonsFor(asked, asker, mistake);
      return { kind: 'refusal', reply: this.#mistaken(trace, mistake, buttons) };
    }
    // People who may not use the command at all hear that first, even if the options are wrong.
    if (!('actions' in command) && rightOf(command, asker) === undefined) throw notAllowedRefusal(asker.door);
    const options = readOptions(command, given);
    const handler = handlerOf(command, options);
    const right = rightOf(handler, asker);
    if (right === undefined) throw notAllowedRefusal(asker.door);
    const request: Request = { ...asker, command: command.name, options };
    const others = this.#offered(asked.offers, asker);
    const { label, isGuess, unread } = asked;
    const unused = unread && `I can’t use ${unread} there.`;
    const readAs = unused === undefined ? label : `${label}. ${unused}`;
    const read = isGuess ? [...notes(`Read as: ${readAs}`), ...buttonsBlock(others)] : notes(unused);
    const guess = asked.guess ?? read;
    const repeatsLine = isGuess === true && (others.length > 0 || unread !== undefined);
    const checked = { ...trace, command, request, handler, right, guess, others, repeatsLine };
    const missing = missingOptions(command, options);
    if (missing.length > 0) return this.#formForMissing(checked, missing);
    const settings = asker.asksForSettings ? command.settingsIn?.(options) : undefined;
    if (settings === undefined) return this.#answer(checked);
    const instead = this.#orRefusal(trace, this.#settingsAsked(checked, settings));
    return { kind: 'form', form: settingsForm(command, settings, options), instead };
  }

  /** The form for missing options. What has to be looked up first may give another form, or an answer. */
  #formForMissing(checked: CheckedRequest, missing: readonly Option[]): Prepared {
    const { command, request, right } = checked;
    const { options, where, door } = request;
    const form = formFor(command, missing, options);
    const mayUseThreadBoard =
      where.thread !== undefined &&
      missing.every(({ unlessInThread, startsAs = '' }) => unlessInThread && options[startsAs] === undefined);
    // At the terminal, a form shows no board, and `app.puzzles` may not be loaded yet.
    const showsBoard = command.formBoard !== undefined && door !== 'terminal';
    if (right === 'granted' && !mayUseThreadBoard && !showsBoard) {
      this.#report(checked, 'form');
      return { kind: 'form', form };
    }
    const instead = this.#orRefusal(checked, this.#insteadOfForm(checked, form, mayUseThreadBoard));
    return { kind: 'form', form, instead };
  }

  #orRefusal(trace: RequestTrace, instead: Promise<Prepared | undefined>): Promise<Prepared | undefined> {
    return instead.catch((error: unknown) => ({ kind: 'refusal', reply: this.#failed(trace, error) }));
  }

  async #insteadOfForm(
    checked: CheckedRequest,
    form: Form,
    mayUseThreadBoard: boolean,
  ): Promise<Prepared | undefined> {
    const { command, request } = checked;
    await lookUpRight(checked);
    if (mayUseThreadBoard && (await storedBoardOfThread(request, this.#app)) !== undefined)
      return this.#answer(checked);
    const board = await command.formBoard?.(request, this.#app);
    this.#report(checked, 'form');
    return board && { kind: 'form', form: { ...form, board } };
  }

  /** The form with what is set now, or the answer if none is needed. */
  async #settingsAsked(checked: CheckedRequest, names: readonly string[]): Promise<Prepared> {
    const { command, request } = checked;
    await lookUpRight(checked);
    const now = await command.settingsNow?.(request, this.#app);
    if (now === undefined) return this.#answer(checked);
    this.#report(checked, 'form');
    return { kind: 'form', form: settingsForm(command, names, request.options, now) };
  }

  #answer(checked: CheckedRequest): PreparedAnswer {
    const { command, request, handler, guess, repeatsLine } = checked;
    const { who, where, options, isPublicLine } = request;
    const isSilenced = (where.thread === undefined ? who.mayPost : who.mayPostInThreads) === false;
    const isPrivate =
      command.private ||
      isSilenced ||
      (repeatsLine && !isPublicLine) ||
      (command.privateIn?.(request, this.#app) ?? false);
    return {
      kind: 'answer',
      request,
      private: isPrivate,
      inPlace: command.options.some(({ name, inPlace }) => inPlace && options[name] !== undefined),
      guess,
      forManagers: handler.access === 'manager',
      // Bound, since the door calls it later: what the handler logs has the id of this request, too.
      run: AsyncLocalStorage.bind(() => this.#run(checked, isPrivate)),
    };
  }

  /** Buttons for what may have been meant, or first steps. Throws if the person may not use the likeliest command. */
  #buttonsFor(
    { command: typed, offers }: AskedCommand,
    asker: Asker,
    { code }: UserError,
  ): readonly Button[] {
    if (offers === undefined) return this.#byName.has(typed) ? [] : FIRST_STEPS;
    const [first] = offers;
    const command = this.#byName.get(typed);
    if (first?.action.command === typed && command !== undefined)
      if (rightOf(handlerOf(command, first.action.options), asker) === undefined)
        throw notAllowedRefusal(asker.door);
    const buttons = this.#offered(offers, asker).map(
      (button, at): Button => ({
        ...button,
        look: at === 0 ? 'primary' : 'plain',
      }),
    );
    if (code !== 'line.sentence') return buttons;
    const others = FIRST_STEPS.filter(({ label }) => !buttons.some((button) => button.label === label));
    return [...buttons, ...others].slice(0, FIRST_STEPS.length);
  }

  /** A button for each offer, except those that the person may not do. */
  #offered(offers: AskedCommand['offers'], asker: Asker): readonly Button[] {
    return (offers ?? []).flatMap(({ label, action }) => {
      const command = this.#byName.get(action.command);
      const isAllowed = command && rightOf(handlerOf(command, action.options), asker) !== undefined;
      return isAllowed ? [{ label: clip(label, MAX_LABEL_LENGTH), action }] : [];
    });
  }

  /**
   * Offers to play the words of a line as well, if they can be played on the board that the asker has before them. If there is
   * nothing else to offer, they are played.
   */
  #orWords(trace: RequestTrace, asker: Asker, asked: AskedCommand): Prepared {
    const prepared = this.#decide(trace, asker, asked);
    const { alsoWords: words, label, offers } = asked;
    const isRefused = prepared.kind === 'refusal';
    if (words === undefined || prepared.kind === 'form' || asker.door === 'terminal') {
      if (isRefused) this.#report(trace, 'mistake');
      return prepared;
    }
    const playAsTyped = { command: 'play', options: { words: words.join(','), typed: true } };
    const answer = isRefused
      ? privateAnswer({ ...asker, ...playAsTyped }, async () => {
          this.#report(trace, 'mistake');
          return prepared.reply;
        })
      : prepared;
    const run = async () => {
      if (!(await this.#canBePlayed(words, asker))) return answer.run();
      const { command, options } = answer.request;
      const isPlayed = command === 'play' && options.words !== undefined;
      const itself = isPlayed ? [] : [{ label: label ?? capitalized(command), action: { command, options } }];
      const others = isRefused ? this.#offered(offers, asker) : itself;
      if (others.length === 0)
        return replyOf(this.#orWords({ ...trace, command: this.#byName.get('play') }, asker, playAsTyped));
      this.#report(trace, isRefused ? 'mistake' : 'answered');
      return toAsker(`Do you want to play ${chainText(words)}?`, [
        buttonsBlock([
          { label: `Play ${chainText(words)}`, action: playAsTyped, look: 'primary' },
          ...others,
        ]),
      ]);
    };
    return {
      ...answer,
      run: AsyncLocalStorage.bind(() => run().catch((error) => this.#failed(trace, error))),
    };
  }

  async #canBePlayed(words: readonly string[], asker: Asker): Promise<boolean> {
    const target = await unlessMistake(targetOf({ ...asker, command: 'play', options: {} }, this.#app));
    if (target === undefined) return false;
    return judgeWords(target.board, words, this.#isWord).words.every(({ broken }) => broken === undefined);
  }

  /** @param isPrivate whether only the asker sees the reply, even if the handler says otherwise */
  async #run(checked: CheckedRequest, isPrivate: boolean): Promise<Reply> {
    const { request, handler, guess } = checked;
    try {
      await lookUpRight(checked);
      await this.#takeTurn();
      const made = await runHandler(handler, request, this.#app);
      const named = { ...made, blocks: [...made.blocks, ...guess] };
      const reply = this.#withAdvice(isPrivate ? { ...named, audience: 'asker' } : named, checked);
      // Recorded first: facts that could not be recorded must not be shown.
      await recordFacts(request, this.#app, factsAsSent(request, reply));
      this.#report(checked, 'answered');
      return reply;
    } catch (error) {
      return this.#failed(checked, error, checked.others);
    }
  }

  /**
   * Waits until the handler may start: one does in each turn of the event loop. Between commands that arrive at the same
   * moment, doors acknowledge requests, timers run and answers are sent, so that nobody waits for all of them.
   */
  #takeTurn(): Promise<void> {
    this.#turn = this.#turn.then(setImmediate);
    return this.#turn;
  }

  #failed(trace: RequestTrace, error: unknown, buttons?: readonly Button[]): Reply {
    const { door, command } = trace;
    if (error instanceof Refused) {
      this.#report(trace, error.outcome);
      return this.#withAdvice(error.reply, trace);
    }
    if (error instanceof UserError) {
      this.#report(trace, 'mistake');
      return this.#mistaken(trace, error, buttons);
    }
    // Options stay out of the log: they may hold what others must not read.
    const fields = { door, command: command?.name ?? 'unknown' };
    const reply = this.faultReply(error, fields, 'a command failed');
    this.#report(trace, 'fault');
    return reply;
  }

  #mistaken(trace: RequestTrace, error: UserError, buttons?: readonly Button[]): Reply {
    const { command } = trace;
    const help = command === undefined || command.name === 'help' ? 'help' : `help ${command.name}`;
    return this.#withAdvice(mistakeReply(error, help, buttons), trace);
  }

  /** A fault of ours: short, and with the reference under which the log has it. */
  faultReply(error: unknown, fields: object, message: string): Reply {
    const reference = currentRequestId.getStore() ?? newRequestId();
    this.#app.log.error({ err: error, reference, ...fields }, message);
    const text =
      'Something broke on my side. Try again in a moment. If it happens again, give this reference to the person who runs this bot: ';
    return sentenceReply('Sorry, that went wrong', [text, { code: reference }]);
  }

  /** Adds buttons for the commands that a reply advises, where there are buttons. Those that `help` names are no advice. */
  #withAdvice(reply: Reply, { door, command }: RequestTrace): Reply {
    if (door === 'terminal' || command?.name === 'help') return reply;
    const { commands } = this.#options;
    return withAdvice(reply, (line) => actionIn(readLine(line, commands, () => false)));
  }

  #report(trace: RequestTrace, outcome: CommandOutcome): void {
    const { door, began } = trace;
    const command = trace.command?.name ?? 'unknown';
    const milliseconds = performance.now() - began;
    const { log } = this.#app;
    log.info({ door, command, outcome, milliseconds: Math.round(milliseconds * 10) / 10 }, 'command');
    try {
      this.#options.onDone?.({ door, command, outcome, milliseconds });
    } catch (error) {
      // A fault in the metrics must not cost anyone their answer.
      log.error({ err: error, door, command }, 'a command could not be counted');
    }
  }
}

/** `granted`, or a lookup that decides before the handler runs. */
type Right = 'granted' | NonNullable<Person['lookUpAccess']>;

/** A request that may be answered, unless a lookup shows that its right is missing. */
interface CheckedRequest extends RequestTrace {
  readonly command: Command;
  readonly request: Request;
  readonly handler: Handler;
  readonly right: Right;
  /** If the line was understood by a guess, blocks that say which, and offer what else it may mean. */
  readonly guess: Reply['blocks'];
  /** Whether `guess` may have words of the line, which others must not read. */
  readonly repeatsLine: boolean;
  /** Buttons for what the line may mean instead. */
  readonly others: readonly Button[];
}

/** The one place that decides who may do what. Undefined for people who surely may not. */
function rightOf({ access }: Pick<Handler, 'access'>, { who }: Asker): Right | undefined {
  return access !== 'manager' || who.mayManage ? 'granted' : who.lookUpAccess;
}

async function lookUpRight({ request, right }: CheckedRequest): Promise<void> {
  if (right !== 'granted' && !(await right(request.where.channel))) throw notAllowedRefusal(request.door);
}

/** The permissions that this file has made. No other code can make a valid one. */
const issued = new WeakSet<ChannelPermission>();

function issuePermission(
  channel: ChannelRef,
  person: string,
  manages: (channel: string) => Promise<boolean>,
): ChannelPermission {
  const permission: ChannelPermission = Object.freeze({
    channel,
    person,
    forOther: async (other: string, setBy?: string | null) =>
      setBy === person || (await manages(other))
        ? issuePermission({ ...channel, channel: other }, person, manages)
        : undefined,
  });
  issued.add(permission);
  return permission;
}

/** The channel that a permission is for, checked again where it is changed: throws unless this file made the permission. */
export function permittedChannel(permission: ChannelPermission): ChannelRef {
  if (!issued.has(permission)) throw new Error('somebody without a permission was about to change a channel');
  return permission.channel;
}

/** The ownerships that this file has made, for what belongs to one person. */
const claimed = new WeakSet<Ownership>();

function claimFor({ who, where }: Request): Claim {
  const { tenant, channel } = where;
  return async (key, owner) => {
    if (owner !== who.id && !who.mayManage && !(await who.lookUpAccess?.(channel)))
      throw new UserError(
        'dispatch.not-yours',
        'Only the person who made it, or someone who manages this channel, can do that.',
      );
    const ownership: Ownership = Object.freeze({ channel: { tenant, channel }, key });
    claimed.add(ownership);
    return ownership;
  };
}

/** What a claim is for, checked again where it is changed: throws unless this file made the ownership. */
export function claimedThing(ownership: Ownership): Ownership {
  if (!claimed.has(ownership)) throw new Error('somebody was about to change what is not theirs');
  return ownership;
}

/** Runs the handler with the parts of the app that its access allows. */
function runHandler(handler: Handler, request: Request, app: App): Promise<Reply> {
  if (handler.access === 'owner') return handler.run(request, app, claimFor(request));
  if (handler.access !== 'manager') return handler.run(request, app);
  const { who, where } = request;
  const permission = issuePermission(
    { tenant: where.tenant, channel: where.channel },
    who.id,
    async (channel) =>
      who.mayManage && !who.managesOnlyHere ? true : ((await who.lookUpAccess?.(channel)) ?? false),
  );
  // The right is known now, so the handler need not look it up again.
  const manager = who.mayManage ? who : { ...who, mayManage: true };
  return handler.run({ ...request, who: manager }, app, permission);
}

/** Discord's limit is 80 characters. */
const MAX_LABEL_LENGTH = 70;
/** Offered to somebody who typed nothing that is understood. */
const FIRST_STEPS: readonly Button[] = [
  { label: 'Hint', action: { command: 'hint', options: {} } },
  { label: 'Check a word', action: { command: 'check', options: {} } },
  { label: 'Today’s board', action: { command: 'today', options: {} } },
];

/** The titles of answers to lines without a command: to small talk, to likely wishes, and to what was not understood. */
const LINE_TITLES: Readonly<Record<string, string>> = {
  'line.said': 'Letter Boxed',
  'line.offer': 'Do you mean this?',
  'line.sentence': 'I’m not sure what you mean',
};

/** The first sentence of a message, unless it is long or quotes what somebody typed. */
const FIRST_SENTENCE = /^([^"]{4,100}?[.?!])(?=\s|$)\s*(.*)$/s;

/** A person's mistake, answered for them alone. The title is the answer, and quotes nothing they typed. */
function mistakeReply(
  { code, message, advice }: UserError,
  help = 'help',
  buttons: readonly Button[] = [],
): Reply {
  const known = LINE_TITLES[code];
  if (known !== undefined && code === 'line.said') return sentenceReply(known, message);
  const sentence = known === undefined ? FIRST_SENTENCE.exec(message) : null;
  const [, first = known ?? 'Try it another way', rest = message] = sentence ?? [];
  const blocks = [
    textBlock([rest !== '' && advised(rest, advice)]),
    buttonsBlock(buttons),
    notes(['Help: ', { command: help }]),
  ];
  return toAsker(first.replace(/\.$/, ''), blocks, { isMistake: sentence === null ? true : 'in-title' });
}

/** Makes a command of the advice that a text ends with. */
function advised(text: string, advice: string | undefined): Line {
  return advice === undefined ? text : [text.slice(0, -advice.length), { command: advice }];
}

/** In the words of the platform. */
const NEEDED_TO_MANAGE: Readonly<Partial<Record<DoorName, string>>> = {
  discord: 'You need Manage Server, or the role chosen here',
  slack: 'You need to be an admin or owner of this workspace',
};

function notAllowedRefusal(door: DoorName): Refused {
  const title = NEEDED_TO_MANAGE[door] ?? 'Only managers can do that';
  return new Refused('refused', sentenceReply(title, 'Ask someone who manages this channel.'));
}

/** Too many commands: explained the first time, then kept short. */
function limitedReply({ whose, wasExplained, wait }: Limited): Reply {
  const seconds = Math.max(1, Math.ceil(wait / SECOND));
  const where = whose === 'person' ? '' : ' in this channel';
  const text = `Too many commands at once${where}. Try again in ${counted(seconds, 'second')}.`;
  return sentenceReply('One moment, please', !wasExplained && text);
}
