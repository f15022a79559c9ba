import { randomUUID } from 'node:crypto';
import type { REST } from 'discord.js';
import { type APIInteraction, type APIMessage, InteractionType, MessageFlags } from 'discord.js';
import { UserError } from '../../../core/errors.ts';
import type { App, Command, Dispatch, Dispatcher, Request } from '../../../dispatch/contract.ts';
import { troubleReply } from '../../../dispatch/error-replies.ts';
import { formFor } from '../../../dispatch/form.ts';
import { missingOptions, readOptions } from '../../../dispatch/parse/options.ts';
import type { Action, Form, Reply } from '../../../reply/model/types.ts';
import { CODE, codeOf, GONE } from '../posting/errors.ts';
import { LIMITS } from '../render/limits.ts';
import { type PictureSource, renderReply } from '../render/render.ts';
import { Callback } from './callback.ts';
import { filledIn } from './forms.ts';
import { askerOf, invokedBy, withRole } from './request.ts';
import { makeResponder, NOTHING_KNOWN, type Outlook, within } from './respond.ts';

export interface AnswerParts {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly rest: REST;
  readonly painter: PictureSource;
  /** Told how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
}

export interface Answers {
  /** Answers one interaction of any kind. Never rejects. */
  answer(interaction: APIInteraction): Promise<void>;
  /** Says that now is not the time for it. Never rejects. */
  turnAway(interaction: APIInteraction): Promise<void>;
}

export function makeAnswers({ app, dispatcher, rest, painter, onFirstAnswer }: AnswerParts): Answers {
  const { log } = app;
  const give = makeResponder({ painter, dispatcher });

  async function answer(interaction: APIInteraction): Promise<void> {
    const callback = new Callback(rest, interaction, onFirstAnswer);
    try {
      switch (interaction.type) {
        case InteractionType.ApplicationCommand: {
          const options = 'options' in interaction.data ? interaction.data.options : [];
          await run(interaction, callback, Promise.resolve(invokedBy(options as never)));
          return;
        }
        case InteractionType.MessageComponent:
          await run(interaction, callback, dispatcher.unpackAction(interaction.data.custom_id));
          return;
        case InteractionType.ModalSubmit:
          await run(interaction, callback, submitted(interaction.data));
          return;
        case InteractionType.ApplicationCommandAutocomplete:
          // Nothing can be said in their place, and whoever types on gets the next ones.
          await suggest(interaction, callback).catch((error: unknown) =>
            log.warn({ door: 'discord', code: codeOf(error) }, 'suggestions could not be given'),
          );
          return;
      }
    } catch (error) {
      await apologise(error, callback);
    }
  }

  /** What stands behind a button or a form may have to be read from the store, and who may manage a place too. */
  async function run(
    interaction: APIInteraction,
    callback: Callback,
    finding: Promise<Action>,
  ): Promise<void> {
    let outlook = NOTHING_KNOWN;
    const dispatching = finding.then(({ command, options }): Dispatch | Promise<Dispatch> => {
      const request: Request = { ...askerOf(interaction), command, options };
      const known = commandOf(request);
      outlook = outlookOf(request, known, interaction);
      if (known?.access !== 'manager' || request.who.mayManage) return dispatcher.dispatch(request);
      return withRole(request, interaction, app.store).then((asked) => dispatcher.dispatch(asked));
    });
    await give(callback, dispatching, () => outlook);
  }

  async function submitted(data: Parameters<typeof filledIn>[0] & { custom_id: string }): Promise<Action> {
    const { command, options } = await dispatcher.unpackAction(data.custom_id);
    return { command, options: { ...options, ...filledIn(data) } };
  }

  function commandOf({ command }: Action): Command | undefined {
    return dispatcher.commands.find(({ name }) => name === command);
  }

  function outlookOf(request: Request, known: Command | undefined, interaction: APIInteraction): Outlook {
    const mayReplace = mayTurn(interaction, request.who.id);
    const form = known && formOf(known, request);
    return {
      isPrivate: known === undefined || known.private || (known.privateIn?.(request, app) ?? false),
      turns: 'page' in request.options && mayReplace,
      mayReplace,
      ...(form && { form }),
    };
  }

  async function suggest(
    interaction: APIInteraction & { type: InteractionType.ApplicationCommandAutocomplete },
    callback: Callback,
  ): Promise<void> {
    const { command, options, focused } = invokedBy(interaction.data.options as never);
    const request: Request = { ...askerOf(interaction), command, options };
    // Late suggestions are none.
    const values =
      focused && (await within(callback, dispatcher.complete(focused.name, focused.value, request)));
    const fitting = (values ?? []).filter((value) => value !== '' && value.length <= LIMITS.choice);
    await callback.choices([...new Set(fitting)].slice(0, LIMITS.choices));
  }

  /** Where nobody is left to be told, it stands in the log. All else gets a short apology. */
  async function apologise(error: unknown, callback: Callback): Promise<void> {
    const code = codeOf(error);
    if (code !== undefined && GONE.has(code)) {
      log.warn({ door: 'discord', code }, 'an interaction could no longer be answered');
      return;
    }
    const reference = randomUUID().slice(0, 8);
    if (!(error instanceof UserError))
      log.error({ err: error, door: 'discord', reference }, 'an interaction failed');
    const rendered = await renderReply(troubleReply(error, reference), painter);
    try {
      if (callback.isPutOff) await callback.late(rendered, true);
      else await callback.message(rendered, true);
    } catch (again) {
      if (codeOf(again) !== CODE.acknowledged) return;
      await callback.followUp(rendered, true).catch(() => undefined);
    }
  }

  async function turnAway(interaction: APIInteraction): Promise<void> {
    const callback = new Callback(rest, interaction);
    try {
      if (interaction.type === InteractionType.ApplicationCommandAutocomplete) await callback.choices([]);
      else await callback.message(await renderReply(RESTARTING, painter), true);
    } catch (error) {
      log.warn({ door: 'discord', code: codeOf(error) }, 'an interaction could not be turned away');
    }
  }

  return { answer, turnAway };
}

const RESTARTING: Reply = {
  title: 'One moment, please.',
  blocks: [{ kind: 'text', lines: ['The bot is being restarted. Please try that again in a minute.'] }],
  audience: 'asker',
};

/** What is missing has to be asked for; a mistake in what is there is the dispatcher's to tell. */
function formOf(command: Command, request: Request): Form | undefined {
  try {
    const options = readOptions(command, request.options);
    const missing = missingOptions(command, options);
    return missing.length === 0 ? undefined : formFor(command, missing, options);
  } catch {
    return undefined;
  }
}

/** A page turns where it stands for the person it was made for; others get their own. */
function mayTurn(interaction: APIInteraction, person: string): boolean {
  const message: APIMessage | undefined = 'message' in interaction ? interaction.message : undefined;
  if (message === undefined) return false;
  const isPrivate = ((message.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  return isPrivate || message.interaction_metadata?.user.id === person;
}
