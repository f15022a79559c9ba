import { type Client, Events, GatewayDispatchEvents } from 'discord.js';
import type { DiscordConfig } from '../../config/doors.ts';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { SoloGames } from '../../players/solo/solo-games.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { DroppedEvents } from '../dropped-events.ts';
import { codeOf } from './errors.ts';
import { clearCaches, explainClose, explainLogin, isConnected, makeClient } from './gateway.ts';
import { InvalidRequestGuard } from './invalid-request-guard.ts';
import { DiscordPoster } from './poster.ts';
import { register, unregisterIn } from './register.ts';
import type { RenderServices } from './render.ts';
import { type Patience, Responder } from './respond.ts';
import {
  closeRest,
  gatewayRestOptions,
  makeAnsweringRest,
  makePostingRest,
  type RestSettings,
  SWEEP,
  useToken,
} from './rest-clients.ts';
import { Rights } from './rights.ts';
import { recordMemberships, Servers } from './servers.ts';
import { StoreOwner } from './store-owner.ts';

export interface DiscordDoorOptions
  extends RestSettings,
    Partial<Pick<DiscordConfig, 'guildId' | 'shards' | 'register'>> {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  /** Shared with other doors, so that each picture is drawn once. */
  readonly pictures?: Pictures;
  /** Receives how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
  /** How long interactions wait, where a test needs another limit than the bot's. */
  readonly patience?: Partial<Patience>;
}

/** The events after which the bot's permissions may differ. The bot's own membership needs no further intent. */
const PERMISSION_EVENTS = [
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ChannelDelete,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
];
/** In up to this many servers, a start looks for commands that are left over from development. */
const MOST_SERVERS_CHECKED = 10;

/**
 * Discord, over the gateway: one command, its answers, and the daily thread. Posts need REST alone, so a process
 * that only delivers never calls `start`.
 *
 * @example await new DiscordDoor({ app, dispatcher, token }).start();
 */
export class DiscordDoor implements Door {
  readonly name = 'discord';
  readonly poster: Poster;
  readonly #options: DiscordDoorOptions;
  readonly #client: Client;
  readonly #owner: StoreOwner;
  readonly #servers: Servers;
  readonly #responder: Responder;
  readonly #sweeper: NodeJS.Timeout;
  readonly #closeRests: () => void;
  #isStopping = false;
  /** Why the gateway does not reconnect, if it doesn't. */
  #closedFor: string | undefined;

  constructor(options: DiscordDoorOptions) {
    const { app, dispatcher, pictures = makePictures(), onFirstAnswer, patience } = options;
    const { store, clock, log } = app;
    const now = () => clock.now();
    const guard = new InvalidRequestGuard(now, (tenant) => {
      if (tenant === undefined)
        log.error({ door: 'discord' }, 'Discord refuses most requests: posting pauses for ten minutes');
      else
        log.warn(
          { door: 'discord', tenant },
          'Discord refuses most requests about this server: posting there pauses for ten minutes',
        );
    });
    const client = makeClient({
      rest: gatewayRestOptions(options),
      shards: options.shards ?? 'auto',
      drop: new DroppedEvents(log, 'discord').drop,
    });
    useToken(client.rest, options.token, guard);
    const posting = makePostingRest(options, guard);
    const answering = makeAnsweringRest(options, guard);
    const owner = new StoreOwner({ rest: client.rest, store, log });
    const servers = new Servers(client);
    const rights = new Rights(posting, now, (server) => servers.isWatched(server));
    const services: RenderServices = { pack: dispatcher.packAction, pictures };
    this.#options = options;
    this.#client = client;
    this.#owner = owner;
    this.#servers = servers;
    this.#responder = new Responder({
      app,
      dispatcher,
      games: new SoloGames(app),
      store,
      rest: answering,
      services,
      log,
      patience,
      ...(onFirstAnswer !== undefined && { onFirstAnswer }),
    });
    this.poster = new DiscordPoster({ rest: posting, rights, guard, owner, services, log });
    this.#closeRests = () => [posting, answering].forEach(closeRest);
    this.#sweeper = setInterval(() => clearCaches(client), SWEEP).unref();
    forgetChangedRights(client, rights);
    recordMemberships(client, { store, owner, servers, clock, log });
    this.#listen();
  }

  async start(): Promise<void> {
    const client = this.#client;
    // Before anything else: another application would act on what the store says of its servers.
    await this.#owner.check().catch((error: unknown) => {
      throw explainLogin(error);
    });
    const ready = Promise.withResolvers<void>();
    const onReady = () => ready.resolve();
    client.once(Events.ClientReady, onReady);
    await client.login(this.#options.token).catch((error: unknown) => {
      client.off(Events.ClientReady, onReady);
      throw explainLogin(error);
    });
    await ready.promise;
    clearCaches(client);
    const applicationId = client.application?.id;
    if (this.#options.register === false || applicationId === undefined) return;
    // A failure is no reason not to start: people can use what is registered already.
    await this.#register(applicationId).catch((error: unknown) =>
      this.#options.app.log.error({ err: error, door: 'discord' }, 'the command could not be registered'),
    );
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#responder.stop();
    clearInterval(this.#sweeper);
    this.#closeRests();
    await this.#client.destroy();
  }

  trouble(): string | undefined {
    if (isConnected(this.#client)) return undefined;
    return this.#closedFor ?? 'The Discord gateway is not connected.';
  }

  #listen(): void {
    const client = this.#client;
    const { log } = this.#options.app;
    // The raw event: it is complete, whatever the library has cached.
    client.ws.on(GatewayDispatchEvents.InteractionCreate, this.#responder.receive);
    client.on(Events.Error, (error) => log.warn({ err: error, door: 'discord' }, 'the gateway had an error'));
    client.on(Events.ShardDisconnect, ({ code }, shard) => {
      if (this.#isStopping) return;
      this.#closedFor = explainClose(code);
      log.error(
        { door: 'discord', shard, code },
        `The gateway closed and does not reconnect: commands are not answered, daily threads are still posted. ${this.#closedFor}`,
      );
    });
    client.on(Events.ShardReconnecting, (shard) =>
      log.info(
        { door: 'discord', shard },
        this.#isStopping ? 'the gateway is closed: the bot stops' : 'the gateway reconnects',
      ),
    );
  }

  async #register(applicationId: string): Promise<void> {
    const { app, dispatcher, guildId } = this.#options;
    const registration = { rest: this.#client.rest, applicationId, commands: dispatcher.commands };
    const done = await register({ ...registration, ...(guildId !== undefined && { guildId }) });
    app.log.info({ door: 'discord', done }, 'the command is registered');
    const { ids } = this.#servers;
    if (guildId !== undefined || ids.length > MOST_SERVERS_CHECKED) return;
    // A server that the bot left a moment ago answers 403; the others still have to be checked.
    for (const id of ids)
      await unregisterIn(registration, id).catch((error: unknown) =>
        app.log.warn(
          { door: 'discord', server: id, code: codeOf(error) },
          'a command left over from development could not be looked for',
        ),
      );
  }
}

/** Keeps the cache of permissions in step with what the gateway reports. */
function forgetChangedRights(client: Client, rights: Rights): void {
  client.ws.on(GatewayDispatchEvents.Ready, () => rights.forgetAll());
  for (const event of PERMISSION_EVENTS)
    client.ws.on(event, ({ guild_id }: { guild_id?: string }) => {
      if (guild_id !== undefined) rights.forgetGuild(guild_id);
    });
  // Changes during an outage are not reported.
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }) => rights.forgetGuild(id));
}
