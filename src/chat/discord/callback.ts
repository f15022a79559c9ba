import type { REST } from 'discord.js';
import { type APIInteraction, InteractionResponseType, MessageFlags, Routes } from 'discord.js';
import type { Rendered } from './render.ts';

/** The ways to answer one interaction. Its first answer decides who sees it. */
export class Callback {
  readonly #rest: REST;
  readonly #interaction: APIInteraction;

  readonly #onFirst: (milliseconds: number) => void;
  readonly #began = performance.now();

  /** @param onFirst told how long it took until Discord had the first answer. */
  constructor(rest: REST, interaction: APIInteraction, onFirst: (milliseconds: number) => void = () => {}) {
    this.#rest = rest;
    this.#interaction = interaction;
    this.#onFirst = onFirst;
  }

  message({ body, files }: Rendered, isPrivate: boolean): Promise<unknown> {
    const flags = isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags;
    return this.#answer(InteractionResponseType.ChannelMessageWithSource, { ...body, flags }, files);
  }

  /** Changes the message that the pressed button sits on. */
  update({ body, files }: Rendered): Promise<unknown> {
    return this.#answer(InteractionResponseType.UpdateMessage, body, files);
  }

  defer(isPrivate: boolean): Promise<unknown> {
    const data = isPrivate ? { flags: MessageFlags.Ephemeral } : {};
    return this.#answer(InteractionResponseType.DeferredChannelMessageWithSource, data);
  }

  deferUpdate(): Promise<unknown> {
    return this.#answer(InteractionResponseType.DeferredMessageUpdate);
  }

  modal(data: unknown): Promise<unknown> {
    return this.#answer(InteractionResponseType.Modal, data);
  }

  choices(values: readonly string[]): Promise<unknown> {
    const choices = values.map((value) => ({ name: value, value }));
    return this.#answer(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices });
  }

  /** Fills in what was put off. */
  fill({ body, files }: Rendered): Promise<unknown> {
    return this.#rest.patch(this.#original, { body, files, auth: false });
  }

  /** Takes back what was put off in public, and answers in private instead. */
  async fillPrivately(rendered: Rendered): Promise<void> {
    await this.#rest.delete(this.#original, { auth: false });
    await this.followUp(rendered);
  }

  followUp({ body, files }: Rendered): Promise<unknown> {
    const { application_id: application, token } = this.#interaction;
    const flags = body.flags | MessageFlags.Ephemeral;
    return this.#rest.post(Routes.webhook(application, token), {
      body: { ...body, flags },
      files,
      auth: false,
    });
  }

  get #original(): `/${string}` {
    const { application_id: application, token } = this.#interaction;
    return Routes.webhookMessage(application, token, '@original');
  }

  async #answer(
    type: InteractionResponseType,
    data?: unknown,
    files: Rendered['files'] = [],
  ): Promise<unknown> {
    const { id, token } = this.#interaction;
    const answered = await this.#rest.post(Routes.interactionCallback(id, token), {
      body: data === undefined ? { type } : { type, data },
      files,
      auth: false,
    });
    this.#onFirst(performance.now() - this.#began);
    return answered;
  }
}
