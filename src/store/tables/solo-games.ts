import { sql } from 'kysely';
import type { Database, DatabaseEngine, Db } from '../schema.ts';
import { parseJson } from './rows.ts';

/** A board that one person is playing. */
export interface SoloGame {
  /** Which board: the caller's key for it. */
  readonly board: string;
  readonly state: unknown;
  readonly version: number;
  readonly playedAt: number;
}

export interface SoloGames {
  get(person: string, board: string, now: number): Promise<SoloGame | undefined>;
  /** The boards of a person's games, those played last first. */
  boards(person: string, now: number): Promise<string[]>;
  /**
   * Saves over the version that was read, 0 for a new game. The new version, or undefined if it was saved
   * elsewhere in the meantime. Of more than `MOST_SOLO_GAMES` games, the one played longest ago is deleted.
   */
  save(person: string, game: SavedMove): Promise<number | undefined>;
}

type SavedMove = Omit<SoloGame, 'playedAt'> & { readonly now: number; readonly expiresAt: number };

/** Games kept for a person in one tenant: more than the days of a month, and boards besides. */
export const MOST_SOLO_GAMES = 50;

export class SqlSoloGames implements SoloGames {
  readonly #db: Db;
  readonly #engine: DatabaseEngine;
  readonly #tenant: string;

  constructor(db: Db, engine: DatabaseEngine, tenant: string) {
    this.#db = db;
    this.#engine = engine;
    this.#tenant = tenant;
  }

  async get(person: string, board: string, now: number): Promise<SoloGame | undefined> {
    const row = await this.#db
      .selectFrom('soloGame')
      .select(['board', 'state', 'version', 'playedAt'])
      .where('tenant', '=', this.#tenant)
      .where('person', '=', person)
      .where('board', '=', board)
      .where('expiresAt', '>', now)
      .executeTakeFirst();
    return row && { ...row, state: parseJson(row.state) };
  }

  async boards(person: string, now: number): Promise<string[]> {
    const rows = await this.#db
      .selectFrom('soloGame')
      .select('board')
      .where('tenant', '=', this.#tenant)
      .where('person', '=', person)
      .where('expiresAt', '>', now)
      .orderBy('playedAt', 'desc')
      .orderBy('board')
      .limit(MOST_SOLO_GAMES)
      .execute();
    return rows.map(({ board }) => board);
  }

  async save(
    person: string,
    { board, state, version, now, expiresAt }: SavedMove,
  ): Promise<number | undefined> {
    const saved = { state: JSON.stringify(state), version: version + 1, playedAt: now, expiresAt };
    return withoutSync(this.#db, this.#engine, async (db) => {
      if (version === 0) return this.#add(db, person, board, saved);
      const row = await db
        .updateTable('soloGame')
        .set(saved)
        .where('tenant', '=', this.#tenant)
        .where('person', '=', person)
        .where('board', '=', board)
        .where('version', '=', version)
        .where('expiresAt', '>', now)
        .returning('version')
        .executeTakeFirst();
      return row?.version;
    });
  }

  #add(
    db: Db,
    person: string,
    board: string,
    saved: Pick<Database['soloGame'], 'state' | 'version' | 'playedAt' | 'expiresAt'>,
  ): Promise<number | undefined> {
    return db.transaction().execute(async (transaction) => {
      const row = await transaction
        .insertInto('soloGame')
        .values({ tenant: this.#tenant, person, board, ...saved })
        .onConflict((conflict) =>
          conflict
            .columns(['tenant', 'person', 'board'])
            .doUpdateSet(saved)
            // A new game may take the place of one whose time is over.
            .where('soloGame.expiresAt', '<=', saved.playedAt),
        )
        .returning('version')
        .executeTakeFirst();
      if (row !== undefined) await deleteOldest(transaction, this.#tenant, person);
      return row?.version;
    });
  }
}

/**
 * Writes without waiting for the disk, which would keep SQLite's only thread from everybody else for each move of each
 * player. A power cut may take such writes of the last seconds; a program that ends takes none.
 */
async function withoutSync<Result>(
  db: Db,
  engine: DatabaseEngine,
  write: (db: Db) => Promise<Result>,
): Promise<Result> {
  if (engine !== 'sqlite') return write(db);
  return db.connection().execute(async (connection) => {
    await sql`pragma synchronous = normal`.execute(connection);
    try {
      return await write(connection);
    } finally {
      await sql`pragma synchronous = full`.execute(connection);
    }
  });
}

async function deleteOldest(db: Db, tenant: string, person: string): Promise<void> {
  const old = await db
    .selectFrom('soloGame')
    .select('board')
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .orderBy('playedAt', 'desc')
    .orderBy('board')
    .limit(1000)
    .offset(MOST_SOLO_GAMES)
    .execute();
  if (old.length === 0) return;
  await db
    .deleteFrom('soloGame')
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .where(
      'board',
      'in',
      old.map(({ board }) => board),
    )
    .execute();
}
