import type { DiscordConfig } from '../../config/config.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import type { Router } from '../../http/router.ts';
import { SoloGames } from '../../players/solo-games.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import { Names } from '../conversation.ts';
import { type Door, makeDropEvent, SeenOnce } from '../door.ts';
import { endpointRoutes } from './endpoint.ts';
import { type GatewayEvent, type Interaction, serverOf } from './events.ts';
import { PATIENCE, type Patience } from './exchange.ts';
import { explainRefusedToken, Gateway } from './gateway.ts';
import { makeShowCommand } from './layout.ts';
import { makeTurns } from './pace.ts';
import { DiscordPoster } from './poster.ts';
import { register, unregisterIn } from './register.ts';
import type { RenderServices } from './render.ts';
import { Responder } from './respond.ts';
import {
  codeOf,
  InvalidRequestGuard,
  makeAnsweringRest,
  PostingRest,
  REQUESTS_PER_SECOND,
  type RestSettings,
} from './rest.ts';
import { nameOfMember, Rights } from './rights.ts';
import { Servers, StoreOwner } from './servers.ts';

export interface DiscordDoorOptions
  extends RestSettings,
    Partial<Pick<DiscordConfig, 'guildId' | 'shards' | 'register' | 'publicKey'>> {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** False where it answers over HTTP only, and another process keeps the connections. */
  readonly connects?: boolean;
  /** Shared with other doors, so that each picture is drawn once. */
  readonly pictures?: Pictures;
  /** Receives how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
  /** How long interactions wait, where a test needs another limit than the bot's. */
  readonly patience?: Partial<Patience>;
}

/** The share of the limit that is used: at exactly its pace, requests pile up where some arrive late, and are refused. */
const SHARED_PACE = 0.96;

/** In up to this many servers, a start looks for commands that are left over from development. */
const MOST_SERVERS_CHECKED = 10;

/**
 * Discord, over the gateway or HTTP: one command, its answers, and the daily thread. Posts need REST alone, so a process
 * that only delivers never calls `start`.
 *
 * @example await new DiscordDoor({ app, dispatcher, token }).start();
 */
export class DiscordDoor implements Door {
  readonly name = 'discord';
  readonly poster: Poster;
  /** For interactions over HTTP, if there is a public key. */
  readonly routes?: Router;
  readonly #options: DiscordDoorOptions;
  readonly #answering: ReturnType<typeof makeAnsweringRest>;
  readonly #posting: PostingRest;
  readonly #gateway: Gateway;
  readonly #owner: StoreOwner;
  readonly #servers: Servers;
  readonly #rights: Rights;
  readonly #responder: Responder;
  /** The id of `/letterboxed`, once this process has registered it. */
  #commandId: string | undefined;
  #isOpen = false;

  constructor(options: DiscordDoorOptions) {
    const { app, dispatcher, token, pictures = makePictures(), onFirstAnswer, patience } = options;
    const { store, clock, log } = app;
    const now = () => clock.now();
    const { requestsPerSecond = REQUESTS_PER_SECOND } = options;
    // Only PostgreSQL has processes on several machines; processes on one file are few.
    const pace = store.engine === 'postgres' ? store.pace : undefined;
    const guard = new InvalidRequestGuard(
      now,
      log,
      pace && ((purpose, perSecond) => pace.reserve(`discord ${purpose} refusals`, 1, perSecond)),
    );
    const shared = requestsPerSecond * SHARED_PACE;
    const turn = pace && makeTurns((places) => pace.reserve('discord', places, shared), shared);
    const services: RenderServices = {
      pack: dispatcher.packAction,
      pictures,
      showCommand: makeShowCommand(dispatcher, () => this.#commandId),
    };
    this.#options = options;
    this.#answering = makeAnsweringRest(options, guard);
    this.#posting = new PostingRest(options, guard, turn);
    const names = new Names(clock, async (tenant, person) => {
      const server = serverOf(tenant);
      if (server === undefined) return undefined;
      guard.check(tenant, 'optional');
      return guard.about(tenant, () => nameOfMember(this.#posting, server, person), 'optional');
    });
    this.#owner = new StoreOwner({ rest: this.#answering, store, log });
    const drop = makeDropEvent(log, 'discord');
    this.#gateway = new Gateway({
      token,
      rest: this.#answering,
      shards: options.shards ?? 'auto',
      log,
      drop,
      onEvent: (event, shard) => this.#receive(event, shard),
    });
    const isConnected = (shard: number) => this.#gateway.isConnected(shard);
    this.#servers = new Servers({ store, owner: this.#owner, clock, log, isConnected });
    this.#rights = new Rights(this.#posting, now, (server) => this.#servers.isWatched(server));
    this.#responder = new Responder(
      {
        ...{ app, dispatcher, services, names, onFirstAnswer },
        rest: this.#answering,
        patience: { ...PATIENCE, ...patience },
      },
      new SoloGames(app),
    );
    const { publicKey } = options;
    if (publicKey !== undefined) {
      const seen = new SeenOnce(app, 'discord');
      const receive = (interaction: Interaction) => this.#responder.receive(interaction);
      const onInteraction = () => (this.#isOpen ? receive : undefined);
      this.routes = endpointRoutes({ publicKey, clock, drop, seen, onInteraction });
    }
    this.poster = new DiscordPoster({
      rest: this.#posting,
      requestsPerSecond,
      pace: store.pace,
      now,
      rights: this.#rights,
      guard,
      owner: this.#owner,
      services,
      names,
      log,
    });
  }

  async start(): Promise<void> {
    // Before anything else: another application would act on what the store says about the servers.
    const applicationId = await this.#owner.check().catch((error: unknown) => {
      throw explainRefusedToken(error);
    });
    if (this.#options.connects !== false) await this.#gateway.start();
    this.#isOpen = true;
    if (this.#options.register === false) return;
    // A failure is no reason not to start: people can use what is registered already.
    await this.#register(applicationId).catch((error: unknown) =>
      this.#options.app.log.error({ err: error, door: 'discord' }, 'the command could not be registered'),
    );
  }

  async stop(): Promise<void> {
    this.#isOpen = false;
    await this.#responder.stop();
    await this.#gateway.stop();
    this.#answering.close();
    this.#posting.close();
  }

  trouble(): string | undefined {
    return this.#options.connects === false ? undefined : this.#gateway.trouble();
  }

  #receive(event: GatewayEvent, shard: number): void {
    const { name, data } = event;
    if (name === 'INTERACTION_CREATE') this.#responder.receive(data);
    else if (name === 'READY') {
      this.#rights.forgetAll();
      this.#servers.begin(data, shard);
    } else if (name === 'GUILD_CREATE') {
      // Changes during an outage are not reported.
      this.#rights.forgetGuild(data.id);
      this.#servers.add(data.id, shard);
    } else if (name === 'GUILD_DELETE') this.#servers.remove(data.id, data.unavailable);
    else if (data.guild_id !== undefined) this.#rights.forgetGuild(data.guild_id);
  }

  async #register(applicationId: string): Promise<void> {
    const { app, dispatcher, guildId } = this.#options;
    const rest = this.#answering;
    const { isWritten, id: command } = await register({ rest, commands: dispatcher.commands, guildId });
    this.#commandId = command;
    app.log.info({ door: 'discord', isWritten }, 'the command is registered');
    const { ids } = this.#servers;
    if (guildId !== undefined || ids.length > MOST_SERVERS_CHECKED) return;
    // A server that the bot left a moment ago answers 403; the others still have to be checked.
    for (const id of ids)
      await unregisterIn(rest, applicationId, id).catch((error: unknown) =>
        app.log.warn(
          { door: 'discord', server: id, code: codeOf(error) },
          'a command left over from development could not be looked for',
        ),
      );
  }
}
