import type { Db } from '../schema.ts';
import { MOST_DELETED } from './rows.ts';

/** Button actions too long for a platform, under a short key. */
export interface Actions {
  get(key: string, now: number): Promise<string | undefined>;
  /** Of more actions than `owner` may have, those that expire first are deleted. The bot's own have no owner. */
  put(key: string, action: string, expiresAt: number, owner?: ActionOwner): Promise<void>;
  /** Deletes what belongs to owners whose id begins like this. */
  erase(ownerPrefix: string): Promise<void>;
}

export interface ActionOwner {
  /** The caller's code for a person in a channel. */
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
