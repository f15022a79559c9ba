import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { REST } from 'discord.js';
import { type APIInteraction, type APIMessage, InteractionType, MessageFlags } from 'discord.js';
import { troubleReply } from '../../../commands/dispatch/faults.ts';
import type { App, Dispatch, Dispatcher, Request } from '../../../commands/types.ts';
import type { Action, Reply } from '../../reply/types.ts';
import { Mistake } from '../../solver/mistake.ts';
import { Callback } from './callback.ts';
import { CODE, codeOf } from './faults.ts';
import { filledIn, makeModal } from './forms.ts';
import { LIMITS } from './limits.ts';
import { type Painter, type Rendered, renderReply } from './render.ts';
import { askerOf, invokedBy } from './request.ts';

/** Milliseconds an answer may take before Discord is told that it comes later. It waits for 3,000. */
const PATIENCE = 100;

export interface AnswerParts {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly rest: REST;
  readonly painter: Painter;
  /** Told how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
}

/** Answers one interaction of any kind. Never rejects. */
export function makeAnswers({ app, dispatcher, rest, painter, onFirstAnswer }: AnswerParts) {
  const { log } = app;

  async function answer(interaction: APIInteraction): Promise<void> {
    const callback = new Callback(rest, interaction, onFirstAnswer);
    try {
      switch (interaction.type) {
        case InteractionType.ApplicationCommand:
          if ('options' in interaction.data)
            await run(interaction, callback, invokedBy(interaction.data.options as never));
          else await run(interaction, callback, { command: 'help', options: {} });
          return;
        case InteractionType.MessageComponent:
          await press(interaction, callback, interaction.data.custom_id);
          return;
        case InteractionType.ModalSubmit:
          await press(interaction, callback, interaction.data.custom_id, filledIn(interaction.data));
          return;
        case InteractionType.ApplicationCommandAutocomplete:
          await suggest(interaction, callback);
          return;
      }
    } catch (error) {
      await apologise(error, callback);
    }
  }

  async function run(interaction: APIInteraction, callback: Callback, action: Action): Promise<void> {
    const request = await requestOf(interaction, action);
    await give(dispatcher.dispatch(request), callback, () => false);
  }

  /** A button, or a form that was filled in: both hold the command they stand for. */
  async function press(
    interaction: APIInteraction,
    callback: Callback,
    packed: string,
    fields: Readonly<Record<string, string>> = {},
  ): Promise<void> {
    const { command, options } = await dispatcher.unpackAction(packed);
    const action: Action = { command, options: { ...options, ...fields } };
    const request = await requestOf(interaction, action);
    const isTheirs = mayTurn(interaction, request.who.id);
    await give(dispatcher.dispatch(request), callback, () => isTheirs, 'page' in options && isTheirs);
  }

  async function requestOf(interaction: APIInteraction, { command, options }: Action): Promise<Request> {
    const known = dispatcher.commands.find(({ name }) => name === command);
    return { ...(await askerOf(interaction, known, app.store)), command, options };
  }

  /**
   * @param mayReplace whether a reply that wants to may change the message its button sits on
   * @param turns whether it probably will, which has to be decided when the answer is late
   */
  async function give(
    dispatch: Dispatch,
    callback: Callback,
    mayReplace: () => boolean,
    turns = false,
  ): Promise<void> {
    if (dispatch.kind === 'form') {
      await callback.modal(makeModal(dispatch.form, await dispatcher.packAction(dispatch.form.action)));
      return;
    }
    const made = makeReply(dispatch.reply);
    const inTime = await Promise.race([made, sleep(PATIENCE, undefined, { ref: false })]);
    if (inTime !== undefined) {
      const { reply, rendered } = inTime;
      if (reply.replaces && mayReplace()) await callback.update(rendered);
      else await callback.message(rendered, dispatch.private || reply.audience === 'asker');
      return;
    }
    if (turns) await callback.deferUpdate();
    else await callback.defer(dispatch.private);
    const { reply, rendered } = await made;
    if (turns) await (reply.replaces ? callback.fill(rendered) : callback.followUp(rendered));
    else if (!dispatch.private && reply.audience === 'asker') await callback.fillPrivately(rendered);
    else await callback.fill(rendered);
  }

  async function makeReply(promised: Promise<Reply>): Promise<{ reply: Reply; rendered: Rendered }> {
    const reply = await promised;
    return { reply, rendered: await renderReply(reply, painter) };
  }

  async function suggest(
    interaction: APIInteraction & { type: InteractionType.ApplicationCommandAutocomplete },
    callback: Callback,
  ): Promise<void> {
    const { command, options, focused } = invokedBy(interaction.data.options as never);
    const request = await requestOf(interaction, { command, options });
    const values =
      focused === undefined ? [] : await dispatcher.complete(focused.name, focused.value, request);
    const fitting = values.filter((value) => value !== '' && value.length <= LIMITS.choice);
    await callback.choices([...new Set(fitting)].slice(0, LIMITS.choices));
  }

  /** Too late or answered already: there is nobody left to tell. All else gets a short apology. */
  async function apologise(error: unknown, callback: Callback): Promise<void> {
    const code = codeOf(error);
    if (code === CODE.unknownInteraction || code === CODE.acknowledged || code === CODE.invalidToken) {
      log.warn({ door: 'discord', code }, 'an interaction could no longer be answered');
      return;
    }
    const reference = randomUUID().slice(0, 8);
    if (!(error instanceof Mistake))
      log.error({ err: error, door: 'discord', reference }, 'an interaction failed');
    const rendered = await renderReply(troubleReply(error, reference), painter);
    try {
      await callback.message(rendered, true);
    } catch (again) {
      if (codeOf(again) !== CODE.acknowledged) return;
      await callback.followUp(rendered).catch(() => undefined);
    }
  }

  return answer;
}

/** A page turns where it stands for the person it was made for; others get their own. */
function mayTurn(interaction: APIInteraction, person: string): boolean {
  const message: APIMessage | undefined = 'message' in interaction ? interaction.message : undefined;
  if (message === undefined) return false;
  const isPrivate = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  return isPrivate || message.interaction_metadata?.user.id === person;
}
