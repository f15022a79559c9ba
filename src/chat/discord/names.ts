import { setTimeout as sleep } from 'node:timers/promises';
import type { REST } from '@discordjs/rest';
import { Routes } from 'discord-api-types/v10';
import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { makeTenant } from '../../core/channel-ref.ts';
import { DAY } from '../../core/clock.ts';
import { serverOf } from './events.ts';
import type { InvalidRequestGuard } from './rest.ts';

const MOST_NAMES = 20_000;
/** Milliseconds for all names of a message; one that comes later is a mention, and is there for the next message. */
const PATIENCE = 2_000;

const MEMBER = v.object({
  nick: v.nullish(v.string()),
  user: v.object({ username: v.string(), global_name: v.nullish(v.string()) }),
});

/** The display names of people, by their ids. */
export type NamesOf = (people: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Names for texts that notify nobody: Discord sends no user data along with a mention that is suppressed, and clients that
 * do not know the person show "@invalid-user". Kept in memory for a day, never stored and never logged.
 */
export class Names {
  readonly #rest: REST;
  readonly #guard: InvalidRequestGuard;
  readonly #names = new LRUCache<string, Promise<string | undefined>>({ max: MOST_NAMES, ttl: DAY });

  constructor(rest: REST, guard: InvalidRequestGuard) {
    this.#rest = rest;
    this.#guard = guard;
  }

  /** The members of a tenant's server; nobody's where there is none. */
  in(tenant: string): NamesOf {
    const server = serverOf(tenant);
    return async (people) => {
      const names = new Map<string, string>();
      if (server === undefined || people.length === 0) return names;
      const looking = people.map(async (person) => {
        const name = await this.#name(server, person);
        if (name !== undefined) names.set(person, name);
      });
      await Promise.race([Promise.all(looking), sleep(PATIENCE, undefined, { ref: false })]);
      return new Map(names);
    };
  }

  #name(server: string, person: string): Promise<string | undefined> {
    const key = `${server} ${person}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const asked = this.#ask(server, person).catch(() => {
      this.#names.delete(key);
      return undefined;
    });
    this.#names.set(key, asked);
    return asked;
  }

  async #ask(server: string, person: string): Promise<string> {
    const tenant = makeTenant('discord', server);
    this.#guard.check(tenant, 'optional');
    const route = Routes.guildMember(server, person);
    const { nick, user } = v.parse(
      MEMBER,
      await this.#guard.about(tenant, () => this.#rest.get(route), 'optional'),
    );
    return nick ?? user.global_name ?? user.username;
  }
}
