import type { Clock } from '../../core/clock.ts';
import { clip, listed } from '../../core/text.ts';
import type { App, Asker, Dispatcher, Request } from '../../dispatch/contract.ts';
import { type GameMoves, openSoloGame, playSoloGame } from '../../players/solo-games.ts';
import { packAction, unpackAction } from '../../reply/model/action.ts';
import type { BoardFacts } from '../../reply/model/facts.ts';
import { wordsOption } from '../../reply/model/named-board.ts';
import { bodyText, present, typeAction } from '../../reply/model/text.ts';
import type { Action, OptionValue, Reply } from '../../reply/model/types.ts';
import { formatBoard } from '../../solver/board.ts';
import {
  type BoardButton,
  type GameView,
  type HelpRequest,
  type HelpView,
  helpView,
} from '../../web/board/view.ts';
import type { FormView } from '../../web/chat/views.ts';
import { pricedGameView } from '../../web/pages/page-requests.ts';
import { Conversation, type RequestContext } from '../conversation.ts';
import { CHANNEL, type ChatMessage, type ChatRoom, type WebPerson } from './chat-room.ts';

/** A person of the chat, in its channel or in one of its threads. */
export interface Speaker {
  readonly person: WebPerson;
  readonly thread?: string;
  /** Their browser's time zone, in which the page shows moments. */
  readonly zone?: string;
}

export interface RequestHandlersOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly room: ChatRoom;
  readonly clock: Clock;
}

const MAX_QUOTE_LENGTH = 200;

/** Turns what people do in the chat into requests, and puts the answers into the room. */
export class RequestHandlers {
  readonly #options: RequestHandlersOptions;
  readonly #conversation: Conversation;

  constructor(options: RequestHandlersOptions) {
    this.#options = options;
    this.#conversation = new Conversation('web', options.app, options.dispatcher);
  }

  /** Answers a typed line. Resolves with a form when something is missing. */
  line(speaker: Speaker, line: string): Promise<FormView | undefined> {
    return this.#answer({ speaker, asked: () => line }, (context) => this.#conversation.line(context, line));
  }

  /** Answers a picture of a board. */
  picture(speaker: Speaker, bytes: Uint8Array): Promise<FormView | undefined> {
    return this.#answer({ speaker, asked: () => 'solve, with a picture' }, (context) =>
      this.#conversation.picture(context, async () => bytes),
    );
  }

  /** Answers a press of a message's button. Resolves with a form when something is missing. */
  press(speaker: Speaker, value: string, message?: ChatMessage): Promise<FormView | undefined> {
    return this.#act(speaker, () => unpackAction(value, this.#options.app), { message });
  }

  /** Submits a filled-in form. Resolves with why it was refused: the page then keeps it open, with what was typed. */
  async submit(
    speaker: Speaker,
    value: string,
    fields: Readonly<Record<string, OptionValue>>,
  ): Promise<string | undefined> {
    const { app, dispatcher } = this.#options;
    let action: Action | undefined;
    let trouble: string | undefined;
    const context: RequestContext = {
      asker: () => askerOf(speaker),
      form: async (form) => {
        trouble = `Still missing: ${listed(form.fields.map(({ name }) => name))}.`;
      },
      show: async (reply, prepared) => {
        // The form shows refusals and mistakes of the command. Without `prepared`, something else has failed.
        if (prepared?.kind === 'refusal' || (prepared && reply.isMistake)) trouble = bodyText(reply);
        else this.#post(speaker, typedAs(action), reply);
      },
    };
    await this.#conversation.answer(context, async (asker) => {
      const { command, options } = await unpackAction(value, app);
      action = { command, options: { ...options, ...fields } };
      return dispatcher.prepare({ ...asker, ...action });
    });
    return trouble;
  }

  /** Records that somebody opened a hidden block of a message. Opening costs something only in a private answer. */
  async open(speaker: Speaker, message: string, reveals: BoardFacts | undefined): Promise<void> {
    const { room, dispatcher } = this.#options;
    const isOwn = room.message(message, speaker.person.id)?.only === speaker.person.id;
    const asker = { ...askerOf(speaker), ...(!isOwn && ({ hintRecording: 'shared' } as const)) };
    await dispatcher.recordOpened(asker, [reveals]);
  }

  /** Makes moves on a board in a message; without moves, returns the state of its game. */
  async play(speaker: Speaker, moves: GameMoves): Promise<{ game: GameView } | { trouble: string }> {
    const { app, dispatcher } = this.#options;
    try {
      const asker = askerOf(speaker);
      return { game: await pricedGameView(asker, app, await playSoloGame(asker, app, moves)) };
    } catch (error) {
      const reply = dispatcher.errorReply(error, { door: 'web' }, 'moves on a board failed');
      return { trouble: bodyText(reply) };
    }
  }

  /**
   * Answers a button beside a board: a hint after the words played, the whole solution, or a result for everyone. The answer is
   * posted as a message, and what the board shows of it is returned.
   *
   * @param hints the named hint, and those that the board shows already
   */
  async pressBoardButton(
    speaker: Speaker,
    command: BoardButton,
    board: Action['options'],
    { step, shown }: Pick<HelpRequest, 'step' | 'shown'>,
  ): Promise<Partial<HelpView>> {
    let view: HelpView | undefined;
    const find = async () => {
      const { state } = await openSoloGame(askerOf(speaker), this.#options.app, board);
      const { isSolved, words } = state;
      // A solved game has no words to continue, and its solution costs nothing: `reveal` doesn't ask first.
      if (isSolved) return { command, options: board };
      const hints = { ...(step && { step }), ...(shown && { shown }) };
      if (command === 'hint') return { command, options: { ...board, ...wordsOption(words), ...hints } };
      // The press is the decision: `reveal` without `open` would first ask about the price.
      return { command, options: { ...board, ...(command === 'reveal' && { open: true }) } };
    };
    await this.#act(speaker, find, { opens: 'all', show: (reply) => (view = helpView(reply)) });
    return view ?? {};
  }

  /** Answers an action, which is looked up first. */
  #act(
    speaker: Speaker,
    find: () => Promise<Action>,
    { opens, ...more }: Pick<Asked, 'message' | 'show'> & Pick<Request, 'opens'>,
  ): Promise<FormView | undefined> {
    let action: Action | undefined;
    return this.#answer({ speaker, asked: () => typedAs(action), ...more }, (context) =>
      this.#conversation.answer(context, async (asker) => {
        action = await find();
        return this.#options.dispatcher.prepare({ ...asker, ...action, ...(opens && { opens }) });
      }),
    );
  }

  /** Resolves with the form, if one has to be filled in. */
  async #answer(
    { speaker, asked, message, show }: Asked,
    answer: (context: RequestContext) => Promise<void>,
  ): Promise<FormView | undefined> {
    const { app, room } = this.#options;
    let view: FormView | undefined;
    await answer({
      asker: () => askerOf(speaker),
      form: async ({ title, submit, fields: [first, ...more], board, action }) => {
        const value = await packAction(action, app, askerOf(speaker));
        const hint =
          board && present([`The board: ${formatBoard(board.board).toUpperCase()}`, board.note]).join('. ');
        const fields = first === undefined ? [] : [{ ...first, ...(hint && { hint }) }, ...more];
        view = { title, submit, fields, value };
      },
      show: async (reply) => {
        show?.(reply);
        // Another page of a list replaces the one before it, if that message is the asker's own and the same people see both.
        const isOwn = message?.asker?.id === speaker.person.id;
        const mayChange = isOwn && (message.only !== undefined || reply.audience === 'everyone');
        if (reply.replaces && mayChange && room.change(message.id, reply)) return;
        this.#post(speaker, asked(), reply);
      },
    });
    return view;
  }

  #post({ person, thread }: Speaker, asked: string, reply: Reply): void {
    const { room, clock } = this.#options;
    room.add({
      at: clock.now(),
      reply,
      asker: { id: person.id, name: person.name, asked: clip(asked, MAX_QUOTE_LENGTH) },
      thread,
      only: reply.audience === 'asker' ? person.id : undefined,
    });
  }
}

interface Asked {
  readonly speaker: Speaker;
  /** What they typed, or would have typed instead of pressing a button; called once that is known. */
  readonly asked: () => string;
  /** The message whose button they pressed. */
  readonly message?: ChatMessage | undefined;
  /** Shows the answer elsewhere, too. */
  readonly show?: (reply: Reply) => void;
}

/** An action as people would type it. */
function typedAs(action: Action | undefined): string {
  return action === undefined ? 'a button' : typeAction(action);
}

export function askerOf({ person, thread, zone }: Speaker): Asker {
  return {
    door: 'web',
    who: { id: person.id, mayManage: person.mayManage, ...(zone !== undefined && { zone }) },
    where: { ...CHANNEL, direct: false, thread },
  };
}
