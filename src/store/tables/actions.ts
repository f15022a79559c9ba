import type { Db } from '../schema.ts';
import { MOST_DELETED } from './rows.ts';

/**
 * Texts under a short key, until they expire: mostly button actions that are too long for a platform, and also replies
 * that are shown again and what was uploaded for a post.
 */
export interface Actions {
  get(key: string, now: number): Promise<string | undefined>;
  /**
   * Replaces what is under the key. If `owner` has more than `owner.most` then, those that expire first are deleted. What
   * the bot stores for itself has no owner.
   */
  put(key: string, action: string, expiresAt: number, owner?: ActionOwner): Promise<void>;
  /** Deletes what belongs to owners whose id begins like this. */
  erase(ownerPrefix: string): Promise<void>;
}

export interface ActionOwner {
  /** The caller's code for a person in a channel: ASCII without `~`, which `erase` relies on. */
  readonly id: string;
  readonly most: number;
}

export class SqlActions implements Actions {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async get(key: string, now: number): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('action')
      .select('action')
      .where('key', '=', key)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return row?.action;
  }

  async put(key: string, action: string, expiresAt: number, owner?: ActionOwner): Promise<void> {
    const values = { action, expiresAt, owner: owner?.id ?? null };
    await this.#db
      .insertInto('action')
      .values({ key, ...values })
      .onConflict((conflict) => conflict.column('key').doUpdateSet(values))
      .execute();
    if (owner !== undefined) await this.#deleteBeyond(owner);
  }

  async erase(ownerPrefix: string): Promise<void> {
    await this.#db
      .deleteFrom('action')
      // A range, since LIKE would take each _ of an id for any character. `~` comes after all that an id holds.
      .where('owner', '>=', ownerPrefix)
      .where('owner', '<', `${ownerPrefix}~`)
      .execute();
  }

  async #deleteBeyond({ id, most }: ActionOwner): Promise<void> {
    const beyond = await this.#db
      .selectFrom('action')
      .select('key')
      .where('owner', '=', id)
      .orderBy('expiresAt', 'desc')
      .orderBy('key')
      .limit(MOST_DELETED)
      .offset(most)
      .execute();
    if (beyond.length === 0) return;
    const keys = beyond.map(({ key }) => key);
    await this.#db.deleteFrom('action').where('key', 'in', keys).execute();
  }
}
