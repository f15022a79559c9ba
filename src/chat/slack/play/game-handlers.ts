import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { SoloGames } from '../../../players/solo/solo-games.ts';
import { wordsOption } from '../../../reply/model/subject.ts';
import type { Action } from '../../../reply/model/types.ts';
import { type ExchangeTools, SlackExchange, UNANSWERABLE } from '../answer/exchange.ts';
import { readFailure } from '../api/errors.ts';
import { type AnswerBy, askerOf, type Conversation } from '../receive/conversation.ts';
import { ASKED, type Asked, type GameModal, waitingModal } from './game-modal.ts';
import type { GameView } from './game-views.ts';

export interface GameHandlersTools extends ExchangeTools {
  readonly games: SoloGames;
}

/** What a person does in the modal of a game. No method rejects. */
export class GameHandlers {
  readonly #tools: GameHandlersTools;

  constructor(tools: GameHandlersTools) {
    this.#tools = tools;
  }

  /** @param at when the button was pressed, as Slack says */
  press(view: GameView, moves: string, at: string): Promise<void> {
    return this.#tools.views.take(view, { kind: 'moves', moves, at });
  }

  /**
   * Plays typed words; none enter the current word. Resolves with the modal to answer Slack with; one that takes too
   * long is shown later by `later`.
   */
  async enter(view: GameView, words: string): Promise<{ modal: GameModal; later?: () => Promise<void> }> {
    const { views, submitPatience } = this.#tools;
    const shown = Promise.withResolvers<GameModal>();
    void views.take(view, { kind: 'words', words, shown: shown.resolve });
    const modal = await Promise.race([shown.promise, sleep(submitPatience, undefined, { ref: false })]);
    if (modal !== undefined) return { modal };
    return {
      modal: waitingModal(view.metadata),
      later: async () => void (await views.update(view, await shown.promise)),
    };
  }

  /** Hints and solutions come on top of the game; a result is shared where the game was opened. */
  async ask(view: GameView, command: string, trigger: string): Promise<void> {
    if (!v.is(v.picklist(ASKED), command) || command === 'link') return;
    const { conversation, views } = this.#tools;
    if (command === 'game') return views.take(view, { kind: 'show' });
    if (command === 'share') return this.#share(view);
    const onTop: AnswerBy = { kind: 'trigger', trigger, isOnTop: true };
    const exchange = new SlackExchange(this.#tools, { ...view.conversation, answerBy: onTop });
    return conversation.ask(exchange, () => this.#actionOn(view, command));
  }

  /** What is asked about the board of a game; a hint goes on from the words so far. */
  async #actionOn({ conversation, metadata }: GameView, command: Asked): Promise<Action> {
    const { dispatcher, games } = this.#tools;
    const { options } = await dispatcher.unpackAction(metadata.packed ?? '');
    if (command !== 'hint') return { command, options };
    const { state } = await games.open(askerOf(conversation), options);
    return { command, options: { ...options, ...wordsOption(state.words) } };
  }

  async #share(view: GameView): Promise<void> {
    const { answers, conversation, views, app } = this.#tools;
    const exchange = new SlackExchange(this.#tools, view.conversation);
    const find = () => this.#actionOn(view, 'share');
    const reply = (await conversation.replyTo(exchange, find)) ?? UNANSWERABLE;
    if (reply.audience === 'asker')
      return views.take(view, { kind: 'show', said: `${reply.title}.`, isShared: true });
    try {
      await answers.show(openedBy(view), reply);
    } catch (error) {
      const { team } = view.conversation;
      app.log.warn({ door: 'slack', team, failure: readFailure(error) }, 'a result could not be shared');
      return views.take(view, {
        kind: 'show',
        said: 'This can’t be posted here. Type /letterboxed share instead.',
      });
    }
    return views.take(view, { kind: 'show', said: 'Shared.', isShared: true });
  }
}

/** The conversation in which the game was opened. */
function openedBy({ conversation, metadata: { url, on = 'nothing' } }: GameView): Conversation {
  return { ...conversation, answerBy: url === undefined ? { kind: 'post' } : { kind: 'url', url, on } };
}
