import type { REST } from 'discord.js';
import {
  type APIInteraction,
  DiscordAPIError,
  HTTPError,
  InteractionResponseType,
  MessageFlags,
  Routes,
} from 'discord.js';
import { CODE, codeOf } from '../posting/errors.ts';
import type { Rendered } from '../render/render.ts';

/** What was said of an answer that comes later: who will see it, or that it changes the button's message. */
type PutOff = 'private' | 'public' | 'update';

/** The ways to answer one interaction. Its first answer decides who sees it. */
export class Callback {
  readonly #rest: REST;
  readonly #interaction: APIInteraction;
  readonly #onFirst: (milliseconds: number) => void;
  readonly #began = performance.now();
  #putOff: PutOff | undefined;

  /** @param onFirst told how long it took until Discord had the first answer. */
  constructor(rest: REST, interaction: APIInteraction, onFirst: (milliseconds: number) => void = () => {}) {
    this.#rest = rest;
    this.#interaction = interaction;
    this.#onFirst = onFirst;
  }

  /** Milliseconds since the interaction came in. */
  get age(): number {
    return performance.now() - this.#began;
  }

  /** Discord was told that the answer comes later, and it has not come yet. */
  get isPutOff(): boolean {
    return this.#putOff !== undefined;
  }

  message({ body, files }: Rendered, isPrivate: boolean): Promise<void> {
    const flags = isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags;
    return this.#answer(InteractionResponseType.ChannelMessageWithSource, { ...body, flags }, files);
  }

  /** Changes the message that the pressed button sits on. */
  update({ body, files }: Rendered): Promise<void> {
    return this.#answer(InteractionResponseType.UpdateMessage, body, files);
  }

  modal(data: unknown): Promise<void> {
    return this.#answer(InteractionResponseType.Modal, data);
  }

  choices(values: readonly string[]): Promise<void> {
    const choices = values.map((value) => ({ name: value, value }));
    return this.#answer(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices });
  }

  /** A defer that the library sent again, its answer being lost, is known already: then it is said. */
  async putOff(as: PutOff): Promise<void> {
    try {
      if (as === 'update') await this.#answer(InteractionResponseType.DeferredMessageUpdate);
      else
        await this.#answer(
          InteractionResponseType.DeferredChannelMessageWithSource,
          as === 'private' ? { flags: MessageFlags.Ephemeral } : {},
        );
    } catch (error) {
      if (codeOf(error) !== CODE.acknowledged) throw error;
    }
    this.#putOff = as;
  }

  /**
   * Gives what was put off: in its place if the same people are to see it, else anew.
   *
   * @param replaces whether it is meant to change the message that the pressed button sits on
   */
  async late(rendered: Rendered, isPrivate: boolean, replaces = false): Promise<void> {
    const as = this.#putOff;
    this.#putOff = undefined;
    if (as === 'update') return replaces ? this.#fill(rendered) : this.followUp(rendered, isPrivate);
    if (as === (isPrivate ? 'private' : 'public')) return this.#fill(rendered);
    await this.#rest.delete(this.#original, { auth: false });
    await this.followUp(rendered, isPrivate);
  }

  async followUp({ body, files }: Rendered, isPrivate: boolean): Promise<void> {
    const { application_id: application, token } = this.#interaction;
    const flags = isPrivate ? body.flags | MessageFlags.Ephemeral : body.flags;
    await this.#rest.post(Routes.webhook(application, token), {
      body: { ...body, flags },
      files,
      auth: false,
    });
  }

  async #fill({ body, files }: Rendered): Promise<void> {
    await this.#rest.patch(this.#original, { body, files, auth: false });
  }

  get #original(): `/${string}` {
    const { application_id: application, token } = this.#interaction;
    return Routes.webhookMessage(application, token, '@original');
  }

  async #answer(type: InteractionResponseType, data?: unknown, files: Rendered['files'] = []): Promise<void> {
    const { id, token } = this.#interaction;
    const post = () =>
      this.#rest.post(Routes.interactionCallback(id, token), {
        body: data === undefined ? { type } : { type, data },
        files,
        auth: false,
      });
    try {
      await post();
    } catch (error) {
      if (error instanceof DiscordAPIError || error instanceof HTTPError) throw error;
      // The line broke, before or after Discord had it: asked again, it says which.
      await post().catch((again: unknown) => {
        if (codeOf(again) !== CODE.acknowledged) throw again;
      });
    }
    this.#onFirst(this.age);
  }
}
