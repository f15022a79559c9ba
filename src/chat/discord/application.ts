import { ApplicationIntegrationType, type Client, ClientApplication } from 'discord.js';
import * as v from 'valibot';
import { makeTenant } from '../../core/channel-ref.ts';
import { SECOND } from '../../core/clock.ts';
import { askOnce } from '../../core/concurrency.ts';
import { StartError } from '../../core/errors.ts';
import { logFault } from '../../core/log.ts';
import { PROGRAM_CALL } from '../../core/program.ts';
import type { App } from '../../dispatch/contract.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import { sinceYesterday } from '../door.ts';
import { postFailure, UNREADABLE } from './errors.ts';
import type { Ready } from './gateway.ts';
import { Id, serverOf } from './interaction.ts';

const { GuildInstall, UserInstall } = ApplicationIntegrationType;

/** The application of a client, which need not have logged in. */
export async function fetchApplication(client: Client): Promise<ClientApplication> {
  // Its constructor is private: the library makes one at login.
  const application: ClientApplication = Reflect.construct(ClientApplication, [client, {}]);
  // Its manager of commands takes the application's id from here.
  client.application = application;
  await application.fetch().catch((error: unknown) => {
    // A response that says that it is JSON, and is not.
    throw error instanceof SyntaxError ? new PostFailure('later', UNREADABLE, { cause: error }) : error;
  });
  // The library checks nothing.
  if (!v.is(Id, application.id)) throw new PostFailure('later', UNREADABLE);
  return application;
}

/** How it can be installed, from its Installation page. Discord rejects commands for other installation types. */
export function waysToInstall({ integrationTypesConfig }: ClientApplication): ApplicationIntegrationType[] {
  const ticked = integrationTypesConfig ?? { [GuildInstall]: null };
  return [GuildInstall, UserInstall].filter((type) => type in ticked);
}

const FOREIGN_SERVERS_MESSAGE =
  'servers of the database do not have this bot, but none counts as removed, since the database may be of another application than DISCORD_TOKEN: docs/hosting.md, "Another Discord application", says what to do';

/** Discord closes a shard with more than 2,500. */
const SERVERS_TO_WARN = 2_000;
const NEARLY_FULL_MESSAGE =
  'a shard may have 2,500 servers: restart with DISCORD_SHARDS=auto, or add shards, as docs/hosting.md says';

type Tools = Pick<App, 'store' | 'clock' | 'log'>;

const RETRY_AFTER_MS = 10 * SECOND;

/**
 * Records in the store which servers removed the bot, and which added it again. Discord reports each change once, and a
 * return that is not recorded would end with all data of the server being erased while the bot is there. So
 * the servers of this process's shards are listed here, and compared with those in the store when a session
 * begins, and after a change that could not be recorded.
 */
export class Servers {
  readonly #app: Tools;
  readonly #application: OwnApplication;
  /** The servers of each shard that has begun a session, by the shard's id. */
  readonly #listed = new Map<number, Set<string>>();
  #shards = 1;
  #recorded: Promise<unknown> = Promise.resolve();
  #retry: NodeJS.Timeout | undefined;

  constructor(app: Tools, application: OwnApplication) {
    this.#app = app;
    this.#application = application;
  }

  /** Each session begins with the list of all servers, also those with an outage. */
  begin({ guilds, shard: [shard, shards] }: Ready): void {
    if (guilds.length >= SERVERS_TO_WARN)
      this.#app.log.warn({ door: 'discord', shard, servers: guilds.length }, NEARLY_FULL_MESSAGE);
    this.#shards = shards;
    this.#listed.set(shard, new Set(guilds.map(({ id }) => id)));
    this.#record(() => this.#compare());
  }

  /** The bot is in a server again: what it gave up there of today's thread and yesterday's, which may be open, is due again. */
  add(server: string): void {
    const servers = this.#listedWith(server);
    if (servers === undefined || servers.has(server)) return;
    servers.add(server);
    this.#record(() => this.#tenant(server).markPresent(sinceYesterday(this.#app.clock)));
  }

  remove(server: string): void {
    if (!this.#listedWith(server)?.delete(server)) return;
    this.#record(async () => {
      if (await this.#application.ownsStore()) await this.#tenant(server).markRemoved(this.#app.clock.now());
    });
  }

  #tenant(server: string) {
    return this.#app.store.tenant(makeTenant('discord', server));
  }

  /** The servers of the same shard; undefined if another process has it. */
  #listedWith(server: string): Set<string> | undefined {
    return this.#listed.get(shardOf(server, this.#shards));
  }

  /** Records one change after another. What the store does not take is found by a comparison later. */
  #record(act: () => Promise<unknown>): void {
    this.#recorded = this.#recorded.then(act).catch((error: unknown) => {
      logFault(this.#app.log, error, { door: 'discord' }, 'recording which servers have the bot failed');
      clearTimeout(this.#retry);
      this.#retry = setTimeout(() => this.#record(() => this.#compare()), RETRY_AFTER_MS).unref();
    });
  }

  async #compare(): Promise<void> {
    const { store, clock, log } = this.#app;
    const gone: string[] = [];
    let present = 0;
    let kept = 0;
    for (const { tenant, removed } of await store.allTenants.tenants('discord')) {
      const id = serverOf(tenant);
      if (id === undefined) continue;
      if (!removed) present++;
      const isListed = this.#listedWith(id)?.has(id);
      if (isListed) kept++;
      if (isListed && removed) await store.tenant(tenant).markPresent(sinceYesterday(clock));
      if (isListed === false && !removed) gone.push(tenant);
    }
    // An unclaimed store goes to the first application that is in one of its servers or, if it has none, to the first of all.
    const mayBeOurs = kept > 0 || present === 0;
    const isOurs = await (mayBeOurs ? this.#application.claimStore() : this.#application.ownsStore());
    if (gone.length === 0) return;
    if (!isOurs) return log.warn({ door: 'discord', servers: gone.length }, FOREIGN_SERVERS_MESSAGE);
    for (const tenant of gone) await store.tenant(tenant).markRemoved(clock.now());
    log.info({ door: 'discord', removals: gone.length }, 'removed from servers while not connected');
  }
}

/** The shard that Discord gives a server to: by the bits of its id that hold the time of its creation. */
function shardOf(server: string, shards: number): number {
  return Number((BigInt(server) >> 22n) % BigInt(shards));
}

/**
 * The application of this token, and whether the store belongs to it. Another application is in few or none of its servers, so it
 * would conclude that it was removed from all the others, and suspend their channels.
 */
export class OwnApplication {
  readonly #app: Pick<Tools, 'store' | 'log'>;
  readonly #application: () => Promise<ClientApplication>;
  /** Whether posts may go out: the store is known to belong to no other application. */
  isConfirmed = false;
  #isLogged = false;

  constructor(client: Client, app: Pick<Tools, 'store' | 'log'>) {
    this.#app = app;
    this.#application = askOnce(() => fetchApplication(client));
  }

  /** The application. Throws a `StartError` if the store is known to belong to another one. */
  async check(): Promise<ClientApplication> {
    const own = await this.#application();
    const owner = (await this.#app.store.applications.get('discord')) ?? own.id;
    if (owner !== own.id) throw new StartError(foreignStoreMessage(own.id, owner));
    return own;
  }

  /** Checks this before a post. If it fails, the post waits. */
  async checkPosting(): Promise<void> {
    try {
      await this.check();
      this.isConfirmed = true;
    } catch (error) {
      if (!(error instanceof StartError)) throw postFailure(error);
      if (!this.#isLogged) this.#app.log.error({ door: 'discord' }, `Nothing is posted. ${error.message}`);
      this.#isLogged = true;
      throw new PostFailure('later', 'DISCORD_TOKEN belongs to another application than the database');
    }
  }

  /** The user that posts. */
  async botId(): Promise<string> {
    const { bot } = await this.#application();
    if (bot === null) throw new PostFailure('later', 'Discord’s answer names no bot of this application');
    return v.parse(Id, bot.id);
  }

  async ownsStore(): Promise<boolean> {
    const { id } = await this.#application();
    return (await this.#app.store.applications.get('discord')) === id;
  }

  /** Claims the store for this application if it belongs to none. False if it belongs to another one. */
  async claimStore(): Promise<boolean> {
    const { id } = await this.#application();
    return (await this.#app.store.applications.claim('discord', id)) === id;
  }
}

function foreignStoreMessage(own: string, owner: string): string {
  return (
    `DISCORD_TOKEN belongs to application ${own}, and the database to application ${owner}. Set the token of that one, ` +
    'or give this one a database of its own. If the bot is to move to this application, docs/hosting.md, "Another ' +
    `Discord application", says how: ${PROGRAM_CALL} db application ${own}`
  );
}
