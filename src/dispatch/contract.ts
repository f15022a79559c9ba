import type { Limits } from '../config/limits.ts';
import type { ChannelRef, DoorName } from '../core/channel-ref.ts';
import type { Clock } from '../core/clock.ts';
import type { Log } from '../core/log.ts';
import type { About } from '../core/program.ts';
import type { JobRunner } from '../jobs/job-runner.ts';
import type { PuzzleService } from '../puzzle/service.ts';
import type { BoardFacts } from '../reply/model/facts.ts';
import type { Action, Form, FormBoard, OptionValue, Reply, TerminalFlags } from '../reply/model/types.ts';
import type { Lexicon } from '../solver/lexicon.ts';
import type { ReadingStore, Store } from '../store/store.ts';
import type { MissingRequirement, Poster } from './poster.ts';

/** Who asks. Ids are the platform's; no names are kept. */
export interface Person {
  readonly id: string;
  /** Their time zone, where the platform tells it. */
  readonly zone?: string;
  /** May change what this channel gets every day. The door decides by its platform's roles. */
  readonly mayManage: boolean;
  /** Set for a manager of this channel alone. Otherwise a manager manages every channel of the server or workspace. */
  readonly managesOnlyHere?: boolean;
  /** False where the platform says that the person may not write here: then nothing that they ask for is shown to others. */
  readonly mayPost?: boolean;
  /** Likewise for writing in a thread of this channel, and for opening one. */
  readonly mayPostInThreads?: boolean;
  readonly mayOpenThreads?: boolean;
  /** Looks up whether a person who is not a manager has the role that was chosen for a channel. */
  readonly lookUpAccess?: (channel: string) => Promise<boolean>;
}

/** Where a person asks. `tenant` is a server, a workspace or, in private messages, the person: `discord:123`. */
export interface RequestChannel extends ChannelRef {
  readonly tenant: string;
  /** The channel that daily settings belong to. */
  readonly channel: string;
  /** The thread of that channel in which the person asks, if any. */
  readonly thread?: string;
  /** A private conversation, or a server that the bot was not added to: the bot only answers there, and posts nothing else. */
  readonly direct: boolean;
  /**
   * What is missing to post the daily thread here, as far as the platform's request tells. There may be more, so this is used
   * only where it can't be looked up.
   */
  readonly missingByRequest?: () => readonly MissingRequirement[];
}

/** A door's event as a request, before it is checked. */
export interface Request {
  readonly door: DoorName;
  readonly who: Person;
  readonly where: RequestChannel;
  readonly command: string;
  readonly options: Options;
  /** The message that the command was chosen on, where a platform offers commands on messages. */
  readonly message?: ChosenMessage;
  /**
   * How the hints that the person sees are recorded. `own`, also if left out: they count in the person's result. `shared`: the
   * person opens what everybody may open, which costs nothing. `off`: not at all, since hints stay hidden or nothing counts.
   */
  readonly hintRecording?: 'own' | 'shared' | 'off';
  /** Whether a form may ask for settings: its door's forms have choices, and it can open one now. */
  readonly asksForSettings?: boolean;
  /** Whether others read the line as it was typed, so that a public answer would tell them whether its words are right. */
  readonly isPublicLine?: boolean;
  /** The numbers of the hidden blocks that this request opens. If left out: all if the door never reports that, else none. */
  readonly opens?: 'all' | readonly number[];
  readonly terminal?: TerminalFlags;
}
export type Options = Readonly<Record<string, OptionValue>>;
export interface ChosenMessage {
  readonly id: string;
  readonly author: string;
  readonly text: string;
  /** When it was written, or changed last. */
  readonly at: number;
}

/** A request without what was asked: who, where and at which door. */
export type Asker = Omit<Request, 'command' | 'options'>;

/** The text of an option; undefined when it was not given. */
export function textOf({ options }: Pick<Request, 'options'>, name: string): string | undefined {
  const value = options[name];
  return value === undefined ? undefined : String(value);
}

/** The words of an option of the kind `words`, in order and in small letters. */
export function wordsOf(request: Pick<Request, 'options'>, name: string): string[] {
  return textOf(request, name)?.split(',') ?? [];
}

export function integerOf({ options }: Pick<Request, 'options'>, name: string): number | undefined {
  const value = options[name];
  return typeof value === 'number' ? value : undefined;
}

export function flagOf({ options }: Pick<Request, 'options'>, name: string): boolean {
  return options[name] === true;
}

export function choiceOf<Choice extends string>(
  { options }: Pick<Request, 'options'>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  return choices.find((choice) => choice === options[name]);
}

type OptionKind = 'text' | 'words' | 'sides' | 'date' | 'integer' | 'flag' | 'choice';

/** One option, as data: the same declaration makes Discord's typed option and Slack's `name:value`. */
export interface Option {
  readonly name: string;
  /** 100 characters at most. */
  readonly description: string;
  readonly kind: OptionKind;
  /** Asked for in a form when it is missing. Sides are not asked for if there is a `date`, which names a board too. */
  readonly required?: boolean;
  /** The name of a flag with which this option is not required. */
  readonly unless?: string;
  /** Not required in the thread of a board that somebody made, which names a board too. */
  readonly unlessInThread?: true;
  /** Required only together with this choice of another option. */
  readonly requiredWith?: { readonly option: string; readonly choice: string };
  /** The id of a role, which platforms let people choose. */
  readonly isRole?: true;
  readonly isPerson?: true;
  /** Not required, but shown in the form that asks for required options; it may be left empty there. */
  readonly inForm?: true;
  /** Names that people type for this option by mistake: the answer asks whether they meant this one. */
  readonly alias?: readonly string[];
  /** Takes the bare words of a typed command, in the order of declaration. */
  readonly positional?: boolean;
  readonly choices?: readonly string[];
  /** The choice of each phrase that may be typed for it, as `plainPhrase` makes it. */
  readonly phrases?: Readonly<Record<string, string>>;
  /** What each choice means, for lists that show it. */
  readonly about?: Readonly<Record<string, string>>;
  /**
   * The options that each choice goes with, where a platform makes a subcommand of each choice. If a choice has the name of one
   * of its options, its subcommand sends that option without the choice: `zone:Berlin`, not
   * `do:zone zone:Berlin`.
   */
  readonly optionsOfChoice?: Readonly<Record<string, readonly string[]>>;
  readonly min?: number;
  readonly max?: number;
  /** Whether a text is a valid value. Values with spaces can then be typed without quotation marks. */
  readonly accepts?: (text: string) => boolean;
  /** Suggestions while typing. They must not give a puzzle away. */
  readonly complete?: (typed: string, request: Request, app: App) => Promise<readonly string[]>;
  /** Placeholder in a form, and the example in help. */
  readonly example?: string;
  /** The internal option whose value a form shows in this option's field at first. */
  readonly startsAs?: string;
  /** Set by our own buttons alone: platforms, help and suggestions don't offer this option. */
  readonly internal?: boolean;
  /** A button that sets this option changes its own message, if only the asker sees that message. */
  readonly inPlace?: boolean;
}

export interface Declaration {
  readonly name: string;
  readonly alias?: readonly string[];
  /** 100 characters at most. */
  readonly description: string;
  readonly options: readonly Option[];
  /** Whether its answers are only for the asker: platforms want to know before the handler runs. */
  readonly private: boolean;
  /** Searches a board, so it counts twice as much as others in the rate limit, except when a page is turned. */
  readonly searches?: true;
  /** Requests whose answers are private although the command is not. */
  readonly privateIn?: (request: Request, app: App) => boolean;
  /** When the terminal opens the store for this command: never, or only for the board of a date. Always, if left out. */
  readonly storeUse?: 'none' | 'dated-boards';
  /** The options that a form asks for, at doors whose forms have choices; undefined if the given options need no form. */
  readonly settingsIn?: (options: Options) => readonly string[] | undefined;
  /** What that form shows as set; undefined if these options need no form now. */
  readonly settingsNow?: (request: Request, app: ReadingApp) => Promise<Options | undefined>;
  /** The board that its form shows above the fields. */
  readonly formBoard?: (request: Request, app: App) => Promise<FormBoard>;
  /** A further sentence of its help. */
  readonly more?: string;
  /** Typed examples without the leading /letterboxed, shown in help and run by a test. */
  readonly examples: readonly string[];
}

/**
 * Proof, from the dispatcher, that a person manages a channel. Settings for everybody in a channel can be changed only with
 * a permission for that channel.
 */
export interface ChannelPermission {
  readonly channel: ChannelRef;
  readonly person: string;
  /**
   * The permission for another channel of the same server or workspace, if they manage that channel too.
   *
   * @param setBy who set its daily thread, and so may move it
   */
  readonly forOther: (channel: string, setBy?: string | null) => Promise<ChannelPermission | undefined>;
}

/** Proof, from the dispatcher, that a person owns something in a channel, or manages that channel. */
export interface Ownership {
  readonly channel: ChannelRef;
  /** The key of what the person owns, such as `StoredMadeBoard.board`. */
  readonly key: string;
}

/** Asks the dispatcher for the right to change something, once its owner is known. Throws a UserError for people without it. */
export type Claim = (key: string, owner: string | null) => Promise<Ownership>;

/**
 * What a request does, and who may ask for it. The handler's type follows from the access: a handler that only reads gets
 * nothing that writes, and other people's things are changed only with a permission or a claim, which only the dispatcher
 * issues.
 */
export type Handler =
  /** Open to anyone; only shows something. */
  | { readonly access: 'anyone-reads'; readonly run: (request: Request, app: ReadingApp) => Promise<Reply> }
  /** Open to anyone; writes the asker's own data, or starts something that everybody may start. */
  | { readonly access: 'anyone-writes'; readonly run: (request: Request, app: App) => Promise<Reply> }
  /** Only the owner of the changed thing, and managers of the channel. */
  | { readonly access: 'owner'; readonly run: (request: Request, app: App, claim: Claim) => Promise<Reply> }
  /** Only managers of the channel. */
  | {
      readonly access: 'manager';
      readonly run: (request: Request, app: App, permission: ChannelPermission) => Promise<Reply>;
    };

/** A command that does one thing, or several with an access each. */
export type Command = Declaration &
  (
    | Handler
    | {
        readonly actions: Readonly<Record<string, Handler>>;
        readonly actionOf: (options: Options) => string;
      }
  );

export function handlerOf(command: Command, options: Options): Handler {
  return 'actions' in command ? command.actions[command.actionOf(options)]! : command;
}

/** Whether any action of the command is only for managers. */
export function isForManagers(command: Command): boolean {
  const handlers = 'actions' in command ? Object.values(command.actions) : [command];
  return handlers.some(({ access }) => access === 'manager');
}

/** Whether this is one of a command's names, including its aliases. */
export function isCalled({ name, alias = [] }: Command, typed: string): boolean {
  return name === typed || alias.includes(typed);
}

export function offeredOptions({ options }: Pick<Command, 'options'>): Option[] {
  return options.filter(({ internal }) => !internal);
}

/** The app of handlers that only show something: it has nothing that writes or posts. */
export interface ReadingApp {
  readonly clock: Clock;
  readonly lexicon: Lexicon;
  readonly puzzles: Omit<PuzzleService, 'setByHand'>;
  readonly store: ReadingStore;
  readonly log: Log;
  readonly about: About;
  readonly posterOf: (
    door: string,
  ) => Pick<Poster, 'missingRequirements' | 'mentionNeeds' | 'isPrivateInChannel'> | undefined;
  /** Judges and searches boards, and makes them, without keeping anybody else waiting. */
  readonly work: JobRunner;
  /** What one person, one channel and one server or workspace may cost, as the operator has set it. */
  readonly limits: Limits;
  /** The address of a board's public page, by its `sides`. Undefined where there are no such pages. */
  readonly publicPage: (board: Options) => string | undefined;
  readonly randomSeed: () => string;
}

/** Everything a handler may use. Made once, by `makeApp`. */
export interface App extends ReadingApp {
  readonly puzzles: PuzzleService;
  readonly store: Store;
  /** The poster of a door that is open in this process, by its name, for what a command posts besides its answer. */
  readonly posterOf: (door: string) => Poster | undefined;
  /**
   * The address of a page on which this person plays a board in their own name until the day ends, to be shown to
   * nobody else. Undefined where there are no such pages.
   */
  readonly personalLink: (asker: Asker, board: Options) => string | undefined;
}

/** What a door must know of an answer before the handler runs. */
export type Prepared =
  | PreparedAnswer
  | {
      readonly kind: 'form';
      readonly form: Form;
      /**
       * Only while something is still being looked up, such as access: settles with what to show instead of the form,
       * if anything. Never rejects. A door that can't wait opens the form; what is submitted is checked again.
       */
      readonly instead?: Promise<Prepared | undefined>;
    };

export type PreparedAnswer =
  /** An answer that only the asker sees: a mistake, a fault, too many commands, or a command that they may not use. */
  | { readonly kind: 'refusal'; readonly reply: Reply }
  | {
      readonly kind: 'answer';
      /** The request with its options read: each in its own type, choices in their one spelling. */
      readonly request: Request;
      /** Only the asker may see the answer. If this is false, the reply may still be private: see its audience. */
      readonly private: boolean;
      /** A button with these options changes its own message, instead of sending a new answer. */
      readonly inPlace: boolean;
      /** How a typed line was understood, if that is to be shown: blocks that follow the answer. */
      readonly guess: Reply['blocks'];
      /** The command is for managers: it may change what the channel gets every day. */
      readonly forManagers: boolean;
      /** Runs the handler. Call it once. Never throws and never rejects. */
      run(): Promise<Reply>;
    };

/** Waits until nothing is being looked up. If the result is still a form, it has to be filled in. */
export async function whenLookedUp(prepared: Prepared): Promise<Prepared> {
  return (prepared.kind === 'form' && (await prepared.instead)) || prepared;
}

/** The reply to what needs no form. */
export async function replyOf(preparing: Prepared): Promise<Reply> {
  const prepared = await whenLookedUp(preparing);
  if (prepared.kind === 'form') throw new Error(`asked for ${prepared.form.fields.map(({ name }) => name)}`);
  return prepared.kind === 'refusal' ? prepared.reply : prepared.run();
}

/** `form`: an option is missing and is asked for; `refused`: for managers only; `limited`: too many commands. */
export type CommandOutcome = 'answered' | 'form' | 'mistake' | 'refused' | 'limited' | 'fault';

export interface FinishedCommand {
  readonly door: DoorName;
  /** `unknown` for anything that is not a command, so that what people type never becomes a metric's label. */
  readonly command: string;
  readonly outcome: CommandOutcome;
  readonly milliseconds: number;
}

/** What a door uses: a method for each kind of event, and the commands to declare to its platform. */
export interface Dispatcher {
  readonly commands: readonly Command[];
  /**
   * Decides everything that can be decided at once: rate, options, access, form, privacy. Never throws: mistakes and faults
   * become refusals.
   *
   * @param guess what is shown of the line that the request was read from, if it is prepared again
   */
  prepare(request: Request, guess?: Reply['blocks']): Prepared;
  /** Prepares a typed line such as `hint step:lengths`, at doors where people type. */
  prepareLine(line: string, asker: Asker): Prepared;
  /** Prepares what somebody asks with a picture: to solve the board in it. @param read gets its bytes once they are needed */
  preparePicture(read: () => Promise<Uint8Array>, asker: Asker, options?: Options): Prepared;
  /** The action of a typed line, unchecked; undefined if it can't be read. */
  actionOf(line: string): Action | undefined;
  complete(option: string, typed: string, request: Request): Promise<readonly string[]>;
  /** Records what somebody has read by opening something hidden. */
  recordOpened(asker: Asker, opened: readonly (BoardFacts | undefined)[]): Promise<void>;
  /**
   * What to show when something failed outside the dispatcher, such as reading a button or sending an answer.
   * Logs it with a reference, unless it is the person's mistake.
   */
  errorReply(
    error: unknown,
    fields: { readonly door: DoorName; readonly [field: string]: unknown },
    message: string,
  ): Reply;
}
