import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { type Clock, DAY, MINUTE } from '../core/clock.ts';

const MOST_NAMES = 20_000;
/** Milliseconds for all names of a message; one that comes later is a mention, and is there for the next message. */
const PATIENCE = 2_000;

/** The display names of people, by their ids. */
export type NamesOf = (people: readonly string[]) => Promise<ReadonlyMap<string, string>>;

/**
 * Names for texts that notify nobody. Kept in memory for a day, never stored and never logged. Discord sends no user data
 * along with a mention that is suppressed, and clients that do not know the person show "@invalid-user".
 */
export class Names {
  readonly #ask: (tenant: string, person: string) => Promise<string | undefined>;
  readonly #names: LRUCache<string, Promise<string | undefined>>;

  /** @param ask undefined, or an error, where the platform does not tell */
  constructor(clock: Clock, ask: (tenant: string, person: string) => Promise<string | undefined>) {
    this.#ask = ask;
    this.#names = new LRUCache({ max: MOST_NAMES, ttl: DAY, ttlResolution: 0, perf: clock });
  }

  /** The names of people where a tenant knows them. */
  in(tenant: string): NamesOf {
    return async (people) => {
      const names = new Map<string, string>();
      if (people.length === 0) return names;
      const looking = people.map(async (person) => {
        const name = await this.#name(tenant, person);
        if (name !== undefined) names.set(person, name);
      });
      await Promise.race([Promise.all(looking), sleep(PATIENCE, undefined, { ref: false })]);
      return new Map(names);
    };
  }

  #name(tenant: string, person: string): Promise<string | undefined> {
    const key = `${tenant} ${person}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const asked = this.#ask(tenant, person)
      .catch(() => undefined)
      .then((name) => {
        if (name === undefined) this.#names.set(key, asked, { ttl: MINUTE });
        return name;
      });
    this.#names.set(key, asked);
    return asked;
  }
}
