import type { REST } from '@discordjs/rest';
import { Routes } from 'discord-api-types/v10';
import * as v from 'valibot';
import { StartError } from '../../core/errors.ts';
import type { Log } from '../../core/log.ts';
import { PostFailure } from '../../dispatch/poster.ts';
import type { Store } from '../../store/store.ts';
import { postFailure } from './errors.ts';

const DOOR = 'discord';
const Application = v.object({ id: v.string() });

export interface StoreOwnerTools {
  readonly rest: REST;
  readonly store: Pick<Store, 'applications'>;
  readonly log: Log;
}

/**
 * Whether the store is that of the application whose token this is. Another one is in none of the store's servers, or in
 * few: it would take itself for removed from all others, and suspend their channels.
 */
export class StoreOwner {
  readonly #tools: StoreOwnerTools;
  #own: Promise<string> | undefined;
  #isConfirmed = false;
  #isLogged = false;

  constructor(tools: StoreOwnerTools) {
    this.#tools = tools;
  }

  /** The application's id. Throws a `StartError` if the store is known to be another application's. */
  async check(): Promise<string> {
    const own = await this.#ownId();
    const known = (await this.#tools.store.applications.get(DOOR)) ?? own;
    if (known !== own) throw new StartError(explain(own, known));
    return own;
  }

  /** The same before a post, which then waits. Asked once, and again while it fails. */
  async checkPosting(): Promise<void> {
    if (this.#isConfirmed) return;
    try {
      await this.check();
      this.#isConfirmed = true;
    } catch (error) {
      if (!(error instanceof StartError)) throw new PostFailure('later', postFailure(error).message);
      if (!this.#isLogged) this.#tools.log.error({ door: DOOR }, `Nothing is posted. ${error.message}`);
      this.#isLogged = true;
      throw new PostFailure('later', 'DISCORD_TOKEN belongs to another application than the database');
    }
  }

  /**
   * Whether what this application is not in has removed the bot. Where no application is known, as before this was
   * stored, it has to be in a server of the store first.
   */
  async isOurs(isInItsServers: boolean): Promise<boolean> {
    const { applications } = this.#tools.store;
    const own = await this.#ownId();
    return own === (isInItsServers ? await applications.claim(DOOR, own) : await applications.get(DOOR));
  }

  #ownId(): Promise<string> {
    this.#own ??= this.#ask().catch((error: unknown) => {
      this.#own = undefined;
      throw error;
    });
    return this.#own;
  }

  async #ask(): Promise<string> {
    return v.parse(Application, await this.#tools.rest.get(Routes.currentApplication())).id;
  }
}

function explain(own: string, known: string): string {
  return (
    `DISCORD_TOKEN belongs to application ${own}, and the database to application ${known}. Set the token of that one, ` +
    'or give this one a database of its own. If the bot is to move to this application, docs/hosting.md, "Another ' +
    `Discord application", says how: npm run -s letterboxed -- db application ${own}`
  );
}
