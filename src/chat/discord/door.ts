import { type APIInteraction, Events, GatewayDispatchEvents, REST, RESTEvents } from 'discord.js';
import type { App, Dispatcher } from '../../dispatch/contract.ts';
import type { Poster } from '../../dispatch/poster.ts';
import { makePictures, type Pictures } from '../../reply/picture/pictures.ts';
import type { Door } from '../door.ts';
import { forgetInside, isConnected, makeClient, SWEEP } from './gateway/client.ts';
import { InvalidRequestGuard } from './gateway/invalid-request-guard.ts';
import { keepToken } from './gateway/keep-token.ts';
import { compareServers, type ShardReady } from './gateway/servers.ts';
import { makeAnswers } from './interactions/answers.ts';
import { register, unregisterIn } from './interactions/register.ts';
import { codeOf } from './posting/errors.ts';
import { OldEdits } from './posting/old-edits.ts';
import { makePoster } from './posting/poster.ts';
import { Rights } from './posting/rights.ts';
import { Watched } from './posting/watched.ts';
import type { PictureSource } from './render/render.ts';
import { ofServer } from './tenants.ts';

export interface DiscordDoorOptions {
  readonly app: App;
  readonly dispatcher: Dispatcher;
  readonly token: string;
  /** Such as `https://discord.com/api`, which it is unless told otherwise. */
  readonly apiUrl?: string;
  /** Registers the command in this server only, for development. */
  readonly guildId?: string;
  /** `auto`, or a slice such as `0-3/16`. */
  readonly shards?: string;
  /** Of all that Discord takes from the bot, what this process may send. */
  readonly requestsPerSecond?: number;
  /** Tells Discord of the command at the start, if it differs. */
  readonly register?: boolean;
  /** Shared with other doors, so that a picture is drawn once. */
  readonly pictures?: Pictures;
  /** Told how long each interaction waited for its first answer, in milliseconds. */
  readonly onFirstAnswer?: (milliseconds: number) => void;
}

export interface DiscordDoor extends Door {
  readonly poster: Poster;
}

/** What Discord takes from a bot; from the largest ones more. */
const REQUESTS_PER_SECOND = 50;
/** Of its own membership a bot is told without asking for those of others. */
const TELLING_OF_RIGHTS = [
  GatewayDispatchEvents.ChannelUpdate,
  GatewayDispatchEvents.ChannelDelete,
  GatewayDispatchEvents.GuildRoleUpdate,
  GatewayDispatchEvents.GuildRoleDelete,
  GatewayDispatchEvents.GuildMemberUpdate,
];
/** In a bot of few servers, leftovers of development are looked for. */
const FEW_GUILDS = 10;

/**
 * Discord, over the gateway: one command, answers, and the daily thread's hands. Posts go through REST
 * alone, so a process that only delivers never starts it.
 *
 * @example await makeDiscordDoor({ app, dispatcher, token }).start();
 */
export function makeDiscordDoor(options: DiscordDoorOptions): DiscordDoor {
  const { app, dispatcher, token, apiUrl, guildId, pictures = makePictures() } = options;
  const { log, store, clock } = app;
  const now = () => clock.now();
  const api = { handlerSweepInterval: SWEEP, ...(apiUrl !== undefined && { api: apiUrl }) };
  const pace = { globalRequestsPerSecond: options.requestsPerSecond ?? REQUESTS_PER_SECOND };
  const client = makeClient({ rest: { ...api, ...pace }, shards: options.shards ?? 'auto' });
  const storm = new InvalidRequestGuard(now, () =>
    log.error({ door: 'discord' }, 'Discord refuses most requests: posting rests for ten minutes'),
  );
  const oldEdits = new OldEdits();
  const posting = new REST({
    version: '10',
    retries: 0,
    rejectOnRateLimit: (limit) => oldEdits.giveUp(limit),
    ...api,
    ...pace,
  });
  oldEdits.watch(posting);
  for (const rest of [client.rest, posting]) keepToken(rest, token);
  // Answers to interactions don't count among the fifty requests a second that Discord takes from a bot.
  const answering = new REST({ version: '10', globalRequestsPerSecond: Number.POSITIVE_INFINITY, ...api });
  for (const rest of [client.rest, posting])
    rest.on(RESTEvents.Response, (_, { status }) => storm.saw(status));
  // After a lost line there may be hundreds of interactions that nobody waits for: 404, which is no refusal.
  answering.on(RESTEvents.Response, (_, { status }) => status !== 404 && storm.saw(status));
  const painter: PictureSource = { pack: (action) => dispatcher.packAction(action), pictures };
  const { answer, turnAway } = makeAnswers({
    app,
    dispatcher,
    rest: answering,
    painter,
    ...(options.onFirstAnswer !== undefined && { onFirstAnswer: options.onFirstAnswer }),
  });
  const watched = new Watched(client);
  const rights = new Rights(posting, now, (server) => watched.isTold(server));
  client.ws.on(GatewayDispatchEvents.Ready, () => rights.forgetAll());
  for (const event of TELLING_OF_RIGHTS)
    client.ws.on(event, (told: { guild_id?: string }) => {
      if (told.guild_id !== undefined) rights.changed(told.guild_id);
    });
  const inFlight = new Set<Promise<void>>();
  let isStopping = false;

  /** By its raw event: it holds everything, whatever is cached. */
  client.ws.on(GatewayDispatchEvents.InteractionCreate, (interaction: APIInteraction) => {
    const work = (isStopping ? turnAway : answer)(interaction).finally(() => inFlight.delete(work));
    inFlight.add(work);
  });
  const tidying = setInterval(() => forgetInside(client), SWEEP).unref();
  /** The library takes it for granted that it heard of every removal; a bot that was off did not. */
  client.ws.on(GatewayDispatchEvents.Ready, (ready: ShardReady) => {
    const isHere = (server: string) => watched.includes(server);
    const compared = compareServers(store, ready, { at: now(), isHere }).then((removals) => {
      if (removals > 0) log.info({ door: 'discord', removals }, 'removed from servers in the meantime');
    });
    remember(compared, 'the servers could not be compared');
  });
  /** Without `unavailable` it is a removal, with it an outage. */
  client.ws.on(GatewayDispatchEvents.GuildDelete, (guild: { id: string; unavailable?: boolean }) => {
    if (guild.unavailable) return;
    remember(store.tenant(ofServer(guild.id)).markRemoved(now()), 'a removal could not be noted');
  });
  client.ws.on(GatewayDispatchEvents.GuildCreate, ({ id }: { id: string }) => {
    // What changed during an outage was told to nobody.
    rights.changed(id);
    remember(store.tenant(ofServer(id)).markPresent(), 'a server could not be noted');
  });
  client.on(Events.Error, (error) => log.warn({ err: error, door: 'discord' }, 'the gateway had an error'));
  client.on(Events.ShardDisconnect, ({ code }, shard) =>
    log.error({ door: 'discord', shard, code }, 'the gateway closed for good'),
  );
  client.on(Events.ShardReconnecting, (shard) =>
    log.info({ door: 'discord', shard }, 'the gateway reconnects'),
  );

  function remember(work: Promise<unknown>, trouble: string): void {
    work.catch((error: unknown) => log.error({ err: error, door: 'discord' }, trouble));
  }

  async function tellOfCommand(applicationId: string): Promise<void> {
    const registration = { rest: client.rest, applicationId, commands: dispatcher.commands };
    const done = await register({ ...registration, ...(guildId !== undefined && { guildId }) });
    log.info({ door: 'discord', done }, 'the command is registered');
    if (guildId !== undefined || watched.ids.length > FEW_GUILDS) return;
    // A server that was left a moment ago answers 403; the others are still to be looked at.
    for (const id of watched.ids)
      await unregisterIn(registration, id).catch((error: unknown) =>
        log.warn({ door: 'discord', server: id, code: codeOf(error) }, 'leftovers could not be looked for'),
      );
  }

  return {
    name: 'discord',
    poster: makePoster({ rest: posting, rights, storm, painter, log }),
    async start() {
      const ready = new Promise<void>((resolve) => client.once(Events.ClientReady, () => resolve()));
      await client.login(token);
      await ready;
      forgetInside(client);
      const applicationId = client.application?.id;
      if (options.register !== false && applicationId !== undefined) {
        // People can use what is registered already; a failure here is no reason not to serve them.
        await tellOfCommand(applicationId).catch((error: unknown) =>
          log.error({ err: error, door: 'discord' }, 'the command could not be registered'),
        );
      }
    },
    async stop() {
      isStopping = true;
      await Promise.allSettled(inFlight);
      clearInterval(tidying);
      for (const rest of [posting, answering]) {
        rest.clearHashSweeper();
        rest.clearHandlerSweeper();
      }
      await client.destroy();
    },
    trouble: () => (isConnected(client) ? undefined : 'The Discord gateway is not connected.'),
  };
}
