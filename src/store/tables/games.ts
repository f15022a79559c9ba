import type { Db } from '../schema.ts';
import { parseJson } from './rows.ts';

/** A game played together, one a thread. */
export interface Game {
  readonly thread: string;
  readonly state: unknown;
  readonly version: number;
  /** Who has played in it, so that they can be forgotten. */
  readonly people: readonly string[];
  readonly expiresAt: number;
}

export interface Games {
  get(thread: string, now: number): Promise<Game | undefined>;
  /** Saves over the version that was read, 0 for a new game; undefined when somebody else was faster. */
  save(
    thread: string,
    change: Pick<Game, 'state' | 'version' | 'people' | 'expiresAt'> & { readonly now: number },
  ): Promise<Game | undefined>;
  end(thread: string): Promise<void>;
}

export class SqlGames implements Games {
  readonly #db: Db;
  readonly #tenant: string;

  constructor(db: Db, tenant: string) {
    this.#db = db;
    this.#tenant = tenant;
  }

  async get(thread: string, now: number): Promise<Game | undefined> {
    const row = await this.#db
      .selectFrom('game')
      .select(['state', 'version', 'expiresAt'])
      .where('tenant', '=', this.#tenant)
      .where('thread', '=', thread)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const players = await this.#db
      .selectFrom('gamePerson')
      .select('person')
      .where('tenant', '=', this.#tenant)
      .where('thread', '=', thread)
      .orderBy('person')
      .execute();
    return { thread, ...row, state: parseJson(row.state), people: players.map(({ person }) => person) };
  }

  save(
    thread: string,
    {
      state,
      version,
      people,
      expiresAt,
      now,
    }: Pick<Game, 'state' | 'version' | 'people' | 'expiresAt'> & { readonly now: number },
  ): Promise<Game | undefined> {
    return this.#db.transaction().execute(async (transaction) => {
      const saved = { state: JSON.stringify(state), version: version + 1, expiresAt };
      const row =
        version === 0
          ? await transaction
              .insertInto('game')
              .values({ tenant: this.#tenant, thread, ...saved })
              .onConflict((conflict) =>
                conflict
                  .columns(['tenant', 'thread'])
                  .doUpdateSet(saved)
                  // A new game may take the place of one whose time is over.
                  .where('game.expiresAt', '<=', now),
              )
              .returning('version')
              .executeTakeFirst()
          : await transaction
              .updateTable('game')
              .set(saved)
              .where('tenant', '=', this.#tenant)
              .where('thread', '=', thread)
              .where('version', '=', version)
              .where('expiresAt', '>', now)
              .returning('version')
              .executeTakeFirst();
      if (row === undefined) return undefined;
      await transaction
        .deleteFrom('gamePerson')
        .where('tenant', '=', this.#tenant)
        .where('thread', '=', thread)
        .execute();
      const players = [...new Set(people)].sort();
      if (players.length > 0) {
        await transaction
          .insertInto('gamePerson')
          .values(players.map((person) => ({ tenant: this.#tenant, thread, person })))
          .execute();
      }
      return { thread, state, version: row.version, people: players, expiresAt };
    });
  }

  async end(thread: string): Promise<void> {
    await this.#db.transaction().execute(async (transaction) => {
      for (const table of ['game', 'gamePerson'] as const) {
        await transaction
          .deleteFrom(table)
          .where('tenant', '=', this.#tenant)
          .where('thread', '=', thread)
          .execute();
      }
    });
  }
}
