import { DiscordAPIError, HTTPError, type REST } from '@discordjs/rest';
import { InteractionResponseType, MessageFlags, Routes } from 'discord-api-types/v10';
import { MINUTE } from '../../core/clock.ts';
import type { GameCard } from '../../reply/model/types.ts';
import { CODE, codeOf } from './errors.ts';
import type { Interaction } from './events.ts';
import type { Rendered } from './render.ts';

/** What a deferred answer announced: who will see it, or that it changes the message with the pressed button. */
export type Deferral = 'private' | 'public' | 'update';

export interface Answer {
  readonly rendered: Rendered;
  readonly isPrivate: boolean;
  /** Meant to change the message with the pressed button. */
  readonly replaces: boolean;
  /** The game that it shows. */
  readonly game?: GameCard;
}

/** Milliseconds after an interaction in which its answer can be changed: fifteen minutes, less the time of a request. */
const TOKEN_LASTS = 14.5 * MINUTE;

/** The ways to answer one interaction. Its first answer decides who sees it. */
export class Callback {
  readonly #rest: REST;
  readonly #interaction: Interaction;
  readonly #onFirst: (milliseconds: number) => void;
  readonly #began = performance.now();
  /** Set between the announcement and the answer itself. */
  #deferral: Deferral | undefined;

  /** @param onFirst receives how long it took until Discord had the first answer, in milliseconds */
  constructor(rest: REST, interaction: Interaction, onFirst: (milliseconds: number) => void = () => {}) {
    this.#rest = rest;
    this.#interaction = interaction;
    this.#onFirst = onFirst;
  }

  /** Milliseconds since the interaction arrived. */
  get age(): number {
    return performance.now() - this.#began;
  }

  message({ rendered, isPrivate }: Answer): Promise<void> {
    const data = withAudience(rendered, isPrivate);
    return this.#respond(InteractionResponseType.ChannelMessageWithSource, data, rendered.files);
  }

  /** Changes the message with the pressed button. */
  update({ rendered: { body, files } }: Answer): Promise<void> {
    return this.#respond(InteractionResponseType.UpdateMessage, body, files);
  }

  modal(data: unknown): Promise<void> {
    return this.#respond(InteractionResponseType.Modal, data);
  }

  choices(values: readonly string[]): Promise<void> {
    const choices = values.map((value) => ({ name: value, value }));
    return this.#respond(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices });
  }

  /** Announces that the answer comes later. */
  async defer(deferral: Deferral): Promise<void> {
    try {
      if (deferral === 'update') await this.#respond(InteractionResponseType.DeferredMessageUpdate);
      else
        await this.#respond(
          InteractionResponseType.DeferredChannelMessageWithSource,
          deferral === 'private' ? { flags: MessageFlags.Ephemeral } : {},
        );
    } catch (error) {
      // Announced already: by the library's own retry, or by another delivery of the same event.
      if (codeOf(error) !== CODE.acknowledged) throw error;
    }
    this.#deferral = deferral;
  }

  /** Sends the answer that was announced: in its place if the same people are to see it, else as a new message. */
  async sendDeferred(answer: Answer): Promise<void> {
    const deferral = this.#deferral;
    this.#deferral = undefined;
    if (deferral === 'update') return answer.replaces ? this.#fillIn(answer) : this.#followUp(answer);
    if (deferral === (answer.isPrivate ? 'private' : 'public')) return this.#fillIn(answer);
    await this.#rest.delete(this.#original, { auth: false });
    await this.#followUp(answer);
  }

  /** Changes the answer later on, while the token of its interaction is valid. */
  change({ rendered }: Pick<Answer, 'rendered'>): Promise<void> {
    return this.#fillIn({ rendered });
  }

  /** Milliseconds in which the answer can still be changed. */
  get lasts(): number {
    return TOKEN_LASTS - this.age;
  }

  /** Best effort, after something failed: sends the answer in whichever way is still open. Never throws. */
  async sendWhatever(answer: Answer): Promise<void> {
    try {
      if (this.#deferral !== undefined) await this.sendDeferred(answer);
      else await this.message(answer);
    } catch (error) {
      if (codeOf(error) === CODE.acknowledged) await this.#followUp(answer).catch(() => undefined);
    }
  }

  async #followUp({ rendered, isPrivate }: Answer): Promise<void> {
    const { application_id: application, token } = this.#interaction;
    await this.#rest.post(Routes.webhook(application, token), {
      body: withAudience(rendered, isPrivate),
      files: rendered.files,
      auth: false,
    });
  }

  async #fillIn({ rendered: { body, files } }: Pick<Answer, 'rendered'>): Promise<void> {
    await this.#rest.patch(this.#original, { body, files, auth: false });
  }

  get #original(): `/${string}` {
    const { application_id: application, token } = this.#interaction;
    return Routes.webhookMessage(application, token, '@original');
  }

  async #respond(
    type: InteractionResponseType,
    data?: unknown,
    files: Rendered['files'] = [],
  ): Promise<void> {
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
      // The connection broke before or after Discord had it; a second attempt tells which.
      await post().catch((again: unknown) => {
        if (codeOf(again) !== CODE.acknowledged) throw again;
      });
    }
    this.#onFirst(this.age);
  }
}

function withAudience({ body }: Rendered, isPrivate: boolean): Rendered['body'] {
  return isPrivate ? { ...body, flags: body.flags | MessageFlags.Ephemeral } : body;
}
