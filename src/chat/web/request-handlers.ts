import type { Clock } from '../../core/clock.ts';
import type { Log } from '../../core/log.ts';
import { clip, listed } from '../../core/text.ts';
import { type Asker, actionAskerOf, type Dispatcher } from '../../dispatch/contract.ts';
import { type GameView, gameView } from '../../pages/game-view.ts';
import type { GameMoves, SoloGames } from '../../players/solo-games.ts';
import { wordsOption } from '../../reply/model/action.ts';
import { saidIn, typeAction } from '../../reply/model/text.ts';
import type { Action, FormField, OptionValue, Reply } from '../../reply/model/types.ts';
import { Conversation, type Exchange } from '../conversation.ts';
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
  readonly dispatcher: Dispatcher;
  readonly room: ChatRoom;
  readonly clock: Clock;
  readonly log: Log;
  readonly games: SoloGames;
}

const LONGEST_QUOTE = 200;

/** Turns what people do in the chat into requests, and puts the answers into the room. */
export class RequestHandlers {
  readonly #dispatcher: Dispatcher;
  readonly #conversation: Conversation;
  readonly #room: ChatRoom;
  readonly #clock: Clock;
  readonly #games: SoloGames;

  constructor({ dispatcher, room, clock, log, games }: RequestHandlersOptions) {
    this.#dispatcher = dispatcher;
    this.#conversation = new Conversation('web', dispatcher, log);
    this.#room = room;
    this.#clock = clock;
    this.#games = games;
  }

  /** A typed line. Resolves with a form when something is missing. */
  line(speaker: Speaker, line: string): Promise<FormView | undefined> {
    return this.#answerTo({ speaker, asked: () => line }, (exchange) =>
      this.#conversation.line(exchange, line),
    );
  }

  /** A press of a message's button. */
  press(speaker: Speaker, value: string, on?: ChatMessage): Promise<FormView | undefined> {
    return this.#ask(speaker, () => this.#dispatcher.unpackAction(value), on);
  }

  /** A form that was filled in. Resolves with why it was refused: the page keeps it open, with what was typed. */
  async submit(
    speaker: Speaker,
    value: string,
    fields: Readonly<Record<string, OptionValue>>,
  ): Promise<string | undefined> {
    let action: Action | undefined;
    let trouble: string | undefined;
    const exchange: Exchange = {
      asker: () => askerOf(speaker),
      async form(form) {
        trouble = `Still missing: ${listed(form.fields.map(({ name }) => name))}.`;
      },
      show: async (reply, prepared) => {
        if (prepared?.kind === 'refusal' || (prepared && reply.isMistake)) trouble = saidIn(reply);
        else this.#post(speaker, named(action), reply, prepared === undefined || reply.audience === 'asker');
      },
    };
    await this.#conversation.ask(exchange, async () => {
      const { command, options } = await this.#dispatcher.unpackAction(value);
      action = { command, options: { ...options, ...fields } };
      return action;
    });
    return trouble;
  }

  /** Moves on a board in a message; none to see how its game stands. */
  async play(speaker: Speaker, moves: GameMoves): Promise<{ game: GameView } | { trouble: string }> {
    try {
      return { game: gameView(await this.#games.play(askerOf(speaker), moves)) };
    } catch (error) {
      const reply = this.#dispatcher.errorReply(error, { door: 'web' }, 'moves on a board failed');
      return { trouble: saidIn(reply) };
    }
  }

  /** A hint after the words played, the whole solution, or a result for everyone. */
  async helpWith(
    speaker: Speaker,
    command: 'hint' | 'hunt' | 'review' | 'reveal' | 'share',
    board: Action['options'],
  ): Promise<object> {
    await this.#ask(speaker, async () => {
      const { state } = await this.#games.open(askerOf(speaker), board);
      const { isSolved, words } = state;
      const more = command === 'hint' ? wordsOption(words) : command === 'reveal' ? { open: true } : {};
      return { command, options: { ...board, ...(!isSolved && more) } };
    });
    return {};
  }

  #ask(speaker: Speaker, find: () => Promise<Action>, on?: ChatMessage): Promise<FormView | undefined> {
    let action: Action | undefined;
    return this.#answerTo({ speaker, asked: () => named(action), on }, (exchange) =>
      this.#conversation.ask(exchange, async () => {
        action = await find();
        return action;
      }),
    );
  }

  /** Resolves with the form, if one has to be filled in. */
  async #answerTo(
    { speaker, asked, on }: { speaker: Speaker; asked: () => string; on?: ChatMessage | undefined },
    answer: (exchange: Exchange) => Promise<void>,
  ): Promise<FormView | undefined> {
    let view: FormView | undefined;
    await answer({
      asker: () => askerOf(speaker),
      form: async ({ title, submit, fields, action }) => {
        const value = await this.#dispatcher.packAction(action, actionAskerOf(askerOf(speaker)));
        view = { title, submit, fields, value };
      },
      show: async (reply, prepared) => {
        // Another page of a list replaces the one before it, if that message is the asker's own.
        const isOwn = on !== undefined && (on.only ?? on.asker?.id) === speaker.person.id;
        if (reply.replaces && isOwn && this.#room.change(on.id, reply)) return;
        this.#post(speaker, asked(), reply, prepared?.kind !== 'answer' || reply.audience === 'asker');
      },
    });
    return view;
  }

  #post({ person, thread }: Speaker, asked: string, reply: Reply, isPrivate: boolean): void {
    this.#room.add({
      at: this.#clock.now(),
      reply,
      asker: { id: person.id, name: person.name, asked: clip(asked, LONGEST_QUOTE) },
      thread,
      only: isPrivate ? person.id : undefined,
    });
  }
}

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
