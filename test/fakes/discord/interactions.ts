/** developers/interactions/receiving-and-responding.mdx: what was asked, and how it may be answered. */
import * as v from 'valibot';
import type { Activities, Instance } from './activities.ts';
import { unusableCommands } from './commands.ts';
import { type Component, modal as modalRule } from './components.ts';
import { checkMessage, FLAG, fill, type Message, makeMessage, type Upload } from './message.ts';
import { asList, asWire, bits, hold, invalid, list, Refusal, text } from './rules.ts';
import { randomToken, type User, type World } from './world.ts';

export const KIND = { command: 2, component: 3, autocomplete: 4, modal: 5 } as const;

export interface Modal {
  custom_id: string;
  title: string;
  components: Component[];
}

export interface Choice {
  name: string;
  value: string | number;
}

/** One interaction, from being asked to its last answer. */
export interface Interaction {
  readonly id: string;
  readonly token: string;
  readonly kind: number;
  readonly at: number;
  readonly user: User;
  readonly channelId: string;
  readonly guildId: string | undefined;
  /** The message whose button was pressed. */
  readonly source: Message | undefined;
  readonly onlyUserInstalled: boolean;
  /** Set by the first answer. */
  answeredBy?: number;
  answeredAt?: number;
  ephemeral: boolean;
  original?: Message;
  /** A deferred answer nobody has filled in yet. */
  loading: boolean;
  modal?: Modal;
  choices?: Choice[];
  /** The Activity that was opened or joined. */
  instance?: Instance;
  readonly followUps: Message[];
  edits: number;
  deleted: boolean;
  /** An answer came when its time was over. */
  missed: boolean;
}

const REPLY = {
  ...{ message: 4, deferred: 5, deferredUpdate: 6, update: 7, choices: 8, modal: 9 },
  launch: 12,
} as const;

const FIRST_ANSWER = 3_000;
const TOKEN_LIFE = 15 * 60_000;

const ALLOWED: Readonly<Record<number, readonly number[]>> = {
  [KIND.command]: [REPLY.message, REPLY.deferred, REPLY.modal, REPLY.launch],
  [KIND.component]: [
    ...[REPLY.message, REPLY.deferred, REPLY.deferredUpdate, REPLY.update],
    ...[REPLY.modal, REPLY.launch],
  ],
  [KIND.autocomplete]: [REPLY.choices],
  [KIND.modal]: [REPLY.message, REPLY.deferred, REPLY.deferredUpdate, REPLY.update, REPLY.launch],
};

const CHOICES = v.strictObject({
  choices: list(v.strictObject({ name: text(1, 100), value: v.union([v.number(), text(1, 100)]) }), 0, 25),
});
const NO_DATA = v.strictObject({});

export class Interactions {
  readonly #world: World;
  readonly #activities: Activities;
  readonly #byToken = new Map<string, Interaction>();
  readonly #changed: (interaction: Interaction) => void;
  /** Things the documentation calls deprecated or ignored, which a careful app would not do. */
  readonly frowns: string[] = [];

  constructor(world: World, activities: Activities, changed: (interaction: Interaction) => void) {
    this.#world = world;
    this.#activities = activities;
    this.#changed = changed;
  }

  open(
    kind: number,
    more: Pick<Interaction, 'user' | 'channelId' | 'guildId' | 'source' | 'onlyUserInstalled'>,
  ): Interaction {
    const interaction: Interaction = {
      id: this.#world.snowflake(),
      token: randomToken(),
      kind,
      at: this.#world.clock.now(),
      ephemeral: false,
      loading: false,
      followUps: [],
      edits: 0,
      deleted: false,
      missed: false,
      ...more,
    };
    this.#byToken.set(interaction.token, interaction);
    return interaction;
  }

  /** POST /interactions/{id}/{token}/callback */
  answer(id: string, token: string, body: unknown, uploads: readonly Upload[]): Interaction {
    const interaction = this.#byToken.get(token);
    const now = this.#world.clock.now();
    if (interaction === undefined || interaction.id !== id) throw new Refusal(10062);
    if (interaction.answeredBy !== undefined) throw new Refusal(40060);
    if (now - interaction.at > FIRST_ANSWER) throw this.#tooLate(interaction, 10062);
    const { type, data } = asWire(body);
    hold(body, v.strictObject({ type: v.number(), data: v.optional(v.unknown()) }));
    const update = type === REPLY.update || type === REPLY.deferredUpdate;
    if (!ALLOWED[interaction.kind]!.includes(Number(type)) || (update && interaction.source === undefined))
      throw invalid(['This kind of answer is not possible here.', ['type']]);
    this.#take(interaction, type as number, data, uploads);
    interaction.answeredBy = type as number;
    interaction.answeredAt = now;
    this.#changed(interaction);
    return interaction;
  }

  #take(interaction: Interaction, type: number, data: unknown, uploads: readonly Upload[]): void {
    const world = this.#world;
    if (type === REPLY.message) {
      checkMessage(data, uploads, 'answer');
      interaction.ephemeral = isEphemeral(data);
      interaction.original = this.#make(interaction, data, uploads, interaction.ephemeral);
    } else if (type === REPLY.deferred) {
      // "The only valid message flag you may use is EPHEMERAL."
      hold(data ?? {}, v.strictObject({ flags: v.optional(bits(FLAG.ephemeral)) }));
      interaction.ephemeral = isEphemeral(data);
      interaction.loading = true;
      interaction.original = this.#make(interaction, { flags: FLAG.loading }, [], interaction.ephemeral);
    } else if (type === REPLY.deferredUpdate) {
      hold(data ?? {}, NO_DATA);
      this.#adopt(interaction);
    } else if (type === REPLY.update) {
      checkMessage(data, uploads, 'edit-answer', interaction.source);
      this.#readCommands(data);
      this.#adopt(interaction);
      fill(world, interaction.source as Message, asWire(data), uploads);
      (interaction.source as Message).edited_timestamp = new Date(world.clock.now()).toISOString();
    } else if (type === REPLY.launch) {
      // "Only available for apps with Activities enabled"; the documentation names no code.
      if (!this.#activities.isEnabled) throw invalid(['Activities are not enabled.', ['type']]);
      hold(data ?? {}, NO_DATA);
      const channel = world.channels.get(interaction.channelId)!;
      interaction.instance = this.#activities.launch(interaction.user, channel);
    } else if (type === REPLY.choices) {
      hold(data, CHOICES);
      interaction.choices = asList(asWire(data).choices) as Choice[];
    } else {
      hold(data, modalRule);
      interaction.modal = structuredClone(data) as Modal;
    }
  }

  #adopt(interaction: Interaction): void {
    interaction.original = interaction.source as Message;
    interaction.ephemeral = ((interaction.source as Message).flags & FLAG.ephemeral) !== 0;
  }

  #make(interaction: Interaction, body: unknown, uploads: readonly Upload[], ephemeral: boolean): Message {
    const world = this.#world;
    this.#readCommands(body);
    const { id, kind, user } = interaction;
    const message = makeMessage(world, interaction.channelId, asWire(body), uploads, {
      application_id: world.application.id,
      webhook_id: world.application.id,
      type: kind === KIND.command ? 20 : 0,
      interaction_metadata: { id, type: kind, user, authorizing_integration_owners: {} },
    });
    if (ephemeral) message.flags |= FLAG.ephemeral;
    // An ephemeral message is never part of a channel's history.
    else world.messages.set(message.channel_id, [...world.messagesOf(message.channel_id), message]);
    return message;
  }

  /** The documentation gives the 15 minutes but no code for what is too late; 50027 is for bad tokens. */
  #byLiveToken(applicationId: string, token: string): Interaction {
    const interaction = this.#byToken.get(token);
    if (interaction === undefined || applicationId !== this.#world.application.id) throw new Refusal(10015);
    if (this.#world.clock.now() - interaction.at > TOKEN_LIFE) throw this.#tooLate(interaction, 50027);
    if (interaction.answeredBy === undefined) throw new Refusal(10015);
    return interaction;
  }

  /** The person need not wait any longer to see that nothing comes. */
  #tooLate(interaction: Interaction, code: number): Refusal {
    interaction.missed = true;
    this.#changed(interaction);
    return new Refusal(code);
  }

  /** PATCH /webhooks/{application}/{token}/messages/@original */
  edit(applicationId: string, token: string, body: unknown, uploads: readonly Upload[]): Message {
    const interaction = this.#byLiveToken(applicationId, token);
    const message = originalOf(interaction);
    this.#ignoreEphemeral(body);
    checkMessage(body, uploads, 'edit-answer', message);
    this.#readCommands(body);
    fill(this.#world, message, asWire(body), uploads);
    if (interaction.loading) {
      interaction.loading = false;
      message.flags &= ~FLAG.loading;
    } else message.edited_timestamp = new Date(this.#world.clock.now()).toISOString();
    interaction.edits += 1;
    this.#changed(interaction);
    return message;
  }

  #readCommands(body: unknown): void {
    for (const command of unusableCommands(this.#world, body))
      this.frowns.push(`nobody can use the command as it is shown: ${command}`);
  }

  /** "An existing message's ephemeral state cannot be changed": the flag is ignored, and remembered here. */
  #ignoreEphemeral(body: unknown): void {
    const wire = asWire(body);
    if (typeof wire.flags === 'number' && wire.flags & FLAG.ephemeral) {
      wire.flags &= ~FLAG.ephemeral;
      this.frowns.push('EPHEMERAL in an edit is ignored: the first answer decides it');
    }
  }

  /** POST /webhooks/{application}/{token} */
  followUp(applicationId: string, token: string, body: unknown, uploads: readonly Upload[]): Message {
    const interaction = this.#byLiveToken(applicationId, token);
    if (interaction.loading && interaction.answeredBy === REPLY.deferred) {
      this.frowns.push('a follow-up right after a defer edits the answer; the documentation deprecates that');
      this.#ignoreEphemeral(body);
      return this.edit(applicationId, token, body, uploads);
    }
    if (interaction.onlyUserInstalled && interaction.followUps.length >= 5) throw new Refusal(40094);
    checkMessage(body, uploads, 'follow-up');
    const message = this.#make(interaction, body, uploads, isEphemeral(body));
    interaction.followUps.push(message);
    this.#changed(interaction);
    return message;
  }

  /** DELETE /webhooks/{application}/{token}/messages/@original */
  remove(applicationId: string, token: string): void {
    const interaction = this.#byLiveToken(applicationId, token);
    const message = originalOf(interaction);
    const kept = this.#world.messagesOf(message.channel_id).filter((one) => one !== message);
    this.#world.messages.set(message.channel_id, kept);
    interaction.deleted = true;
    interaction.loading = false;
    this.#changed(interaction);
  }
}

/** The first answer, unless there is none or it was deleted. */
function originalOf({ original, deleted }: Interaction): Message {
  if (original === undefined || deleted) throw new Refusal(10008);
  return original;
}

const isEphemeral = (data: unknown): boolean => (Number(asWire(data).flags ?? 0) & FLAG.ephemeral) !== 0;
