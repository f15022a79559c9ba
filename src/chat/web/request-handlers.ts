import type { Clock } from '../../core/clock.ts';
import { clip, listed } from '../../core/text.ts';
import {
  type Asker,
  actionAskerOf,
  type Dispatcher,
  type Prepared,
  settled,
} from '../../dispatch/contract.ts';
import { type GameView, gameView } from '../../pages/game-view.ts';
import type { GameMoves, SoloGames } from '../../players/solo/solo-games.ts';
import { typeAction } from '../../reply/model/action.ts';
import { wordsOption } from '../../reply/model/subject.ts';
import { saidIn } from '../../reply/model/text.ts';
import type { Action, FormField, OptionValue, Reply } from '../../reply/model/types.ts';
import { CHANNEL, type ChatRoom, type Message, type WebPerson } from './chat-room.ts';

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
  readonly games: SoloGames;
}

const LONGEST_QUOTE = 200;

/** Turns what people do in the chat into requests, and puts the answers into the room. */
export class RequestHandlers {
  readonly #dispatcher: Dispatcher;
  readonly #room: ChatRoom;
  readonly #clock: Clock;
  readonly #games: SoloGames;

  constructor({ dispatcher, room, clock, games }: RequestHandlersOptions) {
    this.#dispatcher = dispatcher;
    this.#room = room;
    this.#clock = clock;
    this.#games = games;
  }

  /** A typed line. Resolves with a form when something is missing. */
  async line(speaker: Speaker, line: string): Promise<FormView | undefined> {
    return this.#answer(speaker, line, this.#dispatcher.prepareLine(line, askerOf(speaker)));
  }

  /** A press of a message's button. */
  async press(speaker: Speaker, value: string, on?: Message): Promise<FormView | undefined> {
    const action = await this.#unpack(speaker, value);
    return action && this.#run(speaker, action, on);
  }

  /** A form that was filled in. Resolves with why it was refused: the page keeps it open, with what was typed. */
  async submit(
    speaker: Speaker,
    value: string,
    fields: Readonly<Record<string, OptionValue>>,
  ): Promise<string | undefined> {
    const action = await this.#unpack(speaker, value);
    if (action === undefined) return undefined;
    const filled = { ...action, options: { ...action.options, ...fields } };
    const prepared = await settled(this.#dispatcher.prepare({ ...askerOf(speaker), ...filled }));
    if (prepared.kind === 'form') {
      return `Still missing: ${listed(prepared.form.fields.map(({ name }) => name))}.`;
    }
    const reply = prepared.kind === 'refusal' ? prepared.reply : await prepared.run();
    if (prepared.kind === 'refusal' || reply.isMistake) return saidIn(reply);
    this.#post(speaker, typeAction(filled), reply, reply.audience === 'asker');
    return undefined;
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

  /** A hint that goes on from the words played, the whole solution, or the result for everyone. */
  async helpWith(
    speaker: Speaker,
    command: 'hint' | 'reveal' | 'share',
    board: Action['options'],
  ): Promise<object> {
    const { state } = await this.#games.open(askerOf(speaker), board);
    const isOnwards = command === 'hint' && !state.isSolved;
    await this.#run(speaker, { command, options: { ...board, ...(isOnwards && wordsOption(state.words)) } });
    return {};
  }

  #run(speaker: Speaker, action: Action, on?: Message): Promise<FormView | undefined> {
    const prepared = this.#dispatcher.prepare({ ...askerOf(speaker), ...action });
    return this.#answer(speaker, typeAction(action), prepared, on);
  }

  async #unpack(speaker: Speaker, value: string): Promise<Action | undefined> {
    try {
      return await this.#dispatcher.unpackAction(value);
    } catch (error) {
      const reply = this.#dispatcher.errorReply(error, { door: 'web' }, 'a button could not be read');
      this.#post(speaker, 'a button', reply, true);
      return undefined;
    }
  }

  async #answer(
    speaker: Speaker,
    asked: string,
    preparing: Prepared,
    on?: Message,
  ): Promise<FormView | undefined> {
    const prepared = await settled(preparing);
    if (prepared.kind === 'form') {
      const { title, submit, fields, action } = prepared.form;
      return {
        title,
        submit,
        fields,
        value: await this.#dispatcher.packAction(action, actionAskerOf(askerOf(speaker))),
      };
    }
    const isRefusal = prepared.kind === 'refusal';
    const reply = isRefusal ? prepared.reply : await prepared.run();
    const isPrivate = isRefusal || reply.audience === 'asker';
    // Another page of a list replaces the one before it, if that message is the asker's own.
    const isChange = reply.replaces && on !== undefined && (on.only ?? on.asker?.id) === speaker.person.id;
    if (!(isChange && this.#room.change(on.id, reply))) this.#post(speaker, asked, reply, isPrivate);
    return undefined;
  }

  #post({ person, thread }: Speaker, asked: string, reply: Reply, isPrivate: boolean): void {
    this.#room.add({
      at: this.#clock.now(),
      reply,
      asker: { id: person.id, name: person.name, asked: clip(asked, LONGEST_QUOTE) },
      ...(thread !== undefined && { thread }),
      ...(isPrivate && { only: person.id }),
    });
  }
}

export function askerOf({ person, thread }: Speaker): Asker {
  return {
    door: 'web',
    who: { id: person.id, mayManage: person.mayManage },
    where: { ...CHANNEL, direct: false, ...(thread !== undefined && { thread }) },
  };
}
