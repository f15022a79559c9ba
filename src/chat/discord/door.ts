import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { InteractionResponseType, InteractionType } from 'discord.js';
import * as v from 'valibot';
import type { DiscordConfig } from '../../config/config.ts';
import { MINUTE, SECOND } from '../../core/clock.ts';
import type { Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { readBody } from '../../http/body.ts';
import { type HttpContext, makeRoutes, type Router } from '../../http/router.ts';
import { packerOf } from '../../reply/model/action.ts';
import { sentenceReply } from '../../reply/model/text.ts';
import type { Action } from '../../reply/model/types.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { Conversation, NameCache } from '../conversation.ts';
import { type Door, type DropEvent, downloadPicture, makeDropEvent, SeenOnce } from '../door.ts';
import { Activities } from './activity.ts';
import { OwnApplication, Servers } from './application.ts';
import { type Entry, entriesOf, makeShowCommand, register } from './commands.ts';
import {
  ANSWER_DEADLINES,
  type AnswerDeadlines,
  InteractionContext,
  type InteractionTools,
} from './context.ts';
import { codeOf } from './errors.ts';
import { explainRefusedToken, Gateway } from './gateway.ts';
import { Interaction, type Invoked, serverOf } from './interaction.ts';
import { InvalidRequestGuard } from './invalid-requests.ts';
import { DiscordPoster } from './poster.ts';
import type { RenderServices } from './render.ts';
import { BotRest, makeClient, PostingRest, type RestSettings } from './rest.ts';
import { makeAccess, nameOfMember } from './rights.ts';

export interface DiscordDoorOptions
  extends RestSettings,
    Pick<InteractionTools, 'app' | 'onFirstAnswer'>,
    Partial<Pick<DiscordConfig, 'shards' | 'publicKey' | 'clientSecret'>> {
  readonly dispatcher: Dispatcher;
  /** False if this process answers over HTTP only, and another one is connected to the gateway. */
  readonly connects?: boolean;
  /** Shared with other doors, so that each picture is drawn once. */
  readonly pictures?: Pictures;
  /** Overrides for tests. */
  readonly pictureOrigins?: readonly string[];
  readonly deadlines?: Partial<AnswerDeadlines>;
}

/** Where Discord keeps what people upload. */
const PICTURE_ORIGINS: readonly string[] = ['https://cdn.discordapp.com', 'https://media.discordapp.net'];

const RESTARTING = sentenceReply('One moment, please', 'I’m restarting. Try again in a minute.');

/**
 * Discord, over the gateway or HTTP: one command, its answers, and the daily thread. Posts need REST alone, so a process
 * that only delivers never calls `start`.
 *
 * @example await new DiscordDoor({ app, dispatcher, token }).start();
 */
export class DiscordDoor implements Door {
  readonly name = 'discord';
  readonly poster: Poster;
  /** Routes for interactions over HTTP, if there is a public key. */
  readonly routes?: Router;
  /** The board inside Discord, if there is a client secret. */
  readonly activities?: Activities;
  readonly #options: DiscordDoorOptions;
  readonly #answerRest: BotRest;
  readonly #posting: PostingRest;
  readonly #gateway: Gateway;
  readonly #application: OwnApplication;
  readonly #answering: InteractionTools;
  /** By their paths. */
  readonly #entries: ReadonlyMap<string, Entry>;
  readonly #conversation: Conversation;
  readonly #seen: SeenOnce;
  /** The id of `/letterboxed`, once this process has registered it. */
  #commandId: string | undefined;
  /** Set once it has started, and cleared when it stops. */
  #isOpen = false;
  #isStopping = false;

  constructor(options: DiscordDoorOptions) {
    const { app, dispatcher, token, publicKey, clientSecret, onFirstAnswer } = options;
    const { store, clock, log } = app;
    const guard = new InvalidRequestGuard(app);
    // Processes share one pace only on PostgreSQL, where they may be many; those on one file are few.
    const rest = new PostingRest(options, guard, store.engine === 'postgres' ? store.pace : undefined);
    this.#options = options;
    this.#posting = rest;
    this.#answerRest = new BotRest(options, guard);
    const application = new OwnApplication(makeClient(this.#answerRest), app);
    this.#application = application;
    const servers = new Servers(app, application);
    const drop = makeDropEvent(log, 'discord');
    this.#gateway = new Gateway({
      token,
      makeRest: () => new BotRest(options, guard),
      shards: options.shards ?? { shards: 'auto' },
      log,
      drop,
      on: {
        INTERACTION_CREATE: (interaction) => {
          const receiving = this.#receiveOnce(interaction);
          void this.#conversation.track(receiving.catch((error) => drop('INTERACTION_CREATE', error)));
        },
        READY: (ready) => servers.begin(ready),
        GUILD_CREATE: ({ id }) => servers.add(id),
        // A server that is only unavailable has an outage, and still has the bot.
        GUILD_DELETE: ({ id, unavailable }) => unavailable || servers.remove(id),
      },
    });
    const entries = entriesOf(dispatcher.commands);
    this.#entries = new Map(entries.map((entry) => [entry.path.join(' '), entry]));
    const names = new NameCache(clock, async (tenant, person) => {
      const server = serverOf(tenant);
      return server && guard.run(tenant, 'optional', () => nameOfMember(rest, server, person));
    });
    const services: RenderServices = {
      pack: packerOf(app),
      pictures: options.pictures ?? makePictures(),
      showCommand: makeShowCommand(entries, dispatcher.actionOf, () => this.#commandId),
      names,
    };
    if (clientSecret !== undefined)
      this.activities = new Activities({ app, rest, application, names, clientSecret });
    this.#answering = {
      app,
      services,
      onFirstAnswer,
      activities: this.activities,
      rest: this.#answerRest,
      deadlines: { ...ANSWER_DEADLINES, ...options.deadlines },
    };
    this.#conversation = new Conversation('discord', app, dispatcher);
    this.#seen = new SeenOnce(app, 'discord');
    if (publicKey !== undefined) this.routes = this.#makeRoutes(publicKey, drop);
    const access = makeAccess(makeClient(rest), clock, () => application.botId());
    this.poster = new DiscordPoster({ app, rest, access, application, services });
  }

  async start(): Promise<void> {
    // Checked first: another application would act on what the store says about the servers.
    const application = await this.#application.check().catch(explainRefusedToken);
    if (this.#options.connects !== false) await this.#gateway.start();
    this.#isOpen = true;
    const { app, dispatcher, clientSecret } = this.#options;
    try {
      const opensBoard = clientSecret !== undefined;
      const { isWritten, id } = await register(application, dispatcher.commands, opensBoard);
      this.#commandId = id;
      app.log.info({ door: 'discord', isWritten }, 'the command is registered');
    } catch (error) {
      // No reason not to start: people can use what is registered already.
      app.log.error({ err: error, door: 'discord' }, 'the command could not be registered');
    }
  }

  /** Refuses new interactions, and resolves when all earlier ones are answered. */
  async stop(): Promise<void> {
    this.#isOpen = false;
    this.#isStopping = true;
    await this.#conversation.done();
    await this.#gateway.stop();
    this.#answerRest.close();
    this.#posting.close();
  }

  trouble(): string | undefined {
    return this.#options.connects === false ? undefined : this.#gateway.trouble();
  }

  /**
   * Receives interactions over HTTP instead of the gateway. Answers are sent as separate requests, as with the gateway;
   * Discord then requires status 202 and an empty body.
   *
   * @param publicKey 64 hexadecimal digits, as the page "General Information" of the application shows them
   */
  #makeRoutes(publicKey: string, drop: DropEvent): Router {
    const { app } = this.#options;
    const key = keyFrom(publicKey);
    const routes = makeRoutes();
    routes.post(ENDPOINT_PATH, async (context) => {
      if (!this.#isOpen) return context.body(null, 503);
      // Unsigned requests are expected: anybody can send them, and Discord sends some to check that they are refused.
      const refuse = () => {
        drop('request that Discord did not sign');
        return context.body(null, 401);
      };
      // Checked before the body is read and verified, which takes milliseconds.
      const signed = readSignature(context);
      if (signed === undefined || Math.abs(app.clock.now() - signed.at) > SIGNATURE_VALID_MS) return refuse();
      const raw = await readBody(context, MAX_BODY_BYTES);
      const content = Buffer.concat([Buffer.from(signed.timestamp), raw]);
      if (!verify(null, content, key, signed.signature)) return refuse();
      const { success, output: sent } = v.safeParse(Sent, raw.toString());
      if (!success) {
        drop('INTERACTION_CREATE');
        return context.body(null, 400);
      }
      if (sent.type === InteractionType.Ping) return context.json({ type: InteractionResponseType.Pong });
      // An interaction is taken once, and remembered for as long as its signature is valid.
      if (await this.#seen.isRepeat(sent.id, signed.at + SIGNATURE_VALID_MS + 1))
        return context.body(null, 401);
      this.#receive(sent);
      return context.body(null, 202);
    });
    return routes;
  }

  /** Every process with a connection for a shard gets its interactions, as while a new version starts. One of them answers. */
  async #receiveOnce(interaction: Interaction): Promise<void> {
    const { store, clock } = this.#options.app;
    const until = clock.now() + INTERACTION_VALID_MS;
    const isShared = store.engine === 'postgres';
    if (isShared && this.#isStopping) await sleep(HANDOVER_MS);
    const isRepeat = await (isShared
      ? this.#seen.isRepeat(interaction.id, until)
      : this.#seen.isRepeatHere(interaction.id, until));
    if (!isRepeat) this.#receive(interaction);
  }

  /** Answers a command, a pressed button, a submitted form, or a request for suggestions. Never throws. */
  readonly #receive = (interaction: Interaction): void => {
    const { dispatcher } = this.#options;
    const { data } = interaction;
    const context = new InteractionContext(interaction, this.#answering);
    if (interaction.type === InteractionType.ApplicationCommandAutocomplete)
      void this.#conversation.track(this.#suggest(interaction, context));
    else if (this.#isStopping)
      void this.#conversation.answer(context, () => ({ kind: 'refusal', reply: RESTARTING }));
    else if ('packed' in data) void this.#conversation.press(context, data.packed, data.filled);
    else if (data.picture !== undefined) {
      const { picture, options } = data;
      const origins = this.#options.pictureOrigins ?? PICTURE_ORIGINS;
      void this.#conversation.picture(context, () => downloadPicture(picture, origins), options);
    } else {
      const action = this.#actionOf(data);
      void this.#conversation.answer(context, (asker) => dispatcher.prepare({ ...asker, ...action }));
    }
  };

  /** The command behind an interaction's path; help for an unknown path, such as of an earlier declaration. */
  #actionOf({ path, options }: Invoked): Action {
    const entry = this.#entries.get(path.join(' '));
    if (entry === undefined) return { command: 'help', options: {} };
    // Where no option is given, the entry's choice is made, which then asks for what it needs.
    const isBare = Object.keys(options).length === 0;
    return { command: entry.command.name, options: isBare ? entry.choice : { ...entry.added, ...options } };
  }

  async #suggest({ data }: Interaction, context: InteractionContext): Promise<void> {
    const { app, dispatcher } = this.#options;
    try {
      if (this.#isStopping || !('path' in data)) return await context.suggest(undefined);
      const { focused } = data;
      const request = { ...context.asker(), ...this.#actionOf(data) };
      await context.suggest(focused && dispatcher.complete(focused.name, focused.value, request));
    } catch (error) {
      // Discord can show no error here, and the next key press requests suggestions again.
      app.log.warn({ door: 'discord', code: codeOf(error) }, 'suggestions could not be sent');
    }
  }
}

const ENDPOINT_PATH = '/discord/interactions';
/** A command on a message comes with that message and its embeds. */
const MAX_BODY_BYTES = 256 * 1024;
/** Milliseconds for which Discord takes answers to an interaction. */
const INTERACTION_VALID_MS = 15 * MINUTE;
/** Milliseconds that a process which stops leaves an interaction to others. Discord waits 3,000 for the first answer. */
const HANDOVER_MS = SECOND;
/** Milliseconds that a signature is valid, before and after its timestamp. */
const SIGNATURE_VALID_MS = 5 * MINUTE;

const Ping = v.object({ type: v.literal(InteractionType.Ping) });
const Sent = v.pipe(v.string(), v.parseJson(), v.union([Ping, Interaction]));

/** An Ed25519 key from its 32 bytes. */
function keyFrom(hex: string): KeyObject {
  const x = Buffer.from(hex, 'hex').toString('base64url');
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

function readSignature({ req }: HttpContext) {
  const timestamp = req.header('x-signature-timestamp') ?? '';
  const signature = req.header('x-signature-ed25519') ?? '';
  if (!/^\d{1,12}$/.test(timestamp) || !/^[0-9a-f]{128}$/i.test(signature)) return undefined;
  return { timestamp, at: Number(timestamp) * 1000, signature: Buffer.from(signature, 'hex') };
}
