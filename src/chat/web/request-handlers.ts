import type { Clock } from '../../core/clock.ts';
import { clip, listed } from '../../core/text.ts';
import {
  type App,
  type Asker,
  askerRefOf,
  type Command,
  type Dispatcher,
  type Option,
  offeredOptions,
  type PreparedAnswer,
  type Request,
} from '../../dispatch/contract.ts';
import type { GameMoves, SoloGames } from '../../players/solo-games.ts';
import { packAction, unpackAction, wordsOption } from '../../reply/model/action.ts';
import { bodyText, typeAction } from '../../reply/model/text.ts';
import type { Action, Block, FormField, OptionValue, Reply } from '../../reply/model/types.ts';
import { type GameView, gameView, type Help } from '../../web/pages/game-view.ts';
import { Conversation, type RequestContext } from '../conversation.ts';
import { CHANNEL, type ChatMessage, type ChatRoom, type WebPerson } from './chat-room.ts';

/** A form as the page shows it; the page sends `value` back with what was filled in. */
export interface FormView {
  readonly title: string;
  readonly submit: string;
  readonly fields: readonly FormField[];
  readonly value: string;
}

/** A person of the chat, in its channel or in one of its threads. */
export interface Speaker {
  readonly person: WebPerson;
  readonly thread?: string;
}

export interface RequestHandlersOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly room: ChatRoom;
  readonly clock: Clock;
  readonly games: SoloGames;
}

const MAX_QUOTE_LENGTH = 200;

/** Turns what people do in the chat into requests, and puts the answers into the room. */
export function makeRequestHandlers({ app, dispatcher, room, clock, games }: RequestHandlersOptions) {
  const conversation = new Conversation('web', app, dispatcher);

  /** A typed line. Resolves with a form when something is missing. */
  function line(speaker: Speaker, line: string): Promise<FormView | undefined> {
    return answerTo({ speaker, asked: () => line }, (context) => conversation.line(context, line));
  }

  /** A press of a message's button. */
  function press(speaker: Speaker, value: string, on?: ChatMessage): Promise<FormView | undefined> {
    return ask(speaker, () => unpackAction(value, app), on);
  }

  /** Submits a filled-in form. Resolves with why it was refused: the page then keeps it open, with what was typed. */
  async function submit(
    speaker: Speaker,
    value: string,
    fields: Readonly<Record<string, OptionValue>>,
  ): Promise<string | undefined> {
    let action: Action | undefined;
    let trouble: string | undefined;
    const context: RequestContext = {
      asker: () => askerOf(speaker),
      async form(form) {
        trouble = `Still missing: ${listed(form.fields.map(({ name }) => name))}.`;
      },
      show: async (reply, prepared) => {
        if (prepared?.kind === 'refusal' || (prepared && reply.isMistake)) trouble = bodyText(reply);
        else post(speaker, named(action), reply, isForAsker(reply, prepared));
      },
    };
    await conversation.answer(context, async (asker) => {
      const { command, options } = await unpackAction(value, app);
      action = { command, options: { ...options, ...fields } };
      return dispatcher.prepare({ ...asker, ...action });
    });
    return trouble;
  }

  /** Records that somebody opened a hidden block of a message. Opening costs something only in a private answer. */
  async function open(speaker: Speaker, id: string, block: Block): Promise<number | undefined> {
    const isOwn = room.message(id, speaker.person.id)?.only === speaker.person.id;
    const asker = { ...askerOf(speaker), ...(!isOwn && ({ hintRecording: 'shared' } as const)) };
    return 'reveals' in block ? dispatcher.recordOpened(asker, [block.reveals]) : undefined;
  }

  /** Makes moves on a board in a message; without moves, returns the state of its game. */
  async function play(speaker: Speaker, moves: GameMoves): Promise<{ game: GameView } | { trouble: string }> {
    try {
      return { game: gameView(await games.play(askerOf(speaker), moves)) };
    } catch (error) {
      const reply = dispatcher.errorReply(error, { door: 'web' }, 'moves on a board failed');
      return { trouble: bodyText(reply) };
    }
  }

  /** A button beside a board: a hint after the words played, the whole solution, or a result for everyone. */
  async function pressBoardButton(
    speaker: Speaker,
    command: Help,
    board: Action['options'],
  ): Promise<object> {
    await ask(speaker, async () => {
      const { state } = await games.open(askerOf(speaker), board);
      const { isSolved, words } = state;
      if (isSolved) return { command, options: board };
      if (command === 'hint') return { command, options: { ...board, ...wordsOption(words) } };
      return { command, options: { ...board, ...(command === 'reveal' && { open: true }) } };
    });
    return {};
  }

  function ask(
    speaker: Speaker,
    find: () => Promise<Action>,
    on?: ChatMessage,
  ): Promise<FormView | undefined> {
    let action: Action | undefined;
    return answerTo({ speaker, asked: () => named(action), on }, (context) =>
      conversation.answer(context, async (asker) => {
        action = await find();
        return dispatcher.prepare({ ...asker, ...action });
      }),
    );
  }

  /** Resolves with the form, if one has to be filled in. */
  async function answerTo(
    { speaker, asked, on }: { speaker: Speaker; asked: () => string; on?: ChatMessage | undefined },
    answer: (context: RequestContext) => Promise<void>,
  ): Promise<FormView | undefined> {
    let view: FormView | undefined;
    await answer({
      asker: () => askerOf(speaker),
      form: async ({ title, submit, fields, action }) => {
        const value = await packAction(action, app, askerRefOf(askerOf(speaker)));
        view = { title, submit, fields, value };
      },
      show: async (reply, prepared) => {
        // Another page of a list replaces the one before it, if that message is the asker's own.
        const isOwn = on !== undefined && (on.only ?? on.asker?.id) === speaker.person.id;
        if (reply.replaces && isOwn && room.change(on.id, reply)) return;
        post(speaker, asked(), reply, isForAsker(reply, prepared));
      },
    });
    return view;
  }

  function post({ person, thread }: Speaker, asked: string, reply: Reply, isPrivate: boolean): void {
    room.add({
      at: clock.now(),
      reply,
      asker: { id: person.id, name: person.name, asked: clip(asked, MAX_QUOTE_LENGTH) },
      thread,
      only: isPrivate ? person.id : undefined,
    });
  }

  return { line, press, submit, open, play, pressBoardButton };
}

export type RequestHandlers = ReturnType<typeof makeRequestHandlers>;

/** What somebody asked with a button, as they would type it. */
function named(action: Action | undefined): string {
  return action === undefined ? 'a button' : typeAction(action);
}

export function askerOf({ person, thread }: Speaker): Asker {
  return {
    door: 'web',
    who: { id: person.id, mayManage: person.mayManage },
    where: { ...CHANNEL, direct: false, thread },
  };
}

export interface Suggestion {
  /** The whole line once this suggestion is accepted. */
  readonly line: string;
  readonly label: string;
  readonly about: string;
}

const MAX_SUGGESTIONS = 12;

/** What may come next in a line that is being typed: a command, an option, or a value. */
export async function autocomplete(
  line: string,
  asker: Asker,
  dispatcher: Dispatcher,
): Promise<Suggestion[]> {
  const typed = line.slice(0, 500).replace(/^\s*\/?(letterboxed\s+)?/i, '');
  const start = line.slice(0, line.length - typed.length);
  const [name = ''] = typed.split(/\s/, 1);
  if (typed === name) {
    return dispatcher.commands
      .filter((command) => command.name.startsWith(name.toLowerCase()))
      .map((command) => ({
        line: `${start}${command.name} `,
        label: command.name,
        about: command.description,
      }));
  }
  const command = dispatcher.commands.find((command) => command.name === name.toLowerCase());
  if (command === undefined) return [];
  const current = /\S*$/.exec(typed)?.[0] ?? '';
  const before = line.slice(0, line.length - current.length);
  const [option, value] = splitAtColon(current);
  const request: Request = { ...asker, command: command.name, options: {} };
  const named = command.options.find(({ name }) => name === option);
  if (named !== undefined && value !== undefined) {
    const values = await dispatcher.complete(named.name, value, request);
    return values.slice(0, MAX_SUGGESTIONS).map((each) => ({
      line: `${before}${named.name}:${/\s/.test(each) ? `"${each}"` : each} `,
      label: each,
      about: named.about?.[each] ?? named.description,
    }));
  }
  const open = openOptions(
    command,
    typed,
    Object.keys(dispatcher.actionOf(typed.slice(0, typed.length - current.length))?.options ?? {}),
  );
  const found = await Promise.all(
    open.map(async (option) =>
      suggestionsFor(option, before, await valuesOf(option, current, request, dispatcher)),
    ),
  );
  return found
    .flat()
    .filter(({ label }) => label.startsWith(current.toLowerCase()))
    .slice(0, MAX_SUGGESTIONS);
}

function splitAtColon(text: string): [name: string, value?: string] {
  const at = text.indexOf(':');
  return at < 0 ? [text] : [text.slice(0, at).toLowerCase(), text.slice(at + 1)];
}

/** The options not given yet, with or without their names. */
function openOptions(command: Command, typed: string, given: readonly string[]): Option[] {
  const isNamed = (name: string) => new RegExp(`\\s${name}(:|\\s)`, 'i').test(typed);
  return offeredOptions(command).filter(({ name }) => !given.includes(name) && !isNamed(name));
}

/** The values that may be typed without the name of their option. */
async function valuesOf(
  { name, positional, choices, complete }: Option,
  typed: string,
  request: Request,
  dispatcher: Dispatcher,
): Promise<readonly string[]> {
  if (!positional) return [];
  return choices ?? (complete === undefined ? [] : dispatcher.complete(name, typed, request));
}

function suggestionsFor(option: Option, before: string, values: readonly string[]): Suggestion[] {
  const { name, kind, description } = option;
  const named =
    kind === 'flag'
      ? { line: `${before}${name} `, label: name, about: description }
      : { line: `${before}${name}:`, label: `${name}:`, about: description };
  return [
    ...values.map((choice) => ({
      line: `${before}${choice} `,
      label: choice,
      about: option.about?.[choice] ?? description,
    })),
    named,
  ];
}

/** A refusal is for the asker, and so is the apology for a request that failed before it was prepared. */
function isForAsker(reply: Reply, prepared: PreparedAnswer | undefined): boolean {
  return prepared?.kind !== 'answer' || reply.audience === 'asker';
}
