import { setTimeout as sleep } from 'node:timers/promises';
import type { REST } from '@discordjs/rest';
import { InteractionType } from 'discord-api-types/v10';
import type { Log } from '../../core/log.ts';
import { splitWords } from '../../core/text.ts';
import { actionAskerOf, type Prepared, settled } from '../../dispatch/contract.ts';
import { gameIn } from '../../reply/model/game-card.ts';
import { wordsOption } from '../../reply/model/subject.ts';
import type { Action, Form, GameCard, Reply } from '../../reply/model/types.ts';
import { typeWordsForm } from '../../reply/replies/game.ts';
import type { Store } from '../../store/store.ts';
import { type Answer, Callback, type Deferral } from './callback.ts';
import { codeOf, GONE } from './errors.ts';
import { askerOf, type Interaction, mayReplaceMessage } from './events.ts';
import { type GameAction, makeGameAction, readGameAction } from './game-buttons.ts';
import { GamePresses, type GamePressesTools } from './game-presses.ts';
import { LIMITS } from './limits.ts';
import { makeModal, renderReply } from './render.ts';

/** Ages of an interaction, in milliseconds. Discord waits for 3,000. */
export interface Patience {
  /** When its answer is deferred, so that there is a first answer within 100. */
  readonly deferAt: number;
  /** When forms and suggestions, which can't be deferred, are given up. */
  readonly giveUpAt: number;
}
const PATIENCE: Patience = { deferAt: 80, giveUpAt: 1_500 };

export interface ResponderTools extends GamePressesTools {
  readonly store: Store;
  readonly rest: REST;
  readonly log: Log;
  /** Receives how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
  /** Another one than the bot's, for tests. */
  readonly patience?: Partial<Patience> | undefined;
}

/** Responds to Discord's interactions: commands, pressed buttons, submitted forms, and requests for suggestions. */
export class Responder {
  readonly #tools: ResponderTools;
  readonly #patience: Patience;
  readonly #games: GamePresses;
  readonly #inFlight = new Set<Promise<void>>();
  #isStopping = false;

  constructor(tools: ResponderTools) {
    this.#tools = tools;
    this.#patience = { ...PATIENCE, ...tools.patience };
    this.#games = new GamePresses(tools);
  }

  /** Takes an interaction as the gateway delivers it. Never throws. */
  readonly receive = (interaction: Interaction): void => {
    const callback = new Callback(this.#tools.rest, interaction, this.#tools.onFirstAnswer);
    const responding = (
      this.#isStopping ? this.#turnAway(interaction, callback) : this.#respond(interaction, callback)
    ).finally(() => this.#inFlight.delete(responding));
    this.#inFlight.add(responding);
  };

  /** Turns away what comes from now on, and resolves when everything before it is answered. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.allSettled(this.#inFlight);
  }

  async #respond(interaction: Interaction, callback: Callback): Promise<void> {
    try {
      switch (interaction.type) {
        case InteractionType.ApplicationCommand:
          return await this.#run(interaction, callback, Promise.resolve(interaction.data));
        case InteractionType.MessageComponent:
          return await this.#act(interaction, callback, interaction.data.packed);
        case InteractionType.ModalSubmit:
          return await this.#act(interaction, callback, interaction.data.packed, interaction.data.filled);
        case InteractionType.ApplicationCommandAutocomplete:
          return await this.#suggest(interaction, callback);
      }
    } catch (error) {
      await this.#apologize(error, callback);
    }
  }

  /** A button that was pressed, or a form that was sent with what was filled in. */
  async #act(
    interaction: Acting,
    callback: Callback,
    packed: string,
    filled?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const unpacking = this.#tools.dispatcher.unpackAction(packed);
    // Buttons of games are short, and so never wait for the store.
    const action = await Promise.race([unpacking, until(callback, this.#patience.deferAt)]);
    const game = action && readGameAction(action);
    if (game !== undefined) return this.#play(interaction, callback, game, filled);
    const finding = unpacking.then(({ command, options }) => ({
      command,
      options: { ...options, ...filled },
    }));
    return this.#run(interaction, callback, finding);
  }

  async #play(
    interaction: Acting,
    callback: Callback,
    { options, act }: GameAction,
    filled?: Readonly<Record<string, string>>,
  ): Promise<void> {
    const asker = askerOf(interaction, this.#tools.store);
    if (act.kind === 'hint') {
      const finding = this.#games.open(asker, options).then(hintAction);
      return this.#run(interaction, callback, finding);
    }
    if (act.kind === 'words' && filled === undefined) {
      const opening = this.#games.open(asker, options);
      const card = await Promise.race([opening, until(callback, this.#patience.giveUpAt)]);
      if (card === undefined) return callback.message(await this.#privately(SLOW));
      return this.#sendForm(interaction, typeWordsForm(card, makeGameAction(card, act)), callback);
    }
    return this.#games.press(callback, {
      asker,
      options,
      input: act.kind === 'moves' ? { moves: act.moves } : { words: splitWords(filled?.words ?? '') },
      message: interaction.message?.id ?? interaction.id,
      mayReplace: mayReplaceMessage(interaction),
    });
  }

  /** @param finding may have to wait for the store, where long actions of buttons are kept */
  async #run(interaction: Interaction, callback: Callback, finding: Promise<Action>): Promise<void> {
    const { dispatcher, store } = this.#tools;
    const asker = askerOf(interaction, store);
    const preparing = finding.then(({ command, options }) =>
      dispatcher.prepare({ ...asker, command, options }),
    );
    const deferAt = until(callback, this.#patience.deferAt);
    const ready = await Promise.race([preparing, deferAt]);
    // A form opens even if something is still being looked up by then: what is submitted is checked again.
    const prepared = ready && ((await Promise.race([settled(ready), deferAt])) ?? ready);
    if (prepared?.kind === 'form') return this.#sendForm(interaction, prepared.form, callback);
    const making = (prepared === undefined ? preparing.then(settled) : Promise.resolve(prepared)).then(
      (one) => this.#make(one),
    );
    // Awaited below, but not before the answer is deferred.
    making.catch(() => undefined);
    const mayReplace = mayReplaceMessage(interaction);
    const inTime = prepared && (await Promise.race([making, deferAt]));
    if (inTime === undefined) {
      await callback.defer(deferralOf(prepared, mayReplace));
      const late = await making;
      const sent = callback.sendDeferred(late);
      if (late.game !== undefined) this.#games.follow(callback, asker, late.game, sent);
      return sent;
    }
    const sent = inTime.replaces && mayReplace ? callback.update(inTime) : callback.message(inTime);
    if (inTime.game !== undefined) this.#games.follow(callback, asker, inTime.game, sent);
    return sent;
  }

  async #make(prepared: Prepared): Promise<Answer> {
    switch (prepared.kind) {
      case 'refusal':
        return this.#privately(prepared.reply);
      case 'form':
        // Used only if the answer is deferred by now, after which no form can be opened.
        return this.#privately(SLOW);
      case 'answer': {
        const reply = await prepared.run();
        const { dispatcher, services } = this.#tools;
        const asker = actionAskerOf(prepared.request);
        const game = gameIn(reply);
        const pack = (action: Action) => dispatcher.packAction(action, asker);
        return {
          rendered: await renderReply(reply, { ...services, pack, asker }),
          isPrivate: prepared.private || reply.audience === 'asker',
          replaces: reply.replaces === true,
          ...(game !== undefined && { game }),
        };
      }
    }
  }

  async #privately(reply: Reply): Promise<Answer> {
    const rendered = await renderReply(reply, this.#tools.services);
    return { rendered, isPrivate: true, replaces: false };
  }

  async #sendForm(interaction: Interaction, form: Form, callback: Callback): Promise<void> {
    const { dispatcher, store } = this.#tools;
    const packing = dispatcher.packAction(form.action, actionAskerOf(askerOf(interaction, store)));
    const packed = await Promise.race([packing, until(callback, this.#patience.giveUpAt)]);
    if (packed === undefined) return callback.message(await this.#privately(SLOW));
    await callback.modal(makeModal(form, packed));
  }

  async #suggest(
    interaction: Interaction & { type: InteractionType.ApplicationCommandAutocomplete },
    callback: Callback,
  ): Promise<void> {
    const { dispatcher, store, log } = this.#tools;
    const { command, options, focused } = interaction.data;
    try {
      const request = { ...askerOf(interaction, store), command, options };
      const completing = focused && dispatcher.complete(focused.name, focused.value, request);
      const values = (await Promise.race([completing, until(callback, this.#patience.giveUpAt)])) ?? [];
      const valid = values.filter((value) => value !== '' && value.length <= LIMITS.choice);
      await callback.choices([...new Set(valid)].slice(0, LIMITS.choices));
    } catch (error) {
      // Nothing else can be shown in their place, and the next key that is pressed asks again.
      log.warn({ door: 'discord', code: codeOf(error) }, 'suggestions could not be sent');
    }
  }

  async #apologize(error: unknown, callback: Callback): Promise<void> {
    const { dispatcher, log } = this.#tools;
    const code = codeOf(error);
    if (code !== undefined && GONE.has(code)) {
      log.warn({ door: 'discord', code }, 'an interaction could no longer be answered');
      return;
    }
    const reply = dispatcher.errorReply(error, { door: 'discord' }, 'an interaction failed');
    await callback.sendWhatever(await this.#privately(reply));
  }

  async #turnAway(interaction: Interaction, callback: Callback): Promise<void> {
    try {
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete) await callback.choices([]);
      else await callback.message(await this.#privately(RESTARTING));
    } catch (error) {
      this.#tools.log.warn(
        { door: 'discord', code: codeOf(error) },
        'an interaction could not be turned away',
      );
    }
  }
}

/** An interaction in a message: a pressed button, or a form that was sent. */
type Acting = Interaction & { type: InteractionType.MessageComponent | InteractionType.ModalSubmit };

/** The next hint of a game goes on from its words. */
function hintAction({ options, words }: GameCard): Action {
  return { command: 'hint', options: { ...options, ...wordsOption(words) } };
}

/** Resolves when an interaction has this age, in milliseconds. */
function until({ age }: Callback, moment: number): Promise<undefined> {
  return sleep(Math.max(0, moment - age), undefined, { ref: false });
}

/**
 * What to announce before the answer is there. What a button means may still be unknown: after a private
 * announcement the answer can be public, but after a public one everyone would have seen that somebody asked.
 */
function deferralOf(prepared: Prepared | undefined, mayReplace: boolean): Deferral {
  if (prepared?.kind !== 'answer') return 'private';
  if (mayReplace && prepared.inPlace) return 'update';
  return prepared.private ? 'private' : 'public';
}

const RESTARTING: Reply = {
  title: 'One moment, please',
  blocks: [{ kind: 'text', lines: ['I’m restarting. Try again in a minute.'] }],
  audience: 'asker',
};

const SLOW: Reply = {
  title: 'One moment, please',
  blocks: [{ kind: 'text', lines: ['I was too slow to open a form. Try again.'] }],
  audience: 'asker',
};
