import { randomUUID } from 'node:crypto';
import { RESTJSONErrorCodes as CODE, DiscordAPIError, type REST, Routes } from 'discord.js';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { makeTenant, privateTenant } from '../../core/channel-ref.ts';
import { DAY, SECOND } from '../../core/clock.ts';
import { expiring, RateLimit } from '../../core/concurrency.ts';
import { UserError } from '../../core/errors.ts';
import type { App, Asker, Options, RequestChannel } from '../../dispatch/contract.ts';
import { makeAction, ownerOf, parseAction } from '../../reply/model/action.ts';
import type { ActivityEntry, ActivityHost, Admission } from '../../web/pages/activity-pages.ts';
import { boardOfLink } from '../../web/pages/personal-links.ts';
import type { NameCache } from '../conversation.ts';
import type { OwnApplication } from './application.ts';
import { codeOf, postFailure } from './errors.ts';
import { Channel, Id, placeOf, WithId } from './interaction.ts';
import type { PostingRest } from './rest.ts';

/** The most OAuth codes to exchange per minute for each instance. */
const MAX_CODES_PER_MINUTE = 60;
/**
 * The most instances per second that are looked up because no command opened them. With a limit per minute, requests about
 * instances that do not exist could use up all of it in its first second.
 */
const MAX_UNKNOWN_INSTANCES_PER_SECOND = 5;
/** The most openings of one person. */
const MAX_OPENINGS_PER_MINUTE = 10;
/** Milliseconds for which the list of players is cached. Whoever enters is looked up at once. */
const PEOPLE_CACHE_MS = 30 * SECOND;
const MAX_CACHED_INSTANCES = 5_000;
/** How long the board of an instance is stored. Discord ends an instance when everybody has left. */
const INSTANCE_MEMORY_MS = DAY;

const Token = v.object({ access_token: v.string() });
const Instance = v.object({
  users: v.array(Id),
  location: v.object({ channel_id: Id, guild_id: v.nullish(Id) }),
});
type Instance = v.InferOutput<typeof Instance>;

interface ActivityTools {
  readonly app: App;
  readonly rest: PostingRest;
  readonly application: OwnApplication;
  readonly clientSecret: string;
  readonly names: NameCache;
}

/**
 * The board as a Discord Activity. The client sends an OAuth code, which identifies the person; the channel and the people
 * of the instance are requested from Discord, never taken from the client.
 */
export class Activities implements ActivityHost {
  readonly #tools: ActivityTools;
  readonly #exchanges = new RateLimit(MAX_CODES_PER_MINUTE);
  readonly #entries = new RateLimit(MAX_OPENINGS_PER_MINUTE);
  readonly #unknown = new RateLimit(MAX_UNKNOWN_INSTANCES_PER_SECOND, SECOND);
  readonly #people: LRUCache<string, readonly string[]>;

  constructor(tools: ActivityTools) {
    this.#tools = tools;
    this.#people = new LRUCache(expiring(MAX_CACHED_INSTANCES, PEOPLE_CACHE_MS, tools.app.clock));
  }

  async applicationId(): Promise<string> {
    return (await this.#tools.application.check()).id;
  }

  /** Stores the board that a person opened in an instance, for them and for people who join later. */
  async remember(instance: string, asker: Asker, board: Options): Promise<void> {
    const { app } = this.#tools;
    const now = app.clock.now();
    // Each press of Play is an opening. A page of an earlier one is refused, so that it doesn't go on with another board.
    const action = makeAction({ command: 'play', options: { ...board, opening: randomUUID() } });
    const owner = await ownerOf(asker);
    await app.store.actions.put(keyOf(instance, asker.who.id), action, now + INSTANCE_MEMORY_MS, owner);
    await app.store.actions.put(keyOf(instance), action, now + INSTANCE_MEMORY_MS);
  }

  async openingId(instance: string, person: string): Promise<string> {
    return (await this.#storedBoard(instance, person))?.opening ?? '';
  }

  async enter({ code, instance, link }: ActivityEntry): Promise<Admission> {
    const now = this.#tools.app.clock.now();
    await this.#refuseMadeUp(instance, now);
    this.#exchanges.take(instance, now);
    const { id: person } = await this.#confirm(() => this.#personOf(code));
    this.#entries.take(person, now);
    const where = await this.#confirm(async () => {
      const found = await this.#fetchInstance(instance);
      if (!found?.users.includes(person)) throw refusal('instance');
      return this.#whereIn(found.location, person);
    });
    const asker: Asker = { door: 'discord', who: { id: person, mayManage: false }, where };
    // The board that this person opened counts first, then that of a link, then the one that somebody opened last.
    const own = await this.#storedBoard(instance, person);
    const linked = link === undefined ? undefined : boardOfLink(link);
    const options = own?.board ?? linked ?? (await this.#storedBoard(instance))?.board ?? {};
    return { asker, options, instance, openingId: own?.opening ?? '' };
  }

  async tokenOf(code: string, instance: string, person: string): Promise<string> {
    this.#exchanges.take(instance, this.#tools.app.clock.now());
    const { id, token } = await this.#confirm(() => this.#personOf(code));
    if (id !== person) throw refusal('code');
    return token;
  }

  /** An instance that no command opened is looked up first: no code is exchanged for one that does not exist. */
  async #refuseMadeUp(instance: string, now: number): Promise<void> {
    if (this.#people.has(instance) || (await this.#storedBoard(instance)) !== undefined) return;
    this.#unknown.take('all', now);
    if ((await this.#confirm(() => this.#fetchInstance(instance))) === undefined) throw refusal('instance');
  }

  async peopleIn(instance: string): Promise<readonly string[]> {
    const known = this.#people.get(instance);
    return known ?? (await this.#confirm(() => this.#fetchInstance(instance)))?.users ?? [];
  }

  names(tenant: string, people: readonly string[]): Promise<ReadonlyMap<string, string>> {
    return this.#tools.names.of(tenant, people);
  }

  async #storedBoard(
    instance: string,
    person?: string,
  ): Promise<{ opening: string; board: Options } | undefined> {
    const { store, clock } = this.#tools.app;
    const kept = await store.actions.get(keyOf(instance, person), clock.now());
    if (kept === undefined) return undefined;
    const { opening, ...board } = parseAction(kept).options;
    return { opening: String(opening), board };
  }

  /** @returns the person's id, and the access token, which is never stored */
  async #personOf(code: string): Promise<{ readonly id: string; readonly token: string }> {
    const { rest, clientSecret: client_secret } = this.#tools;
    const application = { client_id: await this.applicationId(), client_secret };
    const answer = await exchange(rest, { ...application, grant_type: 'authorization_code', code });
    const { access_token: token } = v.parse(Token, answer);
    const headers = { authorization: `Bearer ${token}` };
    return { ...v.parse(WithId, await rest.get(Routes.user(), { auth: false, headers })), token };
  }

  /** The people and the channel of an instance; undefined if it is over. */
  async #fetchInstance(instance: string): Promise<Instance | undefined> {
    const route = Routes.applicationActivityInstance(await this.applicationId(), instance);
    const answer = await unlessGone(this.#tools.rest.get(route));
    this.#people.delete(instance);
    if (answer === undefined) return undefined;
    const found = v.parse(Instance, answer);
    this.#people.set(instance, found.users);
    return found;
  }

  /** Where an instance is. If the bot can't see that channel, data is stored under the person, as in a private conversation. */
  async #whereIn(
    { channel_id: channel, guild_id: guild }: Instance['location'],
    person: string,
  ): Promise<RequestChannel> {
    const seen = guild && (await unlessGone(this.#tools.rest.get(Routes.channel(channel))));
    if (!guild || !seen) return { tenant: privateTenant('discord', person), channel, direct: true };
    return { tenant: makeTenant('discord', guild), direct: false, ...placeOf(v.parse(Channel, seen)) };
  }

  /** Turns errors into a `UserError` that says whether the code was rejected or Discord is down. */
  async #confirm<Result>(act: () => Promise<Result>): Promise<Result> {
    const { rest, app } = this.#tools;
    try {
      // Such a request is about no server in particular, and optional: when too many are refused, posts still go on.
      return await rest.guard.run(undefined, 'optional', act);
    } catch (error) {
      if (error instanceof UserError) throw error;
      if (error instanceof DiscordAPIError && error.status === 400) throw refusal('code');
      const reason = postFailure(error).message;
      if (error instanceof DiscordAPIError && error.url.includes(Routes.oauth2TokenExchange()))
        app.log.error(
          { door: 'discord', reason },
          'Discord takes no codes: copy DISCORD_CLIENT_SECRET again',
        );
      else app.log.warn({ door: 'discord', reason }, 'an Activity could not be confirmed');
      throw refusal('outage');
    }
  }
}

/** Requests an OAuth access token. */
export function exchange(rest: REST, fields: Readonly<Record<string, string>>): Promise<unknown> {
  return rest.post(Routes.oauth2TokenExchange(), {
    body: new URLSearchParams(fields),
    passThroughBody: true,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    auth: false,
  });
}

const REFUSALS = {
  code: 'Discord does not know this code. Close the board, and press Play again.',
  instance: 'Discord does not have you here. Close the board, and press Play again.',
  outage: 'Discord does not answer now. Try again in a minute.',
} as const;

function refusal(reason: keyof typeof REFUSALS): UserError {
  return new UserError(`activity.${reason}`, REFUSALS[reason]);
}

/** The key under which the board of an instance is stored, for everybody or for one person. */
function keyOf(instance: string, person = ''): string {
  return `activity ${instance} ${person}`.trim();
}

/** Resolves to undefined if it does not exist or the bot may not see it. */
async function unlessGone(asking: Promise<unknown>): Promise<unknown> {
  try {
    return await asking;
  } catch (error) {
    const isMissing = error instanceof DiscordAPIError && error.status === 404;
    if (isMissing || codeOf(error) === CODE.MissingAccess) return undefined;
    throw error;
  }
}
