import { setTimeout as sleep } from 'node:timers/promises';
import {
  type APIComponentInLabel,
  type APILabelComponent,
  type APIModalInteractionResponseCallbackData,
  type APITextDisplayComponent,
  ApplicationIntegrationType,
  RESTJSONErrorCodes as CODE,
  ComponentType,
  DiscordAPIError,
  HTTPError,
  InteractionResponseType,
  InteractionType,
  MessageFlags,
  PermissionFlagsBits,
  PermissionsBitField,
  type REST,
  Routes,
  SelectMenuDefaultValueType,
  SnowflakeUtil,
  TextInputStyle,
} from 'discord.js';
import * as v from 'valibot';
import { makeTenant, privateTenant } from '../../core/channel-ref.ts';
import { shorten } from '../../core/text.ts';
import { parseStored } from '../../daily/settings/settings.ts';
import type { App, Asker, Prepared, RequestChannel } from '../../dispatch/contract.ts';
import { sentenceReply } from '../../reply/model/text.ts';
import type { Form, FormField, Reply } from '../../reply/model/types.ts';
import { drawBoard } from '../../reply/picture/drawing.ts';
import type { Store } from '../../store/store.ts';
import { formButton, type RequestContext, type RunnableAnswer } from '../conversation.ts';
import type { Activities } from './activity.ts';
import { codeOf, GONE_CODES } from './errors.ts';
import { type Interaction, placeOf } from './interaction.ts';
import { LIMITS } from './markdown.ts';
import { type Rendered, type RenderServices, renderReply } from './render.ts';
import { ignoring } from './rest.ts';
import { missingPermissions } from './rights.ts';

/** Milliseconds after an interaction arrives. Discord waits 3,000 for the first answer. */
export const ANSWER_DEADLINES = {
  /** The answer is deferred, so that Discord has a first answer within 100 ms. */
  deferAfterMs: 80,
  /** A form opens even if the data to fill it in is not loaded yet. */
  openFormAfterMs: 1_000,
  /** Forms and suggestions are abandoned: Discord does not let us defer them. */
  giveUpAfterMs: 1_500,
};
/** Milliseconds since an interaction was made. Discord takes no first answer after 3,000. */
const LATE_AFTER_MS = 2_000;
export type AnswerDeadlines = typeof ANSWER_DEADLINES;

export interface InteractionTools {
  readonly app: App;
  readonly rest: REST;
  readonly services: RenderServices;
  readonly deadlines: AnswerDeadlines;
  /** Receives how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
  readonly activities?: Pick<Activities, 'remember'> | undefined;
}

/** How an answer was deferred: seen by the asker, seen by everyone, or as an update of the message with the button. */
type Deferral = 'private' | 'public' | 'update';

interface RenderedAnswer extends Rendered {
  readonly isPrivate: boolean;
  /** The body of a new message, which decides who sees it. */
  readonly newBody: Rendered['body'];
  /** Whether it updates the message with the pressed button. */
  readonly replaces: boolean;
}

const WITH_RESPONSE = new URLSearchParams({ with_response: 'true' });
/** Discord's response after an Activity was opened or joined. */
const Launched = v.object({
  resource: v.object({ activity_instance: v.object({ id: v.pipe(v.string(), v.maxLength(200)) }) }),
});

/** The options of `play` that select a board; the others enter words or change a game. */
const BOARD_OPTIONS: readonly string[] = ['date', 'sides'];

const FORM_TOO_LATE = sentenceReply('One moment, please', 'I was too slow to open a form. Try again.');

/** One interaction and the ways to answer it. Its first answer decides who sees it. */
export class InteractionContext implements RequestContext {
  readonly #interaction: Interaction;
  readonly #tools: InteractionTools;
  readonly #asker: Asker;
  readonly #began: number;
  #acknowledging: Promise<void> | undefined;
  /** Set from the deferral until the answer is sent. */
  #deferral: Deferral | undefined;
  /** Rendered by `run`, so that slow rendering is deferred as well. */
  #rendered: Rendered | undefined;

  constructor(interaction: Interaction, tools: InteractionTools) {
    this.#began = performance.now();
    this.#interaction = interaction;
    this.#tools = tools;
    this.#asker = askerOf(interaction, tools.app.store);
  }

  asker(): Asker {
    return this.#asker;
  }

  due(prepared?: Prepared): Promise<undefined> {
    const { deferAfterMs, openFormAfterMs } = this.#tools.deadlines;
    return this.#until(prepared?.kind === 'form' ? openFormAfterMs : deferAfterMs);
  }

  /** Resolves this many milliseconds after the interaction arrived. */
  #until(age: number): Promise<undefined> {
    return sleep(Math.max(0, this.#began + age - performance.now()), undefined, { ref: false });
  }

  /**
   * Defers privately while the command behind a button is still unknown: a private deferral can be replaced by a public
   * answer, but a public one would already have shown everyone that somebody asked.
   */
  acknowledge(prepared?: Prepared): Promise<void> {
    this.#acknowledging ??= this.#defer(prepared);
    return this.#acknowledging;
  }

  async #defer(prepared?: Prepared): Promise<void> {
    const isAnswer = prepared?.kind === 'answer';
    let deferral: Deferral = isAnswer && !prepared.private ? 'public' : 'private';
    if (isAnswer && prepared.inPlace && mayReplaceMessage(this.#interaction, prepared.private))
      deferral = 'update';
    const { DeferredMessageUpdate, DeferredChannelMessageWithSource } = InteractionResponseType;
    const type = deferral === 'update' ? DeferredMessageUpdate : DeferredChannelMessageWithSource;
    const data = deferral === 'private' ? { flags: MessageFlags.Ephemeral } : {};
    // It may be deferred already, by a retry of discord.js.
    await ignoring([CODE.InteractionHasAlreadyBeenAcknowledged], this.#respond(type, data));
    this.#deferral = deferral;
  }

  /** Opens the Activity for `play` if its options only select a board. Returns false if it could not be opened. */
  async launch({ request }: RunnableAnswer): Promise<boolean> {
    const { activities, app } = this.#tools;
    if (activities === undefined || request.command !== 'play') return false;
    const mayUse =
      this.#interaction.member?.permissions.has(PermissionFlagsBits.UseEmbeddedActivities) !== false;
    const isOfBoard = Object.keys(request.options).every((name) => BOARD_OPTIONS.includes(name));
    if (!mayUse || !isOfBoard) return false;
    let isOpened = false;
    try {
      const answer = await this.#respond(InteractionResponseType.LaunchActivity);
      isOpened = true;
      const instance = v.parse(Launched, answer).resource.activity_instance.id;
      await activities.remember(instance, this.#asker, request.options);
    } catch (error) {
      const code = codeOf(error);
      // Missing access may be that to Activities.
      if (GONE_CODES.has(code) && code !== CODE.MissingAccess) throw error;
      // Activities may be off, or the application is unverified. In one that opened, the chosen board could not be remembered.
      const problem = isOpened ? 'shows the board of today' : 'could not be opened';
      // An error of Discord's has the interaction's token in its address.
      const err = code === undefined ? error : undefined;
      app.log.warn({ door: 'discord', code, err }, `an Activity ${problem}`);
    }
    return isOpened;
  }

  /**
   * What arrives late, as after a break of the connection, or from a locked thread is acknowledged first: if Discord refuses that,
   * nobody could read the answer, and a hint would count. The clock may be wrong, so only the refusal decides.
   */
  async run(answer: RunnableAnswer): Promise<Reply> {
    const { id, channel } = this.#interaction;
    const isLate = this.#tools.app.clock.now() - SnowflakeUtil.timestampFrom(id) > LATE_AFTER_MS;
    if (isLate || channel.thread_metadata?.locked) await this.acknowledge(answer);
    const reply = await answer.run();
    this.#rendered = await this.#render(reply);
    return reply;
  }

  async show(reply: Reply, prepared?: Prepared): Promise<void> {
    const isAnswer = prepared?.kind === 'answer';
    const rendered = (isAnswer ? this.#rendered : undefined) ?? (await this.#render(reply));
    const isPrivate = reply.audience === 'asker' || (isAnswer && prepared.private);
    const { body } = rendered;
    const newBody = isPrivate ? { ...body, flags: body.flags | MessageFlags.Ephemeral } : body;
    const replaces = reply.replaces === true && mayReplaceMessage(this.#interaction, isPrivate);
    const answer = { ...rendered, newBody, isPrivate, replaces };
    try {
      await this.#send(answer);
    } catch (error) {
      // Without `prepared`, the reply is an apology for an error. The answer that failed may have reached Discord all the same:
      // then the apology is another message.
      if (prepared !== undefined || codeOf(error) !== CODE.InteractionHasAlreadyBeenAcknowledged) throw error;
      await this.#followUp(answer);
    }
  }

  /** Discord accepts no form in answer to a submitted form, or after a deferral: those get a button that opens it. */
  async form(form: Form): Promise<void> {
    const { services, deadlines } = this.#tools;
    if (this.#interaction.type === InteractionType.ModalSubmit || this.#deferral !== undefined)
      return this.#showInstead(formButton(form));
    const packing = services.pack(form.action, this.#asker);
    const packed = await Promise.race([packing, this.#until(deadlines.giveUpAfterMs)]);
    if (packed === undefined) return this.#showInstead(FORM_TOO_LATE);
    await this.#respond(InteractionResponseType.Modal, makeModal(form, packed));
  }

  #showInstead(reply: Reply): Promise<void> {
    return this.show(reply, { kind: 'refusal', reply });
  }

  /** Shows suggestions for the option that is being typed: none if there are none in time. */
  async suggest(completing: Promise<readonly string[]> | undefined): Promise<void> {
    const late = this.#until(this.#tools.deadlines.giveUpAfterMs);
    const values = (await Promise.race([completing, late])) ?? [];
    const valid = values.filter((value) => value !== '' && value.length <= LIMITS.choice);
    const choices = [...new Set(valid)].slice(0, LIMITS.choices).map((value) => ({ name: value, value }));
    await this.#respond(InteractionResponseType.ApplicationCommandAutocompleteResult, { choices });
  }

  isOver(error: unknown): boolean {
    const code = codeOf(error);
    if (!GONE_CODES.has(code)) return false;
    this.#tools.app.log.warn({ door: 'discord', code }, 'an interaction could no longer be answered');
    return true;
  }

  describe(error: unknown): object {
    return { code: codeOf(error) };
  }

  #render(reply: Reply): Promise<Rendered> {
    const asker = this.#asker;
    return renderReply(reply, this.#tools.services, { tenant: this.#asker.where.tenant, asker });
  }

  /** Sends the first answer, or completes a deferred one: replaces it for the same audience, or sends a new message. */
  async #send(answer: RenderedAnswer): Promise<void> {
    const { body, newBody, files, isPrivate, replaces } = answer;
    const deferral = this.#deferral;
    if (deferral === undefined) {
      const { UpdateMessage, ChannelMessageWithSource } = InteractionResponseType;
      if (replaces) await this.#respond(UpdateMessage, body, files);
      else await this.#respond(ChannelMessageWithSource, newBody, files);
      return;
    }
    this.#deferral = undefined;
    const { rest } = this.#tools;
    const { application_id: application, token } = this.#interaction;
    const original = Routes.webhookMessage(application, token, '@original');
    // A deferral becomes the answer if the same people see both.
    const becomesAnswer = deferral === 'update' ? replaces : (deferral === 'private') === isPrivate;
    if (becomesAnswer) {
      await rest.patch(original, { body, files, auth: false });
      return;
    }
    // Somebody may have deleted it already, as bots do that keep a channel clean.
    if (deferral !== 'update') await ignoring([CODE.UnknownMessage], rest.delete(original, { auth: false }));
    await this.#followUp(answer);
  }

  async #followUp({ newBody: body, files }: RenderedAnswer): Promise<void> {
    const { application_id: application, token } = this.#interaction;
    await this.#tools.rest.post(Routes.webhook(application, token), { body, files, auth: false });
  }

  async #respond(
    type: InteractionResponseType,
    data?: unknown,
    files: Rendered['files'] = [],
  ): Promise<unknown> {
    const { rest, onFirstAnswer } = this.#tools;
    const { id, token } = this.#interaction;
    const route = Routes.interactionCallback(id, token);
    // The response is only needed for an Activity: it has the id of the instance.
    const query = type === InteractionResponseType.LaunchActivity ? WITH_RESPONSE : undefined;
    const request = { body: { type, data }, files, auth: false, query };
    const answer = await rest.post(route, request).catch((error: unknown) => {
      if (error instanceof DiscordAPIError || error instanceof HTTPError) throw error;
      // The connection broke, maybe after Discord received the answer. If so, a retry fails as already acknowledged.
      return ignoring([CODE.InteractionHasAlreadyBeenAcknowledged], rest.post(route, request));
    });
    onFirstAnswer?.(performance.now() - this.#began);
    return answer;
  }
}

/** A form as Discord's modal. Its custom id is the packed action that the form belongs to. */
export function makeModal(
  { title, fields, board }: Form,
  packed: string,
): APIModalInteractionResponseCallbackData {
  const above: APITextDisplayComponent[] = board
    ? [{ type: ComponentType.TextDisplay, content: `\`\`\`\n${drawBoard(board)}\n\`\`\`${board.note ?? ''}` }]
    : [];
  const inputs = fields.slice(0, LIMITS.modalFields - above.length).map(
    (field): APILabelComponent => ({
      type: ComponentType.Label,
      label: shorten(field.label, LIMITS.fieldLabel),
      description: shorten(field.hint, LIMITS.fieldDescription),
      component: inputOf(field),
    }),
  );
  return {
    custom_id: packed,
    title: shorten(title, LIMITS.modalTitle),
    components: [...above, ...inputs],
  };
}

function inputOf({
  name,
  required,
  value,
  long,
  placeholder,
  choices,
  isRole,
}: FormField): APIComponentInLabel {
  const named = { custom_id: name, required };
  if (isRole)
    return {
      type: ComponentType.RoleSelect,
      ...named,
      // Discord wants a choice unless both say otherwise.
      min_values: required ? 1 : 0,
      ...(value && { default_values: [{ id: value, type: SelectMenuDefaultValueType.Role }] }),
    };
  if (choices !== undefined && choices.length <= LIMITS.radioChoices)
    return {
      type: ComponentType.RadioGroup,
      ...named,
      options: choices.map((choice) => ({
        value: choice.value,
        label: shorten(choice.label, LIMITS.choice),
        default: choice.value === value,
      })),
    };
  return {
    type: ComponentType.TextInput,
    ...named,
    style: long ? TextInputStyle.Paragraph : TextInputStyle.Short,
    max_length: LIMITS.fieldValue,
    value,
    // Discord rejects an empty one.
    placeholder: placeholder ? shorten(placeholder, LIMITS.fieldPlaceholder) : undefined,
  };
}

/** The person and channel of an interaction, without further requests. */
export function askerOf(interaction: Interaction, store: Store): Asker {
  const { person: id, member, data } = interaction;
  const where = channelOf(interaction);
  const permissions = member?.permissions ?? new PermissionsBitField();
  return {
    door: 'discord',
    who: {
      id,
      mayManage: where.direct || permissions.has(PermissionFlagsBits.ManageGuild),
      // The person's own permissions: the bot posts nothing for them that they could not post themselves.
      ...(member && {
        mayPost: permissions.has(PermissionFlagsBits.SendMessages),
        mayPostInThreads: permissions.has(PermissionFlagsBits.SendMessagesInThreads),
        mayOpenThreads: permissions.has(PermissionFlagsBits.CreatePublicThreads),
      }),
      // Whether they have the manager role of the channel's daily thread.
      async lookUpAccess(channel) {
        const subscription = await store.tenant(where.tenant).subscriptions.get(channel);
        const role = subscription && parseStored(subscription.settings).managers;
        return role != null && member?.roles.includes(role) === true;
      },
    },
    where,
    // The answer to a submitted form can't be another form.
    asksForSettings: interaction.type !== InteractionType.ModalSubmit,
    message: 'message' in data ? data.message : undefined,
  };
}

/**
 * An interaction may come through the person's own install of the bot (a user install), and not through the server's. Then
 * data is stored under the person, and the bot only answers interactions, even if the server has added the bot as well.
 */
function channelOf(interaction: Interaction): RequestChannel {
  const { guild_id: guild, authorizing_integration_owners: owners, channel, person } = interaction;
  const { app_permissions: permissions } = interaction;
  if (guild === undefined || owners[ApplicationIntegrationType.GuildInstall] === undefined)
    return { tenant: privateTenant('discord', person), channel: channel.id, direct: true };
  const where = { tenant: makeTenant('discord', guild), direct: false, ...placeOf(channel) };
  // A thread's interaction lacks its parent's type and the requirements of posting in the parent.
  if (permissions === undefined || where.thread !== undefined) return where;
  return { ...where, missingByRequest: () => missingPermissions(permissions, channel.type) };
}

/**
 * A message is updated in place only for the person who asked for it; others get a new message. A private answer never takes the
 * place of a message that everybody sees.
 */
function mayReplaceMessage({ message, person }: Interaction, isPrivate: boolean): boolean {
  if (message === undefined) return false;
  if ((message.flags & MessageFlags.Ephemeral) !== 0) return true;
  return !isPrivate && message.interaction_metadata?.user.id === person;
}
