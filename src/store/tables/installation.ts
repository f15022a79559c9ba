import type { Db } from '../schema.ts';

/** The tokens a platform gave us when the bot was installed, encrypted by the door before they come here. */
export interface Installation {
  get(): Promise<string | undefined>;
  put(encrypted: string, at: number): Promise<void>;
  /**
   * The platform revoked it: deletes it and marks the tenant as removed, both or neither. False when another
   * installation has replaced it meanwhile, or none is stored any more.
   */
  lose(encrypted: string, at: number): Promise<boolean>;
}

export class SqlInstallation implements Installation {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('installation')
      .select('encrypted')
      .where('tenant', '=', this.#tenant)
      .executeTakeFirst();
    return row?.encrypted;
  }

  async put(encrypted: string, at: number): Promise<void> {
    await this.#db
      .insertInto('installation')
      .values({ tenant: this.#tenant, encrypted, at })
      .onConflict((conflict) => conflict.column('tenant').doUpdateSet({ encrypted, at }))
      .execute();
  }

  lose(encrypted: string, at: number): Promise<boolean> {
    return this.#db.transaction().execute(async (transaction) => {
      const [deleted] = await transaction
        .deleteFrom('installation')
        .where('tenant', '=', this.#tenant)
        .where('encrypted', '=', encrypted)
        .execute();
      if (deleted?.numDeletedRows !== 1n) return false;
      await markRemoved(transaction, this.#tenant, at);
      return true;
    });
  }
}

/** The first removal counts: a platform may report one removal several times. */
export async function markRemoved(db: Db, tenant: string, at: number): Promise<void> {
  await db
    .insertInto('removedTenant')
    .values({ tenant, removedAt: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
